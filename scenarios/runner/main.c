/* main.c - the program: commands, and what they exit with. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/command_expand.h"
#include "scenarios/runner/command_explain.h"
#include "scenarios/runner/command_fmt.h"
#include "scenarios/runner/command_new.h"
#include "scenarios/runner/crash_report.h"
#include "scenarios/runner/ctest_list.h"
#include "scenarios/runner/drive.h"
#include "scenarios/runner/driver_files.h"
#include "scenarios/runner/exit_code.h"
#include "scenarios/runner/list_output.h"
#include "scenarios/runner/native_instance.h"
#include "scenarios/runner/options.h"
#include "scenarios/runner/report.h"
#include "scenarios/runner/report_set.h"
#include "scenarios/runner/suite.h"

struct totals {
    size_t passed, failed, skipped;
    bool internal;
    struct report_totals of;
};

/* What run writes besides the trace. */
struct run_output {
    FILE *text; /* for people */
    struct report_set *reports;
};

/* The errors of the files, and the files that are none of ours. */
static void print_files(const struct suite *suite)
{
    diagnostics_print(suite->diagnostics, stderr);
    for (size_t i = 0; i < suite->other_count; i++) {
        fprintf(stderr,
            "%s: note: not a scenario, left out: its first key is "
            "not ntpmu\n",
            suite->other[i]);
    }
}

/* What the files alone decide; EXIT_OK when there is something to go on with.
 */
static enum exit_code judge_files(const struct suite *suite)
{
    if (diagnostics_errors(suite->diagnostics) != 0) {
        return EXIT_INVALID;
    }
    return suite->scenario_count == 0 ? EXIT_NOTHING : EXIT_OK;
}

static struct instance *nth_instance(
    const struct suite *suite, const struct options *options, size_t n)
{
    size_t count = suite->instances->count;

    return &suite->instances->item[options->reverse ? count - 1 - n : n];
}

/* Native code runs in a process of its own. The trace goes to `trace`, unless
 * that is NULL. */
static struct verdict *run_apart_or_here(struct session *session,
    const struct instance *instance, const struct options *options, FILE *trace)
{
    struct verdict *verdict;

    if (instance->native) {
        return native_instance_run(
            NULL, session, instance, options->timeout_us, trace);
    }
    verdict = run_instance(NULL, session, instance);
    if (trace != NULL) {
        report_trace(instance, &session->machine.trace, trace);
    }
    return verdict;
}

static void count(struct totals *totals, enum result result)
{
    totals->of.count[result]++;
    totals->of.not_run--;
    if (result == RESULT_PASS) {
        totals->passed++;
    } else if (result == RESULT_SKIP) {
        totals->skipped++;
    } else {
        totals->failed++;
        totals->internal |= result == RESULT_INTERNAL;
    }
}

static void run_one(struct session *session, struct instance *instance,
    const struct options *options, FILE *trace, const struct run_output *output,
    struct totals *totals)
{
    void *context = talloc_new(NULL);
    struct verdict *verdict;
    char *text = NULL; /* the trace, which is printed behind the failures */
    size_t length = 0;
    FILE *kept = trace == NULL ? NULL : open_memstream(&text, &length);

    assert((kept == NULL) == (trace == NULL));
    *instance = instance_open(context, instance);
    crash_report_running(instance->id);
    verdict = run_apart_or_here(session, instance, options, kept);
    crash_report_running(NULL);
    count(totals, verdict->result);
    if (options->verbose) {
        fprintf(output->text, "%-8s %s\n", report_result_name(verdict->result),
            instance->id);
    }
    report_failures(session, instance, verdict, output->text);
    report_set_result(output->reports, instance, verdict);
    if (trace != NULL) {
        fclose(kept);
        fwrite(text, 1, length, trace);
        free(text);
    }
    talloc_free(verdict);
    instance->scenario = NULL;
    talloc_free(context);
}

static FILE *open_trace(const struct options *options)
{
    if (strcmp(options->trace, "-") == 0) {
        return stdout;
    }
    return fopen(options->trace, "w");
}

/* Runs all instances. The spec of exit codes: of several the first of 2 4 3 5
 * 1 counts. */
