/* fast_mutex.c - fast and guarded mutexes, which are one type: acquired, tried,
 * released, with and without IRQL. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/apc_region.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"
#include "api/ke/lock.h"
#include "api/ke/lock_order.h"
#include "api/ke/lock_region.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum { SYNCHRONIZATION_EVENT = 1, EVENT_WORDS = 6 };

/* What an acquire does besides, which its release undoes. */
enum fast_mutex_way { WAY_RAISES, WAY_REGION, WAY_UNSAFE };

/* Where the lock keeps how it was acquired: FMTX-02 pairs the routines. */
enum { LEVEL_UNTOUCHED = 0xFF, LEVEL_OF_REGION = 0xFE };

/* FMTX-05b [C]. */
static enum fast_mutex_way guarded_way(const struct kernel *kernel)
{
    return kernel->os == &os_rows[OS_WIN7] ||
                   ruling_is(kernel, RULED_FMTX_05b_region)
               ? WAY_REGION
               : WAY_RAISES;
}

/* As ExInitializeFastMutex leaves it, which is inline (EXE-INL-01). */
static bool is_initial(const FAST_MUTEX *mutex)
{
    return mutex->Count == 1 && mutex->Owner == NULL &&
           mutex->Contention == 0 &&
           mutex->Event.Header.Type == SYNCHRONIZATION_EVENT &&
           mutex->Event.Header.SignalState == 0;
}

static struct lock *get(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct lock *lock = lock_find(kernel, (uintptr_t)address);
    FAST_MUTEX mutex;

    if (lock != NULL && lock->kind == LOCK_FAST_MUTEX) {
        return lock;
    }
    copy_in(kernel, routine, &mutex, address, sizeof(mutex));
    return is_initial(&mutex)
               ? lock_make(kernel, routine, address, LOCK_FAST_MUTEX)
               : lock_get(kernel, routine, address, LOCK_FAST_MUTEX);
}

/* What the storage shows: its Event is the kernel's, who waits is not in it. */
static void show(struct kernel *kernel, enum routine routine,
    const struct lock *lock, void *address, uint8_t old_irql)
{
    FAST_MUTEX mutex;

    copy_in(kernel, routine, &mutex, address, sizeof(mutex));
    mutex.Count = lock->holds == NULL ? 1 : 0;
    mutex.Owner =
        lock->holds == NULL ? NULL : (PVOID)(uintptr_t)lock->holds->owner;
    mutex.OldIrql = old_irql < LEVEL_OF_REGION ? old_irql : 0;
    copy_out(kernel, routine, address, &mutex, sizeof(mutex));
}

VOID KeInitializeGuardedMutex_body(PVOID Mutex)
{
    const enum routine routine = ROUTINE_KeInitializeGuardedMutex;
    struct kernel *kernel = kernel_current();
    const FAST_MUTEX mutex = {
        .Count = 1,
        .Event.Header = {.Type = SYNCHRONIZATION_EVENT, .Size = EVENT_WORDS},
    };

    copy_probe(kernel, routine, Mutex, sizeof(mutex), true);
    lock_make(kernel, routine, Mutex, LOCK_FAST_MUTEX);
    copy_out(kernel, routine, Mutex, &mutex, sizeof(mutex));
}

/* Returns what the release has to know. */
static uint8_t enter(
    struct kernel *kernel, enum routine routine, enum fast_mutex_way way)
{
    switch (way) {
    case WAY_RAISES:
        return irql_raise(kernel, kernel_cpu(kernel), routine,
            irql_number(kernel, LEVEL_APC_LEVEL));
    case WAY_REGION:
        kthread_current(kernel)->special_apcs--;
        return LEVEL_OF_REGION;
    case WAY_UNSAFE:
        break;
    }
    return LEVEL_UNTOUCHED;
}

static void leave(struct kernel *kernel, enum routine routine, uint8_t old)
{
    if (old == LEVEL_OF_REGION) {
        kthread_current(kernel)->special_apcs++;
        apc_region_take(kernel);
    } else if (old != LEVEL_UNTOUCHED) {
        irql_lower(kernel, kernel_cpu(kernel), routine, old);
    }
}

static void acquire(
    enum routine routine, void *address, enum fast_mutex_way way)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(kernel, routine, address);
    struct kthread *thread = kthread_current(kernel);
    uint8_t old = enter(kernel, routine, way);

    if (lock_hold_of(lock, thread->address) != NULL) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_LOCK_OWN_WAIT, routine);
    }
    lock_order_note(kernel, routine, lock->stored.address, lock->kind);
    if (lock->holds == NULL) {
        lock_take(kernel, lock, thread, strand_current(kernel->machine),
            routine, false);
    } else {
        lock_wait(kernel, lock, routine, false);
    }
    lock->level = old;
    show(kernel, routine, lock, address, old);
}

