/* act_program.c - program, by code on a processor. */
#include <talloc.h>

#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_guarded.h"
#include "scenarios/runner/run/run_steps.h"

static void program_now(struct run *run, struct outcome *outcome)
{
    const struct program *program = &outcome->step->u.program;
    struct kernel *kernel = &run->session->kernel;

    outcome->call =
        talloc_asprintf(outcome, "program(counter %u)", program->counter);
    program_counter(kernel, kernel_cpu(kernel), program);
}

void act_program(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, program_now);
}
