/* stopwatch.h - processor time, so that what else runs on the host counts as
 * little as possible. */
#ifndef TESTS_BENCH_STOPWATCH_H
#define TESTS_BENCH_STOPWATCH_H

/* Nanoseconds of processor time that this thread has taken. */
double stopwatch_ns(void);

/* By the clock, for what several processes do. */
double stopwatch_clock_ns(void);

#endif
