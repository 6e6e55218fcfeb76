/* names.c - the names of instances in a whole collection, and one that has
 * changed since the last: two lists in the order of their ids, walked side by
 * side. */
#include "api/pcw/names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/pcw/pcw.h"

struct pcw_names {
    size_t count;
    struct pcw_named named[]; /* by id; the names' text lies behind */
};

static bool names_check(const struct pcw_names *names)
{
    for (size_t i = 1; i < names->count; i++) {
        assert(names->named[i - 1].id <= names->named[i].id);
    }
    return true;
}

static int by_id(const void *left, const void *right)
{
    uint32_t a = ((const struct pcw_named *)left)->id;
    uint32_t b = ((const struct pcw_named *)right)->id;

    return a < b ? -1 : a > b;
}

struct pcw_names *pcw_names_new(const struct pcw_named *named, size_t count)
{
    struct pcw_names *names;
    uint16_t *text, *end;
    size_t units = 0;

    for (size_t i = 0; i < count; i++) {
        units += named[i].name.length;
    }
    names = pcw_alloc(
        sizeof(*names) + count * sizeof(*named) + units * sizeof(*text));
    text = (uint16_t *)&names->named[count];
    end = text + units;
    names->count = count;
    for (size_t i = 0; i < count; i++) {
        size_t length = named[i].name.length;

        memcpy(text, named[i].name.at, length * sizeof(*text));
        names->named[i] = (struct pcw_named){named[i].id, {text, length}};
        text += length;
    }
    assert(text == end);
    qsort(names->named, count, sizeof(*names->named), by_id);
    assert(names_check(names));
    return names;
}

/* Whether the id at `i` is that of no other. */
static bool is_alone(const struct pcw_names *names, size_t i)
{
    uint32_t id = names->named[i].id;

    assert(i < names->count);
    return (i == 0 || names->named[i - 1].id != id) &&
           (i + 1 == names->count || names->named[i + 1].id != id);
}

static bool have_same_ids(
    const struct pcw_names *before, const struct pcw_names *after)
{
    size_t i = 0;

    while (i < before->count && i < after->count &&
           before->named[i].id == after->named[i].id) {
        i++;
    }
    return i == before->count && i == after->count;
}

/* Whether the id at `i` may be one that the provider gives to every instance.
 */
static bool says_nothing(const struct pcw_names *names, size_t i)
{
    return !is_alone(names, i) ||
           (names->count == 1 && names->named[i].id == 0);
}

/* The ids are the same, so what is alone now was so then. */
bool pcw_names_changed(const struct pcw_names *before,
    const struct pcw_names *after, struct pcw_renamed *renamed)
{
    if (before == NULL || !have_same_ids(before, after)) {
        return false;
    }
    assert(before->count == after->count);
    for (size_t i = 0; i < after->count; i++) {
        struct pcw_text then = before->named[i].name;
        struct pcw_text now = after->named[i].name;

        assert(is_alone(before, i) == is_alone(after, i));
        if (!says_nothing(after, i) && !pcw_text_equal(then, now)) {
            *renamed = (struct pcw_renamed){after->named[i].id, then, now};
            return true;
        }
    }
    return false;
}

static int by_name(const void *left, const void *right)
{
    return pcw_text_compare((*(const struct pcw_named *const *)left)->name,
        (*(const struct pcw_named *const *)right)->name);
}

/* The instances in the order of their names. */
static const struct pcw_named **sorted_by_name(const struct pcw_names *names)
{
    const struct pcw_named **list =
        pcw_alloc((names->count + 1) * sizeof(const struct pcw_named *));

    for (size_t i = 0; i < names->count; i++) {
        list[i] = &names->named[i];
    }
    qsort(list, names->count, sizeof(*list), by_name);
    return list;
}

/* How many from `at` on have its name; the list ends with NULL. */
static size_t namesakes(const struct pcw_named **at)
{
    size_t count = 1;

    while (at[count] != NULL && by_name(&at[0], &at[count]) == 0) {
        count++;
    }
    return count;
}

/* Both lists are walked from name to name. */
static bool find_renumbered(const struct pcw_named **before,
    const struct pcw_named **after, struct pcw_renumbered *renumbered)
{
    while (*before != NULL && *after != NULL) {
        int order = by_name(before, after);
        size_t then = namesakes(before);
        size_t now = namesakes(after);

        if (order == 0 && then == 1 && now == 1 &&
            (*before)->id != (*after)->id) {
            *renumbered = (struct pcw_renumbered){
                (*after)->name, (*before)->id, (*after)->id};
            return true;
        }
        before += order <= 0 ? then : 0;
        after += order >= 0 ? now : 0;
    }
    return false;
}

/* With the same ids in both, whoever has another one has swapped its name for
 * it, and is renamed. */
bool pcw_names_renumbered(const struct pcw_names *before,
    const struct pcw_names *after, struct pcw_renumbered *renumbered)
{
    const struct pcw_named **then, **now;
    bool found;

    if (before == NULL || have_same_ids(before, after)) {
        return false;
    }
    then = sorted_by_name(before);
    now = sorted_by_name(after);
    found = find_renumbered(then, now, renumbered);
    free(then);
    free(now);
    return found;
}

void pcw_names_free(struct pcw_names *names)
{
    free(names);
}
