/* random_programs.c - random programs, run as scenarios whose expectations a
 * reference of its own has written: where the two disagree, the program is
 * shrunk and shown.
 *
 * usage: random_programs [--seed N] [--from N] [--count N] [--one N]
 *                        [--rulings "ID: VALUE, ..."]
 *
 * Prints the counts as a line of JSON, and each disagreement with the number
 * that replays it; --one prints the scenario, whatever comes of it. --rulings
 * flips rulings, which the reference knows nothing of: so it is seen to
 * disagree. Exits with 0 when there was no disagreement. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario_file.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/fuzz/batches.h"
#include "tests/random/shrink.h"
#include "tests/random/write.h"
#include "tests/splitmix.h"

enum {
    SECONDS = 60,     /* for one program and its shrinking */
    BUDGET = 1000000, /* preemption points of one run */
};

/* What a process of a batch has done; shared with its parent. */
struct progress {
    uint64_t number; /* the one that it is at */
    uint64_t crashed, steps, checks, passed, disagreed;
};

struct work {
    bool one;
    const char *rulings; /* NULL: as they are */
    uint64_t seed, from, count;
    struct session session;
    struct requirements *requirements;
    struct progress *progress;
    struct batches batches;
};

static bool read_number(uint64_t *number, const char *text)
{
    char *end;

    errno = 0;
    *number = text == NULL ? 0 : strtoull(text, &end, 0);
    return text != NULL && text[0] != '\0' && *end == '\0' && errno == 0;
}

static bool read_arguments(struct work *work, char **argument)
{
    const struct {
        const char *name;
        uint64_t *number;
    } options[] = {
        {"--seed", &work->seed},
        {"--from", &work->from},
        {"--count", &work->count},
        {"--one", &work->from},
    };

    for (; *argument != NULL; argument++) {
        const char *name = *argument;
        bool known = false;

        for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
            if (strcmp(name, options[i].name) == 0) {
                known = read_number(options[i].number, *++argument);
                break;
            }
        }
        if (strcmp(name, "--rulings") == 0) {
            work->rulings = *++argument;
            known = work->rulings != NULL;
        }
        if (!known) {
            return false;
        }
        if (strcmp(name, "--one") == 0) {
            work->one = true;
            work->count = 1;
        }
    }
    return true;
}

static char *text_of(
    void *context, const struct work *work, const struct program *program)
{
    char *written = NULL, *text;
    size_t size = 0;
    FILE *out = open_memstream(&written, &size);

    if (out == NULL) {
        abort();
    }
    program_write(program, work->rulings, out);
    fclose(out);
    text = talloc_strdup(context, written);
    free(written);
    return text;
}

/* Whether the scenario is valid and passes; what is said of it goes to `out`,
 * which may be NULL. */
static bool passes(struct work *work, const struct program *program, FILE *out)
{
    char *text = text_of(NULL, work, program);
    struct diagnostics *diagnostics = diagnostics_new(text);
    struct source *source =
        source_from_text(text, "program.yaml", text, strlen(text));
    struct library *library =
        library_new(text, &language_kinds, work->requirements, diagnostics);
    struct outline *outline;
    bool passed = false;

    library->no_files = true;
    if (scenario_file_check(text, source, library, &outline) == FILE_SCENARIO) {
        const struct instance instance =
            instance_open(text, &outline->instances.item[0]);
        struct verdict *verdict = run_instance(text, &work->session, &instance);

        passed = verdict->result == RESULT_PASS;
        if (out != NULL) {
            work->progress->checks += verdict->checks;
            report_failures(&work->session, &instance, verdict, out);
        }
    } else if (out != NULL) {
        diagnostics_print(diagnostics, out);
    }
    talloc_free(text);
    return passed;
}

static bool still_fails(void *argument, const struct program *program)
{
    return !passes(argument, program, NULL);
}

static void try_number(struct work *work, struct progress *progress)
{
    struct splitmix stream = {work->seed ^ progress->number << 20};
    struct program program;
    char *said = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&said, &size);
    bool passed;

    if (out == NULL) {
        abort();
    }
    program_generate(&program, splitmix_next(&stream));
    alarm(SECONDS);
    passed = passes(work, &program, out);
    progress->steps += program.count;
    progress->passed += passed;
    progress->disagreed += !passed;
    if (!passed) {
        batches_say_crash(&work->batches, "disagreement", 0);
        program_shrink(&program, still_fails, work);
        rewind(out);
        passes(work, &program, out);
    }
    alarm(0);
    fclose(out);
    if (!passed || work->one) {
        char *text = text_of(NULL, work, &program);

        fprintf(stderr, "%s%s", text, said);
        talloc_free(text);
    }
    free(said);
}

static void run_batch(void *argument, uint64_t end)
{
    struct work *work = argument;
    struct progress *progress = work->progress;

    if (!session_open(&work->session, work->requirements)) {
        fprintf(stderr, "the host gives no address space\n");
        abort();
    }
    work->session.budget = BUDGET;
    for (; progress->number < end; progress->number++) {
        try_number(work, progress);
    }
    session_close(&work->session);
    _exit(EXIT_SUCCESS);
}

int main(int count, char **argument)
{
    static struct work work = {.seed = 1, .count = 300};
    struct progress *progress = mmap(NULL, sizeof(*progress),
        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct diagnostics *diagnostics = diagnostics_new(NULL);
    bool whole;

    if (count < 1 || !read_arguments(&work, argument + 1)) {
        fprintf(stderr,
            "usage: %s [--seed N] [--from N] [--count N] [--one N] "
            "[--rulings \"ID: VALUE, ...\"]\n",
            argument[0]);
        return 2;
    }
    work.requirements = requirements_built_in(diagnostics);
    if (progress == MAP_FAILED || diagnostics_errors(diagnostics) > 0) {
        return EXIT_FAILURE;
    }
    work.requirements->files = NULL; /* none is the program's own */
    progress->number = work.from;
    work.progress = progress;
    work.batches = (struct batches){"random_programs", work.seed,
        &progress->number, &progress->crashed, work.from + work.count};
    whole = batches_run(&work.batches, run_batch, &work);
    if (whole) {
        printf("{\"seed\": %" PRIu64 ", \"from\": %" PRIu64
               ", \"count\": %" PRIu64 ", \"crashed\": %" PRIu64
               ", \"steps\": %" PRIu64 ", \"checks\": %" PRIu64
               ", \"passed\": %" PRIu64 ", \"disagreed\": %" PRIu64 "}\n",
            work.seed, work.from, work.count, progress->crashed,
            progress->steps, progress->checks, progress->passed,
            progress->disagreed);
    }
    talloc_free(diagnostics);
    return whole && progress->crashed == 0 && progress->disagreed == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
