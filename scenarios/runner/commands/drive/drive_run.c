/* drive_run.c - runs of an image: the first says which devices there are, the
 * next what comes of opening them, one what comes of all that is asked, and the
 * last what it does at a shutdown instead of its end. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/drive/drive_run.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/command_line/new_file.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/native_instance.h"
#include "scenarios/runner/text/visible_text.h"

enum { RUNS_MOST = 6 };

/* What is said apart of each other. */
enum about { ABOUT_BROKEN, ABOUT_LEAK, ABOUT_INTEGRITY };

static enum about about(const struct failure *failure)
{
    const char *message = failure->message;

    if (strstr(message, "rule integrity.") != NULL) {
        return ABOUT_INTEGRITY;
    }
    return strstr(message, "rule leak.") != NULL ||
                   strstr(message, "rule pool.leak") != NULL
               ? ABOUT_LEAK
               : ABOUT_BROKEN;
}

/* The failures of one kind as lines. Of a run that ends in a shutdown only what
 * came of that is new. */
static const char *failures_text(const struct drive_run *run, enum about kind)
{
    const struct verdict *verdict = run->verdict;
    const struct verdict *off = run->shutdown_verdict;
    char *text = NULL, *copy;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert(out != NULL);
    for (size_t i = 0; i < verdict->failure_count; i++) {
        if (about(&verdict->failure[i]) == kind) {
            driver_scenario_print(
                &run->made, &verdict->failure[i], "unload", out);
        }
    }
    for (size_t i = 0; off != NULL && i < off->failure_count; i++) {
        if (about(&off->failure[i]) == kind &&
            driver_scenario_failed(&off->failure[i]) == run->made.steps) {
            driver_scenario_print(
                &run->made, &off->failure[i], "shutdown", out);
        }
    }
    fclose(out);
    copy = talloc_strdup(run->made.context, text);
    assert(copy != NULL);
    free(text);
    return copy;
}

static void note_missing(struct drive_run *run)
{
    const struct verdict_missing *missing = &run->verdict->missing;
    void *context = run->made.context;
    char *names = talloc_strdup(context, "");

    if (missing->count == 0) {
        return;
    }
    for (size_t i = 0; i < missing->count; i++) {
        names = talloc_asprintf_append(names, "  %s\n", missing->name[i]);
    }
    assert(names != NULL);
    run->missing_names = names;
    run->missing = talloc_asprintf(context,
        "imports that are not modelled: %zu, of which %zu never reached",
        missing->count, missing->count - missing->reached);
    assert(run->missing != NULL);
}

/* What memory integrity would have otherwise is the driver's failure for a
 * verifier alone. */
static enum result judged(
    const struct verdict *verdict, const struct options *options)
{
    if (verdict->result != RESULT_FAIL || options->verifier) {
        return verdict->result;
    }
    for (size_t i = 0; i < verdict->failure_count; i++) {
        if (about(&verdict->failure[i]) != ABOUT_INTEGRITY) {
            return verdict->result;
        }
    }
    return RESULT_PASS;
}

/* With this end, NULL for an unload. NULL: there is no such scenario, which is
 * said. */
static struct verdict *run_to(struct drive_run *run,
    const struct options *options, const char *end, const char **trace)
{
    const struct driver_scenario_head head = {
        .comment = "",
        .id = "drive",
        .title = "A driver is started, asked and unloaded",
        .integrity = true,
        .program = drive_plan_step_count(run->plan) > 0,
        .end = end,
    };
    struct verdict *verdict;
    char *text = NULL;
    size_t length = 0;
    FILE *out;

    run->made.steps = drive_plan_step_count(run->plan) + 2;
    if (!driver_scenario_make(
            &run->made, driver_scenario_text(&run->made, options, &head,
                            drive_plan_steps(run->plan)))) {
        return NULL;
    }
    out = open_memstream(&text, &length);
    assert(out != NULL);
    verdict = native_instance_run(run->made.context, &run->made.session,
        &run->made.instance, options->timeout_us, out);
    fclose(out);
    *trace = talloc_strdup(run->made.context, text);
    assert(*trace != NULL);
    free(text);
    return verdict;
}

static bool run_once(struct drive_run *run, const struct options *options)
{
    run->verdict = run_to(run, options, NULL, &run->trace);
    return run->verdict != NULL;
}

/* Whether the driver came to its end, so that more can be asked of it. */
static bool came_to_end(const struct drive_run *run)
{
    return (run->verdict->result == RESULT_PASS ||
               run->verdict->result == RESULT_FAIL) &&
           strcmp(drive_plan_phase(run->plan, PHASE_START), "ok") == 0 &&
           strcmp(drive_plan_phase(run->plan, PHASE_UNLOAD), "stopped") != 0;
}

static bool run_all(struct drive_run *run, const struct options *options)
{
    bool more = true;

    for (unsigned i = 0; more && i < RUNS_MOST; i++) {
        bool changed;

        if (!run_once(run, options)) {
            return false;
        }
        changed = drive_plan_take(run->plan, &run->made, run->verdict);
        drive_plan_devices(run->plan, run->trace);
        more = (came_to_end(run) && drive_plan_next(run->plan)) || changed;
    }
    return true;
}

