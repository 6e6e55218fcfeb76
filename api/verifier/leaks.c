/* leaks.c - kind by kind, each in the order of acquisition. */
#include "api/verifier/leaks.h"

#include "api/ex/pool.h"
#include "api/ke/spinlock.h"
#include "api/kernel.h"

void leaks_report(struct kernel *kernel, const struct driver *driver)
{
    struct cpu *cpu = kernel_cpu(kernel);

    for (const struct counter_set *set = kernel->arbiter.first; set != NULL;
         set = set->next) {
        if (set->owner == driver && !set->freed) {
            rule_warn_at(kernel, cpu, RULE_LEAK_COUNTER_SET,
                ROUTINE_HalAllocateHardwareCounters, set->place);
        }
    }
    pool_report_leaks(kernel, cpu, driver);
    spinlock_report_driver(kernel, cpu, driver);
    pool_check_all(kernel, cpu);
}