static enum exit_code run_all(struct suite *suite,
    const struct options *options, FILE *trace, const struct run_output *output,
    struct session *session, struct totals *totals)
{
    if (!session_open(session, suite->requirements)) {
        fprintf(stderr, "ntpmu: the host gives no address space\n");
        return EXIT_INTERNAL;
    }
    session->budget = options->budget;
    session->drivers =
        driver_files_new(suite, options->allowed, options->allowed_count);
    session->machine.trace.off = trace == NULL;
    if (driver_files_missing(session->drivers) != NULL) {
        fprintf(stderr, "ntpmu: cannot read '%s': %s\n",
            driver_files_missing(session->drivers), strerror(errno));
        session_close(session);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < suite->instances->count; i++) {
        run_one(session, nth_instance(suite, options, i), options, trace,
            output, totals);
    }
    session_close(session);
    fprintf(
        output->text, "%zu passed, %zu failed", totals->passed, totals->failed);
    if (totals->skipped > 0) {
        fprintf(output->text, ", %zu skipped", totals->skipped);
    }
    fprintf(output->text, " (scenarios: %zu, invalid files: %zu)\n",
        suite->scenario_count, suite->broken_count);
    if (totals->internal) {
        return EXIT_INTERNAL;
    }
    if (totals->failed != 0) {
        return EXIT_FAILED;
    }
    return totals->passed == 0 ? EXIT_SKIPPED : EXIT_OK;
}

static enum exit_code run_traced(struct suite *suite,
    const struct options *options, const struct run_output *output,
    struct session *session, struct totals *totals)
{
    enum exit_code files = judge_files(suite);
    enum exit_code ran;
    FILE *trace = NULL;

    if (suite->instances->count == 0) {
        return files == EXIT_OK ? EXIT_NOTHING : files;
    }
    if (options->trace != NULL && suite_is_yaml(options->trace)) {
        fprintf(stderr,
            "ntpmu: --trace would overwrite '%s'\n"
            "       name a file that does not end in .yaml\n",
            options->trace);
        return EXIT_USAGE;
    }
    if (options->trace != NULL) {
        trace = open_trace(options);
        if (trace == NULL) {
            fprintf(stderr, "ntpmu: cannot write '%s': %s\n", options->trace,
                strerror(errno));
            return EXIT_USAGE;
        }
    }
    ran = run_all(suite, options, trace, output, session, totals);
    if (trace != NULL && trace != stdout && fclose(trace) != 0) {
        fprintf(stderr, "ntpmu: cannot write '%s': %s\n", options->trace,
            strerror(errno));
        return EXIT_INTERNAL;
    }
    return ran == EXIT_INTERNAL || files == EXIT_OK ? ran : files;
}

/* Two streams in one could not be told apart. */
static const char *output_conflict(
    const struct options *options, const struct report_set *reports)
{
    return options->trace != NULL && strcmp(options->trace, "-") == 0 &&
                   report_set_takes_output(reports)
               ? "--trace and --report both want standard output"
               : NULL;
}

static enum exit_code command_run(struct suite *suite,
    const struct options *options, const char *const *argv, int argc)
{
    const char *problem = NULL;
    struct session session = {.requirements = suite->requirements};
    const struct report_run run = {
        argv, argc, suite->instances->count, suite, &session};
    struct totals totals = {.of = {.not_run = run.selected}};
    struct run_output output = {.text = stdout,
        .reports = report_set_open(
            suite, options->report, options->report_count, &problem)};
    enum exit_code code;

    if (problem == NULL) {
        problem = output_conflict(options, output.reports);
    }
    if (problem != NULL) {
        fprintf(stderr, "ntpmu: %s\n", problem);
        return EXIT_USAGE;
    }
    if (report_set_takes_output(output.reports)) {
        output.text = stderr;
    }
    report_set_begin(output.reports, &run);
    code = run_traced(suite, options, &output, &session, &totals);
    problem = report_set_end(output.reports, &totals.of);
    if (problem != NULL) {
        fprintf(
            stderr, "ntpmu: cannot write '%s': %s\n", problem, strerror(errno));
        return code == EXIT_USAGE ? code : EXIT_INTERNAL;
    }
    return code;
}

