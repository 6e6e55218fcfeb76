/* thread_priority.c - KeSetPriorityThread, KeQueryRuntimeThread,
 * ZwYieldExecution and their kin. */
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/clock.h"
#include "api/ke/dispatcher.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"

enum { LOWEST_VARIABLE = 1, HIGHEST_VARIABLE = PRIORITY_REALTIME - 1 };

/* PRI-02 [C]: whether it may be set. */
static bool is_possible(
    struct kernel *kernel, enum routine routine, int64_t priority)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name},
        {.value = irql_current(kernel, cpu)}, {.value = (uint64_t)priority}};

    if (priority > 0 && priority <= PRIORITY_HIGHEST) {
        return true;
    }
    if (ruling_is(kernel, RULED_PRI_02_fatal)) {
        rule_stop_with(kernel, cpu, RULE_THREAD_PRIORITY, routine,
            place_current(kernel), BUGCHECK_KMODE_EXCEPTION_NOT_HANDLED,
            parameter);
    }
    rule_warn(kernel, cpu, RULE_THREAD_PRIORITY, routine);
    return false;
}

KPRIORITY KeSetPriorityThread_body(PVOID Thread, KPRIORITY Priority)
{
    const enum routine routine = ROUTINE_KeSetPriorityThread;
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_get(kernel, routine, Thread);
    KPRIORITY before = thread->priority;

    if (is_possible(kernel, routine, Priority)) {
        kthread_set_priority(kernel, thread, (uint8_t)Priority);
    }
    return before;
}

KPRIORITY KeQueryPriorityThread_body(PVOID Thread)
{
    return kthread_get(kernel_current(), ROUTINE_KeQueryPriorityThread, Thread)
        ->priority;
}

/* PRI-03: it stays in the class of the process, which is the variable one. */
LONG KeSetBasePriorityThread_body(PVOID Thread, LONG Increment)
{
    struct kernel *kernel = kernel_current();
    struct kthread *thread =
        kthread_get(kernel, ROUTINE_KeSetBasePriorityThread, Thread);
    LONG before = (LONG)thread->base - PRIORITY_NORMAL;
    int64_t base = (int64_t)PRIORITY_NORMAL + Increment;

    base = base < LOWEST_VARIABLE    ? LOWEST_VARIABLE
           : base > HIGHEST_VARIABLE ? HIGHEST_VARIABLE
                                     : base;
    thread->base = (uint8_t)base;
    kthread_set_priority(kernel, thread, (uint8_t)base);
    return before;
}

/* In ticks of the clock. */
ULONG KeQueryRuntimeThread_body(PVOID Thread, PULONG UserTime)
{
    const enum routine routine = ROUTINE_KeQueryRuntimeThread;
    struct kernel *kernel = kernel_current();
    const struct kthread *thread = kthread_get(kernel, routine, Thread);
    const ULONG user = (ULONG)clock_ticks_at(kernel, thread->ran_user);

    copy_out(kernel, routine, UserTime, &user, sizeof(user));
    return (ULONG)clock_ticks_at(
        kernel, kthread_ran(kernel, thread) - thread->ran_user);
}

NTSTATUS ZwYieldExecution_body(void)
{
    struct kernel *kernel = kernel_current();

    return dispatcher_yield(kernel) || ruling_is(kernel, RULED_THR_11_success)
               ? STATUS_SUCCESS
               : STATUS_NO_YIELD_PERFORMED; /* THR-11 [C] */
}
