/* pmu_armv8.c - the HAL on PMUv3 of Armv8 (pmu.md 1.7). The line falls when its
 * overflow bits are cleared, so that whatever the HAL leaves comes again by
 * itself. */
#include "api/hal/pmu.h"

#include <assert.h>

#include "api/hal/pmu_x86.h"
#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/sysreg.h"
#include "sim/pmu/armv8.h"

enum {
    PMUVER = 8, /* in ID_AA64DFR0_EL1, four bits */
    PMUVER_OTHER = 15,
    PMCR_N_BITS = 5,
};

/* The kernel touches registers that it knows to be there. */
static void msr(struct cpu *cpu, uint32_t reg, uint64_t value)
{
    enum armv8_result result = sysreg_write(cpu, reg, 1, value);

    assert(result == ARMV8_OK);
    (void)result;
}

/* What the register holds, for observers: as at EL2, where nothing is hidden.
 */
static uint64_t peek(const struct cpu *cpu, uint32_t reg)
{
    uint64_t value = 0;
    enum armv8_result result = sysreg_peek(cpu, reg, 2, &value);

    assert(result == ARMV8_OK);
    (void)result;
    return value;
}

static void enumerate(struct hal_pmu *pmu, struct cpu *cpu)
{
    uint64_t version =
        bits_get(sysreg_read_known(cpu, ID_AA64DFR0_EL1), PMUVER, 4);

    if (version == ARMV8_NO_PMU || version == PMUVER_OTHER) {
        return; /* no PMUv3 */
    }
    pmu->counters =
        bits_low((unsigned)bits_get(
            sysreg_read_known(cpu, PMCR_EL0), ARMV8_PMCR_N, PMCR_N_BITS)) |
        bit(ARMV8_CYCLES);
    pmu->width = version >= ARMV8_PMUV3P5 ? 64 : 32;
    pmu->status = pmu->counters;
    pmu->latches = true;
    assert(pmu->counters <= UINT32_MAX); /* the registers have 32 bits */
}

/* Apart, as nearly every second look finds nothing. */
__attribute__((noinline)) static uint64_t without_polled(
    struct cpu *cpu, uint64_t status)
{
    uint64_t enabled = sysreg_read_known(cpu, PMCNTENSET_EL0);
    uint64_t asking = sysreg_read_known(cpu, PMINTENSET_EL1);

    return status & ~(enabled & ~asking);
}

static uint64_t overflowed(const struct hal_pmu *pmu, struct cpu *cpu)
{
    uint64_t status = sysreg_read_known(cpu, PMOVSSET_EL0) & pmu->counters;

    return status == 0 ? 0 : without_polled(cpu, status);
}

static void clear(const struct hal_pmu *pmu, struct cpu *cpu, uint64_t bits)
{
    assert((bits & ~pmu->counters) == 0);
    msr(cpu, PMOVSCLR_EL0, bits);
}

static void disable(const struct hal_pmu *pmu, struct cpu *cpu, uint64_t bits)
{
    assert((bits & ~pmu->counters) == 0);
    msr(cpu, PMCNTENCLR_EL0, bits);
}

/* Bit n when the register is the n-th of those that each event counter has. */
static uint64_t nth(uint32_t reg, uint32_t first, unsigned count)
{
    return reg - first < count ? bit(reg - first) : 0;
}

/* The event counter or, by its type alone, the cycle counter that is selected.
 * The write of one that is not there faults. */
static uint64_t selected(const struct cpu *cpu, uint32_t reg, unsigned count)
{
    unsigned n = (unsigned)peek(cpu, PMSELR_EL0);

    return n < count || (n == ARMV8_CYCLES && reg == PMXEVTYPER_EL0) ? bit(n)
                                                                     : 0;
}

/* Bits that set or clear what is so already program nothing; overflow bits are
 * nobody's. */
static uint64_t programs(const struct cpu *cpu, uint32_t reg, uint64_t value)
{
    unsigned count =
        (unsigned)bits_get(peek(cpu, PMCR_EL0), ARMV8_PMCR_N, PMCR_N_BITS);
    uint64_t all = bits_low(count) | bit(ARMV8_CYCLES);

    switch (reg) {
    case PMCNTENSET_EL0:
        return value & all & ~peek(cpu, PMCNTENSET_EL0);
    case PMCNTENCLR_EL0:
        return value & peek(cpu, PMCNTENSET_EL0);
    case PMINTENSET_EL1:
        return value & all & ~peek(cpu, PMINTENSET_EL1);
    case PMINTENCLR_EL1:
        return value & peek(cpu, PMINTENSET_EL1);
    case PMSWINC_EL0:
        return value & bits_low(count);
    case PMCR_EL0:
        return (bit_is_set(value, ARMV8_PMCR_P) ? bits_low(count) : 0) |
               (bit_is_set(value, ARMV8_PMCR_C) ? bit(ARMV8_CYCLES) : 0);
    case PMCCNTR_EL0:
    case PMCCFILTR_EL0:
        return bit(ARMV8_CYCLES);
    case PMXEVTYPER_EL0:
    case PMXEVCNTR_EL0:
        return selected(cpu, reg, count);
    default:
        return nth(reg, PMEVCNTR_EL0, count) | nth(reg, PMEVTYPER_EL0, count);
    }
}

static struct overflow_changes changes(
    const struct cpu *cpu, uint32_t reg, uint64_t value)
{
    uint64_t status;

    if (reg != PMOVSCLR_EL0 && reg != PMOVSSET_EL0) {
        return (struct overflow_changes){0, 0};
    }
    status = peek(cpu, PMOVSSET_EL0);
    return reg == PMOVSCLR_EL0
               ? (struct overflow_changes){.cleared = value & status}
               : (struct overflow_changes){.set = value & ~status};
}

static uint64_t polled(const struct hal_pmu *pmu, const struct cpu *cpu)
{
    return pmu->counters & peek(cpu, PMCNTENSET_EL0) &
           ~peek(cpu, PMINTENSET_EL1);
}

static uint64_t counter(
    const struct hal_pmu *pmu, const struct cpu *cpu, unsigned index)
{
    (void)pmu;
    return peek(
        cpu, index == ARMV8_CYCLES ? PMCCNTR_EL0 : PMEVCNTR_EL0 + index);
}

const struct hal_pmu_row pmu_armv8 = {
    .enumerate = enumerate,
    .overflowed = overflowed,
    .clear = clear,
    .disable = disable,
    .arm = pmu_x86_arm, /* the machine has one interrupt controller [C] */
    .programs = programs,
    .changes = changes,
    .polled = polled,
    .counter = counter,
};
