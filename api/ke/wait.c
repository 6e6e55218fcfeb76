/* wait.c - a thread leaves its processor until a condition holds. */
#include "api/ke/wait.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/ke/irql.h"
#include "api/ke/spin.h"
#include "sim/machine/strand.h"

struct wait {
    struct kernel *kernel;
    const struct cpu *cpu; /* where it waits, and goes on */
    bool (*condition)(void *context);
    void *context;
};

static bool is_met(void *context)
{
    const struct wait *wait = context;

    return wait->condition(wait->context);
}

/* Others may have raised the processor meanwhile, and left it so. */
static bool may_go_on(void *context)
{
    const struct wait *wait = context;

    return !irql_is_raised(wait->kernel, wait->cpu) && is_met(context);
}

/* A thread below DISPATCH_LEVEL takes its level along; above, which is there
 * only where IRQL-GEN-01 [C] is flipped, its processor is for nobody else. */
void wait_until(
    struct kernel *kernel, bool (*condition)(void *context), void *context)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct wait wait = {kernel, cpu, condition, context};
    struct irql_state level;

    if (irql_is_raised(kernel, cpu)) {
        spin_until(kernel, is_met, &wait);
        return;
    }
    irql_take(kernel, cpu, &level);
    strand_wait(kernel->machine, STRAND_BLOCKED, may_go_on, &wait);
    assert(may_go_on(&wait) && kernel_cpu(kernel) == cpu);
    irql_bring(kernel, cpu, &level);
}

const void *wait_context(const struct strand *strand)
{
    const struct wait *wait = strand->condition_context;

    if (strand->condition != is_met && strand->condition != may_go_on) {
        return NULL;
    }
    return wait->context;
}
