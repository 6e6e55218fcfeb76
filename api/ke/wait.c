/* wait.c - a thread leaves its processor until a condition holds. */
#include "api/ke/wait.h"

#include "api/core/kernel.h"
#include "api/ke/irql.h"
#include "sim/machine/strand.h"

/* A thread below DISPATCH_LEVEL takes its level along; above, which is there
 * only where IRQL-GEN-01 [C] is flipped, its processor is for nobody else. */
void wait_until(
    struct kernel *kernel, bool (*condition)(void *context), void *context)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct irql_state level;

    if (irql_is_raised(kernel, cpu)) {
        strand_wait(kernel->machine, STRAND_SPINNING, condition, context);
        return;
    }
    level = irql_take(kernel, cpu);
    strand_wait(kernel->machine, STRAND_BLOCKED, condition, context);
    irql_bring(kernel, kernel_cpu(kernel), &level);
}
