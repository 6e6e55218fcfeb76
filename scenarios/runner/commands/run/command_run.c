/* command_run.c - ntpmu run: what was selected runs, once or whenever a file
 * has changed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/command_line/options_run.h"
#include "scenarios/runner/commands/run/fail_each.h"
#include "scenarios/runner/commands/run/run_output.h"
#include "scenarios/runner/commands/run/run_results.h"
#include "scenarios/runner/commands/run/update.h"
#include "scenarios/runner/commands/run/watch.h"
#include "scenarios/runner/explore/explore.h"
#include "scenarios/runner/explore/explore_apart.h"
#include "scenarios/runner/failures/planted.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/run/batch.h"
#include "scenarios/runner/run/nursery.h"
#include "scenarios/runner/run/schedule_progress.h"
#include "scenarios/runner/run/step_view.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "scenarios/runner/selection/selection.h"

static void show_waiting(void *context, const struct batch *batch)
{
    run_output_coming(context, batch);
}

/* Takes one result after another, until somebody interrupts the run or nobody
 * wants more; with --fail-fast up to the first that failed. */
static void run_batch(
    struct batch *batch, struct run_output *output, struct update *update)
{
    bool stop = false;

    run_output_begin(output, batch);
    if (output->progress.live) {
        batch->waiting = show_waiting;
        batch->waiting_context = output;
    }
    while (batch->next < batch->results && !stop) {
        struct batch_result result;

        run_output_coming(output, batch);
        if (!batch_next(batch, &result)) {
            break;
        }
        run_output_result(output, batch, &result);
        if (update != NULL) {
            update_take(update, &result);
        }
        stop = !run_output_is_wanted(output) ||
               (output->options->fail_fast &&
                   verdict_result_failed(result.verdict->result));
        batch_release(&result);
    }
}

static enum exit_code run_all(struct suite *suite, struct batch *batch,
    struct run_output *output, struct update *update)
{
    enum exit_code code = EXIT_OK, ended;

    if (output->options->fail_each) {
        code = fail_each_run(suite, batch, output);
    } else {
        run_batch(batch, output, update);
    }
    if (code == EXIT_USAGE || code == EXIT_INVALID) {
        return code; /* nothing has come of it */
    }
    ended = run_output_end(output, batch);
    return ended == EXIT_OK ? code : ended;
}

/* What was there before anything was read. */
struct home {
    struct nursery *nursery;            /* NULL: no driver runs */
    struct schedule_progress *progress; /* NULL: the host gives none */
};

static enum exit_code run_selected(struct suite *suite,
    const struct options *options, const struct home *home,
    struct run_results *results)
{
    struct update *update = options->update ? update_new(suite) : NULL;
    struct batch batch;
    struct run_output output;
    const struct run_settings settings = options_run(options);
    enum exit_code code = batch_open(&batch, suite, &settings, stderr);

    if (code != EXIT_OK) {
        return code;
    }
    schedule_progress_restart(home->progress);
    batch.job.nursery = home->nursery;
    batch.job.progress = home->progress;
    batch.job.explore = explore_instance;
    batch.job.fail = options->fail.count > 0 ? planted_run : NULL;
    code = EXIT_USAGE;
    interruption_defer();
    if (run_output_open(&output, suite, options)) {
        if (options->step) {
            batch.session.step_view = step_view_new(suite, output.text);
        }
        if (results != NULL) {
            run_results_listen(results, &batch);
        }
        code = run_all(suite, &batch, &output, update);
        if (results != NULL && !run_results_end(results, &batch)) {
            code = EXIT_INTERNAL;
        }
        if (update != NULL && output.totals.interrupted != NULL) {
            fputs("ntpmu: --update changes nothing: the run was interrupted\n",
                stderr);
        } else if (update != NULL) {
            code = update_apply(update, code, output.text);
        }
    }
    batch_close(&batch);
    interruption_allow();
    return code;
}

/* Whether there is machine code to step through, if that is asked for; says so
 * otherwise. */
static bool has_steps(const struct suite *suite, const struct options *options)
{
    const struct instances *instances = suite->instances;

    if (!options->exploring.step_drivers) {
        return true;
    }
    for (size_t i = 0; i < instances->count; i++) {
        if (instances->item[i].native) {
            return true;
        }
    }
    fputs(
        "ntpmu: --step-drivers has no effect: nothing that is selected loads a "
        "driver's image\n"
        "       leave it out, or select scenarios with driver: {image: ...}\n",
        stderr);
    return false;
}

