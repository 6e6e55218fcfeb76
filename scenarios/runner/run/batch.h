/* batch.h - all instances that were selected, one result after another in
 * their order, from this process or from workers: who asks cannot tell. */
#ifndef RUNNER_RUN_BATCH_H
#define RUNNER_RUN_BATCH_H

#include <stdio.h>

#include "scenarios/runner/output/trace_spool.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/suite.h"

/* One result. */
struct batch_result {
    const struct instance *instance;
    size_t round; /* from 0 on, of --repeat */
    struct verdict *verdict;
    char *trace; /* its text, or its beginning, without a NUL behind it; free()
                    frees it */
    size_t trace_length;       /* 0: none is wanted, or there is none */
    struct trace_extent *rest; /* in the spool; memory of the verdict's */
    size_t rest_count;
};

struct batch {
    struct job job;
    const struct suite *suite;
    struct session session;    /* without a machine where workers have it */
    struct worker_pool *pool;  /* NULL: everything runs here */
    struct trace_spool *spool; /* NULL: no worker traces */
    size_t results;            /* that there are */
    size_t next;
    /* Told of each verdict before anything is made of it that is expected to
     * fail. NULL: nobody listens. */
    void (*heard)(void *context, const struct instance *instance,
        const struct verdict *verdict);
    void *heard_context;
    /* Called now and then while a result does not come. NULL: nobody waits. */
    void (*waiting)(void *context, const struct batch *batch);
    void *waiting_context;
};

/* Reads what drivers are allowed. Says on `errors` what is wrong, and returns
 * what to exit with; else EXIT_OK, and the batch is to be closed. */
enum exit_code batch_open(struct batch *batch, struct suite *suite,
    const struct run_settings *settings, FILE *errors);

/* What batch_next() will give, while there is a next one. */
const struct instance *batch_coming(const struct batch *batch);

/* Runs, or waits for, the next instance. False: somebody interrupts the
 * program, and there is no result. */
bool batch_next(struct batch *batch, struct batch_result *result);

/* Writes the result's trace, once. False with errno set: some of it cannot be
 * read. */
bool batch_write_trace(
    const struct batch *batch, struct batch_result *result, FILE *out);

/* Frees what a result holds. */
void batch_release(struct batch_result *result);

/* For a worker that does other tasks for the batch: makes its session, or ends
 * the process. */
void batch_begin_worker(struct batch *batch);

/* The verdict on a task of the instance whose worker did not answer. */
struct worker_answer;
struct verdict *batch_worker_died(
    const struct instance *instance, const struct worker_answer *answer);

/* Results that were not asked for are lost. */
void batch_close(struct batch *batch);

#endif
