/* run_output.c - what ntpmu run writes while results come: lines for people,
 * the trace, reports, the last results. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/run/run_output.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/commands/run/output_path.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/output/standard_output.h"
#include "scenarios/runner/output/whole_file.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/report/report_groups.h"
#include "scenarios/runner/report/report_totals.h"
#include "scenarios/runner/run/schedule_progress.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/text/visible_text.h"

static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Two streams in one could not be told apart. */
static bool open_reports(struct run_output *output, void *context)
{
    const struct option_list *reports = &output->options->report;
    const char *trace = output->options->trace;
    const char *problem = NULL;

    for (size_t i = 0; i < reports->count; i++) {
        const char *path = strchr(reports->item[i], '=');

        if (path == NULL) {
            continue; /* refused below */
        }
        if (!output_path_may_be("--report", path + 1)) {
            return false;
        }
        if (trace != NULL && strcmp(trace, path + 1) == 0) {
            fprintf(stderr, "ntpmu: --trace and --report both go to '%s'\n",
                visible_name(path + 1));
            return false;
        }
    }
    output->reports =
        report_set_open(context, reports->item, reports->count, &problem);
    if (problem != NULL) {
        fprintf(stderr, "ntpmu: %s\n", visible_name(problem));
        return false;
    }
    if (report_set_takes_output(output->reports)) {
        output->text = stderr;
    }
    return true;
}

bool run_output_open(
    struct run_output *output, void *context, const struct options *options)
{
    const char *trace = options->trace;

    *output = (struct run_output){.options = options,
        .text = stdout,
        .progress = terminal_progress_on(stderr)};
    output->progress.live &= !options->step; /* the steps are progress */
    output->history = history_new(context);
    output->groups = report_groups_new(context);
    if (trace != NULL && !output_path_may_be("--trace", trace)) {
        return false;
    }
    if (trace != NULL) {
        output->trace = whole_file_open(context, trace, WHOLE_FILE_ANY);
    }
    if (trace != NULL && output->trace == NULL) {
        return output_path_failed(trace);
    }
    return open_reports(output, context);
}

void run_output_begin(struct run_output *output, const struct batch *batch)
{
    const struct report_run run = {
        .argv = output->options->argv,
        .argc = output->options->argc,
        .selected = batch->results,
        .suite = batch->suite,
        .session = &batch->session,
    };

    clock_gettime(CLOCK_MONOTONIC, &output->begun);
    report_set_begin(output->reports, &run);
}

