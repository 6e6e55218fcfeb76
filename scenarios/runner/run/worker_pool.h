/* worker_pool.h - numbered tasks, done by forked processes; what they write
 * comes back in the order of the numbers. A process that dies costs the one
 * task that it was doing. Knows nothing of instances. */
#ifndef RUNNER_RUN_WORKER_POOL_H
#define RUNNER_RUN_WORKER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct worker_job {
    size_t tasks;
    unsigned workers; /* at least 1; no more are made than there are tasks */
    /* Both in the worker: once, before the first task (NULL: nothing); and for
     * each task. The answer is what was written to `answer`. */
    void (*begin)(void *context);
    void (*work)(void *context, size_t task, FILE *answer);
    void *context;
    /* Here, now and then while no answer comes. NULL: nothing. */
    void (*waiting)(void *context);
    /* In the worker, at its end: gives back what `begin` took, so that leaks
     * are looked for where the program can. NULL: they are not. */
    void (*end)(void *context);
};

enum { WORKER_ANSWER_BYTES = 512 << 20 }; /* who sends more is ended */

struct worker_answer {
    uint8_t *bytes; /* free() it; NULL: the worker died of this task */
    size_t length;
    int status; /* then: how, as from waitpid(); -1: there was no worker */
    struct crash_note *note; /* then: what it left; free() it; NULL: nothing */
};

struct crash_note;
struct worker_pool;

/* Nothing is begun yet. Child of `context`; freeing it ends the workers. */
struct worker_pool *worker_pool_new(
    void *context, const struct worker_job *job);

/* Waits for the answer to the next task: the first call gives that of task 0.
 * There have to be tasks left. */
struct worker_answer worker_pool_next(struct worker_pool *pool);

#endif
