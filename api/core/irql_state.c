/* irql_state.c - the level that a processor is at, and the numbers that levels
 * have on the architecture. */
#include "api/core/irql_state.h"

#include <assert.h>

#include "api/core/kernel.h"

bool irql_raises_check(const struct irql_state *state)
{
    uint32_t known =
        state->depth < IRQL_SHADOW_DEPTH ? state->depth : IRQL_SHADOW_DEPTH;

    assert(state->floor <= state->depth);
    for (uint32_t i = state->floor; i + 1 < known; i++) {
        assert(state->shadow[i] <= state->shadow[i + 1]);
    }
    /* Deeper raises are not recorded, so what undoes them is not checked. */
    if (state->depth > state->floor && state->depth < IRQL_SHADOW_DEPTH) {
        assert(state->shadow[state->depth - 1] <= state->current);
    }
    return true;
}

bool irql_is_raised(struct kernel *kernel, const struct cpu *cpu)
{
    return irql_current(kernel, cpu) >=
           irql_number(kernel, LEVEL_DISPATCH_LEVEL);
}
