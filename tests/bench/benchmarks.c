/* benchmarks.c - the table, and medians of runs. */
#include "tests/bench/benchmarks.h"

#include <stdlib.h>

enum {
    WARM_UP = 2, /* runs that do not count */
    RUNS = 15,
};

const struct benchmark benchmarks[BENCHMARK_COUNT] = {
#define BENCHMARK(name, measured, reference, value, unit, bar, to)             \
    {name, measured, reference, VALUE_##value, UNIT_##unit, bar, to},
#include "tests/bench/benchmarks.def"
#undef BENCHMARK
};

const char *const benchmark_units[UNIT_COUNT] = {[UNIT_NS] = "ns",
    [UNIT_US] = "us",
    [UNIT_MS] = "ms",
    [UNIT_S] = "s",
    [UNIT_MIB] = "MiB",
    [UNIT_RATIO] = "ratio"};

/* In nanoseconds, or bytes. */
static const double unit_size[UNIT_COUNT] = {[UNIT_NS] = 1,
    [UNIT_US] = 1e3,
    [UNIT_MS] = 1e6,
    [UNIT_S] = 1e9,
    [UNIT_MIB] = 1048576,
    [UNIT_RATIO] = 1};

static int ascending(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static double median(double values[RUNS])
{
    qsort(values, RUNS, sizeof(*values), ascending);
    return values[RUNS / 2];
}

struct benchmark_result benchmark_run(const struct benchmark *benchmark)
{
    struct benchmark_result result = {.of = benchmark};
    double amount[RUNS], ratio[RUNS];

    for (int i = -WARM_UP; i < RUNS; i++) {
        /* One right after the other: what else the host does is alike. */
        double reference = benchmark->reference();
        double measured = benchmark->measured();

        if (i >= 0) {
            amount[i] = measured;
            ratio[i] = measured / reference;
        }
    }
    result.ratio = median(ratio);
    result.value = benchmark->value == VALUE_AMOUNT
                       ? median(amount) / unit_size[benchmark->unit]
                       : result.ratio;
    return result;
}

bool benchmark_misses(const struct benchmark_result *result)
{
    const struct benchmark *of = result->of;

    return of->value == VALUE_SHARE ? result->value < of->bar
                                    : result->value > of->bar;
}
