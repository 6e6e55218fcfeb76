/* registry.c - keys and values: found, made, replaced, deleted. All of it lies
 * in the machine's arena, so what was replaced is given back at the next boot.
 */
#include "api/cm/registry.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/ke/clock.h"
#include "api/text/character.h"

/* Below, at or above 0, without case. */
static int compare(
    const struct registry_name *first, const struct registry_name *second)
{
    size_t common =
        first->length < second->length ? first->length : second->length;

    for (size_t i = 0; i < common; i++) {
        int a = character_upper(first->unit[i]);
        int b = character_upper(second->unit[i]);

        if (a != b) {
            return a - b;
        }
    }
    return (first->length > second->length) - (first->length < second->length);
}

/* Memory of the guest's, or of what is there before any driver asks. */
typedef void *registry_memory(struct arena *arena, size_t size);

static bool copy_name(struct kernel *kernel, registry_memory *take,
    struct registry_name *to, const struct registry_name *from)
{
    size_t bytes = from->length * sizeof(WCHAR);
    WCHAR *unit = take(&kernel->machine->arena, bytes + sizeof(WCHAR));

    if (unit == NULL) {
        return false;
    }
    memcpy(unit, from->unit, bytes);
    *to = (struct registry_name){unit, from->length};
    return true;
}

static uint64_t now(struct kernel *kernel)
{
    return CLOCK_BOOT_TIME + (kernel->machine->running == NULL
                                     ? 0 /* nothing has run yet */
                                     : clock_interrupt_time(kernel));
}

struct registry_key *registry_find_key(
    const struct registry_key *key, const struct registry_name *name)
{
    struct registry_key *found = key->first;

    while (found != NULL && compare(&found->name, name) != 0) {
        found = found->next;
    }
    return found;
}

struct registry_key *registry_find_path(
    struct registry_key *key, const char *path)
{
    while (key != NULL && *path != '\0') {
        WCHAR unit[REGISTRY_KEY_UNITS];
        struct registry_name name = {unit, strcspn(path, "\\")};

        assert(name.length <= REGISTRY_KEY_UNITS);
        for (size_t i = 0; i < name.length; i++) {
            unit[i] = (uint8_t)path[i];
        }
        path += name.length + (path[name.length] == '\\');
        key = registry_find_key(key, &name);
    }
    return key;
}

struct registry_value *registry_find_value(
    const struct registry_key *key, const struct registry_name *name)
{
    struct registry_value *found = key->values;

    while (found != NULL && compare(&found->name, name) != 0) {
        found = found->next;
    }
    return found;
}

static struct registry_key *add_key(struct kernel *kernel,
    registry_memory *take, struct registry_key *parent,
    const struct registry_name *name)
{
    struct registry_key *key = take(&kernel->machine->arena, sizeof(*key));
    struct registry_key **link;

    assert(name->length <= REGISTRY_KEY_UNITS);
    if (key == NULL || !copy_name(kernel, take, &key->name, name)) {
        return NULL;
    }
    key->parent = parent;
    key->written = now(kernel);
    if (parent == NULL) {
        return key;
    }
    assert(registry_find_key(parent, name) == NULL);
    link = &parent->first;
    while (*link != NULL && compare(&(*link)->name, name) < 0) {
        link = &(*link)->next;
    }
    key->next = *link;
    *link = key;
    parent->written = key->written;
    return key;
}

struct registry_key *registry_add_key(struct kernel *kernel,
    struct registry_key *parent, const struct registry_name *name)
{
    return add_key(kernel, arena_alloc_for_guest, parent, name);
}

void registry_delete_key(struct registry_key *key)
{
    struct registry_key **link = &key->parent->first;

    assert(key->first == NULL && !key->deleted);
    while (*link != key) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = key->next;
    key->deleted = true;
}

/* At the end of the list. */
static struct registry_value *add_value(struct kernel *kernel,
    struct registry_key *key, const struct registry_name *name)
{
    struct registry_value *value =
        arena_alloc_for_guest(&kernel->machine->arena, sizeof(*value));
    struct registry_value **link = &key->values;

    if (value == NULL ||
        !copy_name(kernel, arena_alloc_for_guest, &value->name, name)) {
        return NULL;
    }
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = value;
    return value;
}

bool registry_set_value(struct kernel *kernel, struct registry_key *key,
    const struct registry_name *name, ULONG type, const void *data, size_t size)
{
    struct registry_value *value = registry_find_value(key, name);
    uint8_t *copy = arena_alloc_for_guest(&kernel->machine->arena, size + 1);

    assert(!key->deleted);
    if (copy == NULL) {
        return false;
    }
    if (value == NULL) {
        value = add_value(kernel, key, name);
    }
    if (value == NULL) {
        return false;
    }
    if (size > 0) {
        memcpy(copy, data, size);
    }
    value->type = type;
    value->data = copy;
    value->size = size;
    key->written = now(kernel);
    return true;
}

void registry_delete_value(
    struct registry_key *key, struct registry_value *value)
{
    struct registry_value **link = &key->values;

    while (*link != value) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = value->next;
}

struct registry_key *registry_nth_key(const struct registry_key *key, size_t n)
{
    struct registry_key *found = key->first;

    while (found != NULL && n-- > 0) {
        found = found->next;
    }
    return found;
}

struct registry_value *registry_nth_value(
    const struct registry_key *key, size_t n)
{
    struct registry_value *found = key->values;

    while (found != NULL && n-- > 0) {
        found = found->next;
    }
    return found;
}

/* The key of that name below another, made if it is not there. */
static struct registry_key *below(
    struct kernel *kernel, struct registry_key *parent, const char *text)
{
    WCHAR unit[REGISTRY_KEY_UNITS];
    struct registry_name name = {unit, strnlen(text, REGISTRY_KEY_UNITS)};
    struct registry_key *key;

    for (size_t i = 0; i < name.length; i++) {
        unit[i] = (uint8_t)text[i];
    }
    key = parent == NULL ? NULL : registry_find_key(parent, &name);
    if (key == NULL) {
        key = add_key(kernel, arena_alloc, parent, &name);
        assert(key != NULL); /* no guest gets at the reserve */
    }
    return key;
}

struct registry_key *registry_root(struct kernel *kernel)
{
    struct registry_key *machine, *set, *key;

    if (kernel->registry->root != NULL) {
        return kernel->registry->root;
    }
    kernel->registry->root = below(kernel, NULL, "REGISTRY");
    machine = below(kernel, kernel->registry->root, "MACHINE");
    below(kernel, machine, "SAM");
    below(kernel, machine, "Security");
    below(kernel, below(kernel, machine, "Hardware"), "DeviceMap");
    key = below(kernel, below(kernel, machine, "Software"), "Microsoft");
    below(kernel, below(kernel, key, "Windows NT"), "CurrentVersion");
    set = below(kernel, below(kernel, machine, "SYSTEM"), "CurrentControlSet");
    below(kernel, set, "Control");
    below(kernel, set, "Services");
    below(kernel, below(kernel, kernel->registry->root, "USER"), ".DEFAULT");
    return kernel->registry->root;
}

void registry_make_service(struct kernel *kernel, const char *name)
{
    static const char *const path[] = {
        "MACHINE", "SYSTEM", "CurrentControlSet", "Services"};
    struct registry_key *key = registry_root(kernel);

    for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
        key = below(kernel, key, path[i]);
    }
    below(kernel, key, name);
}
