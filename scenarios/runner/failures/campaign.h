/* campaign.h - every call that can fail, made to fail once: each instance runs
 * as usual first, which says where such calls are; then once for each of these
 * places; and what is met only then is a place, too, until nothing is new. */
#ifndef RUNNER_FAILURES_CAMPAIGN_H
#define RUNNER_FAILURES_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct batch;
struct failure_log;
struct instance;
struct verdict;

struct campaign {
    struct batch *batch;     /* its instances, and how they are run */
    struct failure_log *log; /* NULL: none */
    uint64_t most;           /* places of an instance; 0: all */
    uint64_t seed;           /* of which these are, where there are more */
    /* Told now and then how many runs of how many are done, and which comes
     * next. NULL: nobody is. */
    void (*coming)(void *context, size_t done, size_t all, const char *id);
    void *coming_context;
    struct campaign_instance *instance; /* one for each of the suite's */
    struct campaign_round *round;       /* that goes on */
};

/* Runs it all. False: somebody interrupts the program, or after saying on
 * `errors` what is wrong with the log; *broken says which. */
bool campaign_run(
    void *context, struct campaign *campaign, bool *broken, FILE *errors);

/* What the n-th instance came to: the verdict of its usual run, with the
 * failures of all others. Once for each; child of nobody. */
struct verdict *campaign_verdict(struct campaign *campaign, size_t n);

#endif
