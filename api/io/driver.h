/* driver.h - a driver's life in the I/O manager: its DRIVER_OBJECT, DriverEntry
 * and DriverUnload. Whoever loads images and runs steps calls this. */
#ifndef API_IO_DRIVER_H
#define API_IO_DRIVER_H

#include "api/io/object.h"
#include "api/ke/driver_call.h"
#include "api/ob/counted_object.h"

struct driver;
struct io_device;
struct kernel;

/* What every MajorFunction holds until the driver sets it: no code is there,
 * requests for it are completed with STATUS_INVALID_DEVICE_REQUEST. */
#define IO_INVALID_DEVICE_REQUEST UINT64_C(0x1803F0000000)

/* What each MajorFunction of a driver of Windows' own holds: no code is there,
 * opening and closing succeed, and other requests are completed with
 * STATUS_INVALID_DEVICE_REQUEST (BUS-08b). */
#define IO_OWN_DEVICE_REQUEST UINT64_C(0x1803F0001000)

struct io_driver {
    struct object object;          /* first: \Driver\NAME */
    struct counted_object counted; /* with one reference while it is loaded */
    struct driver *owner;          /* NULL: it is one of Windows' own */
    struct io_driver *next;
    struct io_device *devices;       /* the newest first */
    struct io_extension *extensions; /* likewise */
    DRIVER_OBJECT *guest;
    UNICODE_STRING *registry_path; /* as DriverEntry gets it; gone after it */
    void *block, *names;           /* guest memory */
};

/* Whether a driver of this name can be made: STATUS_SUCCESS,
 * STATUS_OBJECT_NAME_INVALID, STATUS_NAME_TOO_LONG and others of object.h,
 * STATUS_OBJECT_NAME_COLLISION when there is one. */
NTSTATUS io_driver_check_name(struct kernel *kernel, const char *name);

/* A driver object in guest memory for the image at `image_base`; `owner`, who
 * makes the driver's calls, outlives it. NULL when there is a driver of that
 * name, or the name is none. */
struct io_driver *io_driver_make(struct kernel *kernel, struct driver *owner,
    const char *name, uint64_t image_base, uint32_t image_size);

/* The driver whose DRIVER_OBJECT lies at the address; NULL: there is none. */
struct io_driver *io_driver_at(struct kernel *kernel, const void *address);

/* Calls DriverEntry on the running strand, which is at PASSIVE_LEVEL, and
 * returns its status. When that is an error, what the driver left behind is
 * reported (leak.device, leak.symbolic_link), and the driver is gone. */
NTSTATUS io_driver_entry(
    struct kernel *kernel, struct io_driver *driver, uint64_t entry);

/* Calls DriverUnload likewise; what is left behind is reported and removed, and
 * the driver is gone. STATUS_INVALID_DEVICE_REQUEST: it has no DriverUnload
 * (page DRIVER_UNLOAD); STATUS_DEVICE_BUSY: a file of it is open [C], where
 * Windows unloads it after the last one. Then it stays. */
NTSTATUS io_driver_unload(struct kernel *kernel, struct io_driver *driver);

/* A routine of the driver's that the I/O manager is going to call. */
struct driver_target io_target(
    const struct io_driver *driver, const char *routine, uint64_t address);

#endif
