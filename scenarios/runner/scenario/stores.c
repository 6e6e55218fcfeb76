/* stores.c - keys, values and files of a scenario put where drivers find them,
 * with all keys and directories above them, and found again. */
#include "scenarios/runner/scenario/stores.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/cm/registry.h"
#include "api/core/kernel.h"
#include "api/fs/volume.h"
#include "scenarios/runner/language/file_content.h"
#include "scenarios/runner/language/registry_data.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/text/wide_text.h"

struct registry_key *stores_find_key(
    struct kernel *kernel, const struct stored_path *path)
{
    struct registry_key *key = registry_root(kernel);

    for (size_t at = 0; key != NULL && at < path->length;) {
        const struct stored_name name = stored_path_next(path, &at);

        key = registry_find_key(
            key, &(struct registry_name){name.unit, name.length});
    }
    return key;
}

/* NULL: no room. */
static struct registry_key *make_key(
    struct kernel *kernel, const struct stored_path *path)
{
    struct registry_key *key = registry_root(kernel);

    for (size_t at = 0; key != NULL && at < path->length;) {
        const struct stored_name part = stored_path_next(path, &at);
        const struct registry_name name = {part.unit, part.length};
        struct registry_key *below = registry_find_key(key, &name);

        key = below != NULL ? below : registry_add_key(kernel, key, &name);
    }
    return key;
}

/* Child of the context. */
static struct registry_name value_name(void *context, const char *text)
{
    struct pcw_text wide =
        wide_text(context, strcmp(text, STORES_DEFAULT_VALUE) == 0 ? "" : text);

    return (struct registry_name){wide.at, wide.length};
}

const struct registry_value *stores_find_value(
    const struct registry_key *key, const char *name)
{
    void *context = talloc_new(NULL);
    const struct registry_name wide = value_name(context, name);
    const struct registry_value *value = registry_find_value(key, &wide);

    talloc_free(context);
    return value;
}

static bool place_value(struct scope *scope, struct registry_key *key,
    const struct entry *entry, void *context)
{
    const struct registry_name name = value_name(context, entry->key->text);
    struct registry_data data;
    bool right = registry_data_read(scope, context, entry->value, &data);

    assert(right); /* it was found valid */
    (void)right;
    return registry_set_value(
        scope->kernel, key, &name, data.type, data.bytes, data.size);
}

static bool place_key(
    struct scope *scope, const struct entry *entry, void *context)
{
    struct stored_path path;
    struct registry_key *key;
    bool right = stored_path_of_key(NULL, entry->key, &path);

    assert(right);
    (void)right;
    key = make_key(scope->kernel, &path);
    for (size_t i = 0; key != NULL && i < entry->value->count; i++) {
        if (!place_value(scope, key, &entry->value->entry[i], context)) {
            return false;
        }
    }
    return key != NULL;
}

const struct volume_file *stores_find_file(
    struct kernel *kernel, const struct stored_path *path)
{
    const struct volume_file *file = volume_root(kernel);

    for (size_t at = 0; file != NULL && at < path->length;) {
        const struct stored_name name = stored_path_next(path, &at);

        file = volume_find(file, &(struct volume_name){name.unit, name.length});
    }
    return file;
}

/* The directories above it are made, too. NULL: no room. */
static struct volume_file *make_file(
    struct kernel *kernel, const struct stored_path *path, bool is_directory)
{
    struct volume_file *file = volume_root(kernel);

    for (size_t at = 0; file != NULL && at < path->length;) {
        const struct stored_name part = stored_path_next(path, &at);
        const struct volume_name name = {part.unit, part.length};
        struct volume_file *below = volume_find(file, &name);

        file = below != NULL ? below
                             : volume_add(kernel, file, &name,
                                   is_directory || at < path->length);
    }
    return file;
}

static bool place_file(
    struct scope *scope, const struct entry *entry, void *context)
{
    struct kernel *kernel = scope->kernel;
    struct file_content content;
    struct stored_path path;
    struct volume_file *file;
    bool right = stored_path_of_file(NULL, entry->key, &path) &&
                 file_content_read(scope, context, entry->value, &content);

    assert(right);
    (void)right;
    file = make_file(kernel, &path, content.directory);
    if (file == NULL ||
        (content.size > 0 && !volume_resize(kernel, file, content.size))) {
        return false;
    }
    if (content.size > 0) {
        memcpy(file->data, content.bytes, content.size);
    }
    volume_set_attributes(file, content.attributes);
    return true;
}

typedef bool place_entry(
    struct scope *scope, const struct entry *entry, void *context);

/* The key of the one without room; NULL: there is none. */
static const struct node *place_all(struct scope *scope, void *context,
    const struct node *node, place_entry *place)
{
    const struct node *without = NULL;
    void *own = talloc_new(context);

    for (size_t i = 0; node != NULL && without == NULL && i < node->count;
         i++) {
        if (!place(scope, &node->entry[i], own)) {
            without = node->entry[i].key;
        }
    }
    talloc_free(own);
    return without;
}

const struct node *stores_place(
    struct scope *scope, void *context, const struct scenario *scenario)
{
    const struct node *without = place_all(
        scope, context, node_get(scenario->root, "registry"), place_key);

    return without != NULL ? without
                           : place_all(scope, context,
                                 node_get(scenario->root, "files"), place_file);
}
