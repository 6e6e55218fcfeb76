/* directory.h - directories of the object namespace: Windows' own, and those of
 * drivers (ZwCreateDirectoryObject). */
#ifndef API_IO_DIRECTORY_H
#define API_IO_DIRECTORY_H

#include "api/io/object.h"
#include "api/ob/handle.h"

struct io_directory {
    struct object object;          /* first */
    struct counted_object counted; /* of an address without contents */
};

/* The directory of that name, which is Windows' own: made when it is asked for.
 */
struct io_directory *directory_make(
    struct kernel *kernel, const struct object_name *name);

#endif
