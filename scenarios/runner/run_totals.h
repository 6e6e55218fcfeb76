/* run_totals.h - what the results of a run come to. */
#ifndef RUNNER_RUN_TOTALS_H
#define RUNNER_RUN_TOTALS_H

#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/reporter.h"

size_t run_totals_failed(const struct report_totals *totals);

enum exit_code run_totals_judge(const struct report_totals *totals);

#endif
