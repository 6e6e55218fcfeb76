/* bench_jobs.c - the family runner: what more than one process gains. By the
 * clock, so the host should have nothing else to do. */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/run/batch.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/runner_scene.h"
#include "tests/bench/stopwatch.h"

enum { INSTANCES = 20000 };

/* Runs the instance that often in so many processes. */
static void run_batch(uint32_t jobs)
{
    const char *text = runner_scene_overflow();
    struct run_settings *settings = talloc_zero(NULL, struct run_settings);
    char *path = talloc_strdup(
        settings, runner_scene_file(settings, text, strlen(text)));
    struct suite *suite = suite_read(settings, &language_kinds, &path, 1);
    struct batch batch;

    assert(suite->instances->count == 1);
    settings->jobs = jobs;
    settings->repeat = INSTANCES;
    settings->budget = UINT64_MAX;
    if (batch_open(&batch, suite, settings, stderr) != EXIT_OK) {
        assert(false && "the host gives no address space");
    }
    while (batch.next < batch.results) {
        struct batch_result result;

        batch_next(&batch, &result);
        assert(result.verdict->result == RESULT_PASS);
        batch_release(&result);
    }
    batch_close(&batch);
    talloc_free(settings);
}

static pid_t start_alone(void)
{
    pid_t pid = fork();

    assert(pid >= 0);
    if (pid == 0) {
        run_batch(1);
        _exit(0);
    }
    return pid;
}

/* Two runs side by side that know nothing of each other; for one of them. */
double runner_two_alone(void)
{
    double start = stopwatch_clock_ns();
    pid_t pid[2] = {start_alone(), start_alone()};

    for (unsigned i = 0; i < 2; i++) {
        int status;
        pid_t ended = waitpid(pid[i], &status, 0);

        assert(ended == pid[i] && status == 0);
        (void)ended;
    }
    return (stopwatch_clock_ns() - start) / (2 * INSTANCES);
}

double runner_two_workers(void)
{
    double start = stopwatch_clock_ns();

    run_batch(2);
    return (stopwatch_clock_ns() - start) / INSTANCES;
}
