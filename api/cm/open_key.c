/* open_key.c - paths of keys read, and opens as counted objects. */
#include "api/cm/open_key.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/rules.h"
#include "api/mm/copy.h"
#include "api/ob/handle_use.h"
#include "api/rtl/counted_string.h"
#include "api/text/character.h"

static struct open_key *open_of(void *counted)
{
    return (struct open_key *)(void *)((char *)counted -
                                       offsetof(struct open_key, counted));
}

static void key_gone(struct kernel *kernel, void *object)
{
    struct open_key *open = open_of(object);

    memory_free(
        &kernel->machine->memory, (void *)(uintptr_t)open->counted.address);
    record_give(&kernel->open_keys->pool, open);
}

static const struct object_type key_type = {
    .name = OBJECT_TYPE_KEY, .text = "key", .gone = key_gone};

static NTSTATUS find_open(struct kernel *kernel, enum routine routine,
    HANDLE handle, struct open_key **found)
{
    struct counted_object *object = handle_object(kernel, handle);

    if (object == NULL) {
        return handle_refuse(kernel, routine, handle);
    }
    if (object->type != &key_type) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    *found = open_of(object);
    return (*found)->key->deleted ? STATUS_KEY_DELETED : STATUS_SUCCESS;
}

NTSTATUS open_key_find(struct kernel *kernel, enum routine routine,
    HANDLE handle, ULONG right, struct open_key **found)
{
    NTSTATUS status = find_open(kernel, routine, handle, found);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    return ((*found)->access & right) == right ? STATUS_SUCCESS
                                               : STATUS_ACCESS_DENIED;
}

NTSTATUS open_key_open(struct kernel *kernel, struct registry_key *key,
    ULONG access, HANDLE *handle)
{
    struct open_key *open = record_pool_take(
        &kernel->open_keys->pool, &kernel->machine->arena, sizeof(*open));
    void *address;

    if (open == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    address =
        run_needs(kernel, memory_alloc(&kernel->machine->memory, 0, 0), "keys");
    *open = (struct open_key){
        .counted = {.type = &key_type, .address = (uintptr_t)address},
        .key = key,
        .access = object_type_access(OBJECT_TYPE_KEY, access)};
    counted_object_add(kernel, &open->counted);
    *handle = handle_open(kernel, &open->counted);
    counted_object_release(kernel, &open->counted);
    return *handle == NULL ? STATUS_INSUFFICIENT_RESOURCES : STATUS_SUCCESS;
}

/* The next name of a path, without its backslash. False: it is none, or longer
 * than a key's can be. */
static bool next_name(const struct key_path *path, size_t *at, size_t length,
    struct registry_name *name)
{
    size_t start = *at;

    while (*at < length && path->unit[*at] != '\\') {
        (*at)++;
    }
    *name = (struct registry_name){path->unit + start, *at - start};
    *at += *at < length; /* the backslash */
    return name->length > 0 && name->length <= REGISTRY_KEY_UNITS;
}

/* From a key on: every name but the last has to be there (REG-02). */
static NTSTATUS walk(
    struct key_path *path, struct registry_key *from, size_t at, size_t length)
{
    path->key = from;
    while (at < length) {
        struct registry_name name;

        if (path->key == NULL || !next_name(path, &at, length, &name)) {
            return STATUS_OBJECT_NAME_NOT_FOUND;
        }
        path->parent = path->key;
        path->last = name;
        path->key = registry_find_key(path->parent, &name);
    }
    return STATUS_SUCCESS;
}

/* The one that there is: it is too long for a stack. */
struct key_path *key_path_of(struct kernel *kernel)
{
    struct open_keys *keys = kernel->open_keys;

    if (keys->path == NULL) {
        keys->path = arena_alloc(&kernel->machine->arena, sizeof(*keys->path));
        assert(keys->path != NULL); /* of the reserve, if need be */
    }
    return keys->path;
}

/* A path that begins with the root. */
static NTSTATUS walk_whole(
    struct kernel *kernel, struct key_path *path, size_t length)
{
    static const char first[] = "\\REGISTRY";
    const size_t head = sizeof(first) - 1;

    for (size_t i = 0; i < head; i++) {
        if (i >= length || character_upper(path->unit[i]) != first[i]) {
            return STATUS_OBJECT_NAME_NOT_FOUND; /* REG-01b [C] */
        }
    }
    if (length > head && path->unit[head] != '\\') {
        return STATUS_OBJECT_NAME_NOT_FOUND;
    }
    return walk(path, registry_root(kernel), head + 1, length);
}

/* Returns its length. */
static size_t read_text(struct kernel *kernel, enum routine routine,
    const WCHAR *text, struct key_path **read)
{
    struct key_path *path = key_path_of(kernel);
    size_t length = copy_text_length(kernel, routine, text, sizeof(WCHAR),
        sizeof(path->unit) / sizeof(WCHAR));

    copy_in(kernel, routine, path->unit, text, length * sizeof(WCHAR));
    path->root = NULL;
    path->parent = NULL;
    *read = path;
    return length;
}

NTSTATUS key_path_read_text(struct kernel *kernel, enum routine routine,
    const WCHAR *text, struct key_path **read)
{
    size_t length = read_text(kernel, routine, text, read);

    return walk_whole(kernel, *read, length);
}

NTSTATUS key_path_read_below(struct kernel *kernel, enum routine routine,
    struct registry_key *key, const WCHAR *text, struct key_path **read)
{
    size_t length = read_text(kernel, routine, text, read);

    return walk(*read, key, 0, length);
}

NTSTATUS key_path_read(struct kernel *kernel, enum routine routine,
    const OBJECT_ATTRIBUTES *attributes, struct key_path **read)
{
    OBJECT_ATTRIBUTES given;
    struct key_path *path = key_path_of(kernel);
    size_t length;
    NTSTATUS status;

    *read = path;
    path->root = NULL;
    path->parent = NULL;
    copy_in(kernel, routine, &given, attributes, sizeof(given));
    length = given.ObjectName == NULL
                 ? 0
                 : unicode_string_read(kernel, routine, given.ObjectName,
                       path->unit, sizeof(path->unit) / sizeof(WCHAR));
    if (given.RootDirectory != NULL) {
        status = find_open(kernel, routine, given.RootDirectory, &path->root);
        return NT_SUCCESS(status) ? walk(path, path->root->key, 0, length)
                                  : status;
    }
    return walk_whole(kernel, path, length);
}