static BOOLEAN try(enum routine routine, void *address, enum fast_mutex_way way)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(kernel, routine, address);

    if (lock->holds != NULL) {
        if (way == WAY_REGION && ruling_is(kernel, RULED_FMTX_07_region)) {
            kthread_current(kernel)->special_apcs--;
        }
        return 0; /* FMTX-07 [C] */
    }
    lock->level = enter(kernel, routine, way);
    lock_take(kernel, lock, kthread_current(kernel),
        strand_current(kernel->machine), routine, false);
    show(kernel, routine, lock, address, lock->level);
    return 1;
}

/* FMTX-03 [C]: by another thread, or of a free one. */
static bool is_released_rightly(
    struct kernel *kernel, enum routine routine, const struct lock *lock)
{
    if (lock_hold_of(lock, kthread_current(kernel)->address) != NULL) {
        return true;
    }
    if (ruling_is(kernel, RULED_FMTX_03_event)) {
        rule_report(kernel, kernel_cpu(kernel), RULE_LOCK_NOT_HELD, routine);
        return false;
    }
    lock_stop(kernel, RULE_LOCK_NOT_HELD, routine, "thread",
        lock_kinds[lock->kind].text, 0);
}

static bool is_unsafe(uint8_t old)
{
    return old == LEVEL_UNTOUCHED;
}

static void release(
    enum routine routine, void *address, enum fast_mutex_way way)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(kernel, routine, address);
    uint8_t old = lock->level;

    if (!is_released_rightly(kernel, routine, lock)) {
        return;
    }
    if (is_unsafe(old) != (way == WAY_UNSAFE)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_LOCK_MIXED_PAIR, routine);
    }
    lock_give(kernel, lock_hold_of(lock, kthread_current(kernel)->address));
    if (lock->first != NULL) {
        lock_grant(kernel, lock->first);
    }
    show(kernel, routine, lock, address, 0);
    leave(kernel, routine, old);
}

/* The caller has turned off its APCs: kernel APCs, or all of them. */
static void acquire_unsafe(enum routine routine, PVOID mutex, bool all)
{
    lock_region_check(kernel_current(), routine, all);
    acquire(routine, mutex, WAY_UNSAFE);
}

static void release_unsafe(enum routine routine, PVOID mutex, bool all)
{
    lock_region_check(kernel_current(), routine, all);
    release(routine, mutex, WAY_UNSAFE);
}

VOID ExAcquireFastMutex_body(PVOID FastMutex)
{
    acquire(ROUTINE_ExAcquireFastMutex, FastMutex, WAY_RAISES);
}

BOOLEAN ExTryToAcquireFastMutex_body(PVOID FastMutex)
{
    return try(ROUTINE_ExTryToAcquireFastMutex, FastMutex, WAY_RAISES);
}

VOID ExReleaseFastMutex_body(PVOID FastMutex)
{
    release(ROUTINE_ExReleaseFastMutex, FastMutex, WAY_RAISES);
}

VOID ExAcquireFastMutexUnsafe_body(PVOID FastMutex)
{
    acquire_unsafe(ROUTINE_ExAcquireFastMutexUnsafe, FastMutex, false);
}

VOID ExReleaseFastMutexUnsafe_body(PVOID FastMutex)
{
    release_unsafe(ROUTINE_ExReleaseFastMutexUnsafe, FastMutex, false);
}

VOID KeAcquireGuardedMutex_body(PVOID Mutex)
{
    acquire(
        ROUTINE_KeAcquireGuardedMutex, Mutex, guarded_way(kernel_current()));
}

BOOLEAN KeTryToAcquireGuardedMutex_body(PVOID Mutex)
{
    return try(ROUTINE_KeTryToAcquireGuardedMutex, Mutex,
        guarded_way(kernel_current()));
}

VOID KeReleaseGuardedMutex_body(PVOID Mutex)
{
    release(
        ROUTINE_KeReleaseGuardedMutex, Mutex, guarded_way(kernel_current()));
}

VOID KeAcquireGuardedMutexUnsafe_body(PVOID FastMutex)
{
    acquire_unsafe(ROUTINE_KeAcquireGuardedMutexUnsafe, FastMutex, true);
}

VOID KeReleaseGuardedMutexUnsafe_body(PVOID FastMutex)
{
    release_unsafe(ROUTINE_KeReleaseGuardedMutexUnsafe, FastMutex, true);
}
