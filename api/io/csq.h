/* csq.h - cancel-safe queues of requests (IO-53). */
#ifndef API_IO_CSQ_H
#define API_IO_CSQ_H

struct io_request;
struct kernel;

/* A request that was in such a queue is cancelled, its cancel routine taken
 * away: its driver removes and completes it. */
void io_csq_cancelled(struct kernel *kernel, struct io_request *request);

#endif
