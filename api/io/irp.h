/* irp.h - I/O requests: an IRP in guest memory, what is known of it here, and
 * requests of programs. dispatch.h sends them, completion.c ends them. */
#ifndef API_IO_IRP_H
#define API_IO_IRP_H

#include <stdbool.h>
#include <stddef.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/mm/probing.h"
#include "api/nt/nt.h"

struct counted_object;
struct driver;
struct io_call;
struct io_device;
struct io_file;
struct kernel;

/* The kinds that the I/O manager or a scenario sends (wdm.h). */
enum io_major {
    IRP_MJ_CREATE = 0x00,
    IRP_MJ_CLOSE = 0x02,
    IRP_MJ_READ = 0x03,
    IRP_MJ_WRITE = 0x04,
    IRP_MJ_FLUSH_BUFFERS = 0x09,
    IRP_MJ_DEVICE_CONTROL = 0x0E,
    IRP_MJ_INTERNAL_DEVICE_CONTROL = 0x0F,
    IRP_MJ_SHUTDOWN = 0x10,
    IRP_MJ_CLEANUP = 0x12,
    IRP_MJ_PNP = 0x1B,
    IRP_MAJORS = 0x1C,
};

/* The constants of wdm.h that several files look at. */
enum {
    SL_PENDING_RETURNED = 0x01,
    SL_INVOKE_ON_CANCEL = 0x20,
    SL_INVOKE_ON_SUCCESS = 0x40,
    SL_INVOKE_ON_ERROR = 0x80,
    IRP_SYNCHRONOUS_API = 0x4,
    IRP_ASSOCIATED_IRP = 0x8,
    IRP_BUFFERED_IO = 0x10,
    IRP_DEALLOCATE_BUFFER = 0x20,
    IRP_INPUT_OPERATION = 0x40,
    METHOD_BUFFERED = 0,
    METHOD_IN_DIRECT = 1,
    METHOD_OUT_DIRECT = 2,
    METHOD_NEITHER = 3,
};

/* CurrentLocation is one more at first, and a CHAR. */
enum { IRP_LOCATIONS_MOST = 126 };

/* Who made it, which says how it ends. */
enum irp_origin {
    IRP_OF_PROGRAM,  /* what came of it is for io_request_wait() */
    IRP_BY_HANDLE,   /* likewise, of a driver that has a handle of the file */
    IRP_THREADED,    /* a driver's, which the I/O manager ends (IO-44a) */
    IRP_ALLOCATED,   /* a driver's, which IoFreeIrp ends (IO-45a) */
    IRP_INITIALIZED, /* likewise, and in memory of its own */
    IRP_ASSOCIATED,  /* a part of another one */
};

/* What came of a request. */
struct io_result {
    NTSTATUS status;      /* as the caller of the service gets it */
    uint64_t information; /* IoStatus.Information */
};

struct io_request {
    struct io_request *next; /* made before, and not ended either */
    enum irp_origin origin;
    struct io_device *device;       /* a program's: to which it goes */
    struct counted_object *signals; /* set at the end; NULL: nothing is */
    struct io_file *file; /* among whose requests it counts; NULL: none's */
    enum io_major major;
    IRP *irp; /* inaccessible once it is ended */
    CHAR locations;
    void *system_buffer; /* NULL: it has none */
    void *direct; /* a program's buffer that the driver has itself, by an MDL
                     or by its address; NULL: none */
    void *direct_input; /* likewise, of what it sends by METHOD_NEITHER */
    void *output;       /* where its contents go: ours, or a driver's */
    size_t output_size; /* bytes */
    struct io_result result;
    bool done;      /* ended; then the result is right */
    bool returned;  /* the dispatch routine has; nothing else ends it */
    bool lost;      /* nobody waits for it any more */
    bool sent;      /* to a driver, since the IRP began */
    bool unawaited; /* nobody waits for a driver's, which ends by itself */
    bool under_way; /* sent, and not back with who made it */
    CHAR entered;   /* the highest location that a driver was called with */
    struct io_call *calls; /* dispatch routines that have it, the last first */
    struct io_request *master;   /* of an associated one; NULL: it is gone */
    const struct driver *driver; /* who made it; NULL: a program */
    uint8_t user;                /* whom it is of, from 1; 0: no program */
    uint64_t place;
    bool reported;          /* as left behind */
    struct probing probing; /* a program's: what drivers have probed for it */
};

