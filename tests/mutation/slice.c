/* slice.c - each entry is whole. */
#include "tests/mutation/slice.h"

#include <assert.h>
#include <stdbool.h>
#include <talloc.h>

#include "tests/mutation/paragraphs.h"

enum slice_key { KEY_FILE, KEY_BEFORE, KEY_AFTER, KEY_TEST, KEYS };

static const struct paragraph_key keys[KEYS] = {
    [KEY_FILE] = {"file", false},
    [KEY_BEFORE] = {"before", false},
    /* Nothing at all is what a removed text becomes. */
    [KEY_AFTER] = {"after", true},
    [KEY_TEST] = {"test", false},
};

static bool read_entry(
    const struct paragraph *paragraph, struct slice_entry *entry)
{
    *entry = (struct slice_entry){.file = paragraph->value[KEY_FILE],
        .before = paragraph->value[KEY_BEFORE],
        .after = paragraph->value[KEY_AFTER],
        .test = paragraph->value[KEY_TEST],
        .line = paragraph->line};
    return entry->file != NULL && entry->before != NULL &&
           entry->after != NULL && entry->test != NULL;
}

static struct slice *not_whole(
    void *context, const char *name, unsigned line, const char **problem)
{
    *problem = talloc_asprintf(context,
        "%s:%u: an entry has each of file:, before:, after: and test: once",
        name, line);
    return NULL;
}

struct slice *slice_read(
    void *context, const char *name, const char *text, const char **problem)
{
    struct slice *slice = talloc_zero(context, struct slice);
    const struct paragraphs *list;
    unsigned wrong;

    assert(slice != NULL);
    list = paragraphs_read(slice, text, keys, KEYS, &wrong);
    if (list == NULL) {
        return not_whole(context, name, wrong, problem);
    }
    slice->item =
        talloc_zero_array(slice, struct slice_entry, (unsigned)list->count + 1);
    assert(slice->item != NULL);
    for (size_t i = 0; i < list->count; i++) {
        if (!read_entry(&list->item[i], &slice->item[slice->count++])) {
            return not_whole(context, name, list->item[i].line, problem);
        }
    }
    return slice;
}
