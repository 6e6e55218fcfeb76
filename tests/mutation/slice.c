/* slice.c - key: value, one a line, and an empty line between entries. */
#include "tests/mutation/slice.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

static const char after_key[] = "after:";

static bool value_of(
    void *context, const char *line, const char *key, const char **value)
{
    size_t length = strlen(key);

    if (strncmp(line, key, length) != 0 || *value != NULL) {
        return false;
    }
    *value = talloc_strdup(context, line + length + strspn(line + length, " "));
    /* Nothing at all is what a removed text becomes. */
    return **value != '\0' || strcmp(key, after_key) == 0;
}

static bool read_covers(
    void *context, const char *line, struct slice_entry *entry)
{
    const char *ids = NULL;
    char *rest;
    size_t count = 0;

    if (entry->covers[0] != NULL || !value_of(context, line, "covers:", &ids)) {
        return false;
    }
    for (char *id = strtok_r(talloc_strdup(context, ids), " ", &rest);
         id != NULL; id = strtok_r(NULL, " ", &rest)) {
        if (count == SLICE_COVERS) {
            return false;
        }
        entry->covers[count++] = id;
    }
    return true;
}

static bool read_line(
    void *context, const char *line, struct slice_entry *entry)
{
    return value_of(context, line, "file:", &entry->file) ||
           value_of(context, line, "before:", &entry->before) ||
           value_of(context, line, after_key, &entry->after) ||
           read_covers(context, line, entry);
}

static bool is_whole(const struct slice_entry *entry)
{
    return entry->file != NULL && entry->before != NULL &&
           entry->after != NULL && entry->covers[0] != NULL;
}

/* An empty line, or the end: the entry has to be whole, if one was begun. */
static bool end_entry(struct slice *slice, struct slice_entry *entry)
{
    if (entry->line == 0) {
        return true;
    }
    if (!is_whole(entry)) {
        return false;
    }
    slice->item = talloc_realloc(
        slice, slice->item, struct slice_entry, (unsigned)slice->count + 1);
    assert(slice->item != NULL);
    slice->item[slice->count++] = *entry;
    *entry = (struct slice_entry){0};
    return true;
}

static const char *not_whole(
    void *context, const char *name, const struct slice_entry *entry)
{
    return talloc_asprintf(context,
        "%s:%u: an entry has each of file:, before:, after: and covers: (up "
        "to %d requirements) once",
        name, entry->line, SLICE_COVERS);
}

struct slice *slice_read(
    void *context, const char *name, const char *text, const char **problem)
{
    struct slice *slice = talloc_zero(context, struct slice);
    struct slice_entry entry = {0};
    unsigned number = 0;

    assert(slice != NULL);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char *line = talloc_strndup(slice, text, length);

        number++;
        text += length + (text[length] == '\n');
        if (line[0] == '#') {
            continue;
        }
        if (line[0] == '\0' ? end_entry(slice, &entry)
                            : read_line(slice, line, &entry)) {
            entry.line =
                line[0] != '\0' && entry.line == 0 ? number : entry.line;
            continue;
        }
        entry.line = number;
        *problem = not_whole(context, name, &entry);
        return NULL;
    }
    if (!end_entry(slice, &entry)) {
        *problem = not_whole(context, name, &entry);
        return NULL;
    }
    return slice;
}

bool slice_locate(void *context, const struct slice_entry *entry,
    const char *name, const char *text, size_t *at, const char **problem)
{
    const char *found = strstr(text, entry->before);

    if (found == NULL || strstr(found + 1, entry->before) != NULL) {
        *problem = talloc_asprintf(context,
            "%s:%u: '%s' stands %s in %s: name text that stands there once, "
            "or choose another mutant",
            name, entry->line, entry->before,
            found == NULL ? "no longer" : "more than once", entry->file);
        return false;
    }
    *at = (size_t)(found - text);
    return true;
}
