/* benchmark.c - medians of rounds, and the bar. */
#include "tests/bench/frame/benchmark.h"

#include <assert.h>
#include <stdlib.h>

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

double median(double *value, unsigned count)
{
    assert(count > 0);
    qsort(value, count, sizeof(*value), ascending);
    return value[count / 2];
}

static bool is_time(const struct benchmark *benchmark)
{
    return benchmark->value == VALUE_AMOUNT && benchmark->unit != UNIT_MIB;
}

struct benchmark_result benchmark_run(
    const struct bench *bench, const struct benchmark *benchmark)
{
    struct benchmark_result result = {.of = benchmark};
    double amount[BENCH_ROUNDS], ratio[BENCH_ROUNDS], to_fixed[BENCH_ROUNDS];

    assert(bench->rounds > 0 && bench->rounds <= BENCH_ROUNDS);
    for (unsigned i = 0; i < bench->warm_up + bench->rounds; i++) {
        unsigned round = i < bench->warm_up ? 0 : i - bench->warm_up;
        double fixed = bench->fixed_work();
        double reference = benchmark->reference == bench->fixed_work
                               ? fixed
                               : benchmark->reference();

        amount[round] = benchmark->measured();
        ratio[round] = amount[round] / reference;
        to_fixed[round] = amount[round] / fixed;
    }
    result.ratio = median(ratio, bench->rounds);
    result.value =
        benchmark->value == VALUE_AMOUNT
            ? median(amount, bench->rounds) / unit_size[benchmark->unit]
            : result.ratio;
    result.judged = is_time(benchmark)
                        ? median(to_fixed, bench->rounds) * FIXED_WORK_NS /
                              unit_size[benchmark->unit]
                        : result.value;
    return result;
}

double benchmark_of_bar(const struct benchmark_result *result)
{
    return benchmark_slower(result->of, result->judged, result->of->bar);
}

bool benchmark_misses(const struct benchmark_result *result)
{
    return benchmark_of_bar(result) > 1;
}

double benchmark_slower(const struct benchmark *of, double now, double then)
{
    return of->value == VALUE_SHARE ? then / now : now / then;
}
