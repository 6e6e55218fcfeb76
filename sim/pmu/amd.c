/* amd.c - AMD's PMU registers: which there are, and what a write to them leaves
 * out (pmu.md 1.6). What they do is what Intel's do. */
#include "sim/bits.h"
#include "sim/cpu.h"
#include "sim/msr_rows.h"

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

/* Bits 19, 21, 39:36 and 63:42 are reserved; 40 and 41 choose between a host
 * and its guests, of which the model has none. */
uint64_t msr_reserved_amd_select(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    (void)n;
    return value & ~UINT64_C(0x0000030FFFD7FFFF);
}

/* The counters, 58 LBR freeze, 59 PMC freeze. */
uint64_t msr_reserved_amd_status(
    const struct cpu *cpu, unsigned n, uint64_t value)
{
    (void)n;
    return value & ~(model_counters(cpu->pmu.model) | bit(STATUS_LBR_FRZ) |
                       bit(STATUS_CTR_FRZ));
}
