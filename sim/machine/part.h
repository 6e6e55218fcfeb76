/* part.h - the processor as sold that a model is like, and what it tells of
 * itself besides its PMU: figures only, no state. */
#ifndef SIM_MACHINE_PART_H
#define SIM_MACHINE_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/model.h"

/* A row of parts.def; all zero for those of Arm. */
struct part {
    uint32_t ecx, edx;                   /* CPUID.1 */
    uint32_t extended_ecx, extended_edx; /* CPUID.80000001H */
    uint32_t platform;                   /* IA32_PLATFORM_ID[52:50] */
    uint32_t microcode;
    bool clocks; /* MPERF and APERF */
    bool info;   /* MSR_PLATFORM_INFO */
};

/* The model of models.def with the same maker and signature, the first where
 * there are several: NONE for all generic ones of Intel's. MODEL_COUNT: nobody
 * sells such a one, so nothing is known of its part. */
enum model part_number(const struct pmu_model *model);

const struct part *part_of(const struct pmu_model *model);

#endif
