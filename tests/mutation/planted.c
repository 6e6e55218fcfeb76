/* planted.c - below the directory it has the path that it has in the tree, so
 * that an include finds it before the original. */
#include "tests/mutation/planted.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <talloc.h>

char *planted_line(void *context, const char *text, size_t length)
{
    char *line = talloc_array(context, char, (unsigned)length + 1);
    size_t used = 0;

    assert(line != NULL);
    for (size_t i = 0; i < length; i++) {
        bool blank = isspace((unsigned char)text[i]);

        if (!blank) {
            line[used++] = text[i];
        } else if (used > 0 && line[used - 1] != ' ') {
            line[used++] = ' ';
        }
    }
    used -= used > 0 && line[used - 1] == ' ';
    line[used] = '\0';
    return line;
}

static bool make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        int result;

        *slash = '\0';
        result = mkdir(path, 0777);
        *slash = '/';
        if (result != 0 && errno != EEXIST) {
            return false;
        }
    }
    return true;
}

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    bool written;

    if (file == NULL) {
        return false;
    }
    written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

bool planted_write(const char *into, size_t index, const char *path,
    const char *text, const struct mutant *mutant, json_t *more)
{
    void *memory = talloc_new(NULL);
    char *source = talloc_asprintf(memory, "%s/%s", into, path);
    char *about = talloc_asprintf(memory, "%s/mutant.json", into);
    json_t *json = json_pack("{sI ss sI sI ss ss ss}", "index",
        (json_int_t)index, "file", path, "line", (json_int_t)mutant->line,
        "column", (json_int_t)mutant->column, "kind",
        mutant_kind_name(mutant->kind), "before",
        planted_line(memory, text + mutant->at, mutant->length), "after",
        planted_line(memory, mutant->after, strlen(mutant->after)));
    bool written;

    assert(json != NULL);
    if (more != NULL) {
        json_object_update(json, more);
        json_decref(more);
    }
    written = make_parents(source) &&
              write_file(source, mutant_apply(memory, text, mutant)) &&
              json_dump_file(json, about, JSON_COMPACT) == 0;
    json_decref(json);
    talloc_free(memory);
    return written;
}