static enum exit_code run_once(
    const struct options *options, const struct home *home)
{
    struct suite *suite = selection_read(NULL, options);
    enum exit_code files = selection_judge_files(suite);
    struct run_results *results = NULL;
    enum exit_code code;

    if (options->results != NULL) {
        results = run_results_open(suite, options);
        if (results == NULL) {
            talloc_free(suite);
            return EXIT_USAGE;
        }
    }
    selection_print_files(suite, stderr);
    code = selection_apply(suite, options, stderr);
    if (code == EXIT_OK && !has_steps(suite, options)) {
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK || (options->report.count > 0 && code != EXIT_USAGE)) {
        enum exit_code selected = code;

        /* Invalid files are in the reports, whether or not any is valid. */
        code = run_selected(suite, options, home, results);
        if (results != NULL && code == EXIT_SKIPPED &&
            suite->instances->count == 0) {
            code = EXIT_OK; /* a part may be empty */
        }
        code = selected == EXIT_OK || code != EXIT_SKIPPED ? code : selected;
        /* Of several the first of 2 4 3 5 1 counts. */
        if (files != EXIT_OK && code != EXIT_INTERNAL && code != EXIT_USAGE) {
            code = files;
        }
    }
    talloc_free(suite);
    return code;
}

/* Begins before the files are read, so that no change is missed. NULL: see
 * errno. */
static struct watch *watch_all(const struct options *options)
{
    struct watch *watch = watch_new(NULL);
    bool done = watch != NULL;

    for (size_t i = 0; i < options->path_count && done; i++) {
        done = watch_add(watch, options->path[i]);
    }
    for (size_t i = 0; i < options->allowed.count && done; i++) {
        done = watch_add(watch, options->allowed.item[i]);
    }
    if (!done) {
        TALLOC_FREE(watch);
    }
    return watch;
}

/* Returns only when the host lets nothing be watched. */
static enum exit_code run_watched(
    const struct options *options, const struct home *home)
{
    bool watching = true;

    while (watching) {
        struct watch *watch = watch_all(options);

        if (watch != NULL) {
            enum exit_code code = run_once(options, home);

            if (interruption_noted() != 0) {
                talloc_free(watch);
                return code;
            }
            printf("---- waiting for a change, Ctrl-C ends\n");
            fflush(stdout);
        }
        watching = watch != NULL && watch_wait(watch);
        talloc_free(watch);
    }
    fprintf(stderr, "ntpmu: --watch cannot watch: %s\n", strerror(errno));
    return EXIT_INTERNAL;
}

/* Why parts with these options could not be joined; NULL: they could. */
static const char *not_with_results(const struct options *options)
{
    if (options->repeat > 1 || options->watch || options->update ||
        options->step || options->fail_fast) {
        return "--results takes one result of each instance: leave out "
               "--repeat, --watch,\n"
               "       --update, --step and --fail-fast";
    }
    if (options->statuses != 0 || options->order == ORDER_SMART) {
        return "--results is joined elsewhere, where the last results are "
               "others\n"
               "       leave out --filter-status and --order smart";
    }
    return NULL;
}

/* Why these options do not go together, or not here; NULL: they do. */
static const char *refusal(const struct options *options)
{
    const char *ci;

    if (options->step && options->jobs > 1) {
        return "--step shows one step after another, and -j runs several "
               "instances at once\n       leave one of them out";
    }
    if (options->step && options->twice) {
        return "--step would show every step twice with --twice\n"
               "       leave one of them out";
    }
    if (options->results != NULL) {
        const char *option = not_with_results(options);

        if (option != NULL) {
            return option;
        }
    } else if (options->command == COMMAND_EXPLORE && options->shards != 0) {
        return "--shard tries a part of the schedules, and only --results "
               "keeps what comes of it\n"
               "       name a file for ntpmu merge: --results FILE";
    }
    if (options->exploring.mode != EXPLORE_MODE_COUNT &&
        !explore_is_limited(options->exploring.mode) &&
        options->exploring.max_schedules != 0) {
        return "--max-schedules limits nothing here: of this --mode there are "
               "two schedules\n"
               "       leave one of them out";
    }
    if (options->update && options->watch) {
        return "--watch would --update whatever a change breaks\n"
               "       leave one of them out";
    }
    if (fail_each_refusal(options) != NULL) {
        return fail_each_refusal(options);
    }
    ci = getenv("CI");
    if (options->update && ci != NULL && ci[0] != '\0') {
        return "--update is refused while CI is set: there expectations are "
               "tested, not written\n"
               "       update where you can read what changes, or unset CI";
    }
    return NULL;
}

enum exit_code command_run(const struct options *options)
{
    const char *refused = refusal(options);
    struct home home = {.nursery = NULL};
    enum exit_code code;

    if (refused != NULL) {
        fprintf(stderr, "ntpmu: %s\n", refused);
        return EXIT_USAGE;
    }
    home.progress = schedule_progress_new();
    if (options->allowed.count > 0 && !options->step) {
        const struct run_settings settings = options_run(options);

        /* Before anything is read, so that it stays small. */
        home.nursery = nursery_open(
            NULL, &(struct nursery_home){&language_kinds, &settings,
                      explore_for_others, home.progress});
    }
    code =
        options->watch ? run_watched(options, &home) : run_once(options, &home);
    talloc_free(home.nursery);
    schedule_progress_free(home.progress);
    return code;
}
