/* remove_lock.c - remove locks (IO_REMOVE_LOCK): the removal of a device waits
 * until no request uses it (executive.md 6). */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/lock.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum { SYNCHRONIZATION_EVENT = 1, EVENT_WORDS = 6 };

/* One is the device's own. */
static void show(struct kernel *kernel, enum routine routine,
    const struct lock *lock, PIO_REMOVE_LOCK address)
{
    IO_REMOVE_LOCK shown = {.Common.Removed = lock->closed,
        .Common.IoCount = (LONG)lock->count + !lock->closed,
        .Common.RemoveEvent.Header = {
            .Type = SYNCHRONIZATION_EVENT, .Size = EVENT_WORDS}};

    copy_out(kernel, routine, address, &shown, sizeof(shown));
}

VOID IoInitializeRemoveLockEx_body(PIO_REMOVE_LOCK Lock, ULONG AllocateTag,
    ULONG MaxLockedMinutes, ULONG HighWatermark, ULONG RemlockSize)
{
    const enum routine routine = ROUTINE_IoInitializeRemoveLockEx;
    struct kernel *kernel = kernel_current();

    (void)
        AllocateTag; /* RLOCK-03: of Driver Verifier's, as all but the first */
    (void)MaxLockedMinutes;
    (void)HighWatermark;
    (void)RemlockSize;
    copy_probe(kernel, routine, Lock, sizeof(*Lock), true);
    show(kernel, routine, lock_make(kernel, routine, Lock, LOCK_REMOVE_LOCK),
        Lock);
}

NTSTATUS IoAcquireRemoveLockEx_body(PIO_REMOVE_LOCK RemoveLock, PVOID Tag,
    PVOID File, ULONG Line, ULONG RemlockSize)
{
    const enum routine routine = ROUTINE_IoAcquireRemoveLockEx;
    struct kernel *kernel = kernel_current();
    struct lock *lock = lock_get(kernel, routine, RemoveLock, LOCK_REMOVE_LOCK);

    (void)Tag;
    (void)File;
    (void)Line;
    (void)RemlockSize;
    if (lock->closed) {
        return STATUS_DELETE_PENDING;
    }
    lock->count++;
    show(kernel, routine, lock, RemoveLock);
    return STATUS_SUCCESS;
}

/* Once less: the last one lets who removes the device go on, and a removal lets
 * nobody in any more and waits for the others. */
static void release(enum routine routine, PIO_REMOVE_LOCK address, bool removes)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = lock_get(kernel, routine, address, LOCK_REMOVE_LOCK);

    if (lock->count == 0 || (removes && lock->closed)) {
        lock_misused(kernel, RULE_REMOVE_LOCK_STATE, routine, lock,
            ruling_is(kernel, RULED_RLOCK_04_event)); /* RLOCK-04 [C] */
        return;
    }
    lock->count--;
    lock->closed |= removes;
    if (lock->count == 0 && lock->first != NULL) {
        lock_wake(kernel, lock->first);
    }
    show(kernel, routine, lock, address);
    if (removes && lock->count > 0) {
        lock_wait(kernel, lock, routine, false);
    }
}

VOID IoReleaseRemoveLockEx_body(
    PIO_REMOVE_LOCK RemoveLock, PVOID Tag, ULONG RemlockSize)
{
    (void)Tag;
    (void)RemlockSize;
    release(ROUTINE_IoReleaseRemoveLockEx, RemoveLock, false);
}

VOID IoReleaseRemoveLockAndWaitEx_body(
    PIO_REMOVE_LOCK RemoveLock, PVOID Tag, ULONG RemlockSize)
{
    (void)Tag;
    (void)RemlockSize;
    release(ROUTINE_IoReleaseRemoveLockAndWaitEx, RemoveLock, true);
}
