/* worker.h - the worker threads of the system, made as they are needed. */
#ifndef API_EX_WORKER_H
#define API_EX_WORKER_H

#include <stdbool.h>
#include <stdint.h>

struct driver;
struct kernel;
struct kthread;
struct work_queue;

struct work_worker {
    struct kthread *thread;
    struct work_queue *queue;
    const struct driver *runs; /* whose item it runs; NULL: none */
    bool io;                   /* the I/O manager's: it keeps the driver */
    uint64_t place;            /* where that was made */
    uint32_t step;
    bool reported; /* that it was left running */
    bool parked;
    struct work_worker *next;
};

/* There is an item in the queue: a worker that has nothing to do goes on, or
 * there is one more, as long as there may be (WORK-09 [C]). */
void worker_wake(struct kernel *kernel, struct work_queue *queue);

#endif
