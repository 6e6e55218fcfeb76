/* benchmarks.h - the rows of benchmarks.def. */
#ifndef TESTS_BENCH_BENCHMARKS_H
#define TESTS_BENCH_BENCHMARKS_H

#include <stdbool.h>

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

struct benchmark_result {
    const struct benchmark *of;
    double value; /* in the unit */
    double ratio; /* to the reference */
};

#define BENCHMARK(name, measured, reference, ...)                              \
    benchmark_function measured, reference;
#include "tests/bench/benchmarks.def"
#undef BENCHMARK

enum {
#define BENCHMARK(name, measured, ...) BENCHMARK_##measured,
#include "tests/bench/benchmarks.def"
#undef BENCHMARK
    BENCHMARK_COUNT
};

extern const struct benchmark benchmarks[BENCHMARK_COUNT];
extern const char *const benchmark_units[UNIT_COUNT];

/* Whether the value misses the bar. */
bool benchmark_misses(const struct benchmark_result *result);

/* Runs it often enough for medians. */
struct benchmark_result benchmark_run(const struct benchmark *benchmark);

#endif
