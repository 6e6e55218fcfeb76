/* benchmarks.h - the rows of benchmarks.def. */
#ifndef TESTS_BENCH_BENCHMARKS_H
#define TESTS_BENCH_BENCHMARKS_H

#include "tests/bench/frame/benchmark.h"

#define BENCHMARK(name, measured, reference, ...)                              \
    benchmark_function measured, reference;
#include "tests/bench/benchmarks.def"
#undef BENCHMARK

/* What forks, native and explore.native, calls this program itself, with this
 * word and another: it is as small then as ntpmu is when it begins. */
#define NATIVE_APART "--native-apart"

/* What that does: writes a figure to its output. Returns the exit code. */
int native_apart(const char *word);

/* The figure that native_apart() writes in a process of its own. */
double native_time_apart(const char *word);

/* That of the word explore. */
double explore_native_here(void);

#endif
