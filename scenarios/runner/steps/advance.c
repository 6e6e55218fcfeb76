/* advance.c - advance: machine time passes, with all processors idle. */
#include <assert.h>

#include "api/ke/dispatcher.h"
#include "scenarios/runner/language/duration.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"
#include "sim/machine/strand.h"

/* Nobody else runs meanwhile, so it is no part of another step. */
static void read_advance(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    uint64_t *cycles = step->data;

    *cycles = 1;
    if (step->in_callback || reader->in_parallel) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, step->key,
            "all processors idle while the time advances, so it stands only "
            "among the steps of the scenario");
        diagnostics_hint(schema->diagnostics,
            "run: {cycles: n, halted: true} halts one processor");
    }
    if (schema_mapping(schema, node, MAPPING_ADVANCE, step->key) &&
        node_get(node, "cycles") != NULL) {
        duration_read_key(schema, MAPPING_ADVANCE, "cycles",
            node_get(node, "cycles"), reader->scenario->machine.pmu.mhz,
            cycles);
    }
}

/* A halted processor until then; interrupts are taken meanwhile. */
static void halt_until(struct cpu *cpu, uint64_t time)
{
    struct segment segment;

    if (cpu->time < time) {
        segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu),
            time - cpu->time, RING_KERNEL);
        segment.halted = true;
        cpu_run_segment(cpu, &segment);
    }
}

struct advance {
    struct kernel *kernel;
    uint64_t until;
};

/* Below every thread: who becomes ready meanwhile has the processor. */
static void advance_main(void *argument)
{
    const struct advance *advance = argument;
    struct strand *strand = strand_current(advance->kernel->machine);
    uint8_t rank = strand->rank;

    strand_set_rank(strand, 0);
    dispatcher_look(advance->kernel, strand->cpu);
    halt_until(kernel_cpu(advance->kernel), advance->until);
    strand_set_rank(strand, rank);
}

/* Between the scenario's own steps no other processor is ahead of this one. */
static void run_advance(struct run *run, struct outcome *outcome)
{
    struct kernel *kernel = &run->session->kernel;
    struct machine *machine = &run->session->machine;
    struct cpu *own = kernel_cpu(kernel);
    const uint64_t *cycles = outcome->step->data;
    struct advance advance = {kernel, own->time + *cycles};

    advance_main(&advance);
    for (uint32_t i = 0; i < machine->topology.processors; i++) {
        strand_call_on(machine_cpu(machine, i), advance_main, &advance, NULL);
    }
}

const struct step_code step_advance = {
    .data_bytes = sizeof(uint64_t),
    .read = read_advance,
    .run_here = run_advance,
};
