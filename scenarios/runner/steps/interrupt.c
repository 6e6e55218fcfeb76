/* interrupt.c - interrupt: a device raises the interrupt of its line on a
 * processor, whoever is connected to that, and its registers say why. */
#include "api/mm/given_memory.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_effects.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/device_request.h"
#include "scenarios/runner/steps/steps.h"
#include "sim/machine/strand.h"

struct raised_interrupt {
    uint64_t vector, cpu;
    const struct held_register *held;
    size_t held_count;
};

static void read_interrupt(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct raised_interrupt *raised = step->data;

    if (!schema_mapping(schema, node, MAPPING_INTERRUPT, step->key)) {
        return;
    }
    if (node_get(node, "vector") != NULL) {
        schema_key_number(schema, MAPPING_INTERRUPT, "vector",
            node_get(node, "vector"), &raised->vector);
    }
    if (node_get(node, "cpu") != NULL) {
        schema_number(schema, node_get(node, "cpu"), 0,
            reader->scenario->machine.processors - 1, &raised->cpu);
    }
    raised->held =
        read_held(reader, node_get(node, "holds"), &raised->held_count);
}

static void run_interrupt(struct run *run, struct outcome *outcome)
{
    const struct raised_interrupt *raised = outcome->step->data;
    struct kernel *kernel = &run->session->kernel;
    struct machine *machine = &run->session->machine;
    struct cpu *own = kernel_cpu(kernel);

    if (raised->cpu >= machine->topology.processors) {
        device_request_refuse(run, outcome, "the processor is not active yet");
        return;
    }
    for (size_t i = 0; i < raised->held_count; i++) {
        const struct held_register *held = &raised->held[i];

        given_memory_state(kernel, held->range)->reg[held->reg].value =
            held->value;
    }
    cpu_send(machine_cpu(machine, (uint32_t)raised->cpu),
        (uint8_t)raised->vector, own->time);
    cpu_checkpoint(own);
}

const struct step_code step_interrupt = {
    .noun = "an interrupt",
    .data_bytes = sizeof(struct raised_interrupt),
    .read = read_interrupt,
    .run_here = run_interrupt,
};
