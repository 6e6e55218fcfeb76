/* system_registers.c - time-stamp counter, MPERF and APERF, microcode revision,
 * EFER and what else system.def has. */
#include "sim/machine/system_registers.h"

#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/part.h"

enum {
    APIC_BASE_BSP = 8,
    APIC_BASE_X2APIC = 10,
    APIC_BASE_ENABLED = 11,
    APIC_BASE_BITS = 52, /* of a physical address */
    SIGN_REVISION = 32,  /* where IA32_BIOS_SIGN_ID has it */
};

#define APIC_BASE_ADDRESS UINT64_C(0xFEE00000)

/* Intel's is in the high half, AMD's in the low one. */
static uint64_t shown_revision(const struct pmu_model *model)
{
    return (uint64_t)part_of(model)->microcode
           << (model->vendor == VENDOR_INTEL ? SIGN_REVISION : 0);
}

void system_registers_init(
    struct system_registers *system, const struct pmu_model *model)
{
    *system = (struct system_registers){.bios_sign = shown_revision(model)};
}

void system_on_cpuid(struct cpu *cpu, uint32_t leaf)
{
    uint64_t *sign = &cpu->system.bios_sign;

    if (leaf == 1 && cpu->pmu.model->vendor == VENDOR_INTEL) {
        *sign = (*sign & UINT32_MAX) | shown_revision(cpu->pmu.model);
    }
}

bool msr_exists_platform_info(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return part_of(model)->info;
}

bool msr_exists_clocks(const struct pmu_model *model, unsigned n)
{
    (void)n;
    return part_of(model)->clocks;
}

/* Bits 7:0, 9 and those beyond physical addresses; and of modes what cannot
 * follow x2APIC mode: xAPIC mode, or x2APIC mode without an APIC (SDM volume 3,
 * x2APIC state transitions). */
uint64_t msr_reserved_apic_base(const struct pmu_model *model, uint64_t value)
{
    uint64_t reserved =
        bits_low(APIC_BASE_BSP) | bit(9) | ~bits_low(APIC_BASE_BITS);

    (void)model;
    if (bit_is_set(value, APIC_BASE_X2APIC) !=
        bit_is_set(value, APIC_BASE_ENABLED)) {
        reserved |= bit(APIC_BASE_X2APIC) | bit(APIC_BASE_ENABLED);
    }
    return value & reserved;
}

/* SCE, LME, LMA, NXE; AMD has SVME, LMSLE, FFXSR and TCE besides. */
uint64_t msr_reserved_efer(const struct pmu_model *model, uint64_t value)
{
    return value &
           ~(model->vendor == VENDOR_AMD ? UINT64_C(0xFD01) : UINT64_C(0x0D01));
}

/* How far the clock is by itself. MPERF has the TSC's rate. */
static uint64_t tsc_since_reset(const struct cpu *cpu)
{
    return rate_events(&cpu->pmu.model->tsc, cpu->time);
}

static uint64_t mperf_since_reset(const struct cpu *cpu)
{
    return rate_events(&cpu->pmu.model->tsc, cpu_unhalted(cpu));
}

uint64_t system_tsc(const struct cpu *cpu)
{
    return tsc_since_reset(cpu) + cpu->system.tsc_ahead;
}

uint64_t msr_read_tsc(const struct cpu *cpu)
{
    return system_tsc(cpu);
}

void msr_write_tsc(struct cpu *cpu, uint64_t value)
{
    cpu->system.tsc_ahead = value - tsc_since_reset(cpu);
}

uint64_t msr_read_mperf(const struct cpu *cpu)
{
    return mperf_since_reset(cpu) + cpu->system.mperf_ahead;
}

void msr_write_mperf(struct cpu *cpu, uint64_t value)
{
    cpu->system.mperf_ahead = value - mperf_since_reset(cpu);
}

uint64_t msr_read_aperf(const struct cpu *cpu)
{
    return cpu_unhalted(cpu) + cpu->system.aperf_ahead;
}

void msr_write_aperf(struct cpu *cpu, uint64_t value)
{
    cpu->system.aperf_ahead = value - cpu_unhalted(cpu);
}

uint64_t msr_read_platform_id(const struct cpu *cpu)
{
    return (uint64_t)part_of(cpu->pmu.model)->platform << 50;
}

uint64_t msr_read_apic_base(const struct cpu *cpu)
{
    return APIC_BASE_ADDRESS | bit(APIC_BASE_ENABLED) | bit(APIC_BASE_X2APIC) |
           bit_if(cpu->index == 0, APIC_BASE_BSP);
}

/* Locked, and nothing enabled that it could enable. */
uint64_t msr_read_feature_control(const struct cpu *cpu)
{
    (void)cpu;
    return bit(0);
}

/* AMD's PATCH_LEVEL cannot be written; KVM ignores who tries. */
void msr_write_bios_sign(struct cpu *cpu, uint64_t value)
{
    if (cpu->pmu.model->vendor == VENDOR_INTEL) {
        cpu->system.bios_sign = value;
    }
}

/* The ratio of the core clock to the bus clock, which reference cycles are, and
 * the lowest one, which is 8 [C]. */
uint64_t msr_read_platform_info(const struct cpu *cpu)
{
    const struct rate *ref = &cpu->pmu.model->ref;
    uint64_t ratio = ref->p == 0 ? 0 : ref->q / ref->p;

    return (ratio & 0xFF) << 8 | UINT64_C(8) << 40;
}
