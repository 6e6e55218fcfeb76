/* confined.h - a process in a sandbox. Who includes it defines _GNU_SOURCE. */
#ifndef TESTS_RUNNER_RUN_CONFINED_H
#define TESTS_RUNNER_RUN_CONFINED_H

#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/runner/run/sandbox.h"
#include "tests/rows.h"

enum { CONFINED_REFUSED = 99 };

static const struct sandbox_limits confined_limits = {
    .cpu_us = 1500000, .memory_bytes = 1 << 30};

/* A process in a sandbox that runs `live(argument)` and exits with what comes
 * back. */
static inline pid_t confine(const struct sandbox_limits *own,
    int (*live)(const void *argument), const void *argument)
{
    pid_t parent = getpid();
    pid_t pid = fork();

    if (pid == 0) {
        _exit(sandbox_apply(own, parent) == NULL ? live(argument)
                                                 : CONFINED_REFUSED);
    }
    assert_true(pid > 0);
    return pid;
}

static inline int confined_status(pid_t pid)
{
    int status;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

#endif
