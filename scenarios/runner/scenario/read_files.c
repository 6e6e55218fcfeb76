/* read_files.c - files: the path of each and what is in it, as far as they can
 * be wrong before anything runs. */
#include "scenarios/runner/scenario/read_files.h"

#include <assert.h>
#include <talloc.h>

#include "api/fs/volume.h"
#include "scenarios/runner/language/file_content.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/stored_path.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

/* A file, with its path. */
struct given_file {
    const struct node *key;
    struct stored_path path;
    bool directory;
};

/* Of two paths one leads to the other: that has to be a directory. */
static void check_pair(const struct schema *schema,
    const struct given_file *first, const struct given_file *second)
{
    if (stored_path_same(&first->path, &second->path)) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, second->key,
            "'%s' is the same file as '%s'", second->key->text,
            first->key->text);
    } else if (!first->directory &&
               stored_path_leads_to(&first->path, &second->path)) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, second->key,
            "'%s' is a file, so nothing is in it", first->key->text);
    } else if (!second->directory &&
               stored_path_leads_to(&second->path, &first->path)) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, second->key,
            "'%s' is in it, so it is no file", first->key->text);
    }
}

/* Those that there are at each boot stay directories. */
static void check_boot(
    const struct schema *schema, const struct given_file *file)
{
    for (size_t i = 0; volume_boot_paths[i] != NULL; i++) {
        struct stored_path boot = {.length = 0};

        for (const char *c = volume_boot_paths[i]; *c != '\0'; c++) {
            boot.unit[boot.length++] = (uint8_t)*c;
        }
        if (!file->directory && stored_path_leads_to(&file->path, &boot)) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, file->key,
                "'%s' is a directory that is there at each boot",
                file->key->text);
            return;
        }
    }
}

/* Whether it is right, and so can be compared with others. */
static bool read_file(
    struct reader *reader, const struct entry *entry, struct given_file *file)
{
    const struct schema *schema = &reader->scope.schema;
    bool right = stored_path_of_file(schema, entry->key, &file->path);
    struct file_content content;

    file->key = entry->key;
    if (!schema_mapping(schema, entry->value, MAPPING_FILE, entry->key) ||
        schema_kind(schema, entry->value, MAPPING_FILE, false) == NULL ||
        !file_content_read(
            &reader->scope, reader->scenario, entry->value, &content)) {
        return false;
    }
    file->directory = content.directory;
    return right;
}

void read_files(struct reader *reader)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *node = node_get(reader->scenario->root, "files");
    struct given_file *file;
    size_t count = 0;

    if (node == NULL) {
        return;
    }
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected {'\\??\\C:\\Data\\a.txt': {text: abc}}");
        return;
    }
    if (node->count > SCENARIO_STORED) {
        schema_error(schema, DIAGNOSTIC_LIMIT, node, "more than %d files",
            SCENARIO_STORED);
        return;
    }
    file = talloc_zero_array(
        reader->scenario, struct given_file, (unsigned)node->count);
    assert(file != NULL);
    for (size_t i = 0; i < node->count; i++) {
        if (!read_file(reader, &node->entry[i], &file[count])) {
            continue;
        }
        check_boot(schema, &file[count]);
        for (size_t k = 0; k < count; k++) {
            check_pair(schema, &file[k], &file[count]);
        }
        count++;
    }
    talloc_free(file);
}
