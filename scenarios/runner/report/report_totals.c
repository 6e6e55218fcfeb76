/* report_totals.c - how many results of each kind a run had, and what it exits
 * with for them. */
#include "scenarios/runner/report/report_totals.h"

#include "scenarios/runner/run/verdict.h"

size_t report_totals_failed(const struct report_totals *totals)
{
    size_t failed = 0;

    for (unsigned i = 0; i < RESULT_COUNT; i++) {
        failed += verdict_result_failed(i) ? totals->count[i] : 0;
    }
    return failed;
}

enum exit_code report_totals_judge(const struct report_totals *totals)
{
    if (totals->count[RESULT_INTERNAL] > 0) {
        return EXIT_INTERNAL;
    }
    if (report_totals_failed(totals) > 0) {
        return EXIT_FAILED;
    }
    return totals->count[RESULT_PASS] + totals->count[RESULT_XFAIL] == 0
               ? EXIT_SKIPPED
               : EXIT_OK;
}
