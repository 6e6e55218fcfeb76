/* registry.h - the registry as a tree: keys that have names, keys below them
 * and values. It is empty at each boot but for the keys that every Windows has.
 * Knows nothing of handles and rights. */
#ifndef API_CM_REGISTRY_H
#define API_CM_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nt/nt.h"

struct kernel;

enum {
    REGISTRY_KEY_UNITS = 256,       /* the most in a key's name */
    REGISTRY_VALUE_UNITS = 16383,   /* and in a value's */
    REGISTRY_VALUE_BYTES = 1 << 20, /* of data (REG-05b [C]) */
};

/* Characters of a name or a path. */
struct registry_name {
    const WCHAR *unit;
    size_t length;
};

struct registry_value {
    struct registry_name name; /* empty: the default value */
    ULONG type;
    const uint8_t *data;
    size_t size;
    struct registry_value *next; /* made behind it */
};

struct registry_key {
    struct registry_name name;
    struct registry_key *parent; /* NULL: \Registry */
    struct registry_key *first;  /* below it, by their upper-case names */
    struct registry_key *next;
    struct registry_value *values; /* in order of creation */
    uint64_t written;              /* system time */
    bool deleted;
};

struct registry {
    struct registry_key *root; /* NULL: nobody has asked yet */
};

/* \Registry, which is made with what every Windows has. NULL: no room. */
struct registry_key *registry_root(struct kernel *kernel);

/* NULL: there is none of that name. */
struct registry_key *registry_find_key(
    const struct registry_key *key, const struct registry_name *name);
struct registry_value *registry_find_value(
    const struct registry_key *key, const struct registry_name *name);

/* The key that names with backslashes between them lead to, all of them ASCII.
 * NULL: it is not there. */
struct registry_key *registry_find_path(
    struct registry_key *key, const char *path);

/* A key that is not there yet. NULL: no room. */
struct registry_key *registry_add_key(struct kernel *kernel,
    struct registry_key *parent, const struct registry_name *name);

/* It has no key below it, and is not \Registry. */
void registry_delete_key(struct registry_key *key);

/* Makes or replaces a value; `data` is copied. False: no room. */
bool registry_set_value(struct kernel *kernel, struct registry_key *key,
    const struct registry_name *name, ULONG type, const void *data,
    size_t size);

void registry_delete_value(
    struct registry_key *key, struct registry_value *value);

/* The n-th, counted from 0; NULL: there are not that many. */
struct registry_key *registry_nth_key(const struct registry_key *key, size_t n);
struct registry_value *registry_nth_value(
    const struct registry_key *key, size_t n);

/* The key of a service, which is made if it is not there: a driver's
 * RegistryPath names it. */
void registry_make_service(struct kernel *kernel, const char *name);

#endif
