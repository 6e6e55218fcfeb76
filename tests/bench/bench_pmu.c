/* bench_pmu.c - the families pmu and machine: counters and processors, without
 * a kernel. */
#include <assert.h>
#include <stdlib.h>

#include "sim/machine/msr.h"
#include "sim/pmu/segment.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/pmu_scene.h"
#include "tests/bench/resident.h"

enum {
    EACH_OVERFLOWS = 16, /* of every processor, for a figure of one */
    STAGGER = 1000,
};

static const struct pmu_load many_cycles = {.processors = 64,
    .counters = 8,
    .overflows = 1000,
    .segments = 1,
    .cycles = UINT64_C(1000000000000)};

double pmu_many_cycles(void)
{
    return pmu_scene_time(&many_cycles);
}

double pmu_few_cycles(void)
{
    struct pmu_load load = many_cycles;

    load.cycles = 1000000;
    return pmu_scene_time(&load);
}

double pmu_fixed_work(void)
{
    return pmu_scene_fixed_work();
}

/* One every STAGGER cycles or seldomer, as when processors are sampled, each at
 * its own time. */
static double time_of(uint32_t processors, unsigned each)
{
    const struct pmu_load load = {.processors = processors,
        .counters = 8,
        .overflows = processors * each,
        .segments = 1,
        .cycles = UINT64_C(2048) * STAGGER * each,
        .stagger = STAGGER};

    return pmu_scene_time(&load);
}

/* Of one more overflow: what it takes to begin is left out. */
static double overflows_of(uint32_t processors, unsigned each)
{
    return (time_of(processors, 4 * each) - time_of(processors, each)) /
           (3.0 * each * processors);
}

double machine_2048_overflow(void)
{
    return overflows_of(2048, EACH_OVERFLOWS);
}

double machine_1_overflow(void)
{
    return overflows_of(1, 2048 * EACH_OVERFLOWS);
}

static void run_one_each(const void *processors)
{
    const struct pmu_load load = {.processors = *(const uint32_t *)processors,
        .counters = 8,
        .overflows = *(const uint32_t *)processors,
        .segments = 1,
        .cycles = 10000};

    pmu_scene_run(&load);
}

double machine_2048_resident(void)
{
    return resident_added(run_one_each, &(uint32_t){2048});
}

double machine_1_resident(void)
{
    return resident_added(run_one_each, &(uint32_t){1});
}
