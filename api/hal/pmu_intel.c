/* pmu_intel.c - the HAL on Intel's PMUs: versions by CPUID leaf 0AH, fixed
 * counters (pmu.md 1.1, 1.2). */
#include "api/hal/pmu.h"

#include "api/hal/pmu_x86.h"
#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/cpuid.h"
#include "sim/machine/msr.h"

enum { CPUID_PERFMON = 0xA };

static void enumerate(struct hal_pmu *pmu, struct cpu *cpu)
{
    uint32_t out[4]; /* EAX, EBX, ECX, EDX */
    uint64_t fixed;
    unsigned version;

    cpuid_read(cpu, CPUID_PERFMON, out);
    version = (unsigned)bits_get(out[0], 0, 8);
    fixed = bits_low((unsigned)bits_get(out[3], 0, 5));
    if (version >= 5) {
        fixed |= out[2];
    }
    pmu_x86_describe(pmu, VENDOR_INTEL, version,
        bits_low((unsigned)bits_get(out[0], 8, 8)) | fixed << PMU_FIRST_FIXED,
        (unsigned)bits_get(out[0], 16, 8));
    pmu->buffer = bit_if(pmu->latches, STATUS_DS_BUFFER);
}

static uint64_t programs_fixed(
    const struct cpu *cpu, uint32_t address, uint64_t value)
{
    const struct pmu_model *model = cpu_model(cpu);
    uint64_t programs = 0, control = 0;

    msr_peek(cpu, IA32_FIXED_CTR_CTRL, &control);
    for (unsigned n = 0; n < LIMIT_FIXED_COUNTERS; n++) {
        uint64_t changes =
            bits_get(value ^ control, FIXED_FIELD * n, FIXED_FIELD);

        if (model_has_fixed(model, n) &&
            (address == IA32_FIXED_CTR0 + n ||
                (address == IA32_FIXED_CTR_CTRL && changes != 0))) {
            programs |= bit(PMU_FIRST_FIXED + n);
        }
    }
    return programs;
}

static uint64_t programs(
    const struct cpu *cpu, uint32_t address, uint64_t value)
{
    const struct pmu_model *model = cpu_model(cpu);
    const struct pmu_registers *at =
        pmu_registers_find(VENDOR_INTEL, model->version);
    uint64_t found = pmu_x86_programs(at, model->general, cpu, address, value);

    if (model->full_width) {
        found |= pmu_x86_nth(address, at->whole, at->stride, model->general);
    }
    return found | programs_fixed(cpu, address, value);
}

static struct overflow_changes changes(
    const struct cpu *cpu, uint32_t address, uint64_t value)
{
    return pmu_x86_changes(
        pmu_registers_find(VENDOR_INTEL, cpu_model(cpu)->version), cpu, address,
        value);
}

const struct hal_pmu_row pmu_intel = {
    .enumerate = enumerate,
    .overflowed = pmu_x86_overflowed,
    .clear = pmu_x86_clear,
    .disable = pmu_x86_disable,
    .arm = pmu_x86_arm,
    .programs = programs,
    .changes = changes,
    .polled = pmu_x86_polled,
    .counter = pmu_x86_counter,
};
