/* benchmarks.h - the rows of benchmarks.def. */
#ifndef TESTS_BENCH_BENCHMARKS_H
#define TESTS_BENCH_BENCHMARKS_H

#include "tests/bench/frame/benchmark.h"

#define BENCHMARK(name, measured, reference, ...)                              \
    benchmark_function measured, reference;
#include "tests/bench/benchmarks.def"
#undef BENCHMARK

/* The family native calls this program itself, with this word and another. */
#define NATIVE_APART "--native-apart"

/* What that does: writes a figure to its output. Returns the exit code. */
int native_apart(const char *word);

#endif
