/* run_totals.h - what the results of a run come to. */
#ifndef RUNNER_REPORT_RUN_TOTALS_H
#define RUNNER_REPORT_RUN_TOTALS_H

#include "scenarios/runner/report/reporter.h"
#include "scenarios/runner/run/exit_code.h"

size_t run_totals_failed(const struct report_totals *totals);

enum exit_code run_totals_judge(const struct report_totals *totals);

#endif
