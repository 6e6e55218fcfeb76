/* stopwatch.c - the host's clock of a thread. */
#include "tests/bench/stopwatch.h"

#include <assert.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    int status = clock_gettime(clock, &now);

    assert(status == 0);
    (void)status;
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

double stopwatch_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double stopwatch_clock_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}
