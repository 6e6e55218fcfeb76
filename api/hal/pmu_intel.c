/* pmu_intel.c - MSRs by the addresses of the manual (pmu.md 1.2). */
#include "api/hal/pmu_intel.h"

#include <assert.h>

#include "sim/bits.h"
#include "sim/cpuid.h"
#include "sim/machine.h"
#include "sim/msr.h"

enum {
    CPUID_PERFMON = 0xA,
    IA32_PMC0 = 0x0C1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_FIXED_CTR0 = 0x309,
    IA32_FIXED_CTR_CTRL = 0x38D,
    IA32_PERF_GLOBAL_STATUS = 0x38E,
    IA32_PERF_GLOBAL_OVF_CTRL = 0x390,
    IA32_X2APIC_LVT_PMI = 0x834,
    SELECT_INT = 20,
    SELECT_EN = 22,
    FIXED_RINGS = 3,  /* both ring bits of a counter's field */
    FIXED_PMI = 3,    /* in a counter's field of IA32_FIXED_CTR_CTRL */
    FIXED_FIELD = 4,  /* bits a counter */
    FIRST_FIXED = 32, /* index of fixed counter 0 */
};

uint64_t pmu_intel_enumerate(struct cpu *cpu)
{
    uint32_t registers[4]; /* EAX, EBX, ECX, EDX */
    uint64_t map;

    cpuid_read(cpu, CPUID_PERFMON, registers);
    if (bits_get(registers[0], 0, 8) == 0) {
        return 0; /* no architectural PMU */
    }
    map = bits_low((unsigned)bits_get(registers[0], 8, 8));
    return map | bits_low((unsigned)bits_get(registers[3], 0, 5))
                     << FIRST_FIXED;
}

/* The kernel touches registers that it knows to be there. */
static uint64_t read_msr(struct cpu *cpu, uint32_t address)
{
    uint64_t value = 0;
    enum msr_result result = msr_read(cpu, address, &value);

    assert(result == MSR_OK);
    (void)result;
    return value;
}

static void write_msr(struct cpu *cpu, uint32_t address, uint64_t value)
{
    enum msr_result result = msr_write(cpu, address, value);

    assert(result == MSR_OK);
    (void)result;
}

/* Whether the counter runs without asking for an interrupt: then its overflow
 * is its owner's to poll. One that was switched off meanwhile is not. */
static bool counter_is_polled(struct cpu *cpu, unsigned index)
{
    unsigned field = FIXED_FIELD * (index - FIRST_FIXED);
    uint64_t control;

    if (index < FIRST_FIXED) {
        control = read_msr(cpu, IA32_PERFEVTSEL0 + index);
        return bit_is_set(control, SELECT_EN) &&
               !bit_is_set(control, SELECT_INT);
    }
    control = bits_get(read_msr(cpu, IA32_FIXED_CTR_CTRL), field, FIXED_FIELD);
    return (control & FIXED_RINGS) != 0 && !bit_is_set(control, FIXED_PMI);
}

uint64_t pmu_intel_overflowed(struct cpu *cpu, uint64_t map)
{
    uint64_t status = read_msr(cpu, IA32_PERF_GLOBAL_STATUS) & map;
    uint64_t ours = status;

    for (uint64_t left = status; left != 0; left &= left - 1) {
        unsigned index = bits_lowest(left);

        if (counter_is_polled(cpu, index)) {
            ours &= ~bit(index);
        }
    }
    return ours;
}

void pmu_intel_clear(struct cpu *cpu, uint64_t bits)
{
    write_msr(cpu, IA32_PERF_GLOBAL_OVF_CTRL, bits);
}

void pmu_intel_disable(struct cpu *cpu, uint64_t bits)
{
    uint64_t fixed = 0; /* their ring bits in the shared register */

    for (uint64_t left = bits; left != 0; left &= left - 1) {
        unsigned index = bits_lowest(left);

        if (index >= FIRST_FIXED) {
            fixed |= (uint64_t)FIXED_RINGS
                     << FIXED_FIELD * (index - FIRST_FIXED);
        } else {
            write_msr(cpu, IA32_PERFEVTSEL0 + index,
                read_msr(cpu, IA32_PERFEVTSEL0 + index) & ~bit(SELECT_EN));
        }
    }
    if (fixed != 0) {
        write_msr(cpu, IA32_FIXED_CTR_CTRL,
            read_msr(cpu, IA32_FIXED_CTR_CTRL) & ~fixed);
    }
}

void pmu_intel_arm(struct cpu *cpu, uint8_t vector)
{
    write_msr(cpu, IA32_X2APIC_LVT_PMI, vector);
}

uint64_t pmu_intel_running(const struct cpu *cpu)
{
    return pmu_enabled(&cpu->pmu);
}

uint64_t pmu_intel_programs(
    const struct cpu *cpu, uint32_t address, uint64_t value)
{
    const struct pmu_model *model = &cpu->machine->config.pmu;
    uint64_t programs = 0;

    if (address - IA32_PMC0 < model->general) {
        return bit(address - IA32_PMC0);
    }
    if (address - IA32_PERFEVTSEL0 < model->general) {
        unsigned n = address - IA32_PERFEVTSEL0;

        return bit_is_set(value, SELECT_EN) || value != cpu->pmu.select[n]
                   ? bit(n)
                   : 0;
    }
    if (address - IA32_FIXED_CTR0 < model->fixed) {
        return bit(FIRST_FIXED + address - IA32_FIXED_CTR0);
    }
    for (unsigned n = 0; address == IA32_FIXED_CTR_CTRL && n < model->fixed;
         n++) {
        if (bits_get(value, FIXED_FIELD * n, FIXED_FIELD) !=
            bits_get(cpu->pmu.fixed_ctrl, FIXED_FIELD * n, FIXED_FIELD)) {
            programs |= bit(FIRST_FIXED + n);
        }
    }
    return programs;
}
