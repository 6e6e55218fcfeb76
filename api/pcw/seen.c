/* seen.c - two lists in the order of their ids, walked side by side. */
#include "api/pcw/seen.h"

#include <stdlib.h>
#include <string.h>

#include "api/pcw/pcw.h"

struct pcw_seen {
    size_t count;
    struct pcw_named named[]; /* by id; the names' text lies behind */
};

static int by_id(const void *left, const void *right)
{
    uint32_t a = ((const struct pcw_named *)left)->id;
    uint32_t b = ((const struct pcw_named *)right)->id;

    return a < b ? -1 : a > b;
}

static struct pcw_seen *copy(const struct pcw_named *named, size_t count)
{
    struct pcw_seen *seen;
    uint16_t *text;
    size_t units = 0;

    for (size_t i = 0; i < count; i++) {
        units += named[i].name.length;
    }
    seen = pcw_alloc(
        sizeof(*seen) + count * sizeof(*named) + units * sizeof(*text));
    text = (uint16_t *)&seen->named[count];
    seen->count = count;
    for (size_t i = 0; i < count; i++) {
        size_t length = named[i].name.length;

        memcpy(text, named[i].name.at, length * sizeof(*text));
        seen->named[i] = (struct pcw_named){named[i].id, {text, length}};
        text += length;
    }
    qsort(seen->named, count, sizeof(*seen->named), by_id);
    return seen;
}

/* Whether the id at `i` is that of no other. */
static bool is_alone(const struct pcw_seen *seen, size_t i)
{
    uint32_t id = seen->named[i].id;

    return (i == 0 || seen->named[i - 1].id != id) &&
           (i + 1 == seen->count || seen->named[i + 1].id != id);
}

static bool has_name(const struct pcw_seen *seen, struct pcw_text name)
{
    size_t i = 0;

    while (i < seen->count && !pcw_text_equal(seen->named[i].name, name)) {
        i++;
    }
    return i < seen->count;
}

/* The ids are the same, so what is alone now was so then. */
static bool one_is_renamed(
    const struct pcw_seen *before, const struct pcw_seen *after)
{
    const struct pcw_named *renamed = NULL;
    bool kept = false;

    if (before->count != after->count) {
        return false;
    }
    for (size_t i = 0; i < after->count; i++) {
        const struct pcw_named *old = &before->named[i];

        if (old->id != after->named[i].id) {
            return false;
        }
        if (!is_alone(after, i)) {
            continue;
        }
        if (pcw_text_equal(old->name, after->named[i].name)) {
            kept = true;
        } else if (renamed == NULL) {
            renamed = old;
        }
    }
    return renamed != NULL && (kept || has_name(after, renamed->name));
}

struct pcw_seen *pcw_seen_next(struct pcw_seen *before,
    const struct pcw_named *named, size_t count, bool *renamed)
{
    struct pcw_seen *after = copy(named, count);

    *renamed = before != NULL && one_is_renamed(before, after);
    pcw_seen_free(before);
    return after;
}

void pcw_seen_free(struct pcw_seen *seen)
{
    free(seen);
}
