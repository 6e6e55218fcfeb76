/* file.h - open files: how a program reaches a device. */
#ifndef API_IO_FILE_H
#define API_IO_FILE_H

#include <stdbool.h>

#include "api/nt/nt.h"

struct io_device;
struct io_driver;
struct kernel;

struct io_file {
    struct io_device *device;
    FILE_OBJECT *guest;
    uint32_t requests; /* device controls that have not come to their end */
};

/* Opens a device by name, \Device\X, \??\X, \DosDevices\X or \\.\X, or with
 * NULL the first that the driver made, with IRP_MJ_CREATE. The driver's status,
 * or STATUS_OBJECT_NAME_NOT_FOUND and others of object.h,
 * STATUS_NO_SUCH_DEVICE (DO_DEVICE_INITIALIZING is set, or there is none),
 * STATUS_ACCESS_DENIED (exclusive and open), STATUS_INSUFFICIENT_RESOURCES;
 * then *file stays as it is. */
NTSTATUS io_open(struct kernel *kernel, const struct io_driver *driver,
    const char *name, struct io_file **file);

/* Whether a device's name is the beginning of this one, which goes on behind a
 * backslash (IO-09a): names of files of a device are not modelled. */
bool io_name_of_file(struct kernel *kernel, const char *name);

/* IRP_MJ_CLEANUP and IRP_MJ_CLOSE, whose statuses nobody gets; the file is
 * gone. STATUS_INSUFFICIENT_RESOURCES: it is not. */
NTSTATUS io_close(struct kernel *kernel, struct io_file *file);

#endif
