/* benchmarks.h - the rows of benchmarks.def. */
#ifndef TESTS_BENCH_BENCHMARKS_H
#define TESTS_BENCH_BENCHMARKS_H

#include "tests/bench/frame/benchmark.h"

#define BENCHMARK(name, measured, reference, ...)                              \
    benchmark_function measured, reference;
#include "tests/bench/benchmarks.def"
#undef BENCHMARK

#endif
