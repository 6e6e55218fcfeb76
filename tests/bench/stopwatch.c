/* stopwatch.c - the host's clock of a thread. */
#include "tests/bench/stopwatch.h"

#include <assert.h>
#include <time.h>

double stopwatch_ns(void)
{
    struct timespec now;
    int status = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);

    assert(status == 0);
    (void)status;
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}
