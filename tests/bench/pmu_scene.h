/* pmu_scene.h - processors whose counters run and overflow, without a kernel:
 * what the family pmu measures. */
#ifndef TESTS_BENCH_PMU_SCENE_H
#define TESTS_BENCH_PMU_SCENE_H

#include "sim/machine/machine.h"

struct pmu_load {
    uint32_t processors;
    unsigned counters;  /* GP counters that run, 1..8 */
    unsigned overflows; /* of counter 0, in all */
    unsigned segments;  /* of each processor */
    uint64_t cycles;    /* of each processor, in all */
    uint64_t stagger;   /* cycles by which each begins after the one before */
};

/* Programs counter 0 of every processor to overflow every 1,000 events with an
 * interrupt, the others to count cycles, runs the load, and returns the
 * nanoseconds that the running took. The handler ends the interrupt, presets
 * the counter again and opens LVTPC. */
double pmu_scene_time(const struct pmu_load *load);

/* The same without a clock, for what looks at the memory. */
void pmu_scene_run(const struct pmu_load *load);

/* Nanoseconds of 64 dependent loads and 16 indirect calls, about 100: by which
 * machines can be compared. */
double pmu_scene_fixed_work(void);

#endif
