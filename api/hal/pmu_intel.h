/* pmu_intel.h - Intel's architectural PMU, versions 1 to 5: general counter n
 * is index n, fixed counter n is index 32+n, the bit that it has in the status
 * register (facts.md A27). */
#ifndef API_HAL_PMU_INTEL_H
#define API_HAL_PMU_INTEL_H

#include "api/hal/pmu.h"

extern const struct hal_pmu_row pmu_intel;

#endif
