/* call.h - how the I/O manager calls a driver's routine: on the running
 * strand, as that driver's code. */
#ifndef API_IO_CALL_H
#define API_IO_CALL_H

#include <stdint.h>

#include "api/ke/code.h"

struct driver;

/* What is called. */
struct io_target {
    const struct driver *driver;
    const char *routine; /* for people: DriverEntry, IRP_MJ_CREATE */
    uint64_t address;
};

/* Calls it and returns its RAX. Exceptions that it does not catch are nobody's
 * (bug check 0x1E). Stops the machine when no code is there, or when the
 * routine comes back at another IRQL. */
uint64_t io_call(struct kernel *kernel, const struct io_target *target,
    const uint64_t argument[CODE_ARGUMENTS]);

/* Puts what came of a call into the trace. */
void io_call_trace(
    struct kernel *kernel, const struct io_target *target, NTSTATUS status);

#endif
