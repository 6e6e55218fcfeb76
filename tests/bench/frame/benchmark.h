/* benchmark.h - what is measured, how, and how good it has to be. Knows nothing
 * of what it measures: that is in a table of the program. */
#ifndef TESTS_BENCH_FRAME_BENCHMARK_H
#define TESTS_BENCH_FRAME_BENCHMARK_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/bench/frame/growth.h"

/* Nanoseconds that the fixed work took where the bars were set: times are
 * judged as if it took as long where they are measured. */
#define FIXED_WORK_NS 110.0

enum benchmark_value { VALUE_AMOUNT, VALUE_RATIO, VALUE_SHARE };
enum benchmark_unit {
    UNIT_NS,
    UNIT_US,
    UNIT_MS,
    UNIT_S,
    UNIT_MIB,
    UNIT_RATIO,
    UNIT_COUNT
};

/* Does it many times, and returns the nanoseconds that one took, or the bytes.
 */
typedef double benchmark_function(void);

struct benchmark {
    const char *name; /* family.what */
    benchmark_function *measured, *reference;
    enum benchmark_value value;
    enum benchmark_unit unit;
    double bar; /* in the unit: the most that the value may be, of a share the
                   least */
    const char *to; /* what the reference is */
};

/* A program's tables. */
struct bench {
    const struct benchmark *benchmark;
    size_t count;
    const struct growth *growth;
    size_t growth_count;
    benchmark_function *fixed_work;
    unsigned rounds, warm_up; /* those that count, at most BENCH_ROUNDS, and
                                 those before them */
};

enum { BENCH_ROUNDS = 15 };

struct benchmark_result {
    const struct benchmark *of;
    double value;  /* in the unit, as it was measured */
    double judged; /* what is held against the bar: a time as it is where the
                      fixed work takes FIXED_WORK_NS, anything else the value */
    double ratio;  /* to the reference */
};

extern const char *const benchmark_units[UNIT_COUNT];

/* Medians of alternating rounds: the fixed work, the reference and what is
 * measured, one right after the other, so that what else the host does is alike
 * for all three. */
struct benchmark_result benchmark_run(
    const struct bench *bench, const struct benchmark *benchmark);

/* How much of the bar is used: 1 is the bar, and more misses it. */
double benchmark_of_bar(const struct benchmark_result *result);
bool benchmark_misses(const struct benchmark_result *result);

/* How much worse it is than another figure of the same benchmark: 1 is as good,
 * 2 half as good. */
double benchmark_slower(const struct benchmark *of, double now, double then);

/* The median of `count` values, which it brings into order. */
double median(double *value, unsigned count);

#endif
