/* bench_native.c - the family native: an instance that runs a driver of 100 KiB
 * in a process of its own, in processor time of all processes. */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/nursery.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/driver_scene.h"
#include "tests/bench/processor_time.h"
#include "tests/bench/runner_scene.h"

enum { INSTANCES = 50, LARGE_FILES = 10 };

static const char native_text[] =
    "ntpmu: 1\n"
    "id: bench.native\n"
    "title: A driver is loaded and unloaded\n"
    "driver: {image: resting.sys}\n"
    "steps:\n"
    "  - driver: load\n"
    "    expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}\n"
    "  - driver: unload\n"
    "    expect: {status: STATUS_SUCCESS}\n";

/* Each processor takes an interrupt. */
static const char wide_text[] =
    "ntpmu: 1\n"
    "id: bench.wide\n"
    "title: The largest machine\n"
    "machine: {cpus: 2048, groups: 32}\n"
    "steps:\n"
    "  - run: {cpu: all, cycles: 1000}\n"
    "  - call: KeGetCurrentIrql\n"
    "    expect: {returns: PASSIVE_LEVEL, covers: [IRQL-03]}\n";

/* Scenarios that are read, and a session to run them in. */
struct native {
    void *memory;
    struct job job;
    struct session session;
};

static const struct suite *read_text(
    struct native *native, const char *text, size_t length)
{
    char *path = talloc_strdup(
        native->memory, runner_scene_file(native->memory, text, length));

    return suite_read(native->memory, &language_kinds, &path, 1);
}

static void run_once(struct native *native, const struct suite *suite)
{
    struct verdict *verdict = job_run(
        NULL, &native->job, &native->session, &suite->instances->item[0], NULL);

    assert(verdict->result == RESULT_PASS);
    talloc_free(verdict);
}

static void open_native(struct native *native)
{
    static const char *const allowed[] = {BENCH_DRIVERS};
    bool ready;

    *native = (struct native){.memory = talloc_new(NULL)};
    native->job =
        (struct job){.settings = {.timeout_us = 10000000, .budget = 1000000},
            .drivers = driver_files_new(native->memory, allowed, 1)};
    native->job.settings.allowed = (struct run_words){allowed, 1};
    native->job.nursery =
        nursery_open(native->memory, &(struct nursery_home){&language_kinds,
                                         &native->job.settings, NULL, NULL});
    assert(native->job.nursery != NULL);
    ready = job_open_session(&native->job, &native->session);
    assert(ready);
    (void)ready;
}

static void close_native(struct native *native)
{
    session_close(&native->session);
    talloc_free(native->memory);
}

/* What a long run has behind it. */
static void do_much(struct native *native)
{
    size_t length;
    const char *large = runner_scene_large(native->memory, &length);

    for (int i = 0; i < LARGE_FILES; i++) {
        read_text(native, large, length);
    }
    run_once(native, read_text(native, wide_text, strlen(wide_text)));
}

/* Of one instance, with its part of what is made once. */
static double time_instance(void (*before)(struct native *native))
{
    double start = processor_time_ns(), other = 0;
    struct native native;
    const struct suite *suite;

    open_native(&native);
    suite = read_text(&native, native_text, strlen(native_text));
    if (before != NULL) {
        other = processor_time_ns();
        before(&native);
        other = processor_time_ns() - other;
    }
    for (int i = 0; i < INSTANCES; i++) {
        run_once(&native, suite);
    }
    TALLOC_FREE(native.job.nursery); /* its time counts, that of the rest's end
                                        does not */
    start = processor_time_ns() - start - other;
    close_native(&native);
    return start / INSTANCES;
}

static double instance_after_nothing(void)
{
    return time_instance(NULL);
}

static double instance_after_much(void)
{
    return time_instance(do_much);
}

/* By the word that this program is called with. */
static const struct {
    const char *word;
    double (*measure)(void);
} figures[] = {
    {"nothing", instance_after_nothing},
    {"much", instance_after_much},
    {"explore", explore_native_here},
};

int native_apart(const char *word)
{
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        if (strcmp(word, figures[i].word) == 0) {
            double ns = figures[i].measure();

            return write(STDOUT_FILENO, &ns, sizeof(ns)) == sizeof(ns) ? 0 : 1;
        }
    }
    return 1;
}

/* In a process of its own, which is as small as `ntpmu run` is when its nursery
 * is forked: what this one has got from other benchmarks is not in it. */
double native_time_apart(const char *word)
{
    double ns = 0;
    int ends[2], status;
    pid_t pid;

    if (pipe(ends) != 0) {
        assert(false && "the host gives no pipe");
    }
    pid = vfork();
    assert(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("/proc/self/exe", "ntpmu_bench", NATIVE_APART, word, NULL);
        _exit(127);
    }
    close(ends[1]);
    if (read(ends[0], &ns, sizeof(ns)) != sizeof(ns) ||
        waitpid(pid, &status, 0) != pid) {
        assert(false && "the process ended without a figure");
    }
    close(ends[0]);
    return ns;
}

double native_instance(void)
{
    return native_time_apart("nothing");
}

double native_instance_after_much(void)
{
    return native_time_apart("much");
}
