/* shutdown.c - shutdown: Windows shuts the system down, and nothing runs any
 * more. */
#include <talloc.h>

#include "api/core/kernel.h"
#include "api/io/shutdown.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/device_request.h"
#include "scenarios/runner/steps/steps.h"

/* A thread of the system's does it, at PASSIVE_LEVEL. */
static void read_shutdown(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    size_t word;

    if (reader->in_parallel) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, step->key,
            "one thread of the system's shuts it down, so this stands only "
            "among the steps of the scenario");
        diagnostics_hint(
            schema->diagnostics, "write it as the step behind parallel");
    }
    if (step->in_callback) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, step->key,
            "the system is shut down by a thread, not in a callback");
        diagnostics_hint(schema->diagnostics,
            "let it stand as the last one among the steps");
    }
    schema_key_word(schema, MAPPING_STEP, "shutdown", node, &word);
}

static void run_shutdown(struct run *run, struct outcome *outcome)
{
    struct kernel *kernel = &run->session->kernel;
    struct cpu *cpu = kernel_cpu(kernel);

    if (irql_current(kernel, cpu) != irql_number(kernel, LEVEL_PASSIVE_LEVEL)) {
        device_request_refuse(run, outcome,
            talloc_asprintf(run->context,
                "cpu %u is at IRQL %u; the system is shut down at "
                "PASSIVE_LEVEL",
                (unsigned)cpu->index, (unsigned)irql_current(kernel, cpu)));
        return;
    }
    shutdown_system(kernel);
    run->is_off = true;
}

const struct step_code step_shutdown = {
    .noun = "a shutdown",
    .read = read_shutdown,
    .run_here = run_shutdown,
};
