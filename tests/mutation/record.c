/* record.c - mutants are known by their file, what was in it, and their number
 * there. */
#include "tests/mutation/record.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BYTES = 512, SUM_BYTES = 17 };

static void write_key(char key[KEY_BYTES], const char *file, json_int_t mutant)
{
    snprintf(key, KEY_BYTES, "%s#%" JSON_INTEGER_FORMAT, file, mutant);
}

static void add_line(json_t *record, json_t *line)
{
    const char *file = json_string_value(json_object_get(line, "file"));
    char key[KEY_BYTES];

    if (file != NULL) {
        write_key(
            key, file, json_integer_value(json_object_get(line, "index")));
        json_object_set(record, key, line);
    }
    json_decref(line);
}

json_t *record_read(const char *path)
{
    json_t *record = json_object();
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    assert(record != NULL);
    while (file != NULL && getline(&text, &size, file) > 0) {
        add_line(record, json_loads(text, 0, NULL));
    }
    free(text);
    if (file != NULL) {
        fclose(file);
    }
    return record;
}

static void write_sum(char sum[SUM_BYTES], const struct walk_file *file)
{
    snprintf(sum, SUM_BYTES, "%016" PRIx64, file->sum);
}

static const char *text_of(const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));

    return text == NULL ? "" : text;
}

json_t *record_of(
    const json_t *record, const struct walk_file *file, size_t mutant)
{
    char key[KEY_BYTES], sum[SUM_BYTES];
    json_t *line;

    write_key(key, file->path, (json_int_t)mutant);
    write_sum(sum, file);
    line = json_object_get(record, key);
    return strcmp(text_of(line, "sum"), sum) == 0 ? line : NULL;
}

json_t *record_marks(const struct walk_file *file, const char *tree)
{
    char sum[SUM_BYTES];

    write_sum(sum, file);
    return json_pack("{ss ss}", "sum", sum, "tree", tree);
}

bool record_wants(const json_t *record, const struct walk *walk,
    const struct walk_site *site, enum record_wanted wanted, const char *tree)
{
    const struct walk_file *file = &walk->file[site->file];
    const json_t *line = record_of(record, file, site->mutant);

    if (file->equivalent[site->mutant]) {
        return false;
    }
    if (wanted == RECORD_NEW) {
        return line == NULL;
    }
    return strcmp(text_of(line, "end"), "survived") == 0 &&
           strcmp(text_of(line, "tree"), tree) != 0;
}

json_t *record_lines(const json_t *record, const struct walk *walk)
{
    json_t *lines = json_array();

    for (size_t i = 0; i < walk->site_count; i++) {
        const struct walk_site *site = &walk->site[i];
        const struct walk_file *file = &walk->file[site->file];
        json_t *line = record_of(record, file, site->mutant);

        if (line != NULL && !file->equivalent[site->mutant]) {
            json_array_append(lines, line);
        }
    }
    return lines;
}
