/* growth.c - medians of a few runs of the family pmu's load. */
#include "tests/bench/growth.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/pmu_scene.h"

enum { RUNS = 7 };

/* What grows: all loads are this one but for one figure. */
static const struct pmu_load middle = {.processors = 16,
    .counters = 4,
    .overflows = 1600,
    .segments = 1,
    .cycles = 1000000000};

static void set_processors(struct pmu_load *load, uint64_t value)
{
    load->processors = (uint32_t)value;
}

static void set_counters(struct pmu_load *load, uint64_t value)
{
    load->counters = (unsigned)value;
}

static void set_overflows(struct pmu_load *load, uint64_t value)
{
    load->overflows = (unsigned)value;
}

static void set_segments(struct pmu_load *load, uint64_t value)
{
    load->segments = (unsigned)value;
}

static void set_cycles(struct pmu_load *load, uint64_t value)
{
    load->cycles = value;
}

static const struct growth {
    const char *of;
    void (*set)(struct pmu_load *load, uint64_t value);
    uint64_t value[5];
} growths[] = {
    {"processors", set_processors, {1, 4, 16, 64, 1024}},
    {"counters", set_counters, {1, 2, 4, 6, 8}},
    {"overflows", set_overflows, {16, 160, 1600, 16000, 160000}},
    {"segments", set_segments, {1, 10, 100, 1000, 10000}},
    {"cycles", set_cycles,
        {10000000, 1000000000, 10000000000, 100000000000, 1000000000000}},
};

static int ascending(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static double median_time(const struct pmu_load *load)
{
    double ns[RUNS];

    for (int i = 0; i < RUNS; i++) {
        ns[i] = pmu_scene_time(load);
    }
    qsort(ns, RUNS, sizeof(*ns), ascending);
    return ns[RUNS / 2];
}

static void print_growth(const struct growth *growth)
{
    for (size_t i = 0; i < sizeof(growth->value) / sizeof(*growth->value);
         i++) {
        struct pmu_load load = middle;
        double ns;

        growth->set(&load, growth->value[i]);
        ns = median_time(&load);
        printf("%-10s %14" PRIu64 " %12.1f us\n", growth->of, growth->value[i],
            ns / 1000);
    }
}

void growth_print(void)
{
    printf("\nHow the time to run grows, with %u processors, %u counters, %u "
           "overflows, %u segment and %.0e cycles of each but for one:\n",
        (unsigned)middle.processors, middle.counters, middle.overflows,
        middle.segments, (double)middle.cycles);
    for (size_t i = 0; i < sizeof(growths) / sizeof(growths[0]); i++) {
        print_growth(&growths[i]);
    }
}
