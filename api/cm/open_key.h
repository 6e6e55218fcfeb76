/* open_key.h - keys as drivers have them: opened by a path with rights, and
 * found by their handles. */
#ifndef API_CM_OPEN_KEY_H
#define API_CM_OPEN_KEY_H

#include "api/cm/registry.h"
#include "api/core/routine.h"
#include "api/nt/access_right.h"
#include "api/ob/handle.h"
#include "sim/base/record_pool.h"

/* An open of a key: an object of its own, with the rights that it was opened
 * for. */
struct open_key {
    struct counted_object counted;
    struct registry_key *key;
    ULONG access;
};

/* A path, taken apart down to its last name. */
struct key_path {
    struct registry_key *key;    /* what it names; NULL: it is not there */
    struct registry_key *parent; /* of that name; NULL: nor is that */
    struct registry_name last;
    struct open_key *root; /* RootDirectory; NULL: the path begins with \ */
    WCHAR unit[32768];
};

struct open_keys {
    struct record_pool pool;
    struct key_path *path; /* NULL: nobody has named a key yet */
};

/* The one that there is, for whoever reads a name. */
struct key_path *key_path_of(struct kernel *kernel);

/* Reads what a driver has named a key by. STATUS_INVALID_HANDLE,
 * STATUS_OBJECT_TYPE_MISMATCH and STATUS_KEY_DELETED are about RootDirectory,
 * STATUS_OBJECT_NAME_NOT_FOUND about the path; it may raise. *path is valid
 * until the next call. */
NTSTATUS key_path_read(struct kernel *kernel, enum routine routine,
    const OBJECT_ATTRIBUTES *attributes, struct key_path **path);

/* The same of a path that ends with a NUL. */
NTSTATUS key_path_read_text(struct kernel *kernel, enum routine routine,
    const WCHAR *text, struct key_path **path);

/* And of one that is relative to a key. */
NTSTATUS key_path_read_below(struct kernel *kernel, enum routine routine,
    struct registry_key *key, const WCHAR *text, struct key_path **path);

/* Gives a driver a handle of a new open. */
NTSTATUS open_key_open(struct kernel *kernel, struct registry_key *key,
    ULONG access, HANDLE *handle);

/* The open of a handle that has the right, of a key that is there still.
 * STATUS_INVALID_HANDLE, with a rule event; STATUS_OBJECT_TYPE_MISMATCH,
 * STATUS_KEY_DELETED, STATUS_ACCESS_DENIED. */
NTSTATUS open_key_find(struct kernel *kernel, enum routine routine,
    HANDLE handle, ULONG right, struct open_key **found);

#endif
