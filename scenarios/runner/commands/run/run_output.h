/* run_output.h - everything that a run writes: lines for people, the trace, the
 * reports, the last results. */
#ifndef RUNNER_COMMANDS_RUN_RUN_OUTPUT_H
#define RUNNER_COMMANDS_RUN_RUN_OUTPUT_H

#include <time.h>

#include "scenarios/runner/report/report_set.h"
#include "scenarios/runner/run/batch.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/selection/history.h"
#include "scenarios/runner/text/terminal.h"

struct run_output {
    const struct options *options;
    FILE *text; /* for people: standard output, unless a report goes there */
    struct whole_file *trace; /* NULL: none */
    bool trace_cut;           /* some of it could not be read */
    struct report_set *reports;
    struct history *history;
    struct report_groups *groups;
    struct terminal_progress progress;
    struct timespec begun; /* for the rate that people see, and nothing else */
    struct report_totals totals;
};

/* Opens files. What it holds are children of `context`. False after saying
 * what is wrong. */
bool run_output_open(
    struct run_output *output, void *context, const struct options *options);

void run_output_begin(struct run_output *output, const struct batch *batch);

/* The batch's next instance is on its way; called again while it takes long. */
void run_output_coming(struct run_output *output, const struct batch *batch);

void run_output_result(struct run_output *output, const struct batch *batch,
    struct batch_result *result);

/* Whether anybody is to have what is still to come: standard output may have
 * lost its reader. */
bool run_output_is_wanted(const struct run_output *output);

/* Prints the totals, keeps the results, and closes what was opened; what has
 * not come by now was not run. Returns what to exit with. */
enum exit_code run_output_end(
    struct run_output *output, const struct batch *batch);

#endif
