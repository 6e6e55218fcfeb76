/* command_merge.c - ntpmu merge: the results of the parts of a run, each from a
 * file of --results, are said as if one run had come to all of them. */
#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/command_line/options_run.h"
#include "scenarios/runner/commands/run/run_output.h"
#include "scenarios/runner/parts/part_set.h"
#include "scenarios/runner/parts/suite_digest.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/judge.h"
#include "scenarios/runner/selection/selection.h"

/* What was selected in the parts, as they were told, and the reports that are
 * asked for now. False after saying that their command cannot be read. */
static bool read_command(void *context, const struct part_set *set,
    const struct options *options, struct options *of_parts)
{
    const struct part_head *head = part_set_head(set);
    char **argv = talloc_array(context, char *, (unsigned)head->words + 1);

    assert(argv != NULL);
    for (size_t i = 0; i < head->words; i++) {
        argv[i] = talloc_strdup(argv, head->word[i]);
    }
    argv[head->words] = NULL;
    if (!options_read(of_parts, (int)head->words, argv, stderr)) {
        return false;
    }
    if (of_parts->command != COMMAND_RUN &&
        of_parts->command != COMMAND_EXPLORE) {
        fputs("ntpmu: these parts are of no run\n", stderr);
        return false;
    }
    of_parts->argv = options->argv;
    of_parts->argc = options->argc;
    of_parts->report = options->report;
    of_parts->verbose = options->verbose;
    return true;
}

static bool take_results(
    const struct part_set *set, struct batch *batch, struct run_output *output)
{
    run_output_begin(output, batch);
    while (batch->next < batch->results && run_output_is_wanted(output)) {
        struct batch_result result = {.instance = batch_coming(batch)};

        result.verdict = part_set_verdict(
            NULL, set, result.instance, batch->job.requirements, stderr);
        if (result.verdict == NULL) {
            return false;
        }
        judge_expected(result.instance, result.verdict);
        batch->next++;
        run_output_result(output, batch, &result);
        batch_release(&result);
    }
    return true;
}

static enum exit_code say_all(const struct part_set *set, struct suite *suite,
    const struct options *of_parts)
{
    const struct run_settings settings = options_run(of_parts);
    struct batch batch = {
        .job = {.settings = settings, .requirements = suite->requirements},
        .suite = suite,
        .session = {.requirements = suite->requirements,
            .drivers = driver_files_new(
                suite, settings.allowed.item, settings.allowed.count),
            .given = settings.given,
            .documented = settings.documented,
            .step_drivers = settings.exploring.step_drivers,
            .strict_imports = settings.strict_imports},
        .results = suite->instances->count,
    };
    struct run_output output;

    if (!run_output_open(&output, suite, of_parts)) {
        return EXIT_USAGE;
    }
    if (!take_results(set, &batch, &output)) {
        return EXIT_INVALID;
    }
    return run_output_end(&output, &batch);
}

static enum exit_code merge(struct suite *suite, const struct part_set *set,
    const struct options *of_parts)
{
    enum exit_code files = selection_judge_files(suite);
    enum exit_code code;

    selection_print_files(suite, stderr);
    if (suite_digest(suite) != part_set_head(set)->suite) {
        fputs("ntpmu: these scenarios are not those that the parts have run\n"
              "       merge in the directory, and at the version, that they "
              "ran in\n",
            stderr);
        return EXIT_INVALID;
    }
    code = selection_apply(suite, of_parts, stderr);
    if (code == EXIT_OK) {
        code = say_all(set, suite, of_parts);
    }
    return files != EXIT_OK && code != EXIT_INTERNAL && code != EXIT_USAGE
               ? files
               : code;
}

enum exit_code command_merge(const struct options *options)
{
    void *context = talloc_new(NULL);
    struct part_set *set = part_set_read(context,
        (const char *const *)options->path, options->path_count, stderr);
    struct options of_parts;
    enum exit_code code = EXIT_INVALID;

    if (set != NULL && read_command(context, set, options, &of_parts)) {
        code = merge(selection_read(context, &of_parts), set, &of_parts);
    }
    talloc_free(context);
    return code;
}