/* "1234 schedules, 60 left, 20000/s  "; "" where none was tried. */
static const char *schedules_text(
    void *context, const struct run_output *output, const struct batch *batch)
{
    const struct schedule_progress progress =
        schedule_progress_now(batch->job.progress);
    struct timespec now;
    double seconds;

    if (progress.tried == 0 || !output->progress.live) {
        return "";
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    seconds = (double)(now.tv_sec - output->begun.tv_sec) +
              (double)(now.tv_nsec - output->begun.tv_nsec) / 1e9;
    return talloc_asprintf(context, "%llu schedules, %llu left, %.0f/s  ",
        (unsigned long long)progress.tried, (unsigned long long)progress.left,
        seconds <= 0 ? 0.0 : (double)progress.tried / seconds);
}

void run_output_coming(struct run_output *output, const struct batch *batch)
{
    void *context = talloc_new(NULL);

    terminal_progress_show(&output->progress, batch->next + 1, batch->results,
        report_totals_failed(&output->totals),
        schedules_text(context, output, batch), batch_coming(batch)->id);
    talloc_free(context);
}

static void print_result(struct run_output *output, const struct batch *batch,
    const struct batch_result *result)
{
    enum result ended = result->verdict->result;
    FILE *text = output->text;

    if (output->options->verbose) {
        enum terminal_colour colour = ended == RESULT_PASS ? TERMINAL_GOOD
                                      : verdict_result_failed(ended)
                                          ? TERMINAL_BAD
                                          : TERMINAL_NEUTRAL;

        fprintf(text, "%s%-8s%s %s\n", terminal_colour(text, colour),
            verdict_result_name(ended), terminal_plain(text),
            result->instance->id);
        if (result->verdict->calls.list != NULL) {
            visible_text_lines(result->verdict->calls.list,
                strlen(result->verdict->calls.list), text);
        }
    }
    if (ended == RESULT_XFAIL) {
        return; /* what is expected is no news */
    }
    for (size_t i = 0; i < result->verdict->failure_count; i++) {
        /* Rounds are told apart. */
        if (report_groups_add(
                output->groups, result->instance, result->verdict, i) ||
            output->options->repeat > 1) {
            report_failure(
                &batch->session, result->instance, result->verdict, i, text);
        }
    }
    report_groups_cite(output->groups, result->verdict);
    if (output->options->repeat > 1 && result->verdict->failure_count > 0) {
        fprintf(text, "      = round:  %zu of %u\n", result->round + 1,
            (unsigned)output->options->repeat);
    }
}

/* One entry for an instance, however often it runs. */
static void note_result(struct history *history, const struct batch *batch,
    const struct batch_result *result)
{
    size_t n = (size_t)(result->instance - batch->suite->instances->item);

    if (result->round == 0) {
        history_add(history, result->instance->id, result->verdict->result);
    } else if (history->item[n].result < result->verdict->result) {
        history->item[n].result = result->verdict->result;
    }
}

static void count_schedules(struct report_totals *totals,
    const struct instance *instance, const struct verdict *verdict)
{
    const struct explored *explored = &verdict->explored;

    totals->explored += explored->schedules > 0;
    totals->schedules += explored->schedules;
    totals->left += explored->left;
    totals->parallel += instance->parallel && explored->schedules == 0 &&
                        verdict->result != RESULT_SKIP;
}

static void count_calls(
    struct report_totals *totals, const struct calls_failed *calls)
{
    totals->failing += calls->sites > 0 || calls->left > 0;
    totals->calls.sites += calls->sites;
    totals->calls.failed += calls->failed;
    totals->calls.left += calls->left;
    totals->calls.unjudged += calls->unjudged;
}

static void count_missing(
    struct report_totals *totals, const struct verdict_missing *missing)
{
    totals->unmodelled += missing->count > 0;
    totals->missing += missing->count;
    totals->reached += missing->reached;
}

static void count_replaced(
    struct report_totals *totals, const struct verdict_replaced *replaced)
{
    enum routine routine;

    totals->replacing += replaced->count > 0;
    for (size_t i = 0; i < replaced->count; i++) {
        if (routine_find(replaced->name[i], &routine)) {
            totals->replaced[routine] = true;
        }
    }
}

void run_output_result(struct run_output *output, const struct batch *batch,
    struct batch_result *result)
{
    terminal_progress_clear(&output->progress);
    output->totals.count[result->verdict->result]++;
    note_result(output->history, batch, result);
    output->totals.not_asked += result->verdict->not_asked;
    count_schedules(&output->totals, result->instance, result->verdict);
    count_calls(&output->totals, &result->verdict->calls);
    count_missing(&output->totals, &result->verdict->missing);
    count_replaced(&output->totals, &result->verdict->replaced);
    print_result(output, batch, result);
    if (output->trace != NULL && result->trace_length > 0) {
        output->trace_cut |=
            !batch_write_trace(batch, result, whole_file_stream(output->trace));
    }
    report_set_result(output->reports, result->instance, result->verdict);
}

/* That they cannot be kept matters to those who have asked for them. */
static void keep_results(struct run_output *output)
{
    const struct options *options = output->options;
    const char *problem = "neither HOME nor XDG_CACHE_HOME says where";
    char *path = history_path(output->history);
    bool asked = options->statuses != 0 || options->order == ORDER_SMART;

    if (path != NULL && history_update(path, output->history, &problem)) {
        return;
    }
    if (asked) {
        fprintf(stderr, "ntpmu: note: the results cannot be kept: %s\n",
            visible_name(problem));
    }
}

static void print_totals(
    const struct run_output *output, const struct batch *batch)
{
    const struct report_totals *totals = &output->totals;
    FILE *text = output->text;

    if (totals->interrupted != NULL) {
        fprintf(text, "interrupted by SIG%s: ", totals->interrupted);
    }
    fprintf(text, "%zu passed, %zu failed", totals->count[RESULT_PASS],
        report_totals_failed(totals));
    if (totals->count[RESULT_XFAIL] > 0) {
        fprintf(text, ", %zu failed as expected", totals->count[RESULT_XFAIL]);
    }
    if (totals->count[RESULT_SKIP] > 0) {
        fprintf(text, ", %zu skipped", totals->count[RESULT_SKIP]);
    }
    if (totals->not_run > 0) {
        fprintf(text, ", %zu not run", totals->not_run);
    }
    if (totals->not_asked > 0) {
        fprintf(text, ", %zu expectation%s not asked", totals->not_asked,
            totals->not_asked == 1 ? "" : "s");
    }
    fprintf(text, " (scenarios: %zu, invalid files: %zu)\n",
        batch->suite->scenario_count, batch->suite->broken_count);
}

/* Of what was explored, and that something was not. */
static void print_schedules(const struct run_output *output)
{
    const struct report_totals *totals = &output->totals;
    FILE *text = output->text;

    if (totals->explored > 0) {
        fprintf(text, "%llu schedule%s of %zu instance%s",
            (unsigned long long)totals->schedules,
            totals->schedules == 1 ? "" : "s", totals->explored,
            totals->explored == 1 ? "" : "s");
        if (totals->left > 0) {
            fprintf(text,
                "; %llu or more were left out: --max-schedules allows more",
                (unsigned long long)totals->left);
        }
        fputc('\n', text);
    }
    if (totals->parallel > 0) {
        fprintf(text,
            "%zu instance%s with parallel ran in one schedule: ntpmu explore "
            "tries others\n",
            totals->parallel, totals->parallel == 1 ? "" : "s");
    }
}

/* Of calls that were made to fail. */
static void print_calls(const struct run_output *output)
{
    const struct calls_failed *calls = &output->totals.calls;
    FILE *text = output->text;

    if (output->totals.failing == 0) {
        return;
    }
    fprintf(text, "%llu call%s of %zu instance%s made to fail: ",
        (unsigned long long)calls->sites, calls->sites == 1 ? "" : "s",
        output->totals.failing, output->totals.failing == 1 ? "" : "s");
    if (calls->failed == 0) {
        fputs("nothing wrong came of it", text);
    } else {
        fprintf(text, "something wrong came of %llu",
            (unsigned long long)calls->failed);
    }
    if (calls->unjudged > 0) {
        fprintf(text, "; %llu not judged for leaks",
            (unsigned long long)calls->unjudged);
    }
    if (calls->left > 0) {
        fprintf(text, "; %llu or more were left out: --fail-max allows more",
            (unsigned long long)calls->left);
    }
    fputc('\n', text);
}

/* Of what drivers import and nobody models. */
static void print_missing(const struct run_output *output)
{
    const struct report_totals *totals = &output->totals;

    if (totals->unmodelled > 0) {
        fprintf(output->text,
            "imports of %zu instance%s that are not modelled: %zu, of which "
            "%zu never reached\n",
            totals->unmodelled, totals->unmodelled == 1 ? "" : "s",
            totals->missing, totals->missing - totals->reached);
    }
}

/* Of what was not as it is modelled. */
static void print_replaced(const struct run_output *output)
{
    const struct report_totals *totals = &output->totals;
    const char *before = ": ";

    if (totals->replacing == 0) {
        return;
    }
    fprintf(output->text,
        "%zu instance%s ran with modelled routines replaced by the scenario",
        totals->replacing, totals->replacing == 1 ? "" : "s");
    for (enum routine i = 0; i < ROUTINE_COUNT; i++) {
        if (totals->replaced[i]) {
            fprintf(output->text, "%s%s", before, routine_rows[i].name);
            before = ", ";
        }
    }
    fputc('\n', output->text);
}

bool run_output_is_wanted(const struct run_output *output)
{
    const struct options *options = output->options;
    bool wanted =
        !standard_output_is_left() || options->update ||
        (options->trace != NULL && !is_standard_output(options->trace));

    for (size_t i = 0; i < options->report.count; i++) {
        wanted |= !is_standard_output(strchr(options->report.item[i], '=') + 1);
    }
    return wanted;
}

/* What stopped the run before its end; NULL: a failure, or nothing. */
static const char *interrupted_by(
    const struct run_output *output, size_t not_run)
{
    if (not_run == 0) {
        return NULL;
    }
    return run_output_is_wanted(output) ? interruption_name() : "PIPE";
}

enum exit_code run_output_end(
    struct run_output *output, const struct batch *batch)
{
    const struct options *options = output->options;
    const char *unwritten;
    enum exit_code code;

    terminal_progress_clear(&output->progress);
    output->totals.not_run = batch->results - batch->next;
    output->totals.interrupted = interrupted_by(output, output->totals.not_run);
    code = report_totals_judge(&output->totals);
    unwritten = report_set_end(output->reports, &output->totals);
    if (unwritten != NULL) {
        output_path_failed(unwritten);
        code = EXIT_INTERNAL;
    }
    if (options->repeat <= 1) {
        report_groups_print(output->groups, output->text);
    }
    print_totals(output, batch);
    print_schedules(output);
    print_calls(output);
    print_missing(output);
    print_replaced(output);
    if (output->trace != NULL &&
        (output->trace_cut || !whole_file_finish(output->trace))) {
        output_path_failed(options->trace);
        code = EXIT_INTERNAL;
    }
    keep_results(output);
    return code;
}
