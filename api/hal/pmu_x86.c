/* pmu_x86.c - what the HAL does alike on Intel's and AMD's PMUs: overflows
 * found and cleared, the interrupt armed (pmu.md 1.3, 1.6). */
#include "api/hal/pmu_x86.h"

#include <assert.h>
#include <stddef.h>

#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/msr.h"

void pmu_x86_describe(struct hal_pmu *pmu, enum vendor vendor, unsigned version,
    uint64_t counters, unsigned width)
{
    const struct pmu_registers *at = pmu_registers_find(vendor, version);

    if (counters == 0 || at == NULL) {
        return;
    }
    assert(width > 0 && width <= LIMIT_COUNTER_BITS);
    pmu->registers = at;
    pmu->counters = counters;
    pmu->width = width;
    pmu->latches = at->status != 0;
    pmu->status = counters | at->frozen;
}

void pmu_x86_write(struct cpu *cpu, uint32_t address, uint64_t value)
{
    enum msr_result result = msr_write(cpu, address, value);

    assert(result == MSR_OK);
    (void)result;
}

struct control {
    bool enabled, interrupts;
};

/* The register that has the counter's enables, and what it says of it. */
static uint32_t control_register(const struct hal_pmu *pmu, unsigned index)
{
    assert(bit_is_set(pmu->counters, index));
    return index < PMU_FIRST_FIXED ? pmu_registers_select(pmu->registers, index)
                                   : (uint32_t)IA32_FIXED_CTR_CTRL;
}

static struct control control_in(uint64_t value, unsigned index)
{
    if (index < PMU_FIRST_FIXED) {
        return (struct control){
            bit_is_set(value, SELECT_EN), bit_is_set(value, SELECT_INT)};
    }
    value =
        bits_get(value, FIXED_FIELD * (index - PMU_FIRST_FIXED), FIXED_FIELD);
    return (struct control){
        (value & FIXED_RINGS) != 0, bit_is_set(value, FIXED_PMI)};
}

/* Whether the register of its enables says that the counter runs and does not
 * ask for an interrupt. */
static bool polls(uint64_t value, unsigned index)
{
    struct control control = control_in(value, index);

    return control.enabled && !control.interrupts;
}

static struct control control_of(
    const struct hal_pmu *pmu, struct cpu *cpu, unsigned index)
{
    return control_in(msr_read_known(cpu, control_register(pmu, index)), index);
}

uint64_t pmu_x86_counter(
    const struct hal_pmu *pmu, const struct cpu *cpu, unsigned index)
{
    uint32_t address = index < PMU_FIRST_FIXED
                           ? pmu_registers_counter(pmu->registers, index)
                           : IA32_FIXED_CTR0 + (index - PMU_FIRST_FIXED);
    uint64_t value = 0;

    msr_peek(cpu, address, &value);
    return value;
}

uint64_t pmu_x86_polled(const struct hal_pmu *pmu, const struct cpu *cpu)
{
    uint64_t polled = 0;

    for (uint64_t left = pmu->counters; left != 0; left &= left - 1) {
        unsigned index = bits_lowest(left);
        uint64_t value = 0;

        msr_peek(cpu, control_register(pmu, index), &value);
        polled |= bit_if(polls(value, index), index);
    }
    return polled;
}

/* One that was switched off meanwhile is not its owner's to poll. Apart, as
 * nearly every second look finds nothing. */
__attribute__((noinline)) static uint64_t without_polled(
    const struct hal_pmu *pmu, struct cpu *cpu, uint64_t status)
{
    uint64_t ours = status;

    for (uint64_t left = status & pmu->counters; left != 0; left &= left - 1) {
        unsigned index = bits_lowest(left);
        uint64_t value = msr_read_known(cpu, control_register(pmu, index));

        ours &= ~bit_if(polls(value, index), index);
    }
    return ours;
}

