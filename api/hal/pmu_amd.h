/* pmu_amd.h - AMD's PMU: K7, the core extension, PerfMonV2. Counter n is index
 * n, and there are no fixed ones (facts.md A27, pmu.md 1.6). */
#ifndef API_HAL_PMU_AMD_H
#define API_HAL_PMU_AMD_H

#include "api/hal/pmu.h"

extern const struct hal_pmu_row pmu_amd;

#endif
