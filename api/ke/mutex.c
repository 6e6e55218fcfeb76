/* mutex.c - KeInitializeMutex, KeReleaseMutex, KeReadStateMutex: mutexes that
 * threads own recursively. */
#include "api/ke/mutex.h"

#include <assert.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/apc_region.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/kthread.h"
#include "api/ke/lock.h"
#include "api/ke/object_wait.h"
#include "api/ke/wait_pair.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum { MUTEXES = 1 << DISPATCH_MUTEX };

/* Taken at DISPATCH_LEVEL: by a wait that only looks (MTX-05). */
static bool is_taken_raised(struct kernel *kernel, const struct kthread *thread)
{
    return thread->wait == NULL && irql_is_raised(kernel, kernel_cpu(kernel));
}

void mutex_take(struct kernel *kernel, struct dispatch_object *mutex,
    struct kthread *thread, struct strand *strand, enum routine routine)
{
    struct lock *lock =
        lock_at(kernel, routine, mutex->stored.address, LOCK_MUTEX);

    if (mutex->owner == NULL) {
        mutex->owner = thread;
        mutex->level = irql_number(kernel, is_taken_raised(kernel, thread)
                                               ? LEVEL_DISPATCH_LEVEL
                                               : LEVEL_PASSIVE_LEVEL);
        thread->owned++;
        apc_region_enter(thread); /* MTX-08 */
    }
    assert(mutex->owner == thread);
    lock_take(kernel, lock, thread, strand, routine, false);
    dispatch_object_set(kernel, mutex, mutex->state - 1);
}

/* What the routine raises at its caller (EXE-GEN-07). */
static _Noreturn void raise(
    struct kernel *kernel, enum routine routine, NTSTATUS code)
{
    const struct exception_record record = {.code = code, .routine = routine};

    exception_raise(kernel, &record);
}

void mutex_check_wait(struct kernel *kernel, enum routine routine,
    const struct dispatch_object *object)
{
    if (object->kind == DISPATCH_MUTEX && object->state == INT32_MIN &&
        object->owner == kthread_current(kernel)) {
        raise(kernel, routine, STATUS_MUTANT_LIMIT_EXCEEDED);
    }
}

VOID KeInitializeMutex_body(PVOID Mutex, ULONG Level)
{
    const enum routine routine = ROUTINE_KeInitializeMutex;
    struct kernel *kernel = kernel_current();
    const KMUTEX initial = {.ApcDisable = 1};

    (void)Level; /* MTX-01: reserved */
    copy_probe(kernel, routine, Mutex, sizeof(initial), true);
    lock_replace(kernel, routine, (uintptr_t)Mutex);
    copy_out(kernel, routine, Mutex, &initial, sizeof(initial));
    dispatch_object_make(kernel, routine, (uintptr_t)Mutex, DISPATCH_MUTEX, 1);
}

/* MTX-05, MTX-06 [C]: by another thread, or at another side of DISPATCH_LEVEL
 * than it was taken at. */
static void check_release(
    struct kernel *kernel, const struct dispatch_object *mutex)
{
    bool raised = irql_is_raised(kernel, kernel_cpu(kernel));
    bool was_raised = mutex->level >= irql_number(kernel, LEVEL_DISPATCH_LEVEL);

    if (mutex->owner != kthread_current(kernel) || raised != was_raised) {
        raise(kernel, ROUTINE_KeReleaseMutex,
            ruling_is(kernel, RULED_MTX_06_abandoned)
                ? STATUS_ABANDONED
                : STATUS_MUTANT_NOT_OWNED);
    }
}

LONG KeReleaseMutex_body(PVOID Mutex, BOOLEAN Wait)
{
    struct kernel *kernel = kernel_current();
    struct dispatch_object *mutex =
        dispatch_object_get(kernel, ROUTINE_KeReleaseMutex, Mutex, MUTEXES);
    struct kthread *thread = kthread_current(kernel);
    LONG before = mutex->state;
    struct lock_hold *hold;

    check_release(kernel, mutex);
    hold =
        lock_hold_of(lock_find(kernel, mutex->stored.address), thread->address);
    lock_give(kernel, hold);
    if (before == 0) {
        mutex->owner = NULL;
        thread->owned--;
        apc_region_leave(thread);
    }
    dispatch_object_set(kernel, mutex, before + 1);
    object_signal(kernel, mutex);
    if (Wait != 0) {
        wait_pair_begin(kernel, ROUTINE_KeReleaseMutex);
    } else if (before == 0) {
        apc_region_take(kernel);
    }
    /* MTX-03, MTX-04 [C] */
    return before != 0 && ruling_is(kernel, RULED_MTX_04_one) ? 1 : before;
}

LONG KeReadStateMutex_body(PVOID Mutex)
{
    return dispatch_object_get(
        kernel_current(), ROUTINE_KeReadStateMutex, Mutex, MUTEXES)
        ->state;
}
