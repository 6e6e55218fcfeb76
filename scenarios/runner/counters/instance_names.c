/* instance_names.c - what the instances of a collection are shown as: the
 * second of equal names gets a number, but for numbers that make one's own
 * name. */
#include "scenarios/runner/counters/instance_names.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/text/key_index.h"
#include "scenarios/runner/text/wide_text.h"

struct naming {
    const struct rows *rows;
    struct pcw_text *wide;   /* of each row's name, as it is shown */
    size_t *last;            /* number that was given to a name like this one */
    struct key_index *index; /* of hashes of names: their place in `first` */
    size_t *first;           /* row with that hash */
    size_t *next;            /* row with the same hash; the count: none */
};

/* The first row of that name; the count when there is none. */
static size_t find(const struct naming *naming, struct pcw_text name)
{
    uint32_t hash = pcw_text_hash(name);
    size_t i;

    if (!key_index_find(naming->index, &hash, sizeof(hash), &i)) {
        return naming->rows->count;
    }
    i = naming->first[i];
    while (i < naming->rows->count && !pcw_text_equal(naming->wide[i], name)) {
        i = naming->next[i];
    }
    return i;
}

/* Backwards, so that those of a hash follow in the order of the rows. */
static void index_rows(struct naming *naming)
{
    size_t groups = 0;

    for (size_t i = naming->rows->count; i-- > 0;) {
        uint32_t hash = pcw_text_hash(naming->wide[i]);
        size_t group;

        naming->next[i] = naming->rows->count;
        if (key_index_find(naming->index, &hash, sizeof(hash), &group)) {
            naming->next[i] = naming->first[group];
        } else {
            group = groups++;
            key_index_add(naming->index, &hash, sizeof(hash), group);
        }
        naming->first[group] = i;
    }
}

static bool is_name(const struct naming *naming, const char *text)
{
    struct pcw_text wide = wide_text(naming->wide, text);
    bool found = find(naming, wide) < naming->rows->count;

    talloc_free((void *)(uintptr_t)wide.at);
    return found;
}

static const char *name_row(
    void *context, const struct naming *naming, size_t n)
{
    const char *name = naming->rows->item[n].name;
    size_t first = find(naming, naming->wide[n]);
    char *numbered = NULL;

    if (first == n) {
        return name;
    }
    do {
        talloc_free(numbered);
        numbered =
            talloc_asprintf(context, "%s#%zu", name, ++naming->last[first]);
        assert(numbered != NULL);
    } while (is_name(naming, numbered));
    return numbered;
}

const char **instance_names(void *context, const struct rows *rows)
{
    unsigned count = (unsigned)rows->count + 1;
    const char **name = talloc_array(context, const char *, count);
    void *scratch = talloc_new(NULL);
    struct naming naming = {
        .rows = rows,
        .wide = talloc_array(scratch, struct pcw_text, count),
        .last = talloc_zero_array(scratch, size_t, count),
        .index = key_index_new(scratch),
        .first = talloc_array(scratch, size_t, count),
        .next = talloc_array(scratch, size_t, count),
    };

    assert(name != NULL && naming.wide != NULL && naming.last != NULL &&
           naming.first != NULL && naming.next != NULL);
    for (size_t i = 0; i < rows->count; i++) {
        naming.wide[i] = wide_text(scratch, rows->item[i].name);
    }
    index_rows(&naming);
    for (size_t i = 0; i < rows->count; i++) {
        name[i] = name_row(name, &naming, i);
    }
    talloc_free(scratch);
    return name;
}
