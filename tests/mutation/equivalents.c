/* equivalents.c - entries are found by the text that they stand in. */
#include "tests/mutation/equivalents.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "tests/mutation/paragraphs.h"
#include "tests/mutation/planted.h"

enum equivalent_key { KEY_FILE, KEY_TEXT, KEY_BEFORE, KEY_AFTER, KEY_REASON };

enum { KEYS = KEY_REASON + 1 };

static const struct paragraph_key keys[KEYS] = {
    [KEY_FILE] = {"file", false},
    [KEY_TEXT] = {"text", false},
    [KEY_BEFORE] = {"before", false},
    [KEY_AFTER] = {"after", true},
    [KEY_REASON] = {"reason", false},
};

static struct equivalents *not_whole(
    void *context, const char *name, unsigned line, const char **problem)
{
    *problem = talloc_asprintf(context,
        "%s:%u: an entry has each of file:, text:, before:, after: and "
        "reason: once",
        name, line);
    return NULL;
}

struct equivalents *equivalents_read(
    void *context, const char *name, const char *text, const char **problem)
{
    struct equivalents *list = talloc_zero(context, struct equivalents);
    const struct paragraphs *read;
    unsigned wrong;

    assert(list != NULL);
    read = paragraphs_read(list, text, keys, KEYS, &wrong);
    if (read == NULL) {
        return not_whole(context, name, wrong, problem);
    }
    list->item =
        talloc_zero_array(list, struct equivalent, (unsigned)read->count + 1);
    assert(list->item != NULL);
    for (size_t i = 0; i < read->count; i++) {
        const char *const *value = read->item[i].value;

        for (size_t key = 0; key < KEYS; key++) {
            if (value[key] == NULL) {
                return not_whole(context, name, read->item[i].line, problem);
            }
        }
        list->item[list->count++] = (struct equivalent){value[KEY_FILE],
            value[KEY_TEXT], value[KEY_BEFORE], value[KEY_AFTER],
            value[KEY_REASON], read->item[i].line};
    }
    return list;
}

static struct walk_file *file_of(struct walk *walk, const char *path)
{
    for (size_t i = 0; i < walk->file_count; i++) {
        if (strcmp(walk->file[i].path, path) == 0) {
            return &walk->file[i];
        }
    }
    return NULL;
}

static bool is_meant(const struct equivalent *entry,
    const struct walk_file *file, const struct mutant *mutant, size_t at)
{
    void *memory = talloc_new(NULL);
    bool meant =
        mutant->at >= at && mutant->at < at + strlen(entry->text) &&
        strcmp(planted_line(memory, file->text + mutant->at, mutant->length),
            entry->before) == 0 &&
        strcmp(planted_line(memory, mutant->after, strlen(mutant->after)),
            entry->after) == 0;

    talloc_free(memory);
    return meant;
}

static bool mark(const struct equivalent *entry, const char *name,
    struct walk_file *file, const char **problem)
{
    size_t at, count = 0;

    if (!paragraph_locate(file->mutants, entry->text, entry->file, file->text,
            name, entry->line, &at, problem)) {
        return false;
    }
    for (size_t i = 0; i < file->mutants->count; i++) {
        if (is_meant(entry, file, &file->mutants->item[i], at)) {
            file->equivalent[i] = true;
            count++;
        }
    }
    if (count != 1) {
        *problem = talloc_asprintf(file->mutants,
            "%s:%u: %zu defects of %s make '%s' of '%s' in '%s', and it has "
            "to be one",
            name, entry->line, count, entry->file, entry->after, entry->before,
            entry->text);
    }
    return count == 1;
}

bool equivalents_mark(const struct equivalents *list, const char *name,
    struct walk *walk, const char **problem)
{
    for (size_t i = 0; i < list->count; i++) {
        struct walk_file *file = file_of(walk, list->item[i].file);

        if (file != NULL && !mark(&list->item[i], name, file, problem)) {
            return false;
        }
    }
    return true;
}
