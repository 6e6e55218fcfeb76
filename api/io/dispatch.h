/* dispatch.h - requests on their way down: a driver's dispatch routine is
 * called for its stack location, and what it does is judged (IO-22, IO-40). */
#ifndef API_IO_DISPATCH_H
#define API_IO_DISPATCH_H

#include "api/io/irp.h"

struct strand;

/* A dispatch routine that runs. It lies on its own stack. */
struct io_call {
    struct io_call *outer;      /* of the same request, called before */
    struct io_request *request; /* NULL: it is ended */
    const struct strand *strand;
    CHAR location;
    bool inherited; /* the location was marked pending before */
    bool below;     /* it has sent it down, which is pending there */
    bool completed; /* the location is done with; then: */
    bool marked;    /* it was marked pending */
    bool forgotten; /* its completion routine should have marked it */
    NTSTATUS status;
    uint64_t routine, context; /* of the location, for who is above */
};

/* Sends the request to the device: its next location is the current one from
 * here on. Returns what the dispatch routine did. `routine`: through which a
 * driver does it, or ROUTINE_COUNT. */
NTSTATUS io_call(struct kernel *kernel, enum routine routine,
    struct io_request *request, struct io_device *device);

/* Whether the code that runs has been called by a dispatch routine's call of
 * the request. */
bool io_calls_here(struct kernel *kernel, const struct io_request *request);

/* The calls of a request that is ended know what became of it. */
void io_calls_forget(struct io_request *request);

/* The location is done with, with that status (completion.c). */
void io_calls_completed(
    struct io_request *request, CHAR location, NTSTATUS status, bool marked);

/* Those of the location where a completion routine has left out to mark it. */
void io_calls_forgotten(struct io_request *request, CHAR location);

#endif
