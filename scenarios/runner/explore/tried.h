/* tried.h - one run of an instance in one schedule: who is let go on at each
 * choice, and what there was to choose. Where the instance runs in a process of
 * its own, that is where it is noted down, and a driver's code may have been at
 * it since. */
#ifndef RUNNER_EXPLORE_TRIED_H
#define RUNNER_EXPLORE_TRIED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "scenarios/runner/explore/schedule_text.h"
#include "sim/machine/schedule.h"

struct instance;
struct job;
struct session;
struct verdict;

enum {
    TRIED_CHOICES = 1 << 20, /* that are noted; behind them all is as usual */
    TRIED_CANDIDATES = 1 << 22,
    TRIED_TEXT_BYTES = 200,
};

/* A choice that there was. */
struct tried_choice {
    uint32_t usual, taken; /* processors */
    uint32_t run;          /* of the machine, from 1: nothing leaves one */
    uint32_t first, count; /* candidates, in `candidate` */
    bool alone;            /* one processor went on, up to the next choice */
    /* By what went on then, up to the next choice or the run's end. */
    struct schedule_footprint touched;
};

/* What is noted of a run; shared with the process that runs it. */
struct tried_log {
    size_t count, candidates;
    size_t replayed; /* deviations that could be had */
    /* Whom the last of those kept, and whom it let go on, for people. */
    char kept[TRIED_TEXT_BYTES], went[TRIED_TEXT_BYTES];
    struct tried_choice choice[TRIED_CHOICES];
    uint32_t candidate[TRIED_CANDIDATES];
};

struct tried {
    const struct job *job;
    struct session *session;
    const struct instance *instance;
    /* Who goes on, one of the candidates. */
    uint32_t (*pick)(struct tried *tried, const struct schedule_choice *choice);
    void *context; /* of that */
    struct tried_log *log;
    const struct deviations *replayed; /* by tried_replay() */
    size_t next;                       /* of those */
    uint64_t runs;
    bool late; /* the failure that is looked at is that of the host's time */
    struct schedule schedule;
};

/* Child of `context`. NULL: the host gives no memory for it. */
struct tried *tried_new(void *context, const struct job *job,
    struct session *session, const struct instance *instance);

/* Runs the instance; who goes on says `pick`. The verdict is a child of
 * `context`, and the trace's text goes to `trace`, unless that is NULL. When
 * the host's time is up it runs once more, and what comes of that counts. */
struct verdict *tried_run(void *context, struct tried *tried, FILE *trace);

/* The same in the order that ntpmu run has, which goes by time. */
struct verdict *tried_run_by_time(
    void *context, struct tried *tried, FILE *trace);

/* Runs it with these deviations from the usual schedule. One that cannot be had
 * is left out. */
struct verdict *tried_replay(void *context, struct tried *tried,
    const struct deviations *deviations, FILE *trace);

/* Whether the last run that replayed could have all deviations. */
bool tried_fits(const struct tried *tried);

/* Where the last run was not as usual; child of `context`. */
struct deviations tried_deviations(void *context, const struct tried *tried);

/* Whether the processor was one of those that could go on. */
bool tried_could(const struct tried *tried, size_t choice, uint32_t processor);

#endif
