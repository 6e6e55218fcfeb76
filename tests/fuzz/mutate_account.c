/* mutate_account.c - instances are run, and judged once more by the account
 * that the run has given: the verdicts are the same. Then changed accounts:
 * each is refused, or judged as the run that it tells of; none may be a crash
 * of ours.
 *
 * usage: mutate_account PATH... [--seed N] [--from N] [--count N]
 *        mutate_account PATH... [--seed N] --one N
 *
 * Each number is an instance below the paths, in order, over and over, with
 * another change. Prints the counts as a line of JSON, and what is wrong with
 * the number that repeats it. Exits with 0 when nothing is. */
#define _GNU_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/account.h"
#include "scenarios/runner/run/hearing.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "sim/base/splitmix.h"
#include "tests/fuzz/batches.h"
#include "tests/fuzz/numbers.h"

enum {
    BUDGET = 100000, /* preemption points of a run */
    SECONDS = 30,    /* for one number: more is a finding */
    CHANGES = 4,     /* of an account, at most */
    PATHS = 16,
};

/* What a process of a batch has done; shared with its parent. */
struct progress {
    uint64_t number; /* the one that it is at */
    uint64_t crashed, differed, refused;
    uint64_t results[RESULT_COUNT]; /* of changed accounts */
};

struct work {
    char *path[PATHS];
    size_t path_count;
    struct numbers numbers; /* one alone says what came of it */
    struct suite *suite;
    const struct instance **instance; /* those without native code */
    size_t instance_count;
    struct session session;
    struct progress *progress;
    struct batches batches;
};

static bool read_arguments(struct work *work, char **argument)
{
    for (; *argument != NULL; argument++) {
        enum numbers_found found = numbers_read(&work->numbers, &argument);

        if (found == NUMBERS_READ) {
            continue;
        }
        if (found == NUMBERS_BAD || (*argument)[0] == '-' ||
            work->path_count == PATHS) {
            return false;
        }
        work->path[work->path_count++] = *argument;
    }
    return work->path_count > 0;
}

/* All that a verdict is, as text. */
static char *verdict_text(void *context, const struct session *session,
    const struct instance *instance, const struct verdict *verdict)
{
    const struct literals *literals = verdict->literals;
    char *printed = NULL, *text;
    size_t size = 0;
    FILE *out = open_memstream(&printed, &size);

    assert(out != NULL);
    fprintf(out, "%s, %zu checks, %zu not asked\n",
        verdict_result_name(verdict->result), verdict->checks,
        verdict->not_asked);
    report_failures(session, instance, verdict, out);
    for (size_t i = 0; i < verdict->cited_count; i++) {
        fprintf(out, "%s %d %d\n", verdict->cited[i].requirement,
            verdict->cited[i].failed, verdict->cited[i].hollow);
    }
    for (size_t i = 0; literals != NULL && i < literals->count; i++) {
        const struct literal *literal = &literals->item[i];

        fprintf(out, "%zu:%zu %d %d %d %s\n", literal->place->mark.line,
            literal->place->mark.column, literal->met, literal->differs,
            literal->several,
            literal->actual == NULL ? "none" : literal->actual);
    }
    fclose(out);
    text = talloc_strdup(context, printed);
    free(printed);
    return text;
}

/* What an instance's run has told, and the verdict that it came to itself. */
struct told {
    uint8_t *account;
    size_t length;
    char *verdict;
};

static struct told run_and_tell(
    void *context, struct work *work, const struct instance *instance)
{
    struct account account = {.judging = 0};
    struct told told = {.account = NULL};
    char *bytes = NULL;
    struct verdict *verdict;

    account.facts.out = open_memstream(&bytes, &told.length);
    assert(account.facts.out != NULL);
    work->session.account = &account;
    verdict = run_instance(context, &work->session, instance);
    work->session.account = NULL;
    fclose(account.facts.out);
    told.verdict = verdict_text(context, &work->session, instance, verdict);
    told.account = talloc_memdup(context, bytes, told.length);
    free(bytes);
    return told;
}

/* In a block of just that size, so that a read behind it is seen. */
static struct hearing judge(void *context, struct work *work,
    const struct instance *instance, const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length + 1);
    struct hearing hearing;

    assert(copy != NULL);
    memcpy(copy + 1, bytes, length);
    hearing =
        hearing_judge(context, &work->session, instance, copy + 1, length);
    free(copy);
    return hearing;
}

static void compare(void *context, struct work *work,
    const struct instance *instance, const struct told *told)
{
    struct hearing hearing =
        judge(context, work, instance, told->account, told->length);
    const char *heard =
        hearing.verdict == NULL
            ? hearing.problem
            : verdict_text(context, &work->session, instance, hearing.verdict);

    if (strcmp(heard, told->verdict) != 0 || hearing.taken != told->length) {
        work->progress->differed++;
        fprintf(stderr,
            "judged wrongly: number %" PRIu64 ", %s\nwhere it ran:\n%sby its "
            "account:\n%s\n",
            work->progress->number, instance->id, told->verdict, heard);
    }
}

