/* pmu_registers.h - the addresses by which software reaches an x86 PMU: what a
 * driver's source has as constants. Whether a register is there is sim/'s. */
#ifndef API_HAL_PMU_REGISTERS_H
#define API_HAL_PMU_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/model.h"

/* Intel's fixed counters, and what all x86 PMUs have in common. */
enum {
    PMU_FIRST_FIXED = 32, /* the HAL's index of fixed counter 0 */
    IA32_FIXED_CTR0 = 0x309,
    IA32_FIXED_CTR_CTRL = 0x38D,
    IA32_PEBS_ENABLE = 0x3F1,
    IA32_X2APIC_LVT_PMI = 0x834,
    /* a general counter's select */
    SELECT_UMASK = 8,
    SELECT_USR = 16,
    SELECT_OS = 17,
    SELECT_INT = 20,
    SELECT_EN = 22,
    SELECT_EVENT_HIGH = 32, /* AMD: bits 11:8 of the event */
    /* a fixed counter's field of IA32_FIXED_CTR_CTRL */
    FIXED_FIELD = 4, /* bits */
    FIXED_RINGS = 3, /* both ring bits */
    FIXED_OS = 0,
    FIXED_USR = 1,
    FIXED_PMI = 3,
};

/* A row of pmu_registers.def. */
struct pmu_registers {
    enum vendor vendor;
    unsigned since; /* this version of the vendor's PMU, as models count it */
    uint32_t counter, select, whole, stride;
    uint32_t status, control, reset, set;
    uint64_t frozen;
};

/* NULL when the vendor has no such version, or no PMU of x86. */
const struct pmu_registers *pmu_registers_find(
    enum vendor vendor, unsigned version);

/* Of general counter n. */
uint32_t pmu_registers_counter(const struct pmu_registers *at, unsigned n);
uint32_t pmu_registers_select(const struct pmu_registers *at, unsigned n);
uint32_t pmu_registers_whole(const struct pmu_registers *at, unsigned n);

#endif
