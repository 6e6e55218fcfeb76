/* interruption.c - SIGINT, SIGTERM, SIGHUP, and the end of a pipe that we write
 * to: the program ends at once, unless it has results to keep. */
#define _GNU_SOURCE
#include "scenarios/runner/output/interruption.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/runner/output/unfinished.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static volatile sig_atomic_t deferred, noted;
static bool ignored[SIGNALS]; /* by whoever started the program */
static bool pipe_ends;
static int ends[2] = {-1, -1}; /* of a pipe: what is noted can be waited for */

static void end_by(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;

    unfinished_unlink();
    sigemptyset(&action.sa_mask);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigaction(number, &action, NULL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void take(int number)
{
    int error = errno;

    if (!deferred || noted != 0) {
        end_by(number);
    }
    noted = number;
    if (ends[1] >= 0) {
        ssize_t written = write(ends[1], "", 1);

        (void)written; /* there is room for one byte */
    }
    errno = error;
}

static void handle(void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        if (!ignored[i]) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

void interruption_install(void)
{
    struct sigaction before;

    for (size_t i = 0; i < SIGNALS; i++) {
        ignored[i] = sigaction(signals[i], NULL, &before) == 0 &&
                     before.sa_handler == SIG_IGN;
    }
    pipe_ends =
        sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler == SIG_DFL;
    handle(take);
}

void interruption_defer(void)
{
    /* Without one, what waits sees a signal a little later. */
    if (ends[0] < 0 && pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        ends[0] = ends[1] = -1;
    }
    signal(SIGPIPE, SIG_IGN);
    deferred = 1;
}

void interruption_allow(void)
{
    deferred = 0;
    if (pipe_ends) {
        signal(SIGPIPE, SIG_DFL);
    }
}

int interruption_noted(void)
{
    return noted;
}

const char *interruption_name(void)
{
    return noted == 0 ? NULL : sigabbrev_np(noted);
}

int interruption_descriptor(void)
{
    return ends[0];
}

bool interruption_by_pipe(void)
{
    return pipe_ends;
}

void interruption_ignore(void)
{
    handle(SIG_IGN);
    if (ends[0] >= 0) {
        close(ends[0]);
        close(ends[1]);
    }
    ends[0] = ends[1] = -1;
    deferred = noted = 0;
}

_Noreturn void interruption_end(int number)
{
    end_by(number);
    abort(); /* nothing outlives the default action of these signals */
}
