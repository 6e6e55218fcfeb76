/* remove_lock.c - remove locks (IO_REMOVE_LOCK): the removal of a device waits
 * until no request uses it (executive.md 6). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/lock.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum {
    SYNCHRONIZATION_EVENT = 1,
    EVENT_WORDS = 6,
    MICROSECONDS_OF_MINUTE = 60 * 1000 * 1000
};

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
    const struct lock *old = lock_find(kernel, (uintptr_t)Lock);
    struct lock *lock;

    (void)AllocateTag; /* of the memory that a checked build takes for tags */
    (void)RemlockSize;
    copy_probe(kernel, routine, Lock, sizeof(*Lock), true);
    if (old != NULL && old->kind == LOCK_REMOVE_LOCK) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_REMOVE_LOCK_AGAIN, routine);
    }
    lock = lock_make(kernel, routine, Lock, LOCK_REMOVE_LOCK);
    lock->most = HighWatermark;
    lock->minutes = MaxLockedMinutes;
    show(kernel, routine, lock, Lock);
}

NTSTATUS IoAcquireRemoveLockEx_body(PIO_REMOVE_LOCK RemoveLock, PVOID Tag,
    PVOID File, ULONG Line, ULONG RemlockSize)
{
    const enum routine routine = ROUTINE_IoAcquireRemoveLockEx;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct lock *lock = lock_get(kernel, routine, RemoveLock, LOCK_REMOVE_LOCK);

    (void)File;
    (void)Line;
    (void)RemlockSize;
    if (lock->closed) {
        return STATUS_DELETE_PENDING;
    }
    lock->count++;
    lock_tag_add(kernel, lock, (uintptr_t)Tag, cpu->time);
    if (lock->most != 0 && lock->count > lock->most) {
        rule_warn(kernel, cpu, RULE_REMOVE_LOCK_LIMIT, routine);
    }
    show(kernel, routine, lock, RemoveLock);
    return STATUS_SUCCESS;
}

/* Who releases may run on a processor that is behind. */
static bool is_too_long(
    const struct kernel *kernel, uint64_t since, uint64_t now, uint32_t minutes)
{
    uint64_t minute =
        (uint64_t)MICROSECONDS_OF_MINUTE * kernel->machine->config.pmu.mhz;

    return minutes != 0 && now > since && (now - since - 1) / minute >= minutes;
}

/* The acquire that ends has the same tag, or is taken to be the last one
 * (RLOCK-03). */
static void compare(struct kernel *kernel, enum routine routine,
    struct lock *lock, PVOID tag, enum rule rule)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct lock_tag taken = lock_tag_take(kernel, lock, (uintptr_t)tag);

    if (taken.tag != (uintptr_t)tag) {
        rule_warn(kernel, cpu, rule, routine);
    }
    if (is_too_long(kernel, taken.time, cpu->time, lock->minutes)) {
        rule_warn(kernel, cpu, RULE_REMOVE_LOCK_LIMIT, routine);
    }
}

/* Once less: the last one lets who removes the device go on, and a removal lets
 * nobody in any more and waits for the others. */
static void release(
    enum routine routine, PIO_REMOVE_LOCK address, PVOID tag, bool removes)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = lock_get(kernel, routine, address, LOCK_REMOVE_LOCK);

    if (lock->count == 0 || (removes && lock->closed)) {
        lock_misused(kernel, RULE_REMOVE_LOCK_STATE, routine, lock,
            ruling_is(kernel, RULED_RLOCK_04_event)); /* RLOCK-04 [C] */
        return;
    }
    compare(kernel, routine, lock, tag,
        removes ? RULE_REMOVE_LOCK_WAIT_TAG : RULE_REMOVE_LOCK_TAG);
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
    (void)RemlockSize;
    release(ROUTINE_IoReleaseRemoveLockEx, RemoveLock, Tag, false);
}

VOID IoReleaseRemoveLockAndWaitEx_body(
    PIO_REMOVE_LOCK RemoveLock, PVOID Tag, ULONG RemlockSize)
{
    (void)RemlockSize;
    release(ROUTINE_IoReleaseRemoveLockAndWaitEx, RemoveLock, Tag, true);
}
