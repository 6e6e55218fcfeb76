/* intel.h - what Intel's registers tell of a model. */
#ifndef SIM_PMU_INTEL_H
#define SIM_PMU_INTEL_H

#include <stdint.h>

#include "sim/pmu/model.h"

/* IA32_PERF_CAPABILITIES; 0 when there is none. With PEBS bits 6 (records are
 * written at the end of the instruction) and 7 (they hold registers) are set.
 */
static inline uint64_t intel_capabilities(const struct pmu_model *model)
{
    enum {
        PEBS_TRAP = 1 << 6,
        PEBS_REGISTERS = 1 << 7,
        FULL_WIDTH = 1 << 13,
        PEBS_BASELINE = 1 << 14,
        PEBS_FORMAT = 8
    };

    return (model->full_width ? FULL_WIDTH : 0u) |
           (model->pebs ? PEBS_TRAP | PEBS_REGISTERS |
                              model->pebs_format << PEBS_FORMAT
                        : 0u) |
           (model->pebs_baseline ? PEBS_BASELINE : 0u);
}

#endif
