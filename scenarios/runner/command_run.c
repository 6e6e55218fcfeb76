/* command_run.c - ntpmu run: what was selected runs, once or whenever a file
 * has changed. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/batch.h"
#include "scenarios/runner/commands.h"
#include "scenarios/runner/run_output.h"
#include "scenarios/runner/selection.h"
#include "scenarios/runner/verdict.h"
#include "scenarios/runner/watch.h"

/* Takes one result after another; with --fail-fast up to the first that
 * failed. */
static void run_batch(struct batch *batch, struct run_output *output)
{
    bool stop = false;

    run_output_begin(output, batch);
    while (batch->next < batch->results && !stop) {
        struct batch_result result;

        run_output_coming(output, batch);
        batch_next(batch, &result);
        run_output_result(output, batch, &result);
        stop = output->options->fail_fast &&
               verdict_result_failed(result.verdict->result);
        batch_release(&result);
    }
}

static enum exit_code run_selected(
    struct suite *suite, const struct options *options)
{
    struct batch batch;
    struct run_output output;
    enum exit_code code = batch_open(&batch, suite, options, stderr);

    if (code != EXIT_OK) {
        return code;
    }
    code = EXIT_USAGE;
    if (run_output_open(&output, suite, options)) {
        run_batch(&batch, &output);
        code = run_output_end(&output, &batch);
    }
    batch_close(&batch);
    return code;
}

static enum exit_code run_once(const struct options *options)
{
    struct suite *suite = selection_read(NULL, options);
    enum exit_code files = selection_judge_files(suite);
    enum exit_code code;

    selection_print_files(suite, stderr);
    code = selection_apply(suite, options, stderr);
    if (code == EXIT_OK || (options->report.count > 0 && code != EXIT_USAGE)) {
        enum exit_code selected = code;

        /* Invalid files are in the reports, whether or not any is valid. */
        code = run_selected(suite, options);
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
static enum exit_code run_watched(const struct options *options)
{
    bool watching = true;

    while (watching) {
        struct watch *watch = watch_all(options);

        if (watch != NULL) {
            run_once(options);
            printf("---- waiting for a change, Ctrl-C ends\n");
            fflush(stdout);
        }
        watching = watch != NULL && watch_wait(watch);
        talloc_free(watch);
    }
    fprintf(stderr, "ntpmu: --watch cannot watch: %s\n", strerror(errno));
    return EXIT_INTERNAL;
}

enum exit_code command_run(const struct options *options)
{
    return options->watch ? run_watched(options) : run_once(options);
}
