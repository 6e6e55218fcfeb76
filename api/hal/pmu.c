/* pmu.c - the HAL's choice of a PMU: the vendors that it can serve. */
#include "api/hal/pmu.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/hal/pmu_registers.h"
#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/lapic.h"
#include "sim/machine/msr.h"

static const struct hal_pmu_row *const rows[VENDOR_COUNT] = {
    [VENDOR_INTEL] = &pmu_intel,
    [VENDOR_AMD] = &pmu_amd,
    [VENDOR_ARM] = &pmu_armv8,
};

bool hal_pmu_check(const struct hal_pmu *pmu)
{
    bool there = pmu->counters != 0;

    assert(!there || pmu->row != NULL);
    assert(there == (pmu->width != 0) && pmu->width <= 64);
    assert(there || (pmu->registers == NULL && !pmu->latches));
    assert(pmu->buffer == 0 || pmu->latches);
    return true;
}

/* Whose processor it is Windows knows before there is a HAL, so that CPUID's
 * leaf 0 costs none of the cycles that scenarios count [C]. */
void hal_pmu_find(struct hal_pmu *pmu, struct cpu *cpu)
{
    *pmu = (struct hal_pmu){.row = rows[cpu_model(cpu)->vendor]};
    if (pmu->row != NULL) {
        pmu->row->enumerate(pmu, cpu);
    }
    assert(hal_pmu_check(pmu));
    /* It asked the processor, and the processor is what its model says. */
    assert(
        pmu->counters == 0 || pmu->counters == model_counters(cpu->pmu.model));
}

/* Processors are asked one by one only where they are unlike. */
struct hal_pmu_map hal_pmu_map(
    const struct kernel *kernel, const uint64_t *affinity)
{
    const struct machine *machine = kernel->machine;
    struct hal_pmu_map map = {.each = UINT64_MAX};

    if (machine->config.kind_count == 0) {
        return (struct hal_pmu_map){
            kernel->pmu->counters, kernel->pmu->counters};
    }
    for (uint32_t i = 0; i < machine->config.processors; i++) {
        const struct cpu *cpu = &machine->cpu[i];

        if (bit_is_set(affinity[cpu->group], cpu->number)) {
            map.each &= kernel->pmu[i].counters;
            map.any |= kernel->pmu[i].counters;
        }
    }
    return map;
}

uint64_t hal_pmu_running(const struct hal_pmu *pmu, const struct cpu *cpu)
{
    return pmu->counters == 0 ? 0 : cpu_counters_enabled(cpu);
}

uint64_t hal_pmu_programs(const struct hal_pmu *pmu, const struct cpu *cpu,
    uint32_t address, uint64_t value)
{
    return pmu->counters == 0 ? 0 : pmu->row->programs(cpu, address, value);
}

struct overflow_changes hal_pmu_changes(const struct hal_pmu *pmu,
    const struct cpu *cpu, uint32_t address, uint64_t value)
{
    struct overflow_changes changes = {0, 0};

    if (pmu->counters != 0) {
        changes = pmu->row->changes(cpu, address, value);
        changes.cleared &= pmu->counters;
        changes.set &= pmu->counters;
    }
    return changes;
}

uint64_t hal_pmu_serves(
    const struct hal_pmu *pmu, const struct cpu *cpu, uint8_t vector)
{
    uint64_t lvtpc = 0;

    msr_peek(cpu, IA32_X2APIC_LVT_PMI, &lvtpc);
    if (pmu->counters == 0 || (lvtpc & ~(uint64_t)LVTPC_MASKED) != vector) {
        return 0;
    }
    return pmu->counters & ~pmu->row->polled(pmu, cpu);
}
