/* apc_region.c - KeEnterCriticalRegion, KeEnterGuardedRegion and their kin: a
 * thread turns off its APCs. */
#include "api/ke/apc_region.h"

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/ke/driver_call.h"
#include "api/ke/kthread.h"

void apc_region_enter(struct kthread *thread)
{
    thread->kernel_apcs--;
}

void apc_region_leave(struct kthread *thread)
{
    thread->kernel_apcs++;
}

bool apc_region_open(
    struct kernel *kernel, const struct kthread *thread, uint8_t irql)
{
    return thread->kernel_apcs >= 0 && thread->special_apcs >= 0 &&
           irql < irql_number(kernel, LEVEL_APC_LEVEL);
}

bool apc_region_may_take(
    struct kernel *kernel, const struct kthread *thread, uint8_t irql)
{
    const struct thread_apcs *apcs = &thread->apcs;

    return (apcs->normal > 0 && !apcs->running &&
               apc_region_open(kernel, thread, irql)) ||
           (apcs->special > 0 && thread->special_apcs >= 0 &&
               irql < irql_number(kernel, LEVEL_APC_LEVEL));
}

void apc_region_take(struct kernel *kernel)
{
    struct kthread *thread = thread_current(kernel)->object;

    if (thread != NULL && thread->apcs.special + thread->apcs.normal > 0) {
        kernel->hooks->run_apcs(kernel, thread);
    }
}

uint32_t apc_region_counts(const struct kthread *thread)
{
    return (uint32_t)thread->special_apcs << 16 |
           ((uint32_t)thread->kernel_apcs & 0xFFFF);
}

uint32_t apc_region_current(struct kernel *kernel)
{
    const struct kthread *thread = thread_current(kernel)->object;

    return thread == NULL ? 0 : apc_region_counts(thread);
}

void apc_region_check(
    struct kernel *kernel, const struct driver_target *target, uint32_t before)
{
    uint32_t now = apc_region_current(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = target->routine}, {.value = 0}, {.value = now}, {.value = 0}};

    if (now != before) {
        rule_stop_at(kernel, kernel_cpu(kernel), RULE_APC_MISMATCH,
            ROUTINE_COUNT, target->address, parameter);
    }
}

/* APC-08 [C]: one leave too many. */
static void check_leave(
    struct kernel *kernel, enum routine routine, int32_t count)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name},
        {.value = irql_current(kernel, cpu)},
        {.value = (uint64_t)(int64_t)count}};

    if (count < 0) {
        return;
    }
    if (ruling_is(kernel, RULED_APC_08_fatal)) {
        rule_stop_with(kernel, cpu, RULE_APC_LEAVE, routine,
            place_current(kernel), BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION,
            parameter);
    }
    rule_warn(kernel, cpu, RULE_APC_LEAVE, routine);
}

VOID KeEnterCriticalRegion_body(void)
{
    apc_region_enter(kthread_current(kernel_current()));
}

VOID KeLeaveCriticalRegion_body(void)
{
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_current(kernel);

    check_leave(kernel, ROUTINE_KeLeaveCriticalRegion, thread->kernel_apcs);
    apc_region_leave(thread);
    apc_region_take(kernel); /* APC-02 */
}

VOID KeEnterGuardedRegion_body(void)
{
    kthread_current(kernel_current())->special_apcs--;
}

VOID KeLeaveGuardedRegion_body(void)
{
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_current(kernel);

    check_leave(kernel, ROUTINE_KeLeaveGuardedRegion, thread->special_apcs);
    thread->special_apcs++;
    apc_region_take(kernel);
}

static bool at_apc_level(struct kernel *kernel)
{
    return irql_current(kernel, kernel_cpu(kernel)) >=
           irql_number(kernel, LEVEL_APC_LEVEL);
}

BOOLEAN KeAreApcsDisabled_body(void)
{
    struct kernel *kernel = kernel_current();
    const struct kthread *thread = kthread_current(kernel);

    return thread->kernel_apcs < 0 || thread->special_apcs < 0 ||
           (ruling_is(kernel, RULED_APC_04_irql) && at_apc_level(kernel));
}

BOOLEAN KeAreAllApcsDisabled_body(void)
{
    struct kernel *kernel = kernel_current();

    return kthread_current(kernel)->special_apcs < 0 || at_apc_level(kernel);
}
