/* sysreg.c - MRS and MSR of an Armv8 processor's PMU registers.
 *
 * An access pays, takes effect and is traced, as in msr.c. */
#include "sim/machine/sysreg.h"

#include <assert.h>
#include <stddef.h>

#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/instruction.h"
#include "sim/machine/machine.h"
#include "sim/machine/pmi.h"

enum { SPELLING = 32 };

static const char *const faults[] = {
    [ARMV8_OK] = NULL,
    [ARMV8_UNDEF] = "UNDEF",
    [ARMV8_TRAP_EL1] = "EL1",
    [ARMV8_TRAP_EL2] = "EL2",
};

static uint64_t trace_register(const struct cpu *cpu, uint32_t reg)
{
    char name[SPELLING];

    armv8_register_spell(reg, name, sizeof(name));
    return trace_text(&cpu->machine->trace, name);
}

static uint64_t trace_fault(const struct cpu *cpu, enum armv8_result result)
{
    return trace_text(&cpu->machine->trace, faults[result]);
}

enum armv8_result sysreg_peek(
    const struct cpu *cpu, uint32_t reg, unsigned el, uint64_t *value)
{
    return cpu->armv8 == NULL ? ARMV8_UNDEF
                              : armv8_read(cpu->armv8, reg, el, value);
}

static enum armv8_result trace_read(
    struct cpu *cpu, uint32_t reg, enum armv8_result result, uint64_t value)
{
    if (result == ARMV8_OK) {
        cpu_trace(
            cpu, &sim_events[SIM_EVENT_MRS], trace_register(cpu, reg), value);
    } else {
        cpu_trace(cpu, &sim_events[SIM_EVENT_MRS_REFUSED],
            trace_register(cpu, reg), trace_fault(cpu, result));
    }
    return result;
}

/* Where more is to be asked than of nearly every access. */
__attribute__((noinline)) static enum armv8_result read_asking(
    struct cpu *cpu, uint32_t reg, unsigned el, uint64_t *value)
{
    bool paid = instruction_pay_asking(cpu);
    enum armv8_result result;
    uint64_t read = 0;

    if (!paid) {
        instruction_pay(cpu, cpu->access_cycles, 1);
    }
    result = sysreg_peek(cpu, reg, el, &read);
    if (result == ARMV8_OK) {
        *value = read;
    }
    trace_read(cpu, reg, result, read);
    if (!paid) {
        cpu_checkpoint(cpu);
    }
    return result;
}

/* A read that has been paid for, and is traced. */
__attribute__((noinline)) static enum armv8_result read_traced(
    struct cpu *cpu, uint32_t reg, unsigned el, uint64_t *value)
{
    enum armv8_result result = armv8_read(cpu->armv8, reg, el, value);

    return trace_read(cpu, reg, result, result == ARMV8_OK ? *value : 0);
}

enum armv8_result sysreg_read(
    struct cpu *cpu, uint32_t reg, unsigned el, uint64_t *value)
{
    if (cpu->armv8 == NULL || !instruction_pay_all(cpu)) {
        return read_asking(cpu, reg, el, value);
    }
    return cpu_is_traced(cpu) ? read_traced(cpu, reg, el, value)
                              : armv8_read(cpu->armv8, reg, el, value);
}

/* Apart, as read_asking(). */
__attribute__((noinline)) static uint64_t read_known_asking(
    struct cpu *cpu, uint32_t reg)
{
    uint64_t value = 0;
    enum armv8_result result = sysreg_read(cpu, reg, 1, &value);

    assert(result == ARMV8_OK);
    (void)result;
    return value;
}

uint64_t sysreg_read_known(struct cpu *cpu, uint32_t reg)
{
    return cpu->armv8 == NULL || cpu_is_traced(cpu) || !instruction_pay_all(cpu)
               ? read_known_asking(cpu, reg)
               : armv8_read_known(cpu->armv8, reg);
}

/* PMSWINC_EL0 is the one register whose write counts. An overflow by it is seen
 * by its bit, so one of a counter that has it set already is not [C]. */
static uint32_t overflowed_by(
    const struct cpu *cpu, uint32_t reg, uint32_t before)
{
    return reg == PMSWINC_EL0 ? cpu->armv8->overflowed & ~before : 0;
}

/* `before` are the overflow bits that there were before the write. */
__attribute__((noinline)) static void trace_write(struct cpu *cpu, uint32_t reg,
    uint64_t value, enum armv8_result result, uint32_t before)
{
    if (result != ARMV8_OK) {
        cpu_trace(cpu, &sim_events[SIM_EVENT_MSR_REFUSED],
            trace_register(cpu, reg), value, trace_fault(cpu, result));
        return;
    }
    cpu_trace(cpu, &sim_events[SIM_EVENT_MSR], trace_register(cpu, reg), value);
    for (uint32_t left = overflowed_by(cpu, reg, before); left != 0;
         left &= left - 1) {
        cpu_trace(cpu, &sim_events[SIM_EVENT_OVERFLOW], bits_lowest(left));
    }
}

__attribute__((noinline)) static enum armv8_result write_traced(
    struct cpu *cpu, uint32_t reg, unsigned el, uint64_t value)
{
    uint32_t before = cpu->armv8->overflowed;
    enum armv8_result result = armv8_write(cpu->armv8, reg, el, value);

    trace_write(cpu, reg, value, result, before);
    return result;
}

/* A write that has been paid for: counters may run behind it that did not, and
 * the line may have changed. */
static inline enum armv8_result write_now(
    struct cpu *cpu, uint32_t reg, unsigned el, uint64_t value)
{
    enum armv8_result result = cpu_is_traced(cpu)
                                   ? write_traced(cpu, reg, el, value)
                                   : armv8_write(cpu->armv8, reg, el, value);

    if (result == ARMV8_OK && pmi_line_moves(cpu)) {
        pmi_follow_line(cpu);
    }
    return result;
}

/* As read_asking(). */
__attribute__((noinline)) static enum armv8_result write_asking(
    struct cpu *cpu, uint32_t reg, unsigned el, uint64_t value)
{
    bool paid = instruction_pay_asking(cpu);
    enum armv8_result result = ARMV8_UNDEF;

    if (!paid) {
        instruction_pay(cpu, cpu->access_cycles, 1);
    }
    if (cpu->armv8 != NULL) {
        result = write_now(cpu, reg, el, value);
    } else {
        trace_write(cpu, reg, value, result, 0);
    }
    if (paid) {
        instruction_end_paid(cpu);
    } else {
        cpu_checkpoint(cpu);
    }
    return result;
}

enum armv8_result sysreg_write(
    struct cpu *cpu, uint32_t reg, unsigned el, uint64_t value)
{
    enum armv8_result result;

    if (cpu->armv8 == NULL || !instruction_pay_all(cpu)) {
        return write_asking(cpu, reg, el, value);
    }
    result = write_now(cpu, reg, el, value);
    instruction_end_paid(cpu);
    return result;
}
