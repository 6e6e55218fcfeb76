/* report_kind.h - what the kinds of reports know of a run. Of what the file
 * descriptor does with their bytes they know nothing; reporter.c asks. */
#ifndef RUNNER_REPORT_REPORT_KIND_H
#define RUNNER_REPORT_REPORT_KIND_H

#include <stdio.h>

#include "scenarios/runner/report/reporter.h"
#include "scenarios/runner/run/verdict.h"

/* How a report shows a result; results.def says which is which. */
enum report_class {
    REPORT_PASSED,
    REPORT_SKIPPED,  /* with the reason */
    REPORT_EXPECTED, /* a failure that is no news, with the reason */
    REPORT_FAILED,   /* what was expected did not come */
    REPORT_BROKEN,   /* it could not come: the run did not get so far */
};

/* A file with errors: those and their notes, in order of their places. */
struct report_file {
    const char *path;
    struct diagnostics errors;
};

struct reporter {
    const struct report_kind *kind;
    struct whole_file *file_out;
    FILE *out; /* its stream */
    struct report_run run;
    struct report_file *file; /* by path; the suite's invalid ones */
    size_t file_count;
    void *state; /* the kind's own, child of the reporter */
};

#define REPORT(name, spelling, help)                                           \
    void report_##name##_begin(struct reporter *reporter);                     \
    void report_##name##_result(struct reporter *reporter,                     \
        const struct instance *instance, const struct verdict *verdict);       \
    void report_##name##_end(                                                  \
        struct reporter *reporter, const struct report_totals *totals);
#include "scenarios/runner/report/reports.def"

enum report_class report_class(enum result result);

/* Why an instance was skipped, or fails as expected; "" where nobody said. */
const char *report_reason(const struct verdict *verdict);

/* How many were selected and have no result, and why; there are some. Child of
 * `context`. */
char *report_not_run_text(void *context, const struct report_totals *totals);

/* All failures of an instance as they are printed for people. Child of
 * `context`. */
char *report_failures_text(void *context, const struct reporter *reporter,
    const struct instance *instance, const struct verdict *verdict);

/* Likewise a file's errors. */
char *report_errors_text(void *context, const struct report_file *file);

#endif
