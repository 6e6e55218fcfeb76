/* cancel.h - requests that are cancelled: the one cancel spin lock, and a
 * driver's cancel routine called under it (IO-50, IO-51). */
#ifndef API_IO_CANCEL_H
#define API_IO_CANCEL_H

#include "api/io/irp.h"

/* What is a cancel routine of the I/O manager's own: no code is there. */
#define IO_CSQ_CANCEL UINT64_C(0x1803F0001000)

/* Takes and gives back the cancel spin lock as the running driver. The level
 * before. */
KIRQL io_cancel_lock(struct kernel *kernel);
void io_cancel_unlock(struct kernel *kernel, KIRQL irql);

/* The request is cancelled; true: its cancel routine was called, so that it may
 * be gone. */
bool io_request_cancel(struct kernel *kernel, struct io_request *request);

/* Its routine, which it has no more, is called under the cancel lock that was
 * taken at that level; the lock is given back. */
void io_cancel_call(struct kernel *kernel, struct io_request *request,
    uint64_t routine, KIRQL irql);

#endif
