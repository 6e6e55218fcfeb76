/* file.h - open files: how a program, or another driver, reaches a device. */
#ifndef API_IO_FILE_H
#define API_IO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "api/nt/nt.h"
#include "api/ob/handle.h"
#include "api/se/user.h"

struct io_device;
struct io_driver;
struct io_request;
struct kernel;

/* Of FILE_OBJECT.Flags (wdm.h). */
enum { FO_SYNCHRONOUS_IO = 0x2 };

/* How a file is opened, as ZwCreateFile has it. */
struct io_opening {
    const WCHAR *name; /* behind the device's, and its backslash with it */
    size_t name_units;
    ULONG access; /* without generic rights */
    ULONG asked;  /* the same with them, of a driver that may be refused */
    ULONG share, options, disposition;
    ULONG attributes;        /* FILE_ATTRIBUTE_ */
    struct io_file *related; /* relative to that; NULL: to none */
    bool kernel_mode;        /* a driver does */
    enum user user;          /* else this one does */
};

struct io_file {
    struct io_file *next; /* opened before */
    struct io_device *device;
    FILE_OBJECT *guest;
    WCHAR *name; /* guest memory; NULL: nothing follows the device's */
    size_t name_units;
    ULONG access;      /* granted to who opened it */
    uint32_t requests; /* device controls that have not come to their end */
    struct counted_object counted; /* with one reference for who opened it */
    bool kernel_mode;              /* a driver did */
    enum user user;                /* else this one */
    bool by_handle; /* it has handles, the last of which closes it */
    bool opened;    /* IRP_MJ_CREATE succeeded, so that the rest follows */
    bool ended;     /* nobody refers to it; IRP_MJ_CLOSE waits for its level */
    struct io_request *last; /* IRP_MJ_CLOSE, once the cleanup was sent */
};

/* A file of the device that nobody has opened yet, with one reference. */
struct io_file *io_file_make(struct kernel *kernel, struct io_device *device,
    const struct io_opening *opening);

/* A program of the user's opens a device by name, \Device\X, \??\X,
 * \DosDevices\X or \\.\X, or a file of it, whose name goes on behind a
 * backslash (IO-09a), or with NULL the first that the driver made, with
 * IRP_MJ_CREATE. The driver's status, or STATUS_OBJECT_NAME_NOT_FOUND and
 * others of object.h, STATUS_NO_SUCH_DEVICE (DO_DEVICE_INITIALIZING is set, or
 * there is none), STATUS_ACCESS_DENIED (exclusive and open),
 * STATUS_INSUFFICIENT_RESOURCES; then *file stays as it is. The rights may be
 * generic ones. A device's name alone is opened with what its descriptor gives,
 * and so is what goes on behind it if the device on top has
 * FILE_DEVICE_SECURE_OPEN, else it is STATUS_ACCESS_DENIED and no driver is
 * asked (IO-09b). */
NTSTATUS io_open(struct kernel *kernel, const struct io_driver *driver,
    const char *name, enum user user, ULONG access, struct io_file **file);

/* The same for a driver's routine, which may raise for its string. */
NTSTATUS io_open_for_driver(struct kernel *kernel, enum routine routine,
    const UNICODE_STRING *name, ULONG access, struct io_file **file);

/* The file whose FILE_OBJECT lies there; NULL: there is none. */
struct io_file *io_file_at(struct kernel *kernel, const void *address);

/* The same, and a handle of it, by which it is closed: ZwOpenFile. */
NTSTATUS io_open_handle(struct kernel *kernel, struct io_device *device,
    const struct io_opening *opening, ULONG attributes, HANDLE *handle);

/* The file that an object is. NULL: it is no file of a device. */
struct io_file *io_file_of(struct counted_object *object);

/* The last handle is closed: IRP_MJ_CLEANUP. */
void io_file_cleanup(struct kernel *kernel, struct io_file *file);

/* IRP_MJ_CLEANUP and, when nobody refers to it any more, IRP_MJ_CLOSE, whose
 * statuses nobody gets; then the file is gone. */
void io_close(struct kernel *kernel, struct io_file *file);

/* Files whose last reference was given back where no request can be sent are
 * closed now; at PASSIVE_LEVEL. */
void io_files_drain(struct kernel *kernel);

#endif
