/* growth_pmu.c - growths of the machine: processors, counters, overflows and
 * stretches of code, without a kernel. */
#include <stddef.h>

#include "tests/bench/growths.h"
#include "tests/bench/pmu_scene.h"

/* All loads are this one but for one figure. */
static const struct pmu_load middle = {.processors = 16,
    .counters = 4,
    .overflows = 1600,
    .segments = 1,
    .cycles = 1000000000};

/* As many overflows of each, one after the other. */
double growth_processors(uint64_t size)
{
    struct pmu_load load = middle;

    load.processors = (uint32_t)size;
    load.overflows = (unsigned)size * 32;
    load.cycles = size * 32 * 1000;
    load.stagger = 1000;
    return size == 0 ? 0 : pmu_scene_time(&load);
}

double growth_counters(uint64_t size)
{
    struct pmu_load load = middle;

    load.counters = (unsigned)size;
    return size == 0 ? 0 : pmu_scene_time(&load);
}

double growth_overflows(uint64_t size)
{
    struct pmu_load load = middle;

    load.processors = 1;
    load.overflows = (unsigned)size;
    return pmu_scene_time(&load);
}

double growth_segments(uint64_t size)
{
    struct pmu_load load = middle;

    load.segments = size == 0 ? 1 : (unsigned)size;
    return pmu_scene_time(&load);
}

double growth_cycles(uint64_t size)
{
    struct pmu_load load = middle;

    load.cycles = size;
    return pmu_scene_time(&load);
}