/* The number's account: some bytes are others, or its end is missing. */
static size_t change(struct work *work, uint8_t *bytes, size_t length)
{
    struct splitmix stream = {
        work->numbers.seed ^ (work->progress->number << 20)};
    uint64_t changes = splitmix_below(&stream, CHANGES + 1);

    for (uint64_t i = 0; i < changes; i++) {
        uint64_t at = splitmix_below(&stream, length);

        uint64_t bits = splitmix_below(&stream, 2) == 0
                            ? splitmix_next(&stream)
                            : UINT64_C(1) << (at % 8);

        bytes[at] = (uint8_t)(bytes[at] ^ bits);
    }
    return changes > 0 ? length : (size_t)splitmix_below(&stream, length);
}

static void try_changed(void *context, struct work *work,
    const struct instance *instance, const struct told *told)
{
    size_t length = change(work, told->account, told->length);
    struct hearing hearing =
        judge(context, work, instance, told->account, length);

    if (hearing.verdict == NULL) {
        work->progress->refused++;
    } else {
        work->progress->results[hearing.verdict->result]++;
    }
    if (length < told->length && hearing.verdict != NULL) {
        work->progress->differed++;
        fprintf(stderr,
            "judged wrongly: number %" PRIu64 ", %s: the beginning of its "
            "account was taken for the whole\n",
            work->progress->number, instance->id);
    }
    if (work->numbers.one) {
        fprintf(stderr, "%s: %s\n", instance->id,
            hearing.verdict == NULL ? hearing.problem
                                    : verdict_text(context, &work->session,
                                          instance, hearing.verdict));
    }
}

static void try_number(struct work *work)
{
    void *context = talloc_new(NULL);
    const struct instance instance = instance_open(
        context, work->instance[work->progress->number % work->instance_count]);
    struct told told;

    alarm(SECONDS);
    told = run_and_tell(context, work, &instance);
    compare(context, work, &instance, &told);
    try_changed(context, work, &instance, &told);
    alarm(0);
    talloc_free(context);
}

static void run_batch(void *argument, uint64_t end)
{
    struct work *work = argument;
    struct progress *progress = work->progress;

    if (!session_open(&work->session, work->suite->requirements)) {
        fprintf(stderr, "the host gives no address space\n");
        abort();
    }
    work->session.budget = BUDGET;
    work->session.machine.trace.off = true;
    for (; progress->number < end; progress->number++) {
        /* As --update wants it, every other time. */
        work->session.literals = progress->number % 2 == 1;
        work->session.keep_going = work->session.literals;
        try_number(work);
    }
    session_close(&work->session);
    _exit(EXIT_SUCCESS);
}

static void read_suite(struct work *work)
{
    work->suite =
        suite_read(NULL, &language_kinds, work->path, work->path_count);
    work->instance = talloc_array(work->suite, const struct instance *,
        (unsigned)work->suite->instances->count);
    assert(work->instance != NULL);
    for (size_t i = 0; i < work->suite->instances->count; i++) {
        const struct instance *instance = &work->suite->instances->item[i];

        if (!instance->native) {
            work->instance[work->instance_count++] = instance;
        }
    }
}

static void print_counts(
    const struct work *work, const struct progress *progress)
{
    printf("{\"seed\": %" PRIu64 ", \"from\": %" PRIu64 ", \"count\": %" PRIu64
           ", \"crashed\": %" PRIu64 ", \"differed\": %" PRIu64
           ", \"refused\": %" PRIu64,
        work->numbers.seed, work->numbers.from, work->numbers.count,
        progress->crashed, progress->differed, progress->refused);
    for (unsigned i = 0; i < RESULT_COUNT; i++) {
        printf(", \"%s\": %" PRIu64, verdict_result_name((enum result)i),
            progress->results[i]);
    }
    printf("}\n");
}

int main(int count, char **argument)
{
    static struct work work = {.numbers = {.seed = 1, .count = 1000}};
    struct progress *progress = mmap(NULL, sizeof(*progress),
        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool whole;

    if (count < 2 || !read_arguments(&work, argument + 1)) {
        fprintf(stderr,
            "usage: %s PATH... [--seed N] [--from N] [--count N] [--one N]\n",
            argument[0]);
        return 2;
    }
    read_suite(&work);
    if (progress == MAP_FAILED || work.instance_count == 0) {
        fprintf(stderr, "nothing to run\n");
        return EXIT_FAILURE;
    }
    progress->number = work.numbers.from;
    work.progress = progress;
    work.batches =
        (struct batches){"mutate_account", work.numbers.seed, &progress->number,
            &progress->crashed, work.numbers.from + work.numbers.count};
    whole = batches_run(&work.batches, run_batch, &work);
    if (whole) {
        print_counts(&work, progress);
    }
    talloc_free(work.suite);
    return whole && progress->crashed == 0 && progress->differed == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