static enum exit_code command_validate(const struct suite *suite)
{
    enum exit_code files = judge_files(suite);

    if (files == EXIT_NOTHING && suite->requirements_files > 0) {
        files = EXIT_OK; /* files of requirements are there to be validated */
    }
    printf("scenarios: %zu, instances: %zu, requirement files: %zu, "
           "invalid files: %zu\n",
        suite->scenario_count, suite->instances->count,
        suite->requirements_files, suite->broken_count);
    return files;
}

static void list_as_json(struct suite *suite, const struct options *options)
{
    struct json_out json = {.out = stdout};

    json_array(&json, NULL);
    for (size_t i = 0; i < suite->instances->count; i++) {
        list_json(nth_instance(suite, options, i), &json);
    }
    json_array_end(&json);
}

static enum exit_code command_list(
    struct suite *suite, const struct options *options)
{
    enum exit_code files = judge_files(suite);

    if (options->dropped) {
        return list_dropped(suite, options, files);
    }
    if (options->format == FORMAT_CTEST) {
        /* A broken file is a test that fails, so the list itself is fine. */
        ctest_list(suite, stdout);
        return files == EXIT_INVALID ? EXIT_OK : files;
    }
    if (options->format == FORMAT_JSON) {
        list_as_json(suite, options);
        return files;
    }
    for (size_t i = 0; i < suite->instances->count; i++) {
        list_text(nth_instance(suite, options, i), options->verbose, stdout);
    }
    return files;
}

static enum exit_code run_command(
    const struct options *options, const char *const *argv, int argc)
{
    struct suite *suite = suite_read(NULL, options->path, options->path_count);
    enum exit_code code = EXIT_INTERNAL;

    if (options->command != COMMAND_LIST || options->format != FORMAT_CTEST) {
        print_files(suite);
    }
    if (options->id != NULL && !options->dropped &&
        suite_select(suite, options->id) == 0) {
        fprintf(stderr, "ntpmu: no instance or scenario '%s'\n", options->id);
        code = judge_files(suite);
        talloc_free(suite);
        return code == EXIT_OK ? EXIT_NOTHING : code;
    }
    switch (options->command) {
    case COMMAND_RUN:
        code = command_run(suite, options, argv, argc);
        break;
    case COMMAND_VALIDATE:
        code = command_validate(suite);
        break;
    case COMMAND_LIST:
        code = command_list(suite, options);
        break;
    case COMMAND_DRIVE:
    case COMMAND_FMT:
    case COMMAND_EXPLAIN:
    case COMMAND_NEW:
    case COMMAND_EXPAND:
    case COMMAND_COUNT:
        break;
    }
    if (code == EXIT_NOTHING && suite->scenario_count == 0) {
        fprintf(stderr, "ntpmu: nothing selected: no scenario below these "
                        "paths\n");
    }
    talloc_free(suite);
    return code;
}

int main(int argc, char **argv)
{
    struct options options;
    enum exit_code code;
    /* Reading moves the paths to the front. */
    char **words = talloc_memdup(NULL, argv, (size_t)argc * sizeof(*argv));

    crash_report_install(EXIT_INTERNAL);
    if (!options_read(&options, argc, argv, stderr)) {
        talloc_free(words);
        return EXIT_USAGE;
    }
    if (options.help) {
        options_help(stdout);
        talloc_free(words);
        return EXIT_OK;
    }
    if (options.command == COMMAND_DRIVE) {
        code = drive_command(&options);
    } else if (options.command == COMMAND_FMT) {
        code = command_fmt(&options);
    } else if (options.command == COMMAND_EXPLAIN) {
        code = command_explain(&options);
    } else if (options.command == COMMAND_NEW) {
        code = command_new(&options);
    } else if (options.command == COMMAND_EXPAND) {
        code = command_expand(&options);
    } else {
        code = run_command(&options, (const char *const *)words, argc);
    }
    talloc_free(words);
    if (fflush(stdout) != 0) {
        fprintf(stderr, "ntpmu: cannot write: %s\n", strerror(errno));
        return EXIT_INTERNAL;
    }
    return (int)code;
}
