/* worker.h - one process of a pool: what it is told to do and has answered. */
#ifndef RUNNER_RUN_WORKER_H
#define RUNNER_RUN_WORKER_H

#include <sys/types.h>

#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/worker_pool.h"

/* Consecutive tasks, as they are handed out. */
struct worker_chunk {
    uint64_t first, count;
};

/* Chunks that a worker has, so that it need not wait for the next one. */
enum { WORKER_CHUNKS = 2 };

/* Shared with the process. */
struct worker_place {
    volatile uint64_t running; /* the last task that was begun, plus 1 */
    struct crash_note note;    /* of that task */
};

struct worker {
    pid_t pid; /* 0: there is none */
    int socket;
    struct worker_place *place;
    struct worker_chunk chunk[WORKER_CHUNKS]; /* not answered, in order */
    size_t chunks;
    uint8_t *bytes; /* that have come */
    size_t length, room;
    size_t taken;  /* of them, as answers */
    bool broken;   /* it sent what is no answer, and is ended */
    bool searched; /* it gives back what it has, and says what it has not */
};

/* Forks. False when the host refuses. */
bool worker_begin(struct worker *worker, const struct worker_job *job);

/* Hands it a chunk; there is room for one. When it has just died, the chunk is
 * still counted as its own. */
void worker_give(struct worker *worker, struct worker_chunk chunk);

/* Reads what has come, waiting for something. False: no more will come. */
bool worker_hear(struct worker *worker);

/* The next whole answer, and its task. False: there is none yet. `bytes` is the
 * caller's. One that is no answer ends the process. */
bool worker_take(
    struct worker *worker, struct worker_answer *answer, size_t *task);

/* Waits until the process is gone; the chunks stay. Returns its status. */
int worker_bury(struct worker *worker);

/* Ends the process. */
void worker_end(struct worker *worker);

#endif
