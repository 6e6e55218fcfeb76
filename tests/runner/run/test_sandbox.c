/* test_sandbox.c - the limits of a confined process, as the host shows them and
 * as they end it. */
#define _GNU_SOURCE
#include "scenarios/runner/run/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "sim/base/asan_fiber.h"
#include "tests/runner/run/confined.h"

static int ready[2];

/* Says that it is there, and waits for ever. */
static int wait_inside(const void *argument)
{
    int never = 0;
    ssize_t written = write(ready[1], "", 1);

    (void)argument;
    syscall(SYS_futex, &never, 0 /* FUTEX_WAIT */, 0, NULL);
    return written == 1 ? 0 : 1;
}

static pid_t confine_waiting(void)
{
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ready), 0);
    pid = confine(&confined_limits, wait_inside, NULL);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    confined_status(pid);
}

static struct limit_row {
    const char *name;
    __rlimit_resource_t resource;
    rlim_t want_soft, want_hard;
} limit_rows[] = {
    {"processor_time_is_limited", RLIMIT_CPU, 3, 4},
    {"no_core_is_dumped", RLIMIT_CORE, 0, 0},
    {"three_descriptors_at_most", RLIMIT_NOFILE, 3, 3},
#ifndef ASAN_FIBER
    {"data_is_limited", RLIMIT_DATA, 1 << 30, 1 << 30},
#endif
};

static void limit_row(void **state)
{
    const struct limit_row *row = *state;
    pid_t pid = confine_waiting();
    struct rlimit found;
    int got = prlimit(pid, row->resource, NULL, &found);

    end(pid);
    assert_int_equal(got, 0);
    assert_int_equal(found.rlim_cur, row->want_soft);
    assert_int_equal(found.rlim_max, row->want_hard);
}

/* With error output into a file of `size` bytes, or into none. */
static struct file_row {
    const char *name;
    int size; /* -1: a pipe */
    rlim_t want;
} file_rows[] = {
    {"no_file_grows", -1, 0},
    {"error_output_may_grow_by_1_mib", 10, 1048586},
};

static void file_row(void **state)
{
    const struct file_row *row = *state;
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);
    int other[2];
    struct rlimit found;
    pid_t pid;

    assert_non_null(file);
    assert_int_equal(pipe(other), 0);
    assert_int_equal(ftruncate(fileno(file), row->size < 0 ? 0 : row->size), 0);
    dup2(row->size < 0 ? other[1] : fileno(file), STDERR_FILENO);
    pid = confine_waiting();
    dup2(saved, STDERR_FILENO);
    prlimit(pid, RLIMIT_FSIZE, NULL, &found);
    end(pid);
    close(saved);
    close(other[0]);
    close(other[1]);
    fclose(file);
    assert_int_equal(found.rlim_cur, row->want);
}

static struct state_row {
    const char *name, *want; /* a line of /proc/PID/status */
} state_rows[] = {
    {"privileges_are_given_up", "NoNewPrivs:\t1\n"},
    {"permitted_capabilities_are_given_up", "CapPrm:\t0000000000000000\n"},
    {"effective_capabilities_are_given_up", "CapEff:\t0000000000000000\n"},
    {"inherited_capabilities_are_given_up", "CapInh:\t0000000000000000\n"},
    {"a_filter_of_system_calls_is_there", "Seccomp:\t2\n"},
};

static void state_row(void **state)
{
    const struct state_row *row = *state;
    pid_t pid = confine_waiting();
    char text[4096];
    FILE *file;

    snprintf(text, sizeof(text), "/proc/%d/status", (int)pid);
    file = fopen(text, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    end(pid);
    assert_non_null(strstr(text, row->want));
}

static int loop(const void *argument)
{
    volatile uint64_t turns = 1;

    (void)argument;
    while (turns != 0) {
        turns++;
    }
    return 0;
}

static int loop_without_timer(const void *argument)
{
    signal(SIGPROF, SIG_IGN);
    return loop(argument);
}

static struct loop_row {
    const char *name;
    uint64_t cpu_us;
    int (*live)(const void *argument);
    int want;
} loop_rows[] = {
    {"loop_ends_when_its_time_is_up", 100000, loop, SIGPROF},
    {"loop_that_ignores_the_timer_ends", 1, loop_without_timer, SIGXCPU},
};

static void loop_row(void **state)
{
    const struct loop_row *row = *state;
    struct sandbox_limits own = confined_limits;
    int status;

    own.cpu_us = row->cpu_us;
    status = confined_status(confine(&own, row->live, NULL));
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), row->want);
}

/* The parent that is named is not this one. */
static void sandbox_needs_the_parent_that_it_ends_with(void **state)
{
    pid_t pid = fork();
    int status;

    (void)state;
    if (pid == 0) {
        const char *refused = sandbox_apply(&confined_limits, 1 << 30);

        _exit(refused != NULL &&
                      strcmp(refused, "to end with its parent") == 0 &&
                      errno == ESRCH
                  ? 0
                  : 1);
    }
    status = confined_status(pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST_FILE(test_sandbox)
{
    TEST_ADD_ROWS(list, limit_row, limit_rows);
    TEST_ADD_ROWS(list, file_row, file_rows);
    TEST_ADD_ROWS(list, state_row, state_rows);
    TEST_ADD_ROWS(list, loop_row, loop_rows);
    test_add(list, "sandbox_needs_the_parent_that_it_ends_with",
        sandbox_needs_the_parent_that_it_ends_with, NULL);
}
