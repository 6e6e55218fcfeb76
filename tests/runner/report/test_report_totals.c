/* test_report_totals.c - what a run exits with, by its results
 * (docs/scenarios.md).
 */
#include "scenarios/runner/report/report_totals.h"
#include "tests/rows.h"

static struct exit_row {
    const char *name;
    struct report_totals totals;
    int want;
} exit_rows[] = {
    {"nothing_ran", {.not_run = 1}, 77},
    {"all_pass", {.count = {[RESULT_PASS] = 2}}, 0},
    {"one_that_is_expected_to_fail", {.count = {[RESULT_XFAIL] = 1}}, 0},
    {"one_failure", {.count = {[RESULT_PASS] = 2, [RESULT_FAIL] = 1}}, 1},
    {"one_error", {.count = {[RESULT_ERROR] = 1}}, 1},
    {"one_internal", {.count = {[RESULT_PASS] = 2, [RESULT_INTERNAL] = 1}}, 4},
    {"internal_before_failures",
        {.count = {[RESULT_FAIL] = 3, [RESULT_INTERNAL] = 1}}, 4},
};

static void exit_row(void **state)
{
    const struct exit_row *row = *state;

    assert_int_equal(report_totals_judge(&row->totals), row->want);
}

TEST_FILE(test_report_totals)
{
    TEST_ADD_ROWS(list, exit_row, exit_rows);
}