static uint64_t by_status(const struct hal_pmu *pmu, struct cpu *cpu)
{
    uint64_t status = msr_read_known(cpu, pmu->registers->status) & pmu->status;

    return (status & pmu->counters) == 0 ? status
                                         : without_polled(pmu, cpu, status);
}

/* A counter that is to interrupt is preset near its end, so its top bit is set
 * until it wraps (pmu.md 1.6). There are no fixed counters then. */
__attribute__((noinline)) static uint64_t by_top_bit(
    const struct hal_pmu *pmu, struct cpu *cpu)
{
    uint64_t ours = 0;

    assert(pmu->counters < bit(PMU_FIRST_FIXED));
    for (uint64_t left = pmu->counters; left != 0; left &= left - 1) {
        unsigned index = bits_lowest(left);
        struct control control = control_of(pmu, cpu, index);
        uint32_t counter = pmu_registers_counter(pmu->registers, index);

        if (control.enabled && control.interrupts &&
            !bit_is_set(msr_read_known(cpu, counter), pmu->width - 1)) {
            ours |= bit(index);
        }
    }
    return ours;
}

uint64_t pmu_x86_overflowed(const struct hal_pmu *pmu, struct cpu *cpu)
{
    return pmu->latches ? by_status(pmu, cpu) : by_top_bit(pmu, cpu);
}

void pmu_x86_clear(const struct hal_pmu *pmu, struct cpu *cpu, uint64_t bits)
{
    assert((bits & ~pmu->status) == 0);
    if (pmu->latches) {
        pmu_x86_write(cpu, pmu->registers->reset, bits);
    }
}

void pmu_x86_disable(const struct hal_pmu *pmu, struct cpu *cpu, uint64_t bits)
{
    uint64_t fixed = 0; /* their ring bits in the shared register */

    assert((bits & ~pmu->counters) == 0);
    for (uint64_t left = bits; left != 0; left &= left - 1) {
        unsigned index = bits_lowest(left);

        if (index >= PMU_FIRST_FIXED) {
            fixed |= (uint64_t)FIXED_RINGS
                     << FIXED_FIELD * (index - PMU_FIRST_FIXED);
        } else {
            uint32_t select = pmu_registers_select(pmu->registers, index);

            pmu_x86_write(
                cpu, select, msr_read_known(cpu, select) & ~bit(SELECT_EN));
        }
    }
    if (fixed != 0) {
        pmu_x86_write(cpu, IA32_FIXED_CTR_CTRL,
            msr_read_known(cpu, IA32_FIXED_CTR_CTRL) & ~fixed);
    }
}

void pmu_x86_arm(struct cpu *cpu, uint8_t vector)
{
    pmu_x86_write(cpu, IA32_X2APIC_LVT_PMI, vector);
}

uint64_t pmu_x86_nth(
    uint32_t address, uint32_t first, uint32_t stride, unsigned count)
{
    uint32_t distance = address - first;

    assert(stride > 0 && count <= 64);
    return distance % stride == 0 && distance / stride < count
               ? bit(distance / stride)
               : 0;
}

uint64_t pmu_x86_programs(const struct pmu_registers *at, unsigned count,
    const struct cpu *cpu, uint32_t address, uint64_t value)
{
    uint64_t selected = pmu_x86_nth(address, at->select, at->stride, count);
    uint64_t before = 0;

    if (selected == 0) {
        return pmu_x86_nth(address, at->counter, at->stride, count);
    }
    msr_peek(cpu, address, &before);
    return bit_is_set(value, SELECT_EN) || value != before ? selected : 0;
}

struct overflow_changes pmu_x86_changes(const struct pmu_registers *at,
    const struct cpu *cpu, uint32_t address, uint64_t value)
{
    uint64_t status = 0;

    if (address != at->reset && address != at->set) {
        return (struct overflow_changes){0, 0};
    }
    msr_peek(cpu, at->status, &status);
    return address == at->reset
               ? (struct overflow_changes){.cleared = value & status}
               : (struct overflow_changes){.set = value & ~status};
}
