/* leaks.c - kind by kind, each in the order of acquisition. */
#include "api/verifier/leaks.h"

#include "api/ex/pool.h"
#include "api/exports.h"
#include "api/ke/spinlock.h"
#include "api/kernel.h"

/* HAL-FREE-06 [C]: the set stays held. */
static void report_set(
    struct kernel *kernel, struct cpu *cpu, struct counter_set *set)
{
    const struct bugcheck_parameter parameter[4] = {{.name = "counter set"}};
    enum routine routine = ROUTINE_HalAllocateHardwareCounters;

    if (ruling_is(kernel, RULED_HAL_FREE_06_fatal)) {
        rule_stop_with(kernel, cpu, RULE_LEAK_COUNTER_SET, routine, set->place,
            BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION, parameter);
    }
    rule_warn_at(kernel, cpu, RULE_LEAK_COUNTER_SET, routine, set->place);
    if (ruling_is(kernel, RULED_HAL_FREE_06_release)) {
        HalFreeHardwareCounters_body((HANDLE)(uintptr_t)set->handle);
    }
}

/* The first of the driver's sets behind that number; sets may go meanwhile. */
static struct counter_set *next_held(
    struct kernel *kernel, const struct driver *driver, unsigned number)
{
    struct counter_set *set = kernel->arbiter.first;

    while (set != NULL &&
           (set->owner != driver || set->freed || set->number <= number)) {
        set = set->next;
    }
    return set;
}

void leaks_report(struct kernel *kernel, const struct driver *driver)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct counter_set *set = next_held(kernel, driver, 0);

    while (set != NULL) {
        unsigned number = set->number;

        report_set(kernel, cpu, set);
        set = next_held(kernel, driver, number);
    }
    pool_report_leaks(kernel, cpu, driver);
    spinlock_report_driver(kernel, cpu, driver);
    pool_check_all(kernel, cpu);
}
