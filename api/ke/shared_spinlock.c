/* shared_spinlock.c - reader-writer spin locks (EX_SPIN_LOCK): acquired,
 * released, converted (executive.md 6). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/irql.h"
#include "api/ke/lock.h"
#include "api/ke/lock_order.h"
#include "api/ke/spinlock.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

/* lock->count is that of the readers, or WRITER. */
enum { WRITER = -1 };

static const EX_SPIN_LOCK writer_shown = INT32_MIN;

static void show(
    struct kernel *kernel, enum routine routine, const struct lock *lock)
{
    const EX_SPIN_LOCK value =
        lock->count == WRITER ? writer_shown : (EX_SPIN_LOCK)lock->count;

    copy_out(kernel, routine, (void *)(uintptr_t)lock->stored.address, &value,
        sizeof(value));
}

static struct lock *get(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const EX_SPIN_LOCK *address)
{
    struct lock *lock =
        lock_at(kernel, routine, (uintptr_t)address, LOCK_SHARED_SPIN);
    EX_SPIN_LOCK value;

    copy_in(kernel, routine, &value, address, sizeof(value));
    if (value != 0 && lock->count == 0) {
        rule_warn(kernel, cpu, RULE_LOCK_NOT_INITIALIZED, routine);
    }
    return lock;
}

/* RWLK-01: no reader comes in behind a writer that waits. */
static bool is_open(const struct lock *lock, bool shared)
{
    return lock->first == NULL &&
           (lock->count == 0 || (shared && lock->count > 0));
}

static void enter(struct lock *lock, bool shared)
{
    lock->count = shared ? lock->count + 1 : WRITER;
}

/* At DISPATCH_LEVEL or above. */
static struct spinlock_hold *acquire(
    enum routine routine, PEX_SPIN_LOCK address, bool shared)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct lock *lock = get(kernel, cpu, routine, address);
    struct spinlock_hold *hold;

    if (spinlock_hold_here(kernel, cpu, address) != NULL &&
        !ruling_is(kernel, RULED_RWLK_04_deadlock)) {
        spinlock_stop(kernel, cpu, RULE_LOCK_RECURSIVE, routine);
    }
    lock_order_note(kernel, routine, lock->stored.address, lock->kind);
    if (is_open(lock, shared)) {
        enter(lock, shared);
    } else {
        lock_wait(kernel, lock, routine, shared);
        assert(lock->count != 0); /* let in by let_in() */
    }
    hold = spinlock_hold_add(kernel, cpu, routine, address, LOCK_SHARED_SPIN);
    hold->shared = shared;
    show(kernel, routine, lock);
    return hold;
}

static KIRQL acquire_raising(
    enum routine routine, PEX_SPIN_LOCK address, bool shared)
{
    struct kernel *kernel = kernel_current();
    struct spinlock_hold *hold;
    uint8_t old;

    copy_probe(kernel, routine, address, sizeof(*address), true);
    old = irql_raise(kernel, kernel_cpu(kernel), routine,
        irql_number(kernel, LEVEL_DISPATCH_LEVEL));
    hold = acquire(routine, address, shared);
    hold->raised = true;
    hold->old_irql = old;
    return old;
}

/* Those that may, in order of arrival. */
static void let_in(struct kernel *kernel, struct lock *lock)
{
    while (lock->first != NULL &&
           (lock->count == 0 || (lock->first->shared && lock->count > 0))) {
        enter(lock, lock->first->shared);
        lock_wake(kernel, lock->first);
    }
}

/* The lock that this is a hold of; NULL: it is of none, or the driver has made
 * another of its storage since. */
static struct lock *held(struct kernel *kernel, const EX_SPIN_LOCK *address,
    const struct spinlock_hold *hold)
{
    struct lock *lock = lock_find(kernel, (uintptr_t)address);

    return hold != NULL && hold->kind == LOCK_SHARED_SPIN && lock != NULL &&
                   lock->kind == LOCK_SHARED_SPIN
               ? lock
               : NULL;
}

