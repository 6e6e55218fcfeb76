/* left_loaded.c - the drivers that are still loaded at the end of a run in
 * which calls were made to fail: unloaded, so that what they hold is found. */
#include "scenarios/runner/run/left_loaded.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/scenario/step_kind.h"

/* Of each driver the last step that would give back what it holds. */
static const struct step **last_steps(struct run *run)
{
    const struct scenario *scenario = run->scenario;
    const struct step **last = talloc_zero_array(
        run->context, const struct step *, (unsigned)scenario->actor_count);

    assert(last != NULL);
    for (uint32_t n = 1; n <= scenario->step_count; n++) {
        const struct step *step = scenario_step(scenario, n);

        if (step != NULL && !step->in_callback && !step->skipped &&
            step->kind->code->gives_back != NULL &&
            step->kind->code->gives_back(run, step)) {
            last[scenario->actor[step->actor].owner] = step;
        }
    }
    return last;
}

/* Whether the step is one of them. */
static bool is_last(
    const struct run *run, const struct step **last, const struct step *step)
{
    for (size_t i = 0; i < run->scenario->actor_count; i++) {
        if (last[i] != NULL && last[i] == step) {
            return true;
        }
    }
    return false;
}

void left_loaded_unload(struct run *run)
{
    const struct step **last = last_steps(run);
    bool in_finally = run->in_finally;

    run->giving_back = true;
    run->in_finally = false; /* no actor gives back what never came to be */
    for (uint32_t n = 1; n <= run->scenario->step_count && !run->stopped; n++) {
        const struct step *step = scenario_step(run->scenario, n);

        if (is_last(run, last, step)) {
            run_own_step(run, step);
        }
    }
    run->in_finally = in_finally;
    run->giving_back = false;
    talloc_free(last);
}
