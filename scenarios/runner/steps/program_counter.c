/* program_counter.c - counters by the registers that their PMU has
 * (api/hal/pmu_registers.def). */
#include "scenarios/runner/steps/program_counter.h"

#include "api/hal/pmu_registers.h"
#include "api/hal/register_access.h"
#include "sim/base/bits.h"
#include "sim/machine/cpu.h"

enum { PRESET_BITS = 32 }; /* of a write to IA32_PMCn, which repeats bit 31 */

static const struct pmu_registers *registers_of(const struct pmu_model *model)
{
    return pmu_registers_find(model->vendor, model->version);
}

/* Whether a write to the counter sets all of its bits. */
static bool is_written_whole(const struct pmu_model *model, unsigned counter)
{
    return counter >= PMU_FIRST_FIXED || model->vendor != VENDOR_INTEL ||
           model->full_width || model->width <= PRESET_BITS;
}

uint64_t program_period(const struct pmu_model *model, unsigned counter)
{
    const struct pmu_registers *at = registers_of(model);

    if (!is_written_whole(model, counter)) {
        return bit(PRESET_BITS - 1);
    }
    return at != NULL && at->status == 0 ? bit(model->width - 1)
                                         : bits_low(model->width);
}

static void write_counter(
    struct kernel *kernel, struct cpu *cpu, unsigned counter, uint64_t value)
{
    const struct pmu_model *model = cpu->pmu.model;
    const struct pmu_registers *at = registers_of(model);

    if (counter >= PMU_FIRST_FIXED) {
        register_write(
            kernel, cpu, IA32_FIXED_CTR0 + counter - PMU_FIRST_FIXED, value);
    } else if (model->vendor != VENDOR_INTEL || model->full_width) {
        register_write(kernel, cpu, pmu_registers_whole(at, counter), value);
    } else {
        register_write(kernel, cpu, pmu_registers_counter(at, counter),
            value & bits_low(PRESET_BITS));
    }
}

void program_preset(
    struct kernel *kernel, struct cpu *cpu, unsigned counter, uint64_t period)
{
    write_counter(
        kernel, cpu, counter, bits_low(cpu->pmu.model->width) - period + 1);
}

/* Counters that were enabled in their selects are so again. */
static void enable_selects(
    struct kernel *kernel, struct cpu *cpu, uint64_t counters, bool enabled)
{
    const struct pmu_registers *at = registers_of(cpu->pmu.model);

    for (uint64_t left = counters; left != 0; left &= left - 1) {
        uint32_t select = pmu_registers_select(at, bits_lowest(left));
        uint64_t value = register_read(kernel, cpu, select) & ~bit(SELECT_EN);

        register_write(
            kernel, cpu, select, value | (uint64_t)enabled << SELECT_EN);
    }
}

static void preset_all(
    struct kernel *kernel, struct cpu *cpu, uint64_t counters, uint64_t period)
{
    for (uint64_t left = counters; left != 0; left &= left - 1) {
        program_preset(kernel, cpu, bits_lowest(left), period);
    }
}

void program_preset_stopped(
    struct kernel *kernel, struct cpu *cpu, uint64_t counters, uint64_t period)
{
    uint32_t control = registers_of(cpu->pmu.model)->control;
    uint64_t global;

    if (control == 0) {
        enable_selects(kernel, cpu, counters, false);
        preset_all(kernel, cpu, counters, period);
        enable_selects(kernel, cpu, counters, true);
        return;
    }
    global = register_read(kernel, cpu, control);
    register_write(kernel, cpu, control, 0);
    preset_all(kernel, cpu, counters, period);
    register_write(kernel, cpu, control, global);
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
    uint32_t select =
        pmu_registers_select(registers_of(cpu->pmu.model), program->counter);

    register_write(kernel, cpu, select, 0);
    begin_count(kernel, cpu, program);
    register_write(kernel, cpu, select,
        bits_get(event->select, 0, 8) |
            bits_get(event->select, 8, 4) << SELECT_EVENT_HIGH |
            (uint64_t)event->umask << SELECT_UMASK |
            (uint64_t)program->in_ring[RING_USER] << SELECT_USR |
            (uint64_t)program->in_ring[RING_KERNEL] << SELECT_OS |
            (uint64_t)program->pmi << SELECT_INT | bit(SELECT_EN));
}

static void program_fixed(
    struct kernel *kernel, struct cpu *cpu, const struct program *program)
{
    unsigned field = FIXED_FIELD * (program->counter - PMU_FIRST_FIXED);
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
    uint32_t control = registers_of(cpu->pmu.model)->control;
    uint64_t enabled;

    if (program->counter < PMU_FIRST_FIXED) {
        program_general(kernel, cpu, program);
    } else {
        program_fixed(kernel, cpu, program);
    }
    if (control == 0) {
        return;
    }
    enabled = register_read(kernel, cpu, control);
    register_write(kernel, cpu, control, enabled | bit(program->counter));
}
