/* relative_key.h - the key that RelativeTo and Path name, for the routines of
 * the run-time library that work on the registry. */
#ifndef API_CM_RELATIVE_KEY_H
#define API_CM_RELATIVE_KEY_H

#include "api/cm/open_key.h"

enum { RELATIVE_HANDLE = 0x40000000 };
#define RELATIVE_OPTIONAL UINT32_C(0x80000000)

struct relative_key {
    struct registry_key *key; /* NULL: it is not there, but its parent is */
    ULONG access;             /* rights to it */
    struct key_path *path;    /* how it was named; NULL: by a handle */
};

/* Finds it. STATUS_INVALID_PARAMETER is about RelativeTo,
 * STATUS_OBJECT_NAME_NOT_FOUND about the path down to the last name; a handle
 * that has not the right, of a key that is not there any more or no handle at
 * all is what open_key_find says. It may raise. */
NTSTATUS relative_key_find(struct kernel *kernel, enum routine routine,
    ULONG relative, const WCHAR *path, ULONG right, struct relative_key *found);

/* The same of a key that has to be there, else STATUS_OBJECT_NAME_NOT_FOUND. */
NTSTATUS relative_key_find_there(struct kernel *kernel, enum routine routine,
    ULONG relative, const WCHAR *path, ULONG right, struct relative_key *found);

#endif