/* Once more, where it wants to be told of a shutdown. */
static bool run_shutdown(struct drive_run *run, const struct options *options)
{
    const char *trace;

    if (!came_to_end(run) || !drive_shutdown_is_wanted(run->trace)) {
        return true;
    }
    run->shutdown_verdict =
        run_to(run, options, "  - {shutdown: system}\n", &trace);
    if (run->shutdown_verdict == NULL) {
        return false;
    }
    run->shutdown = drive_shutdown_read(trace);
    return true;
}

static enum result worse(enum result one, enum result other)
{
    return one == RESULT_PASS || other == RESULT_INTERNAL ? other : one;
}

const char *drive_run_shutdown_phase(const struct drive_run *run)
{
    if (run->shutdown_verdict == NULL || run->shutdown.told == 0) {
        return "-";
    }
    return run->shutdown.returned == run->shutdown.told &&
                   (run->shutdown_verdict->result == RESULT_PASS ||
                       run->shutdown_verdict->result == RESULT_FAIL)
               ? "ok"
               : "stopped";
}

enum exit_code drive_run(struct drive_run *run, const char *path,
    const char *os, const struct options *options)
{
    enum exit_code code;

    *run = (struct drive_run){.verdict = NULL};
    code = driver_scenario_open(&run->made, path, options);
    if (code != EXIT_OK) {
        return code;
    }
    run->made.os = os == NULL ? run->made.os : os;
    run->made.session.literals = true;
    run->plan = drive_plan_new(run->made.context, options);
    crash_report_running(visible_text(run->made.context, path));
    if (!run_all(run, options) ||
        (!options->gdb && !run_shutdown(run, options))) {
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK && options->gdb) {
        run->made.session.gdb = true;
        if (!run_once(run, options)) {
            code = EXIT_USAGE;
        }
        drive_plan_take(run->plan, &run->made, run->verdict);
    }
    crash_report_running(NULL);
    if (code == EXIT_OK) {
        run->result = judged(run->verdict, options);
        if (run->shutdown_verdict != NULL) {
            run->result =
                worse(run->result, judged(run->shutdown_verdict, options));
        }
        run->broken = failures_text(run, ABOUT_BROKEN);
        run->leaks = failures_text(run, ABOUT_LEAK);
        run->integrity = failures_text(run, ABOUT_INTEGRITY);
        note_missing(run);
    }
    return code;
}

void drive_run_end(struct drive_run *run)
{
    driver_scenario_close(&run->made);
}

/* Words of an id are of letters, digits and underscores. */
static char *id_of(const struct driver_scenario *made)
{
    char *id = talloc_asprintf(made->context, "drive.%s", made->name);

    assert(id != NULL);
    if (strlen(id) > 4 && strcasecmp(id + strlen(id) - 4, ".sys") == 0) {
        id[strlen(id) - 4] = '\0';
    }
    for (char *at = id + strlen("drive."); *at != '\0'; at++) {
        bool fits = (*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9');

        *at = fits                                     ? *at
              : isupper((unsigned char)*at) && *at > 0 ? (char)(*at + 32)
                                                       : '_';
    }
    if (strcmp(id, "drive.") == 0 || isdigit((unsigned char)id[6])) {
        id = talloc_asprintf(made->context, "drive.image_%s", id + 6);
    }
    return id;
}

/* Both ends of one that is told of a shutdown: as often as it was. */
static const char *both_ends(const struct drive_run *run)
{
    char *end = talloc_strdup(run->made.context,
        "  - {when: $unloads, driver: unload, "
        "expect: {status: STATUS_SUCCESS}}\n"
        "  - {when: $(not unloads), shutdown: system, expect: {events: "
        "{in_order: [");

    for (size_t i = 0; i < run->shutdown.told; i++) {
        end = talloc_asprintf_append(end,
            "%s{event: driver_call, routine: IRP_MJ_SHUTDOWN}",
            i == 0 ? "" : ", ");
    }
    end = talloc_asprintf_append(end, "]}}}\n");
    assert(end != NULL);
    return end;
}

enum exit_code drive_run_write(
    const struct drive_run *run, const struct options *options)
{
    void *context = run->made.context;
    bool told = run->shutdown.told > 0;
    const struct driver_scenario_head head = {
        .comment = talloc_asprintf(context,
            "# What ntpmu drive did with %s; it is run with\n"
            "# ntpmu run FILE --allow-driver %s\n",
            visible_name(run->made.name), visible_name(run->made.path)),
        .id = id_of(&run->made),
        .title = told ? "A driver is started, asked, and unloaded or shut down"
                      : "A driver is started, asked and unloaded",
        .program = drive_plan_step_count(run->plan) > 0,
        .cases = told ? "cases:\n  unloaded: {unloads: true}\n"
                        "  shut_down: {unloads: false}\n"
                      : NULL,
        .end = told ? both_ends(run) : NULL,
    };
    struct diagnostics *diagnostics = diagnostics_new(context);
    const char *text = driver_scenario_text(
        &run->made, options, &head, drive_plan_steps(run->plan));

    enum exit_code code = new_file_write(
        options->output, new_file_lay_out(context, text, diagnostics));

    if (code == EXIT_OK && run->result != RESULT_PASS) {
        fprintf(stderr, "ntpmu: the scenario fails as the driver does: %s\n",
            visible_name(options->output));
    }
    return code;
}
