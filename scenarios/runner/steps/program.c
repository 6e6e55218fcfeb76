/* program.c - program: what a counter is set up to count, by the registers that
 * its PMU has (api/hal/pmu_registers.def). */
#include "scenarios/runner/steps/program.h"

#include <inttypes.h>
#include <talloc.h>

#include "api/hal/pmu_registers.h"
#include "api/hal/register_access.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"
#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/pmu/pmu.h"

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

/* A driver writes the same select on all processors, also where one lacks the
 * event, and counts nothing there. */
static const struct event_code *code_of_any(
    const struct machine_config *machine, enum event event)
{
    const struct event_code *code = model_code(&machine->pmu, event);

    for (size_t i = 0; code == NULL && i < machine->kind_count; i++) {
        code = model_code(&machine->kind[i].pmu, event);
    }
    return code;
}

static void program_general(
    struct kernel *kernel, struct cpu *cpu, const struct program *program)
{
    const struct event_code *event =
        code_of_any(&kernel->machine->config, program->event);
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

/* A fixed counter's event is its own, which may be left out. */
static void read_fixed_event(
    struct reader *reader, const struct node *node, struct program *program)
{
    enum event own = pmu_fixed_event(program->counter - PMU_FIRST_FIXED);
    size_t event;

    program->event = own;
    if (node != NULL &&
        schema_name(&reader->scope.schema, node, "event", name_of_pmu_event,
            NULL, &event) &&
        event != own) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
            "fixed counter %u counts %s and nothing else",
            program->counter - PMU_FIRST_FIXED, event_rows[own].name);
    }
}

static void read_event(struct reader *reader, const struct node *node,
    const struct step *step, struct program *program)
{
    const struct schema *schema = &reader->scope.schema;
    size_t event;

    if (node == NULL) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, step->key,
            "missing key 'event': only fixed counters have one of their own");
        return;
    }
    if (!schema_name(schema, node, "event", name_of_pmu_event, NULL, &event)) {
        return;
    }
    program->event = (enum event)event;
    if (code_of_any(&reader->scenario->machine, (enum event)event) == NULL) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, node,
            "no event select of this PMU means %s", event_rows[event].name);
    }
}

static const char *name_of_rings(size_t n, const void *context)
{
    return n == RING_COUNT ? "all" : name_of_ring(n, context);
}

/* user, kernel or all. */
static void read_rings(
    struct reader *reader, const struct node *node, struct program *program)
{
    size_t ring = RING_COUNT;

    if (node != NULL) {
        schema_name(
            &reader->scope.schema, node, "ring", name_of_rings, NULL, &ring);
    }
    program->in_ring[RING_USER] = ring != RING_KERNEL;
    program->in_ring[RING_KERNEL] = ring != RING_USER;
}

static void read_period(
    struct reader *reader, const struct node *node, struct program *program)
{
    const struct schema *schema = &reader->scope.schema;
    const struct pmu_model *model = &reader->scenario->machine.pmu;
    uint64_t most = program_period(model, program->counter);

    if (schema_number(schema, node, 1, UINT64_MAX, &program->period) &&
        program->period > most) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "counter %u cannot be preset so far below its wrap: at most "
            "%" PRIu64 " event%s",
            program->counter, most, most == 1 ? "" : "s");
        if (most == bit(31) && model->width > 32) {
            diagnostics_hint(schema->diagnostics,
                "a write to IA32_PMCn has 32 bits and repeats bit 31");
        }
    }
}

static void read_program(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct program *program = step->data;

    if (!schema_mapping(schema, node, MAPPING_PROGRAM, step->key) ||
        node_get(node, "counter") == NULL) {
        return;
    }
    read_cpus(reader, node_get(node, "cpu"), &step->cpus);
    read_rings(reader, node_get(node, "ring"), program);
    if (node_get(node, "pmi") != NULL) {
        schema_bool(schema, node_get(node, "pmi"), &program->pmi);
    }
    if (!read_counter(reader, node_get(node, "counter"), &program->counter)) {
        return;
    }
    if (program->counter >= PMU_FIRST_FIXED) {
        read_fixed_event(reader, node_get(node, "event"), program);
    } else {
        read_event(reader, node_get(node, "event"), step, program);
    }
    if (node_get(node, "period") != NULL) {
        read_period(reader, node_get(node, "period"), program);
    }
}

static void run_program(struct run *run, struct outcome *outcome)
{
    const struct program *program = outcome->step->data;
    struct kernel *kernel = &run->session->kernel;

    outcome->call =
        talloc_asprintf(outcome, "program(counter %u)", program->counter);
    program_counter(kernel, kernel_cpu(kernel), program);
}

const struct step_code step_program = {
    .data_bytes = sizeof(struct program),
    .read = read_program,
    .run = run_program,
};
