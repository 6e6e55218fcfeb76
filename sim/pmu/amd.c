/* amd.c - AMD's PMU registers: which there are, and what a write to them leaves
 * out (pmu.md 1.6). What they do is what Intel's do. */
#include "sim/pmu/amd.h"
#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/msr_rows.h"

static bool is_amd(const struct cpu *cpu, unsigned since)
{
    const struct pmu_model *model = cpu->pmu.model;

    return model->vendor == VENDOR_AMD && model->version >= since;
}

bool msr_exists_amd(const struct cpu *cpu, unsigned n)
{
    return is_amd(cpu, 1) && n < cpu->pmu.model->general;
}

bool msr_exists_amd_core(const struct cpu *cpu, unsigned n)
{
    return is_amd(cpu, 2) && n < cpu->pmu.model->general;
}

bool msr_exists_amd_v2(const struct cpu *cpu, unsigned n)
{
    (void)n;
    return is_amd(cpu, 3);
}

uint64_t msr_reserved_amd_select(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    return value & ~AMD_SELECT_BITS;
}

/* The counters, 58 LBR freeze, 59 PMC freeze. */
uint64_t msr_reserved_amd_status(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    return value & ~(model_counters(cpu->pmu.model) | bit(STATUS_LBR_FRZ) |
                       bit(STATUS_CTR_FRZ));
}
