/* scenario.c - the step with a number, wherever in a scenario it is. */
#include "scenarios/runner/scenario/scenario.h"

/* The step with that ordinal, or NULL when it is not in the list. */
static const struct step *find_step(
    const struct step_list *steps, size_t ordinal)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];
        const struct step *inner = NULL;

        if (step->ordinal == ordinal) {
            return step;
        }
        for (size_t k = 0; k < step->inner_count && inner == NULL; k++) {
            inner = find_step(&step->inner[k].steps, ordinal);
        }
        if (inner != NULL) {
            return inner;
        }
    }
    return NULL;
}

const struct step *scenario_step(const struct scenario *scenario, uint32_t n)
{
    const struct step *step = NULL;

    if (n > 0) {
        step = find_step(&scenario->steps, n - 1);
        step = step != NULL ? step : find_step(&scenario->finally, n - 1);
    }
    for (size_t i = 0;
         n > 0 && step == NULL && i < scenario->callback_names->count; i++) {
        step = find_step(&scenario->callback[i].steps, n - 1);
    }
    return step;
}

bool scenario_step_is_of_program(
    const struct scenario *scenario, const struct step *step)
{
    return scenario_driver(scenario, step->actor)->user && !step->in_callback;
}
