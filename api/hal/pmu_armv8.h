/* pmu_armv8.h - the HAL's knowledge of PMUv3: which system registers say what
 * overflowed and how it is cleared. Event counter n is index n, the cycle
 * counter index 31, the bits that they have there (facts.md A27). */
#ifndef API_HAL_PMU_ARMV8_H
#define API_HAL_PMU_ARMV8_H

#include "api/hal/pmu.h"

extern const struct hal_pmu_row pmu_armv8;

#endif
