/* run_settings.h - how instances are run, as somebody asks for it. */
#ifndef RUNNER_RUN_RUN_SETTINGS_H
#define RUNNER_RUN_RUN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/scenario/exploring.h"

/* Words of the command line, which outlive the run. */
struct run_words {
    const char *const *item;
    size_t count;
};

struct run_settings {
    uint64_t budget;          /* preemption points of one instance */
    uint64_t timeout_us;      /* processor time of one with native code */
    uint32_t jobs;            /* processes; at least 1 */
    uint32_t repeat;          /* rounds; at least 1 */
    struct run_words given;   /* values of parameters, NAME=VALUE */
    struct run_words allowed; /* images of drivers, and directories of them */
    const char *schedule;     /* the one to run in; NULL: as below */
    struct run_words fail;    /* calls that fail, as they are named */
    struct run_words fail_scope; /* of which calls these may be */
    bool explores;               /* schedules of every instance are tried */
    struct exploring_words exploring; /* what is said of that */
    uint32_t part, parts; /* of these schedules, from 1; parts 0: all */
    bool traced;          /* the trace's text is wanted */
    bool watched;         /* step after step is shown */
    bool twice;           /* the second run has to be the same */
    bool strict_imports;  /* an image imports nothing that is not modelled */
    bool documented;      /* only what Microsoft says is asked */
    bool updates; /* what was compared is kept, and steps that come after a
                     failure run all the same */
};

#endif
