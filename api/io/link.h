/* link.h - symbolic links: IoCreateSymbolicLink and IoDeleteSymbolicLink, and
 * the way from a name to the device it means. */
#ifndef API_IO_LINK_H
#define API_IO_LINK_H

#include "api/io/object.h"
#include "api/ob/counted_object.h"

struct driver;
struct io_device;
struct kernel;

struct io_link {
    struct object object;          /* first */
    struct counted_object counted; /* address 0: nobody has opened it */
    bool removed;                  /* it has no name any more */
    struct object_name target;
    const struct driver *owner; /* whose code made it */
    uint64_t place;             /* of that call; 0: unknown */
    uint32_t step;              /* that had it made (struct thread) */
    struct io_link *next;
};

/* The device that the name leads to. STATUS_OBJECT_NAME_NOT_FOUND, also where
 * a link leads nowhere or in a circle; STATUS_OBJECT_TYPE_MISMATCH. */
NTSTATUS io_link_resolve(struct kernel *kernel, const struct object_name *name,
    struct io_device **device);

/* The same for a name of `length` characters that may go on behind the device's
 * with a backslash: that of a file of it (IO-09a). *end is where the device's
 * ends. Statuses of object.h, too. */
NTSTATUS io_link_resolve_file(struct kernel *kernel, const WCHAR *text,
    size_t length, struct io_device **device, size_t *end);

/* What counts it, made with the first question. */
struct counted_object *io_link_counted(
    struct kernel *kernel, struct io_link *link);

/* Where a link leads to. */
const struct object_name *io_link_target(const struct counted_object *link);

/* It has its name no more; it is gone when no handle of it is open. */
void io_link_delete(struct kernel *kernel, struct io_link *link);

extern const struct leak_source io_link_leaks;

#endif
