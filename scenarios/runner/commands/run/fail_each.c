/* fail_each.c - ntpmu run --fail-each: a campaign of all instances, its log,
 * and its results in their order. */
#include "scenarios/runner/commands/run/fail_each.h"

#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/commands/run/output_path.h"
#include "scenarios/runner/commands/run/run_output.h"
#include "scenarios/runner/commands/run/run_results.h"
#include "scenarios/runner/failures/campaign.h"
#include "scenarios/runner/failures/failure_log.h"
#include "scenarios/runner/parts/part_head.h"
#include "scenarios/runner/run/judge.h"
#include "scenarios/runner/run/verdict.h"

/* What needs --fail-each, and is there without. */
static const char *refusal_without(const struct options *options)
{
    if (options->fail_log != NULL || options->fail_max != 0) {
        return "--fail-log and --fail-max are about --fail-each\n"
               "       give it, or leave them out";
    }
    if (options->fail_scope.count > 0 && options->fail.count == 0) {
        return "--fail-scope says which calls are to fail, and none is\n"
               "       give --fail-each or --fail, or leave it out";
    }
    if (options->exploring.seeded && options->command == COMMAND_RUN) {
        return "--seed draws calls of --fail-each --fail-max, and there is "
               "nothing else to draw\n"
               "       leave it out; ntpmu explore has schedules to draw";
    }
    if (options->fail.count > 0 && (options->update || options->step)) {
        return "--fail lets steps fail that are right\n"
               "       leave out --update and --step";
    }
    return NULL;
}

const char *fail_each_refusal(const struct options *options)
{
    if (!options->fail_each) {
        return refusal_without(options);
    }
    if (options->fail.count > 0) {
        return "--fail-each lets every call fail, --fail just one\n"
               "       leave one of them out";
    }
    if (options->exploring.seeded && options->fail_max == 0) {
        return "--seed draws as many calls as --fail-max says, and without it "
               "all fail\n       give --fail-max, or leave --seed out";
    }
    if (options->trace != NULL) {
        return "--trace would be of very many runs with --fail-each\n"
               "       give it with --fail, which is one of them";
    }
    if (options->repeat > 1 || options->twice || options->fail_fast ||
        options->watch || options->step || options->update) {
        return "--fail-each runs everything many times as it is\n"
               "       leave out --repeat, --twice, --fail-fast, --watch, "
               "--step and --update";
    }
    return NULL;
}

static void show_coming(void *context, size_t done, size_t all, const char *id)
{
    struct run_output *output = context;

    terminal_progress_show(&output->progress, done + 1, all,
        report_totals_failed(&output->totals), "", id);
}

static void hand_over(
    struct campaign *campaign, struct batch *batch, struct run_output *output)
{
    while (batch->next < batch->results) {
        struct batch_result result = {.instance = batch_coming(batch)};

        result.verdict = campaign_verdict(campaign, batch->next);
        if (batch->heard != NULL) {
            batch->heard(batch->heard_context, result.instance, result.verdict);
        }
        judge_expected(result.instance, result.verdict);
        batch->next++;
        run_output_result(output, batch, &result);
        batch_release(&result);
    }
}

/* Whether there was anything to do at all, which would have failed. */
static enum exit_code judge_nothing(const struct run_output *output)
{
    const struct report_totals *totals = &output->totals;

    if (totals->failing > 0 || totals->count[RESULT_PASS] == 0 ||
        report_totals_failed(totals) > 0) {
        return EXIT_OK;
    }
    fprintf(stderr,
        "ntpmu: --fail-each: no driver makes a call that can fail%s\n"
        "       %s\n",
        output->options->fail_scope.count > 0 ? " in the scope" : "",
        output->options->fail_scope.count > 0
            ? "widen --fail-scope, or leave it out"
            : "a routine can that allocates, registers, creates or tries: "
              "api/core/faults.def lists all");
    return EXIT_NOTHING;
}

enum exit_code fail_each_run(
    struct suite *suite, struct batch *batch, struct run_output *output)
{
    const struct options *options = output->options;
    void *memory = talloc_new(suite);
    struct campaign campaign = {.batch = batch,
        .most = options->fail_max,
        .seed = options->exploring.seed,
        .coming = show_coming,
        .coming_context = output};
    bool broken = false;

    if (options->fail_log != NULL) {
        const struct part_head head = run_results_head(memory, suite, options);

        if (!output_path_may_be("--fail-log", options->fail_log)) {
            return EXIT_USAGE;
        }
        campaign.log =
            failure_log_open(memory, options->fail_log, &head, stderr);
        if (campaign.log == NULL) {
            return EXIT_INVALID;
        }
    }
    run_output_begin(output, batch);
    if (campaign_run(memory, &campaign, &broken, stderr)) {
        hand_over(&campaign, batch, output);
    }
    talloc_free(memory);
    return broken ? EXIT_INVALID : judge_nothing(output);
}
