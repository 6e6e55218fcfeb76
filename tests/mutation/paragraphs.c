/* paragraphs.c - read a line at a time. */
#include "tests/mutation/paragraphs.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

struct reading {
    struct paragraphs *list;
    const struct paragraph_key *keys;
    size_t key_count;
    bool open; /* the last of the list goes on */
};

static struct paragraph *begin(struct reading *reading, unsigned number)
{
    struct paragraphs *list = reading->list;
    struct paragraph *item;

    list->item = talloc_realloc(
        list, list->item, struct paragraph, (unsigned)list->count + 1);
    assert(list->item != NULL);
    item = &list->item[list->count++];
    item->line = number;
    item->value =
        talloc_zero_array(list, const char *, (unsigned)reading->key_count);
    assert(item->value != NULL);
    reading->open = true;
    return item;
}

/* NULL: none of the keys. */
static const char *value_of(
    const struct reading *reading, const char *line, size_t *key)
{
    for (*key = 0; *key < reading->key_count; ++*key) {
        size_t length = strlen(reading->keys[*key].name);

        if (strncmp(line, reading->keys[*key].name, length) == 0 &&
            line[length] == ':') {
            return line + length + 1 + strspn(line + length + 1, " ");
        }
    }
    return NULL;
}

static bool read_line(
    struct reading *reading, const char *line, unsigned number)
{
    struct paragraphs *list = reading->list;
    struct paragraph *item =
        reading->open ? &list->item[list->count - 1] : begin(reading, number);
    size_t key;
    const char *value = value_of(reading, line, &key);

    if (value == NULL || item->value[key] != NULL ||
        (value[0] == '\0' && !reading->keys[key].may_be_empty)) {
        return false;
    }
    item->value[key] = value;
    return true;
}

struct paragraphs *paragraphs_read(void *context, const char *text,
    const struct paragraph_key *keys, size_t key_count, unsigned *wrong)
{
    struct reading reading = {
        talloc_zero(context, struct paragraphs), keys, key_count, false};
    unsigned number = 0;

    assert(reading.list != NULL);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        const char *line = talloc_strndup(reading.list, text, length);

        number++;
        text += length + (text[length] == '\n');
        if (line[0] == '\0') {
            reading.open = false;
        } else if (line[0] != '#' && !read_line(&reading, line, number)) {
            *wrong = number;
            return NULL;
        }
    }
    return reading.list;
}

bool paragraph_locate(void *context, const char *wanted, const char *file,
    const char *text, const char *list, unsigned line, size_t *at,
    const char **problem)
{
    const char *found = strstr(text, wanted);

    if (found == NULL || strstr(found + 1, wanted) != NULL) {
        *problem = talloc_asprintf(context,
            "%s:%u: '%s' stands %s in %s: name text that stands there once, "
            "or choose another mutant",
            list, line, wanted, found == NULL ? "no longer" : "more than once",
            file);
        return false;
    }
    *at = (size_t)(found - text);
    return true;
}
