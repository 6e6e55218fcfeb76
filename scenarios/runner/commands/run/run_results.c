/* run_results.c - --results: each verdict goes into a file as it comes, with
 * what says of which run it is a part. */
#include "scenarios/runner/commands/run/run_results.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/command_line/options_run.h"
#include "scenarios/runner/commands/run/output_path.h"
#include "scenarios/runner/output/whole_file.h"
#include "scenarios/runner/parts/drivers_digest.h"
#include "scenarios/runner/parts/part_head.h"
#include "scenarios/runner/parts/part_writer.h"
#include "scenarios/runner/parts/program_build.h"
#include "scenarios/runner/parts/suite_digest.h"
#include "scenarios/runner/run/batch.h"
#include "scenarios/runner/text/visible_text.h"

struct run_results {
    const char *path;
    struct whole_file *file;
    struct part_writer writer;
};

struct part_head run_results_head(
    void *context, struct suite *suite, const struct options *options)
{
    const struct run_settings settings = options_run(options);
    const char **word =
        talloc_array(context, const char *, (unsigned)options->argc + 2);

    assert(word != NULL);
    return (struct part_head){
        .program = program_build(),
        .suite = suite_digest(suite),
        .drivers = drivers_digest(&settings.allowed),
        .part = options->shards == 0 ? 1 : options->shard,
        .parts = options->shards == 0 ? 1 : options->shards,
        .word = word,
        .words = options_common_words(options, word),
    };
}

struct run_results *run_results_open(
    struct suite *suite, const struct options *options)
{
    struct run_results *results = talloc_zero(suite, struct run_results);
    struct part_head head;

    assert(results != NULL);
    if (!output_path_may_be("--results", options->results)) {
        return NULL;
    }
    results->path = options->results;
    results->file = whole_file_open(results, results->path, WHOLE_FILE_ANY);
    if (results->file == NULL) {
        output_path_failed(results->path);
        return NULL;
    }
    head = run_results_head(results, suite, options);
    results->writer = part_writer_begin(
        whole_file_stream(results->file), &part_of_results, &head);
    return results;
}

static void write_result(void *context, const struct instance *instance,
    const struct verdict *verdict)
{
    struct run_results *results = context;

    part_writer_add(&results->writer, instance, verdict);
}

void run_results_listen(struct run_results *results, struct batch *batch)
{
    batch->heard = write_result;
    batch->heard_context = results;
}

bool run_results_end(struct run_results *results, const struct batch *batch)
{
    if (batch->next < batch->results) {
        fprintf(stderr, "ntpmu: '%s' is not written: the run was interrupted\n",
            visible_name(results->path));
        return true;
    }
    part_writer_end(&results->writer);
    return whole_file_finish(results->file) ||
           output_path_failed(results->path);
}
