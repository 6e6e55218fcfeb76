/* start_processors.c - start_processors: processors are added to Windows. */
#include "api/boot/processor_start.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

/* A thread of the system's adds them, at PASSIVE_LEVEL. */
static void read_start(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    const struct machine_config *machine = &reader->scenario->machine;
    uint64_t *count = step->data;

    if (reader->in_parallel) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, step->key,
            "one thread of the system's adds processors, so it stands only "
            "among the steps of the scenario");
    }
    if (step->in_callback) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, step->key,
            "processors are added by a thread, not in a callback");
    }
    if (machine->active == 0) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, step->key,
            "all processors of the machine are active");
        diagnostics_hint(schema->diagnostics,
            "machine: {cpus: 4, active: 2} leaves two to be started");
        return;
    }
    schema_number(
        schema, node, 1, machine->processors - machine->active, count);
}

static void run_start(struct run *run, struct outcome *outcome)
{
    const uint64_t *count = outcome->step->data;
    const struct machine *machine = &run->session->machine;
    NTSTATUS status = STATUS_SUCCESS;

    if (*count > machine->all.processors - machine->topology.processors) {
        outcome->failed = true;
        run_fail(run, RESULT_ERROR, outcome, outcome->step->key,
            "%u processors are left that are not active",
            (unsigned)(machine->all.processors - machine->topology.processors));
        return;
    }
    for (uint64_t i = 0; i < *count && NT_SUCCESS(status); i++) {
        status = processor_start(&run->session->kernel);
    }
    outcome->returns = (uint32_t)status;
}

const struct step_code step_start_processors = {
    .noun = "an addition of processors",
    .data_bytes = sizeof(uint64_t),
    .signature = &(const struct signature){.name = "an addition of processors",
        .returns = NT_NTSTATUS},
    .read = read_start,
    .run_here = run_start,
};
