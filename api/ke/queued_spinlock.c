/* queued_spinlock.c - in-stack queued spin locks: granted in the order in which
 * processors came, each by a handle of its own (executive.md 6). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/irql.h"
#include "api/ke/lock.h"
#include "api/ke/lock_order.h"
#include "api/ke/spinlock.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

/* What the lock's own word shows; lock->count is the same. */
static void show(
    struct kernel *kernel, enum routine routine, const struct lock *lock)
{
    const KSPIN_LOCK value = (KSPIN_LOCK)lock->count;

    copy_out(kernel, routine, (void *)(uintptr_t)lock->stored.address, &value,
        sizeof(value));
}

static struct spinlock_hold *hold_of_handle(
    struct kernel *kernel, uint64_t handle)
{
    struct spinlock_log *log = kernel->spinlocks;

    for (size_t i = 0; i < log->count; i++) {
        if (log->hold[i].handle == handle) {
            return &log->hold[i];
        }
    }
    return NULL;
}

/* QLOCK-02: the lock is of this kind from its first acquire on, or it is an
 * ordinary one, which the driver may have initialised anew. */
static struct lock *get(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const KSPIN_LOCK *address)
{
    struct lock *lock = lock_find(kernel, (uintptr_t)address);
    KSPIN_LOCK value;

    copy_in(kernel, routine, &value, address, sizeof(value));
    if (lock != NULL && lock->kind == LOCK_SPIN) {
        spinlock_mixed(kernel, cpu, routine);
    }
    lock = lock_at(kernel, routine, (uintptr_t)address, LOCK_QUEUED_SPIN);
    if (value == 0 && lock->first == NULL) {
        lock->count = 0; /* the driver may have zeroed it itself */
    } else if (value != 0 && lock->count == 0) {
        rule_warn(kernel, cpu, RULE_LOCK_NOT_INITIALIZED, routine);
    }
    return lock;
}

static void check_free(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct lock *lock, uint64_t handle)
{
    if (hold_of_handle(kernel, handle) != NULL) {
        spinlock_mixed(kernel, cpu, routine); /* QLOCK-03 [C] */
    }
    if (lock->count != 0 && !ruling_is(kernel, RULED_LOCK_05b_deadlock) &&
        spinlock_hold_here(kernel, cpu,
            (const void *)(uintptr_t)lock->stored.address) != NULL) {
        spinlock_stop(kernel, cpu, RULE_LOCK_RECURSIVE, routine);
    }
}

/* At DISPATCH_LEVEL or above. */
static struct spinlock_hold *acquire(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, PKSPIN_LOCK address, PKLOCK_QUEUE_HANDLE handle)
{
    struct lock *lock = get(kernel, cpu, routine, address);
    struct spinlock_hold *hold;

    check_free(kernel, cpu, routine, lock, (uintptr_t)handle);
    lock_order_note(kernel, routine, lock->stored.address, lock->kind);
    if (lock->count != 0) {
        lock_wait(kernel, lock, routine, false);
        assert(lock->count == 1); /* handed over */
    }
    lock->count = 1;
    hold = spinlock_hold_add(kernel, cpu, routine, address, LOCK_QUEUED_SPIN);
    hold->handle = (uintptr_t)handle;
    show(kernel, routine, lock);
    return hold;
}

/* The handle as the public layout has it; what counts is kept here. */
static void show_handle(struct kernel *kernel, enum routine routine,
    PKLOCK_QUEUE_HANDLE handle, PKSPIN_LOCK lock, KIRQL old)
{
    const KLOCK_QUEUE_HANDLE value = {.LockQueue.Lock = lock, .OldIrql = old};

    copy_out(kernel, routine, handle, &value, sizeof(value));
}

static void acquire_raising(
    enum routine routine, PKSPIN_LOCK lock, PKLOCK_QUEUE_HANDLE handle)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct spinlock_hold *hold;
    uint8_t old;

    copy_probe(kernel, routine, lock, sizeof(*lock), true);
    copy_probe(kernel, routine, handle, sizeof(*handle), true);
    old = irql_raise(
        kernel, cpu, routine, irql_number(kernel, LEVEL_DISPATCH_LEVEL));
    hold = acquire(kernel, cpu, routine, lock, handle);
    hold->raised = true;
    hold->old_irql = old;
    show_handle(kernel, routine, handle, lock, old);
}

