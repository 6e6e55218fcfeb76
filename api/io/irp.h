/* irp.h - I/O requests: an IRP in guest memory, the driver's dispatch routine
 * that gets it, and IofCompleteRequest. */
#ifndef API_IO_IRP_H
#define API_IO_IRP_H

#include <stdbool.h>
#include <stddef.h>

#include "api/nt/nt.h"

struct io_device;
struct io_file;
struct kernel;

/* The kinds that the I/O manager sends (wdm.h). */
enum io_major {
    IRP_MJ_CREATE = 0x00,
    IRP_MJ_CLOSE = 0x02,
    IRP_MJ_DEVICE_CONTROL = 0x0E,
    IRP_MJ_CLEANUP = 0x12,
};

/* What came of a request. */
struct io_result {
    NTSTATUS status;      /* as the caller of the service gets it */
    uint64_t information; /* IoStatus.Information */
};

struct io_request {
    struct io_request *next; /* not completed either */
    struct io_device *device;
    struct io_file *file; /* among whose requests it counts; NULL: none's */
    enum io_major major;
    IRP *irp; /* inaccessible once completed */
    IO_STACK_LOCATION *location;
    void *system_buffer; /* NULL: it has none */
    void *output;        /* ours: where its contents go */
    size_t output_size;  /* bytes */
    struct io_result result;
    bool done;           /* completed; then the result is right */
    bool returned;       /* the dispatch routine has; nothing else ends it */
    bool pending_marked; /* IoMarkIrpPending was called before */
    bool lost;           /* nobody waits for it any more */
};

/* A request for the file's device, all in guest memory. NULL when memory is
 * short. It ends by io_request_send() or io_request_drop(). */
struct io_request *io_request_make(
    struct kernel *kernel, const struct io_file *file, enum io_major major);

/* Gives it a system buffer of `size` bytes, which is not 0. Returns false when
 * memory is short. */
bool io_request_buffer(
    struct kernel *kernel, struct io_request *request, size_t size);

void io_request_drop(struct kernel *kernel, struct io_request *request);

/* Sends it to the driver on the running strand. Returns true when the dispatch
 * routine has said STATUS_PENDING, also if the request is completed by then: it
 * goes to io_request_wait(). Else it is gone, and *result is what came of it; a
 * request that the driver loses ends with what the dispatch routine returned
 * (io.dispatch.lost). */
bool io_request_start(struct kernel *kernel, struct io_request *request,
    struct io_result *result);

/* Waits until it is completed. It is gone then. */
struct io_result io_request_wait(
    struct kernel *kernel, struct io_request *request);

/* Both of them. */
struct io_result io_request_send(
    struct kernel *kernel, struct io_request *request);

#endif
