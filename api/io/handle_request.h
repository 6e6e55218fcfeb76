/* handle_request.h - requests that drivers send by the handle of a device's
 * file: ZwReadFile, ZwWriteFile and ZwDeviceIoControlFile of one. */
#ifndef API_IO_HANDLE_REQUEST_H
#define API_IO_HANDLE_REQUEST_H

#include "api/io/irp.h"
#include "api/ob/handle.h"

/* What all of these routines are given. */
struct handle_request {
    enum routine routine;
    HANDLE handle, event; /* event NULL: nobody is told of the end */
    PVOID apc_routine;
    PIO_STATUS_BLOCK answer;
    struct io_file *file;           /* of the handle */
    struct counted_object *signals; /* of the event */
};

/* The file of a handle. NULL: it is no handle of a device's file. */
struct io_file *io_file_of_handle(struct kernel *kernel, HANDLE handle);

/* Finds out whom it is about; it may raise, and stops the run at an APC
 * routine. STATUS_INVALID_HANDLE, with a rule event;
 * STATUS_OBJECT_TYPE_MISMATCH; STATUS_INVALID_DEVICE_REQUEST (a file on the
 * volume). */
NTSTATUS handle_request_begin(
    struct kernel *kernel, struct handle_request *request);

/* IRP_MJ_READ or IRP_MJ_WRITE, by the flags of the device that gets it (IO-34).
 * STATUS_ACCESS_DENIED, STATUS_INVALID_PARAMETER, STATUS_ACCESS_VIOLATION,
 * STATUS_INSUFFICIENT_RESOURCES, and the driver's. */
NTSTATUS handle_request_transfer(struct kernel *kernel,
    const struct handle_request *request, enum io_major major, PVOID buffer,
    ULONG length, const LARGE_INTEGER *offset, const ULONG *key);

#endif
