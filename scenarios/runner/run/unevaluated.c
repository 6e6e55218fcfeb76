/* unevaluated.c - expectations that never came to be looked at. */
#include "scenarios/runner/run/run.h"

/* What a step expects is checked when it has run, so it has to run. Returns the
 * first in the list that expects something and was not evaluated, or NULL. */
static const struct step *first_unevaluated(
    const struct run *run, const struct step_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];
        const struct step *inner = NULL;

        if (step->check_count > 0 && !run->evaluated[step->ordinal]) {
            return step;
        }
        if (step->kind == STEP_USE) {
            inner = first_unevaluated(run, &step->u.use.steps);
        }
        for (size_t j = 0; step->kind == STEP_PARALLEL && inner == NULL &&
                           j < step->u.parallel.count;
             j++) {
            inner = first_unevaluated(run, &step->u.parallel.branch[j].steps);
        }
        if (inner != NULL) {
            return inner;
        }
    }
    return NULL;
}

static void report_unevaluated(struct run *run, const struct step_list *steps)
{
    const struct step *step = first_unevaluated(run, steps);

    if (step != NULL) {
        run_fail(run, RESULT_FAIL, NULL, step->key,
            "step %s expects something and has never run: the machine had "
            "stopped; only steps without an action are evaluated after that",
            step->number);
    }
}

static void report_callbacks(struct run *run)
{
    const struct callback_names *names = run->scenario->callback_names;

    for (size_t i = 0; i < names->count; i++) {
        const struct step_list *steps = &run->scenario->callback[i].steps;

        if (run->called[i]) {
            report_unevaluated(run, steps);
        } else if (first_unevaluated(run, steps) != NULL) {
            run_fail(run, RESULT_FAIL, NULL, names->item[i].defined,
                "callback '%s' expects something and has never run",
                names->item[i].name);
        }
    }
}

void run_report_unevaluated(struct run *run)
{
    report_unevaluated(run, &run->scenario->steps);
    report_unevaluated(run, &run->scenario->finally);
    report_callbacks(run);
}
