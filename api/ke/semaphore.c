/* semaphore.c - KeInitializeSemaphore, KeReleaseSemaphore,
 * KeReadStateSemaphore. */
#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/object_wait.h"
#include "api/ke/wait_pair.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum { SEMAPHORES = 1 << DISPATCH_SEMAPHORE };

/* SEM-03 [C]: taken as given. */
static void check_counts(struct kernel *kernel, LONG count, LONG limit)
{
    const enum routine routine = ROUTINE_KeInitializeSemaphore;
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name},
        {.value = (uint64_t)(int64_t)count},
        {.value = (uint64_t)(int64_t)limit}};

    if (count >= 0 && limit > 0 && count <= limit) {
        return;
    }
    if (ruling_is(kernel, RULED_SEM_03_fatal)) {
        rule_stop_with(kernel, cpu, RULE_SEMAPHORE_COUNTS, routine, 0,
            BUGCHECK_IRQL_NOT_LESS_OR_EQUAL, parameter);
    }
    rule_warn(kernel, cpu, RULE_SEMAPHORE_COUNTS, routine);
}

VOID KeInitializeSemaphore_body(PVOID Semaphore, LONG Count, LONG Limit)
{
    const enum routine routine = ROUTINE_KeInitializeSemaphore;
    struct kernel *kernel = kernel_current();
    const KSEMAPHORE initial = {.Limit = Limit};

    check_counts(kernel, Count, Limit);
    copy_out(kernel, routine, Semaphore, &initial, sizeof(initial));
    dispatch_object_make(
        kernel, routine, (uintptr_t)Semaphore, DISPATCH_SEMAPHORE, Count)
        ->limit = Limit;
}

static _Noreturn void raise_limit(struct kernel *kernel)
{
    const struct exception_record record = {
        .code = STATUS_SEMAPHORE_LIMIT_EXCEEDED,
        .routine = ROUTINE_KeReleaseSemaphore};

    exception_raise(kernel, &record);
}

LONG KeReleaseSemaphore_body(
    PVOID Semaphore, KPRIORITY Increment, LONG Adjustment, BOOLEAN Wait)
{
    const enum routine routine = ROUTINE_KeReleaseSemaphore;
    struct kernel *kernel = kernel_current();
    struct dispatch_object *semaphore =
        dispatch_object_get(kernel, routine, Semaphore, SEMAPHORES);
    LONG before = semaphore->state;

    (void)Increment;       /* WAIT-34 [C]: there are no boosts */
    if (Adjustment <= 0) { /* SEM-06 [C] */
        rule_warn(
            kernel, kernel_cpu(kernel), RULE_SEMAPHORE_ADJUSTMENT, routine);
        if (ruling_is(kernel, RULED_SEM_06_event)) {
            return before;
        }
        raise_limit(kernel);
    }
    if ((int64_t)before + Adjustment > semaphore->limit) {
        raise_limit(kernel); /* SEM-05 */
    }
    dispatch_object_set(kernel, semaphore, before + Adjustment);
    object_signal(kernel, semaphore);
    if (Wait != 0) {
        wait_pair_begin(kernel, routine);
    }
    return before;
}

LONG KeReadStateSemaphore_body(PVOID Semaphore)
{
    return dispatch_object_get(
        kernel_current(), ROUTINE_KeReadStateSemaphore, Semaphore, SEMAPHORES)
        ->state;
}
