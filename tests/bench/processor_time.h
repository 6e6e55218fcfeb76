/* processor_time.h - what this process has taken of the processors, and those
 * of its children that have ended. */
#ifndef TESTS_BENCH_PROCESSOR_TIME_H
#define TESTS_BENCH_PROCESSOR_TIME_H

#include <sys/resource.h>

static inline double processor_time_of(int who)
{
    struct rusage usage;

    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3;
}

/* Nanoseconds. */
static inline double processor_time_ns(void)
{
    return processor_time_of(RUSAGE_SELF) + processor_time_of(RUSAGE_CHILDREN);
}

#endif
