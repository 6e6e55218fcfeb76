/* act_store.c - one store instruction a value. */
#include "api/mm/store.h"

#include <talloc.h>

#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_guarded.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/step.h"

static void store_now(struct run *run, struct outcome *outcome)
{
    const struct step_store *store = &outcome->step->u.store;
    const struct node *values = store->values;
    struct value_block block = {.state = BLOCK_GOOD};
    size_t *end =
        talloc_zero_array(outcome, size_t, (unsigned)values->count + 1);
    uint64_t to;

    outcome->call = "store";
    if (!value_scalar(&run->scope, store->to, NT_PVOID, &to)) {
        run_fail_value(run, outcome, store->to);
        return;
    }
    for (size_t i = 0; i < values->count; i++) {
        if (!value_layout_add(&run->scope, outcome, values->item[i], &block)) {
            run_fail_value(run, outcome, values->item[i]);
            return;
        }
        end[i + 1] = block.size;
    }
    for (size_t i = 0; i < values->count; i++) {
        store_bytes(&run->session->kernel, to + store->at + end[i],
            block.bytes + end[i], end[i + 1] - end[i]);
    }
}

void act_store(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, store_now);
}