/* What people call it; "IRP_MJ" for what there is not. */
const char *io_major_name(unsigned major);

/* Whether somebody outside of drivers has it and ends it. */
static inline bool io_request_is_awaited(const struct io_request *request)
{
    return request->origin == IRP_OF_PROGRAM ||
           request->origin == IRP_BY_HANDLE;
}

/* Its stack location of that number, from 1. */
IO_STACK_LOCATION *io_request_location(
    const struct io_request *request, CHAR number);

/* Whether the IRP, in which a driver may write, stands at one of its locations
 * or above them all, and its pointer is that location's. */
bool io_request_is_placed(const struct io_request *request);

/* Where the next driver finds its parameters: the location below the current
 * one, which there is. */
IO_STACK_LOCATION *io_request_next_location(const struct io_request *request);

/* The device whose stack location is the current one; NULL: it has come back to
 * who made it. */
struct io_device *io_request_holder(
    struct kernel *kernel, const struct io_request *request);

/* One in guest memory with as many stack locations, or with `at` in memory of
 * the driver's; nobody has been sent it. NULL when memory is short, or it
 * cannot have so many. */
struct io_request *io_request_new(
    struct kernel *kernel, enum irp_origin origin, CHAR locations, IRP *at);

/* The IRP begins anew, with as many locations (IO-45b). */
void io_request_fill(struct io_request *request);

/* The request whose IRP lies there; the machine stops without one. */
struct io_request *io_request_at(
    struct kernel *kernel, enum routine routine, const IRP *irp);

/* Likewise; NULL: there is none. */
struct io_request *io_request_find(struct kernel *kernel, const IRP *irp);

/* It is there no more: its IRP and its buffer are inaccessible, and of it
 * remains what came of it. `routine` is what ended it. */
void io_request_end(
    struct kernel *kernel, enum routine routine, struct io_request *request);

/* What remained goes as well. */
void io_request_give(struct kernel *kernel, struct io_request *request);

/* A request of a program's for the file's device, or what is on top of that. It
 * ends by io_request_send() or io_request_drop(). */
struct io_request *io_request_make(
    struct kernel *kernel, const struct io_file *file, enum io_major major);

/* The same of nobody's file, from kernel mode. */
struct io_request *io_request_make_for_device(
    struct kernel *kernel, struct io_device *device, enum io_major major);

/* The same for a driver that has a handle of the file. */
struct io_request *io_request_make_by_handle(
    struct kernel *kernel, const struct io_file *file, enum io_major major);

/* Gives it a system buffer of `size` bytes, which is not 0. Returns false when
 * memory is short. */
bool io_request_buffer(
    struct kernel *kernel, struct io_request *request, size_t size);

/* Gives it an MDL of a buffer with these bytes, whose contents go back there at
 * the end; of no bytes it is none (IO-32b). For writing: the driver may write
 * to it. STATUS_INSUFFICIENT_RESOURCES: memory is short. */
NTSTATUS io_request_direct(struct kernel *kernel, struct io_request *request,
    void *data, size_t size, bool write);

/* Puts the bytes into the program's own memory (IO-33a): *input, with its size,
 * and what Irp->UserBuffer is of, whose contents go back to `output` at the
 * end. What has no bytes is NULL. Returns false when memory is short. */
bool io_request_neither(struct kernel *kernel, struct io_request *request,
    const void **input, size_t input_size, void *output, size_t output_size);

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

/* A file has one request less when that is completed and its dispatch routine
 * has returned: till then its device stays, and with a driver's the file. */
void io_request_leave_file(struct kernel *kernel, struct io_request *request);

/* Requests that a driver made and has not ended: the warning leak.irp. */
extern const struct leak_source io_request_leaks;

#endif