/* Which routine gives back what this one acquired. */
static enum routine pair_of(enum routine acquired)
{
    switch ((int)acquired) {
    case ROUTINE_KeAcquireInStackQueuedSpinLock:
        return ROUTINE_KeReleaseInStackQueuedSpinLock;
    case ROUTINE_KeAcquireInStackQueuedSpinLockForDpc:
        return ROUTINE_KeReleaseInStackQueuedSpinLockForDpc;
    default:
        return ROUTINE_KeReleaseInStackQueuedSpinLockFromDpcLevel;
    }
}

/* The next processor has it at once. */
static void hand_over(struct kernel *kernel, struct lock *lock)
{
    if (lock->first == NULL) {
        lock->count = 0;
    } else {
        lock_wake(kernel, lock->first);
    }
}

/* Whether the driver has made another lock of its storage since. */
static bool is_gone(struct kernel *kernel, const struct spinlock_hold *hold)
{
    const struct lock *lock = lock_find(kernel, (uintptr_t)hold->lock);

    return lock == NULL || lock->kind != LOCK_QUEUED_SPIN;
}

/* False: QLOCK-03 [C] is flipped, and nothing was given back. */
static bool release(struct kernel *kernel, enum routine routine,
    PKLOCK_QUEUE_HANDLE handle, struct spinlock_hold *was)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct spinlock_hold *hold = hold_of_handle(kernel, (uintptr_t)handle);
    struct lock *lock;

    copy_probe(kernel, routine, handle, sizeof(*handle), true);
    if (hold == NULL || hold->processor != cpu->index ||
        is_gone(kernel, hold)) {
        if (ruling_is(kernel, RULED_QLOCK_03_event)) {
            rule_report(kernel, cpu, RULE_LOCK_NOT_OWNED, routine);
            return false;
        }
        spinlock_stop(kernel, cpu, RULE_LOCK_NOT_OWNED, routine);
    }
    if (pair_of(hold->routine) != routine) {
        rule_warn(kernel, cpu, RULE_LOCK_MIXED_PAIR, routine);
    }
    *was = spinlock_hold_end(kernel, cpu, routine, hold);
    lock = lock_find(kernel, (uintptr_t)was->lock);
    hand_over(kernel, lock);
    show(kernel, routine, lock);
    return true;
}

static void release_lowering(enum routine routine, PKLOCK_QUEUE_HANDLE handle)
{
    struct kernel *kernel = kernel_current();
    struct spinlock_hold was;

    if (release(kernel, routine, handle, &was) && was.raised) {
        irql_lower(kernel, kernel_cpu(kernel), routine, was.old_irql);
    }
}

VOID KeAcquireInStackQueuedSpinLock_body(
    PKSPIN_LOCK SpinLock, PKLOCK_QUEUE_HANDLE LockHandle)
{
    acquire_raising(
        ROUTINE_KeAcquireInStackQueuedSpinLock, SpinLock, LockHandle);
}

VOID KeReleaseInStackQueuedSpinLock_body(PKLOCK_QUEUE_HANDLE LockHandle)
{
    release_lowering(ROUTINE_KeReleaseInStackQueuedSpinLock, LockHandle);
}

/* QLOCK-05. */
VOID KeAcquireInStackQueuedSpinLockForDpc_body(
    PKSPIN_LOCK SpinLock, PKLOCK_QUEUE_HANDLE LockHandle)
{
    acquire_raising(
        ROUTINE_KeAcquireInStackQueuedSpinLockForDpc, SpinLock, LockHandle);
}

VOID KeReleaseInStackQueuedSpinLockForDpc_body(PKLOCK_QUEUE_HANDLE LockHandle)
{
    release_lowering(ROUTINE_KeReleaseInStackQueuedSpinLockForDpc, LockHandle);
}

VOID KeAcquireInStackQueuedSpinLockAtDpcLevel_body(
    PKSPIN_LOCK SpinLock, PKLOCK_QUEUE_HANDLE LockHandle)
{
    const enum routine routine =
        ROUTINE_KeAcquireInStackQueuedSpinLockAtDpcLevel;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);

    spinlock_check_dispatch(kernel, cpu, routine);
    copy_probe(kernel, routine, LockHandle, sizeof(*LockHandle), true);
    acquire(kernel, cpu, routine, SpinLock, LockHandle);
    show_handle(kernel, routine, LockHandle, SpinLock, 0);
}

VOID KeReleaseInStackQueuedSpinLockFromDpcLevel_body(
    PKLOCK_QUEUE_HANDLE LockHandle)
{
    const enum routine routine =
        ROUTINE_KeReleaseInStackQueuedSpinLockFromDpcLevel;
    struct kernel *kernel = kernel_current();
    struct spinlock_hold was;

    spinlock_check_dispatch(kernel, kernel_cpu(kernel), routine);
    release(kernel, routine, LockHandle, &was);
}
