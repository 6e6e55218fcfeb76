/* named_object.h - objects found by their names, as Zw routines are given them:
 * OBJECT_ATTRIBUTES, links that are followed, handles that are made. */
#ifndef API_IO_NAMED_OBJECT_H
#define API_IO_NAMED_OBJECT_H

#include <stdbool.h>

#include "api/io/object.h"
#include "api/ob/handle.h"

struct kernel;

/* What OBJECT_ATTRIBUTES say. */
struct object_request {
    ULONG attributes;        /* OBJ_ */
    bool named;              /* or there is no name */
    struct object_name name; /* the full path */
    bool of_directory;       /* it is the name of Windows' own directory */
};

/* Reads them, which may raise; NULL: no name and no attributes. The statuses of
 * object.h, STATUS_INVALID_PARAMETER for attributes that there are not, and
 * those of a handle for RootDirectory. */
NTSTATUS object_request_read(struct kernel *kernel, enum routine routine,
    const OBJECT_ATTRIBUTES *given, struct object_request *request);

/* The object of that name, behind links unless one is looked for.
 * STATUS_OBJECT_NAME_NOT_FOUND; STATUS_OBJECT_TYPE_MISMATCH: it is of another
 * kind than the wanted one. */
NTSTATUS named_object_find(struct kernel *kernel,
    const struct object_request *request, enum object_kind wanted,
    struct object **object);

/* The same for any kind. */
NTSTATUS named_object_find_any(struct kernel *kernel,
    const struct object_name *name, struct object **object);

/* What counts it. */
struct counted_object *named_object_counted(
    struct kernel *kernel, struct object *object);

/* A handle of it to where the driver wants it, which can be written.
 * STATUS_INSUFFICIENT_RESOURCES: there is no room. */
NTSTATUS named_object_open(struct kernel *kernel, enum routine routine,
    struct counted_object *object, ULONG attributes, ULONG access,
    PHANDLE handle_out);

/* For struct object_type: the path of an object that is known by a name. */
size_t object_path(const struct object *object, WCHAR text[OBJECT_PATH_UNITS]);

#endif