static struct spinlock_hold release(
    enum routine routine, PEX_SPIN_LOCK address, bool shared, bool lowers)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct spinlock_hold *hold = spinlock_hold_here(kernel, cpu, address);
    struct spinlock_hold was;
    struct lock *lock;

    copy_probe(kernel, routine, address, sizeof(*address), true);
    lock = held(kernel, address, hold);
    if (lock == NULL) {
        spinlock_stop(kernel, cpu, RULE_LOCK_NOT_OWNED, routine);
    }
    if (hold->shared != shared || hold->raised != lowers) {
        rule_warn(kernel, cpu, RULE_LOCK_MIXED_PAIR, routine);
    }
    was = spinlock_hold_end(kernel, cpu, routine, hold);
    lock->count = was.shared ? lock->count - 1 : 0;
    let_in(kernel, lock);
    show(kernel, routine, lock);
    return was;
}

static void release_lowering(
    enum routine routine, PEX_SPIN_LOCK address, KIRQL irql, bool shared)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct spinlock_hold was = release(routine, address, shared, true);

    spinlock_lower(kernel, cpu, routine, &was, irql);
}

static void check_dispatch(enum routine routine)
{
    struct kernel *kernel = kernel_current();

    spinlock_check_dispatch(kernel, kernel_cpu(kernel), routine);
}

KIRQL ExAcquireSpinLockShared_body(PEX_SPIN_LOCK SpinLock)
{
    return acquire_raising(ROUTINE_ExAcquireSpinLockShared, SpinLock, true);
}

KIRQL ExAcquireSpinLockExclusive_body(PEX_SPIN_LOCK SpinLock)
{
    return acquire_raising(ROUTINE_ExAcquireSpinLockExclusive, SpinLock, false);
}

VOID ExReleaseSpinLockShared_body(PEX_SPIN_LOCK SpinLock, KIRQL OldIrql)
{
    release_lowering(ROUTINE_ExReleaseSpinLockShared, SpinLock, OldIrql, true);
}

VOID ExReleaseSpinLockExclusive_body(PEX_SPIN_LOCK SpinLock, KIRQL OldIrql)
{
    release_lowering(
        ROUTINE_ExReleaseSpinLockExclusive, SpinLock, OldIrql, false);
}

VOID ExAcquireSpinLockSharedAtDpcLevel_body(PEX_SPIN_LOCK SpinLock)
{
    const enum routine routine = ROUTINE_ExAcquireSpinLockSharedAtDpcLevel;

    check_dispatch(routine);
    acquire(routine, SpinLock, true);
}

VOID ExAcquireSpinLockExclusiveAtDpcLevel_body(PEX_SPIN_LOCK SpinLock)
{
    const enum routine routine = ROUTINE_ExAcquireSpinLockExclusiveAtDpcLevel;

    check_dispatch(routine);
    acquire(routine, SpinLock, false);
}

VOID ExReleaseSpinLockSharedFromDpcLevel_body(PEX_SPIN_LOCK SpinLock)
{
    const enum routine routine = ROUTINE_ExReleaseSpinLockSharedFromDpcLevel;

    check_dispatch(routine);
    release(routine, SpinLock, true, false);
}

VOID ExReleaseSpinLockExclusiveFromDpcLevel_body(PEX_SPIN_LOCK SpinLock)
{
    const enum routine routine = ROUTINE_ExReleaseSpinLockExclusiveFromDpcLevel;

    check_dispatch(routine);
    release(routine, SpinLock, false, false);
}

/* RWLK-03. */
ULONG ExTryConvertSharedSpinLockExclusive_body(PEX_SPIN_LOCK SpinLock)
{
    const enum routine routine = ROUTINE_ExTryConvertSharedSpinLockExclusive;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct spinlock_hold *hold = spinlock_hold_here(kernel, cpu, SpinLock);
    struct lock *lock;

    copy_probe(kernel, routine, SpinLock, sizeof(*SpinLock), true);
    lock = held(kernel, SpinLock, hold);
    if (lock == NULL || !hold->shared) {
        spinlock_stop(kernel, cpu, RULE_LOCK_NOT_OWNED, routine);
    }
    if (lock->count != 1 || lock->first != NULL) {
        return 0;
    }
    lock->count = WRITER;
    hold->shared = false;
    show(kernel, routine, lock);
    return 1;
}
