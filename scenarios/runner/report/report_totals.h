/* report_totals.h - what the results of a run come to. */
#ifndef RUNNER_REPORT_REPORT_TOTALS_H
#define RUNNER_REPORT_REPORT_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/verdict.h"

struct report_totals {
    size_t count[RESULT_COUNT];
    size_t not_asked; /* expectations, for their basis */
    size_t explored;  /* instances of which several schedules were tried */
    uint64_t schedules, left; /* of all of those; and that were not tried */
    size_t failing; /* instances in whose runs calls were made to fail */
    struct calls_failed calls; /* of all of those */
    size_t unmodelled;       /* instances with imports that are not modelled */
    size_t missing, reached; /* of all of these */
    size_t replacing;        /* instances that replaced what is modelled */
    bool replaced[ROUTINE_COUNT]; /* what, in any of these */
    size_t parallel; /* instances with parallel that ran in the usual one alone
                      */
    size_t not_run;  /* selected, but something had failed before, or: */
    const char *interrupted; /* the signal that ended the run, as INT; NULL:
                                none did */
};

/* How many results are failures. */
size_t report_totals_failed(const struct report_totals *totals);

/* What a run exits with that has these. */
enum exit_code report_totals_judge(const struct report_totals *totals);

#endif
