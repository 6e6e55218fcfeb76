/* mutate_driver.c - many changed copies of a driver's file, or every beginning
 * of it: each is refused or run, and none may crash the simulator.
 *
 * usage: mutate_driver FILE [--seed N] [--from N] [--count N] [--cut]
 *        mutate_driver FILE [--seed N] [--cut] --one N
 *
 * Prints the counts as a line of JSON, and each crash with the number that
 * replays it. Exits with 0 when there was none. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/mutation.h"
#include "tests/fuzz/numbers.h"
#include "tests/fuzz/trial.h"

enum { BATCH = 500, SIGNAL_STACK_BYTES = 64 * 1024 };

struct work {
    const char *path;
    uint8_t *bytes;
    size_t size;
    bool cut;               /* numbers are lengths, not mutations */
    struct numbers numbers; /* one alone says how it ended */
    struct mutation_map map;
    struct trial trial;
};

/* What a process of a batch has done; shared with its parent. */
struct progress {
    uint64_t number; /* the one that it is at */
    uint64_t ends[TRIAL_ENDS];
};

static bool read_file(struct work *work)
{
    FILE *file = fopen(work->path, "rb");
    long end = -1;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        end = ftell(file);
        rewind(file);
    }
    if (end > 0) {
        work->size = (size_t)end;
        work->bytes = malloc(work->size);
    }
    if (work->bytes == NULL ||
        fread(work->bytes, 1, work->size, file) != work->size) {
        fprintf(stderr, "%s: cannot be read\n", work->path);
        return false;
    }
    fclose(file);
    return true;
}

static bool read_arguments(struct work *work, char **argument)
{
    for (; *argument != NULL; argument++) {
        enum numbers_found found = numbers_read(&work->numbers, &argument);

        if (found == NUMBERS_READ) {
            continue;
        }
        if (found == NUMBERS_OTHER && strcmp(*argument, "--cut") == 0) {
            work->cut = true;
        } else if (found == NUMBERS_BAD || (*argument)[0] == '-' ||
                   work->path != NULL) {
            return false;
        } else {
            work->path = *argument;
        }
    }
    return work->path != NULL;
}

/* One file, in memory of its exact size: reading past it is seen. */
static void try_number(struct work *work, uint64_t number)
{
    size_t size = work->cut ? (size_t)number : work->size;
    uint8_t *copy = malloc(size > 0 ? size : 1);

    if (copy == NULL) {
        abort();
    }
    memcpy(copy, work->bytes, size);
    if (!work->cut) {
        mutation_apply(&work->map, work->numbers.seed, number, copy, size);
    }
    if (trial_can_load(&work->trial, copy, size)) {
        trial_run(&work->trial, copy, size);
    }
    free(copy);
}

static void say_crash(
    const struct work *work, uint64_t number, const char *text)
{
    fprintf(stderr,
        "%s: crash of ours: --seed %" PRIu64 "%s --one %" PRIu64 ": %s\n",
        work->path, work->numbers.seed, work->cut ? " --cut" : "", number,
        text);
}

static void run_batch(
    struct work *work, struct progress *progress, uint64_t end)
{
    while (progress->number < end) {
        const struct trial_report *report = work->trial.report;

        try_number(work, progress->number);
        if (report->end == TRIAL_NONE) {
            say_crash(work, progress->number, report->text);
        } else if (work->numbers.one) {
            fprintf(
                stderr, "%s: %s\n", trial_end_names[report->end], report->text);
        }
        progress->ends[report->end]++;
        progress->number++;
    }
}

/* In a process of its own, so that a crash of what reads files is one of its
 * number and not the end. */
static bool run_all(struct work *work, struct progress *progress)
{
    uint64_t end = work->numbers.from + work->numbers.count;

    while (progress->number < end) {
        uint64_t left = end - progress->number;
        uint64_t batch_end = progress->number + (left < BATCH ? left : BATCH);
        pid_t pid = fork();
        int status = 0;

        if (pid == 0) {
            run_batch(work, progress, batch_end);
            _exit(EXIT_SUCCESS);
        }
        if (pid < 0 || waitpid(pid, &status, 0) != pid) {
            fprintf(stderr, "the host gives no process\n");
            return false;
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
            say_crash(work, progress->number, "while the file was read");
            progress->ends[TRIAL_NONE]++;
            progress->number++;
        }
    }
    return true;
}

static void print_counts(
    const struct work *work, const struct progress *progress)
{
    const char *name = strrchr(work->path, '/');

    printf("{\"file\": \"%s\", \"seed\": %" PRIu64 ", \"from\": %" PRIu64
           ", \"count\": %" PRIu64,
        name == NULL ? work->path : name + 1, work->numbers.seed,
        work->numbers.from, work->numbers.count);
    for (unsigned i = 0; i < TRIAL_ENDS; i++) {
        printf(", \"%s\": %" PRIu64, trial_end_names[i], progress->ends[i]);
    }
    printf("}\n");
}

/* A driver's stack pointer may be anywhere when a signal comes. */
static void give_signal_stack(void)
{
    static uint8_t stack[SIGNAL_STACK_BYTES];
    const stack_t signal_stack = {.ss_sp = stack, .ss_size = sizeof(stack)};

    sigaltstack(&signal_stack, NULL);
}

int main(int count, char **argument)
{
    static struct work work = {.numbers = {.seed = 1, .count = 1000}};
    struct progress *progress = mmap(NULL, sizeof(*progress),
        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (count < 2 || !read_arguments(&work, argument + 1)) {
        fprintf(stderr,
            "usage: %s FILE [--seed N] [--from N] [--count N] "
            "[--cut] [--one N]\n",
            argument[0]);
        return 2;
    }
    give_signal_stack();
    if (progress == MAP_FAILED || !read_file(&work) ||
        !trial_open(&work.trial)) {
        return EXIT_FAILURE;
    }
    if (work.cut && !work.numbers.one) {
        work.numbers.from = 0;
        work.numbers.count = work.size;
    }
    mutation_map(&work.map, work.bytes, work.size);
    progress->number = work.numbers.from;
    if (!run_all(&work, progress)) {
        return EXIT_FAILURE;
    }
    print_counts(&work, progress);
    trial_close(&work.trial);
    free(work.bytes);
    return progress->ends[TRIAL_NONE] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
