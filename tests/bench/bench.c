/* bench.c - what is measured of ntpmu: benchmarks.def and growths.def
 * (frame/bench_command.h). */
#include <string.h>

#include "tests/bench/benchmarks.h"
#include "tests/bench/frame/bench_command.h"
#include "tests/bench/growths.h"

enum { ROUNDS = 15, WARM_UP = 2 };

static const struct benchmark benchmarks[] = {
#define BENCHMARK(name, measured, reference, value, unit, bar, to)             \
    {name, measured, reference, VALUE_##value, UNIT_##unit, bar, to},
#include "tests/bench/benchmarks.def"
#undef BENCHMARK
};

static const struct growth growths[] = {
#define GROWTH(name, cost, small, middle, large, kind, what)                   \
    {name, cost, {small, middle, large}, GROWTH_##kind, what},
#include "tests/bench/growths.def"
#undef GROWTH
};

int main(int argc, char **argv)
{
    static const struct bench bench = {.benchmark = benchmarks,
        .count = sizeof(benchmarks) / sizeof(benchmarks[0]),
        .growth = growths,
        .growth_count = sizeof(growths) / sizeof(growths[0]),
        .fixed_work = pmu_fixed_work,
        .rounds = ROUNDS,
        .warm_up = WARM_UP};

    if (argc == 3 && strcmp(argv[1], NATIVE_APART) == 0) {
        return native_apart(argv[2]);
    }
    return bench_command(&bench, argc, argv, stdout, stderr);
}
