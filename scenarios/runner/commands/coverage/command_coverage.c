/* command_coverage.c - ntpmu coverage: what was selected runs, and what its
 * expectations have tested is counted. */
#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/command_line/options_run.h"
#include "scenarios/runner/commands/coverage/coverage_print.h"
#include "scenarios/runner/explore/explore.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/report/report_groups.h"
#include "scenarios/runner/report/report_totals.h"
#include "scenarios/runner/run/batch.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/selection/selection.h"
#include "scenarios/runner/text/terminal.h"

/* Where what is said of the instances goes: not into JSON. */
static FILE *text_of(const struct options *options)
{
    return options->format == FORMAT_JSON ? stderr : stdout;
}

/* What failed and where, a line each; `run` says more. */
static void print_failures(
    struct report_groups *groups, const struct batch_result *result, FILE *text)
{
    for (size_t i = 0; i < result->verdict->failure_count; i++) {
        if (report_groups_add(groups, result->instance, result->verdict, i)) {
            report_failure_line(result->instance, result->verdict, i, text);
        }
    }
    report_groups_cite(groups, result->verdict);
}

static void take_all(struct batch *batch, struct coverage *coverage,
    struct report_totals *totals, FILE *text)
{
    struct terminal_progress progress = terminal_progress_on(stderr);
    struct report_groups *groups = report_groups_new(coverage);

    while (batch->next < batch->results) {
        struct batch_result result;

        terminal_progress_show(&progress, batch->next + 1, batch->results,
            report_totals_failed(totals), "", batch_coming(batch)->id);
        if (!batch_next(batch, &result)) {
            break;
        }
        totals->count[result.verdict->result]++;
        coverage_add(coverage, result.instance, result.verdict);
        if (verdict_result_failed(result.verdict->result)) {
            terminal_progress_clear(&progress);
            print_failures(groups, &result, text);
        }
        batch_release(&result);
    }
    terminal_progress_clear(&progress);
    report_groups_print(groups, text);
    totals->not_run = batch->results - batch->next;
}

static void print_totals(const struct report_totals *totals, FILE *text)
{
    if (totals->not_run > 0) {
        fprintf(text, "interrupted by SIG%s: instances not run: %zu\n",
            interruption_name(), totals->not_run);
    }
    fprintf(text,
        "instances: %zu passed, %zu failed, %zu failed as expected, "
        "%zu skipped\n",
        totals->count[RESULT_PASS], report_totals_failed(totals),
        totals->count[RESULT_XFAIL], totals->count[RESULT_SKIP]);
}

static bool is_reached(
    unsigned share, unsigned asked, const char *what, const char *option)
{
    if (share >= asked) {
        return true;
    }
    fprintf(stderr, "ntpmu: %u.%u%% of %s, and %s asks for %u.%u%%\n",
        share / 10, share % 10, what, option, asked / 10, asked % 10);
    return false;
}

/* Whether as much is tested, and proven, as the options ask for. */
static bool is_enough(
    const struct coverage *coverage, const struct options *options)
{
    size_t counts[COVERAGE_STATUS_COUNT];
    bool tested, proven;

    coverage_count(coverage, 0, coverage->requirements->count, counts);
    tested = is_reached(coverage_share(counts), options->min_req,
        "the requirements are tested", "--min-req");
    coverage_count_documented(coverage, counts);
    proven = is_reached(coverage_share_proven(counts), options->min_proven,
        "what documents and headers say is proven", "--min-proven");
    return tested && proven;
}

static enum exit_code cover_selected(
    struct suite *suite, const struct options *options)
{
    struct coverage *coverage = coverage_new(suite, suite->requirements);
    struct report_totals totals = {.not_run = 0};
    struct batch batch;
    const struct run_settings settings = options_run(options);
    enum exit_code code = batch_open(&batch, suite, &settings, stderr);

    if (code != EXIT_OK) {
        return code;
    }
    batch.job.explore = explore_instance;
    interruption_defer();
    take_all(&batch, coverage, &totals, text_of(options));
    batch_close(&batch);
    print_totals(&totals, text_of(options));
    if (options->format == FORMAT_JSON) {
        coverage_print_json(coverage, stdout);
    } else {
        coverage_print_text(coverage, options->verbose, stdout);
    }
    fflush(stdout); /* before what is said of it */
    code = report_totals_judge(&totals);
    if (!is_enough(coverage, options) && code != EXIT_INTERNAL) {
        code = EXIT_FAILED;
    }
    return code;
}

enum exit_code command_coverage(const struct options *options)
{
    struct suite *suite = selection_read(NULL, options);
    enum exit_code files = selection_judge_files(suite);
    enum exit_code code;

    selection_print_files(suite, stderr);
    code = selection_apply(suite, options, stderr);
    if (code == EXIT_OK) {
        code = cover_selected(suite, options);
        /* Of several the first of 2 4 3 5 1 counts. */
        if (files != EXIT_OK && code != EXIT_INTERNAL && code != EXIT_USAGE) {
            code = files;
        }
    }
    talloc_free(suite);
    return code;
}
