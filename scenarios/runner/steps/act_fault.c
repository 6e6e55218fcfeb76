/* act_fault.c - fault: the kernel is told which call fails. */
#include <inttypes.h>

#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/step.h"

void act_fault(struct run *run, struct outcome *outcome)
{
    const struct step_fault *fault = &outcome->step->u.fault;
    const struct routine_row *row = &routine_rows[fault->routine];
    struct faults *faults = &run->session->kernel.faults;
    uint64_t result;

    run_enter_outcome(run, outcome);
    if (!value_scalar(&run->scope, fault->returns, row->returns, &result)) {
        run_fail_value(run, outcome, fault->returns);
        return;
    }
    if (faults_left(faults, fault->routine) > 0) {
        outcome->failed = true;
        run_fail(run, RESULT_ERROR, outcome, outcome->step->key,
            "the fault of step %s has not come yet, and %s has one at a time",
            run->fault[fault->routine]->number, row->name);
        return;
    }
    faults_arm(faults, fault->routine, fault->nth, result);
    run->fault[fault->routine] = outcome->step;
}

void run_report_faults(struct run *run)
{
    const struct faults *faults = &run->session->kernel.faults;

    for (enum routine i = 0; i < ROUTINE_COUNT; i++) {
        const struct step *step = run->fault[i];
        uint32_t left = faults_left(faults, i);

        if (left > 0) {
            run_fail(run, RESULT_FAIL, NULL, step->key,
                "the fault of step %s never came: %s was called %" PRIu32
                " of %" PRIu32 " times",
                step->number, routine_rows[i].name, step->u.fault.nth - left,
                step->u.fault.nth);
        }
    }
}
