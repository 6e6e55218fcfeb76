/* program.c - MSRs by the addresses of the manual (pmu.md 1.2). */
#include "scenarios/runner/program.h"

#include "api/ke/register_access.h"
#include "sim/bits.h"
#include "sim/cpu.h"

enum {
    IA32_PMC0 = 0x0C1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_FIXED_CTR0 = 0x309,
    IA32_FIXED_CTR_CTRL = 0x38D,
    IA32_PERF_GLOBAL_CTRL = 0x38F,
    SELECT_UMASK = 8,
    SELECT_USR = 16,
    SELECT_OS = 17,
    SELECT_INT = 20,
    SELECT_EN = 22,
    FIXED_FIELD = 4, /* bits a counter in IA32_FIXED_CTR_CTRL */
    FIXED_OS = 0,
    FIXED_USR = 1,
    FIXED_PMI = 3,
    PRESET_BITS = 32, /* of a write to a GP counter */
};

uint64_t program_period(const struct pmu_model *model, unsigned counter)
{
    bool extended = counter < PROGRAM_FIXED && model->width > PRESET_BITS;

    return extended ? bit(PRESET_BITS - 1) : bits_low(model->width);
}

static void write_counter(
    struct kernel *kernel, struct cpu *cpu, unsigned counter, uint64_t value)
{
    if (counter < PROGRAM_FIXED) {
        register_write(
            kernel, cpu, IA32_PMC0 + counter, value & bits_low(PRESET_BITS));
    } else {
        register_write(
            kernel, cpu, IA32_FIXED_CTR0 + counter - PROGRAM_FIXED, value);
    }
}

void program_preset(
    struct kernel *kernel, struct cpu *cpu, unsigned counter, uint64_t period)
{
    write_counter(
        kernel, cpu, counter, bits_low(cpu->pmu.model->width) - period + 1);
}

/* 0, or 2^width - period. */
static void begin_count(
    struct kernel *kernel, struct cpu *cpu, const struct program *program)
{
    if (program->period == 0) {
        write_counter(kernel, cpu, program->counter, 0);
    } else {
        program_preset(kernel, cpu, program->counter, program->period);
    }
}

static void program_general(
    struct kernel *kernel, struct cpu *cpu, const struct program *program)
{
    const struct event_code *event = model_code(cpu->pmu.model, program->event);
    uint32_t select = IA32_PERFEVTSEL0 + program->counter;

    register_write(kernel, cpu, select, 0);
    begin_count(kernel, cpu, program);
    register_write(kernel, cpu, select,
        event->select | (uint64_t)event->umask << SELECT_UMASK |
            (uint64_t)program->in_ring[RING_USER] << SELECT_USR |
            (uint64_t)program->in_ring[RING_KERNEL] << SELECT_OS |
            (uint64_t)program->pmi << SELECT_INT | bit(SELECT_EN));
}

static void program_fixed(
    struct kernel *kernel, struct cpu *cpu, const struct program *program)
{
    unsigned field = FIXED_FIELD * (program->counter - PROGRAM_FIXED);
    uint64_t others = register_read(kernel, cpu, IA32_FIXED_CTR_CTRL) &
                      ~(bits_low(FIXED_FIELD) << field);
    uint64_t own = (uint64_t)program->in_ring[RING_USER] << FIXED_USR |
                   (uint64_t)program->in_ring[RING_KERNEL] << FIXED_OS |
                   (uint64_t)program->pmi << FIXED_PMI;

    register_write(kernel, cpu, IA32_FIXED_CTR_CTRL, others);
    begin_count(kernel, cpu, program);
    register_write(kernel, cpu, IA32_FIXED_CTR_CTRL, others | own << field);
}

void program_counter(
    struct kernel *kernel, struct cpu *cpu, const struct program *program)
{
    uint64_t enabled;

    if (program->counter < PROGRAM_FIXED) {
        program_general(kernel, cpu, program);
    } else {
        program_fixed(kernel, cpu, program);
    }
    enabled = register_read(kernel, cpu, IA32_PERF_GLOBAL_CTRL);
    register_write(
        kernel, cpu, IA32_PERF_GLOBAL_CTRL, enabled | bit(program->counter));
}
