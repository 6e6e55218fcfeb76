/* counted.c - a program whose processes run at the same time and end in all
 * ways. Behind a line stands how often it runs in all of them. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/runner/run/sandbox.h"

enum { TIMES = 3000000 };

/* How a process ends; the first one returns from main(). */
enum ending { BY_EXIT, BY_UNDERLINE_EXIT, BY_KILL, IN_SANDBOX, BY_RETURN };

static void work(volatile unsigned *done)
{
    for (unsigned i = 0; i < TIMES; i++) {
        ++*done; /* 15000000 */
    }
}

static void confine(pid_t parent)
{
    const struct sandbox_limits limits = {
        .cpu_us = 60000000, .memory_bytes = UINT64_C(1) << 30};

    if (sandbox_apply(&limits, parent) != NULL) {
        _exit(EXIT_FAILURE); /* 0 */
    }
}

static void end(enum ending ending)
{
    switch (ending) {
    case BY_EXIT:
        exit(EXIT_SUCCESS); /* 1 */
    case BY_KILL:
        raise(SIGKILL); /* 1 */
        break;
    case BY_UNDERLINE_EXIT:
    case IN_SANDBOX:
        _exit(EXIT_SUCCESS); /* 2 */
    case BY_RETURN:
        break;
    }
}

static void live(enum ending ending, pid_t parent)
{
    volatile unsigned done = 0;

    if (ending == IN_SANDBOX) {
        confine(parent); /* 1 */
    }
    work(&done); /* 5 */
    end(ending); /* 5 */
}

int main(void)
{
    pid_t parent = getpid();
    bool right = true;
    int status;

    for (int i = 0; i < BY_RETURN; i++) {
        if (fork() == 0) {
            live((enum ending)i, parent); /* 4 */
        }
    }
    live(BY_RETURN, parent); /* 1 */
    for (int i = 0; i < BY_RETURN; i++) {
        right = wait(&status) > 0 && right; /* 4 */
        right = (status == 0 || WTERMSIG(status) == SIGKILL) && right;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE; /* 1 */
}
