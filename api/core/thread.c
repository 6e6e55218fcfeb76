/* thread.c - a thread lies in its strand. */
#include "api/core/thread.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "sim/machine/strand.h"

_Static_assert(sizeof(struct thread) <= STRAND_LOCAL_BYTES, "fits a strand");

struct thread *thread_of(struct strand *strand)
{
    return (struct thread *)(void *)strand->local;
}

struct thread *thread_current(struct kernel *kernel)
{
    struct strand *strand = strand_current(kernel->machine);

    assert(strand != NULL);
    return thread_of(strand);
}

/* A thread below DISPATCH_LEVEL takes its level along; above, which is there
 * only where IRQL-GEN-01 [C] is flipped, its processor is for nobody else. */
void thread_wait(
    struct kernel *kernel, bool (*condition)(void *context), void *context)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct irql_state level;

    if (irql_current(kernel, cpu) >=
        irql_number(kernel, LEVEL_DISPATCH_LEVEL)) {
        strand_wait(kernel->machine, STRAND_SPINNING, condition, context);
        return;
    }
    level = irql_take(kernel, cpu);
    strand_wait(kernel->machine, STRAND_BLOCKED, condition, context);
    irql_bring(kernel, kernel_cpu(kernel), &level);
}
