/* lock_region.c - checks that kernel APCs are disabled where a lock is taken
 * that requires it. */
#include "api/ke/lock_region.h"

#include "api/core/kernel.h"
#include "api/ke/kthread.h"
#include "sim/machine/strand.h"

bool lock_region_is_entered(struct kernel *kernel, bool all)
{
    const struct kthread *thread = kthread_current(kernel);
    uint8_t irql = irql_current(kernel, kernel_cpu(kernel));

    return irql >= irql_number(kernel, LEVEL_APC_LEVEL) ||
           thread->special_apcs < 0 || (!all && thread->kernel_apcs < 0);
}

void lock_region_check(struct kernel *kernel, enum routine routine, bool all)
{
    if (!lock_region_is_entered(kernel, all)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_LOCK_APCS_ENABLED, routine);
    }
}
