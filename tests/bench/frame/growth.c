/* growth.c - the exponent of a cost at three sizes. */
#include "tests/bench/frame/growth.h"

#include <math.h>

#include "tests/bench/frame/benchmark.h"

#define PATIENCE_NS 10e9

enum { ROUNDS = 5 };

/* What one size costs where the fixed work takes FIXED_WORK_NS. */
static double cost_at(
    const struct bench *bench, const struct growth *growth, uint64_t size)
{
    double fixed = bench->fixed_work();

    return growth->cost(size) * FIXED_WORK_NS / fixed;
}

/* The line through both ends, in logarithms. */
static double exponent(const struct growth_result *result)
{
    const uint64_t *size = result->of->size;

    for (unsigned i = 0; i < GROWTH_SIZES; i++) {
        if (result->ns[i] <= 0) {
            return HUGE_VAL;
        }
    }
    return log(result->ns[GROWTH_SIZES - 1] / result->ns[0]) /
           log((double)size[GROWTH_SIZES - 1] / (double)size[0]);
}

struct growth_result growth_run(
    const struct bench *bench, const struct growth *growth)
{
    struct growth_result result = {.of = growth};
    double start[ROUNDS] = {0}, ns[GROWTH_SIZES][ROUNDS], spent = 0;
    unsigned rounds = 0;

    growth->cost(growth->size[0]); /* what is made but once */
    for (; rounds < ROUNDS && spent < PATIENCE_NS; rounds++) {
        if (growth->kind == GROWTH_LINEAR) {
            start[rounds] = cost_at(bench, growth, 0);
        }
        for (unsigned i = 0; i < GROWTH_SIZES; i++) {
            ns[i][rounds] = cost_at(bench, growth, growth->size[i]);
            spent += ns[i][rounds];
        }
    }
    result.start_ns = median(start, rounds);
    for (unsigned i = 0; i < GROWTH_SIZES; i++) {
        result.ns[i] = median(ns[i], rounds) - result.start_ns;
    }
    result.exponent = exponent(&result);
    return result;
}

double growth_most(const struct growth *growth)
{
    return growth->kind == GROWTH_LINEAR ? 1.15 : 0.1;
}

bool growth_fails(const struct growth_result *result)
{
    return result->exponent > growth_most(result->of);
}
