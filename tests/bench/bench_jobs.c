/* bench_jobs.c - the family runner: what more than one process gains: the
 * program from its beginning to its end, files read, instances run, results
 * printed. By the clock, so the host should have nothing else to do. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "tests/bench/benchmarks.h"
#include "tests/bench/runner_scene.h"
#include "tests/bench/stopwatch.h"

enum { FILES = 10000, INSTANCES = 10000 };

/* ntpmu run PATH, in so many processes. */
static pid_t start(const char *path, const char *jobs)
{
    pid_t pid = fork();

    assert(pid >= 0);
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, STDOUT_FILENO);
        setenv("XDG_CACHE_HOME", "", 1);
        unsetenv("HOME"); /* no last results */
        execl(BENCH_PROGRAM, "ntpmu", "run", path, jobs, (char *)NULL);
        _exit(127);
    }
    return pid;
}

static void end(pid_t pid)
{
    int status;
    pid_t ended = waitpid(pid, &status, 0);

    assert(ended == pid && status == 0);
    (void)ended;
}

/* Two runs side by side that know nothing of each other; for one of them. */
static double two_alone(const char *path)
{
    double begun = stopwatch_clock_ns();
    pid_t first = start(path, "-j1"), second = start(path, "-j1");

    end(first);
    end(second);
    return (stopwatch_clock_ns() - begun) / 2;
}

static double two_workers(const char *path)
{
    double begun = stopwatch_clock_ns();

    end(start(path, "-j2"));
    return stopwatch_clock_ns() - begun;
}

double runner_files_alone(void)
{
    return two_alone(runner_scene_files(FILES));
}

double runner_files_workers(void)
{
    return two_workers(runner_scene_files(FILES));
}

/* One file of many instances. */
static double with_instances(double measure(const char *path))
{
    void *memory = talloc_new(NULL);
    const char *text = runner_scene_instances(memory, INSTANCES);
    double ns = measure(runner_scene_file(memory, text, strlen(text)));

    talloc_free(memory);
    return ns;
}

double runner_instances_alone(void)
{
    return with_instances(two_alone);
}

double runner_instances_workers(void)
{
    return with_instances(two_workers);
}
