/* mutate_scenario.c - many changed copies of scenarios: each is validated, and
 * run when it is valid; none may crash the simulator or take long.
 *
 * usage: mutate_scenario PATH... [--seed N] [--from N] [--count N] [--budget N]
 *        mutate_scenario PATH... [--seed N] [--budget N] --one N
 *
 * Prints the counts as a line of JSON, and each crash with the number that
 * replays it; --one prints the text and what came of it. Exits with 0 when
 * there was no crash. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/instance_trace.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario_file.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/fuzz/batches.h"
#include "tests/fuzz/numbers.h"
#include "tests/fuzz/scenario_words.h"
#include "tests/fuzz/text_mutation.h"

enum {
    SECONDS = 30,  /* for one text: more is a finding */
    INSTANCES = 4, /* of one text that are run */
};

enum ending {
    ENDING_CRASHED,
    ENDING_INVALID,
    ENDING_OTHER, /* no scenario */
    ENDING_RAN,   /* and the instances' results are counted besides */
    ENDINGS
};

static const char *const ending_names[ENDINGS] = {
    [ENDING_CRASHED] = "crashed",
    [ENDING_INVALID] = "invalid",
    [ENDING_OTHER] = "other",
    [ENDING_RAN] = "ran",
};

struct work {
    struct text_corpus corpus;
    struct numbers numbers; /* one alone says how it ended */
    uint64_t budget;
    struct session session;
    struct requirements *requirements;
    struct progress *progress;
    struct batches batches;
};

/* What a process of a batch has done; shared with its parent. */
struct progress {
    uint64_t number; /* the one that it is at */
    uint64_t endings[ENDINGS];
    uint64_t results[RESULT_COUNT]; /* of instances */
};

static bool read_arguments(struct work *work, char **argument)
{
    for (; *argument != NULL; argument++) {
        enum numbers_found found = numbers_read(&work->numbers, &argument);

        if (found == NUMBERS_READ) {
            continue;
        }
        if (found == NUMBERS_OTHER && strcmp(*argument, "--budget") == 0) {
            if (!numbers_parse(&work->budget, *++argument)) {
                return false;
            }
        } else if (found == NUMBERS_BAD || (*argument)[0] == '-' ||
                   !text_corpus_add(&work->corpus, *argument)) {
            return false;
        }
    }
    text_corpus_sort(&work->corpus);
    return work->corpus.count > 0;
}

/* The instances of a valid scenario, with what a user would see of them. */
static void run_scenario(struct work *work, struct progress *progress,
    const struct outline *outline, FILE *out)
{
    const struct instances *instances = &outline->instances;

    for (size_t i = 0; i < instances->count && i < INSTANCES; i++) {
        void *context = talloc_new(NULL);
        const struct instance opened =
            instance_open(context, &instances->item[i]);
        const struct instance *instance = &opened;
        struct verdict *verdict = run_instance(NULL, &work->session, instance);

        progress->results[verdict->result]++;
        if (verdict->result == RESULT_INTERNAL) {
            batches_say_crash(&work->batches, "internal failure", 0);
        }
        fprintf(
            out, "%s %s\n", verdict_result_name(verdict->result), instance->id);
        report_failures(&work->session, instance, verdict, out);
        instance_trace_print(instance, &work->session.machine.trace, out);
        talloc_free(verdict);
        talloc_free(context);
    }
}

/* Machine code is mutate_driver's: a scenario that loads any is only
 * validated. */
static void try_text(
    struct work *work, struct progress *progress, char *text, FILE *out)
{
    struct diagnostics *diagnostics = diagnostics_new(text);
    struct source *source =
        source_from_text(text, "t.yaml", text, strlen(text));
    struct library *library =
        library_new(text, &language_kinds, work->requirements, diagnostics);
    struct outline *outline;
    enum file_kind kind;

    library->no_files = true;
    kind = scenario_file_check(text, source, library, &outline);
    diagnostics_print(diagnostics, out);
    progress->endings[kind == FILE_BROKEN     ? ENDING_INVALID
                      : kind == FILE_SCENARIO ? ENDING_RAN
                                              : ENDING_OTHER]++;
    if (outline != NULL && !outline->native) {
        run_scenario(work, progress, outline, out);
    }
}

static void try_number(struct work *work, struct progress *progress)
{
    char *text = text_mutation_make(
        NULL, &work->corpus, work->numbers.seed, progress->number);
    char *printed = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);

    if (out == NULL) {
        abort();
    }
    if (work->numbers.one) {
        fprintf(stderr, "%s", text);
    }
    alarm(SECONDS);
    try_text(work, progress, text, out);
    alarm(0);
    fclose(out);
    if (work->numbers.one) {
        fprintf(stderr, "%s", printed);
    }
    free(printed);
    talloc_free(text);
}

static void run_batch(void *argument, uint64_t end)
{
    struct work *work = argument;
    struct progress *progress = work->progress;

    if (!session_open(&work->session, work->requirements)) {
        fprintf(stderr, "the host gives no address space\n");
        abort();
    }
    work->session.budget = work->budget;
    for (; progress->number < end; progress->number++) {
        try_number(work, progress);
    }
    session_close(&work->session);
    _exit(EXIT_SUCCESS);
}

static void print_counts(
    const struct work *work, const struct progress *progress)
{
    printf("{\"seed\": %" PRIu64 ", \"from\": %" PRIu64 ", \"count\": %" PRIu64,
        work->numbers.seed, work->numbers.from, work->numbers.count);
    for (unsigned i = 0; i < ENDINGS; i++) {
        printf(", \"%s\": %" PRIu64, ending_names[i], progress->endings[i]);
    }
    for (unsigned i = 0; i < RESULT_COUNT; i++) {
        printf(", \"%s\": %" PRIu64, verdict_result_name((enum result)i),
            progress->results[i]);
    }
    printf("}\n");
}

int main(int count, char **argument)
{
    static struct work work = {.numbers = {.seed = 1, .count = 1000},
        .budget = 10000,
        .corpus = {.suffix = ".yaml"}};
    struct progress *progress = mmap(NULL, sizeof(*progress),
        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct diagnostics *diagnostics = diagnostics_new(NULL);
    bool whole;

    work.corpus.word = scenario_words(&work.corpus.words);
    if (count < 2 || !read_arguments(&work, argument + 1)) {
        fprintf(stderr,
            "usage: %s PATH... [--seed N] [--from N] [--count N] [--budget N] "
            "[--one N]\n",
            argument[0]);
        return 2;
    }
    work.requirements = requirements_built_in(diagnostics);
    work.requirements->files = NULL; /* each text is looked at alone */
    if (progress == MAP_FAILED || diagnostics_errors(diagnostics) > 0) {
        return EXIT_FAILURE;
    }
    progress->number = work.numbers.from;
    work.progress = progress;
    work.batches = (struct batches){"mutate_scenario", work.numbers.seed,
        &progress->number, &progress->endings[ENDING_CRASHED],
        work.numbers.from + work.numbers.count};
    whole = batches_run(&work.batches, run_batch, &work);
    if (whole) {
        print_counts(&work, progress);
    }
    text_corpus_release(&work.corpus);
    talloc_free(diagnostics);
    return whole && progress->endings[ENDING_CRASHED] == 0 &&
                   progress->results[RESULT_INTERNAL] == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
