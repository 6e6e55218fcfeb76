/* random_programs.c - random programs, run as scenarios whose expectations a
 * reference of its own has written: where the two disagree, the program is
 * shrunk and shown.
 *
 * usage: random_programs [--seed N] [--from N] [--count N] [--one N]
 *                        [--first] [--floors] [--rulings "ID: VALUE, ..."]
 *                        [--subject NAME]
 *
 * Prints the counts as a line of JSON, and each disagreement with the number
 * that replays it; --one prints the scenario, whatever comes of it. --first
 * ends with the first disagreement. --floors prints what the programs come to,
 * and fails if it is less than floors.def says. --rulings flips rulings, which
 * the reference knows nothing of: so it is seen to disagree. --subject names
 * what all programs are about; else each draws one. Exits with 0 when there was
 * no disagreement. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/splitmix.h"
#include "tests/fuzz/batches.h"
#include "tests/fuzz/numbers.h"
#include "tests/random/census.h"
#include "tests/random/judge.h"
#include "tests/random/shrink.h"
#include "tests/random/write.h"

enum { SECONDS = 60 /* for one program and its shrinking */ };

/* What a process of a batch has done; shared with its parent. */
struct progress {
    uint64_t number; /* the one that it is at */
    uint64_t crashed, steps, checks, passed, disagreed;
    struct census census;
};

struct work {
    struct numbers numbers;
    bool first;          /* disagreement ends it */
    bool floors;         /* what the programs come to is looked at */
    const char *rulings; /* NULL: as they are */
    unsigned subject;
    struct judge *judge;
    struct progress *progress;
    struct batches batches;
};

static bool read_subject(struct work *work, const char *name)
{
    const char *subject = "";

    for (work->subject = 0; name != NULL && subject != NULL; work->subject++) {
        subject = program_subject_name(work->subject);
        if (subject != NULL && strcmp(subject, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_arguments(struct work *work, char **argument)
{
    for (; *argument != NULL; argument++) {
        enum numbers_found found = numbers_read(&work->numbers, &argument);

        if (found == NUMBERS_READ) {
            continue;
        }
        if (found == NUMBERS_BAD) {
            return false;
        }
        if (strcmp(*argument, "--rulings") == 0 && argument[1] != NULL) {
            work->rulings = *++argument;
        } else if (strcmp(*argument, "--subject") == 0) {
            if (!read_subject(work, *++argument)) {
                return false;
            }
        } else if (strcmp(*argument, "--first") == 0) {
            work->first = true;
        } else if (strcmp(*argument, "--floors") == 0) {
            work->floors = true;
        } else {
            return false;
        }
    }
    return true;
}

/* The caller's. */
static char *text_of(const struct work *work, const struct program *program)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        abort();
    }
    program_write(program, work->rulings, out);
    fclose(out);
    return text;
}

static bool passes(struct work *work, const struct program *program, FILE *out)
{
    char *text = text_of(work, program);
    bool passed = judge_passes(work->judge, text, out, &work->progress->checks);

    free(text);
    return passed;
}

static bool still_fails(void *argument, const struct program *program)
{
    return !passes(argument, program, NULL);
}

static void try_number(struct work *work, struct progress *progress)
{
    struct splitmix stream = {work->numbers.seed ^ progress->number << 20};
    struct program program;
    char *said = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&said, &size);
    bool passed;

    if (out == NULL) {
        abort();
    }
    program_generate(&program, splitmix_next(&stream), work->subject);
    alarm(SECONDS);
    passed = passes(work, &program, out);
    if (work->floors) {
        census_add(&progress->census, &program);
    }
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
    if (!passed || work->numbers.one) {
        char *text = text_of(work, &program);

        fprintf(stderr, "%s%s", text, said);
        free(text);
    }
    free(said);
}

static void run_batch(void *argument, uint64_t end)
{
    struct work *work = argument;
    struct progress *progress = work->progress;

    judge_open(work->judge);
    for (; progress->number < end; progress->number++) {
        try_number(work, progress);
        if (work->first && progress->disagreed > 0) {
            progress->number = work->batches.end;
            break;
        }
    }
    judge_close(work->judge);
    _exit(EXIT_SUCCESS);
}

int main(int count, char **argument)
{
    static struct work work = {
        .numbers = {.seed = 1, .count = 300}, .subject = PROGRAM_ANY_SUBJECT};
    struct progress *progress = mmap(NULL, sizeof(*progress),
        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool whole;

    if (count < 1 || !read_arguments(&work, argument + 1)) {
        fprintf(stderr,
            "usage: %s [--seed N] [--from N] [--count N] [--one N] "
            "[--first] [--floors] [--rulings \"ID: VALUE, ...\"] "
            "[--subject NAME]\n",
            argument[0]);
        return 2;
    }
    work.judge = judge_new();
    if (progress == MAP_FAILED || work.judge == NULL) {
        return EXIT_FAILURE;
    }
    progress->number = work.numbers.from;
    work.progress = progress;
    work.batches = (struct batches){"random_programs", work.numbers.seed,
        &progress->number, &progress->crashed,
        work.numbers.from + work.numbers.count};
    whole = batches_run(&work.batches, run_batch, &work);
    if (whole) {
        printf("{\"seed\": %" PRIu64 ", \"from\": %" PRIu64
               ", \"count\": %" PRIu64 ", \"crashed\": %" PRIu64
               ", \"steps\": %" PRIu64 ", \"checks\": %" PRIu64
               ", \"passed\": %" PRIu64 ", \"disagreed\": %" PRIu64 "}\n",
            work.numbers.seed, work.numbers.from, work.numbers.count,
            progress->crashed, progress->steps, progress->checks,
            progress->passed, progress->disagreed);
    }
    if (whole && work.floors) {
        census_print(&progress->census, stderr);
        whole = census_check(&progress->census, work.numbers.count, stderr);
    }
    return whole && progress->crashed == 0 && progress->disagreed == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
