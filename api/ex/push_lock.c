/* push_lock.c - push locks (EX_PUSH_LOCK), shared or exclusive: acquired and
 * released by the exported forms with flags (executive.md 6). */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/kthread.h"
#include "api/ke/lock.h"
#include "api/ke/lock_order.h"
#include "api/ke/lock_region.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

/* PUSH-05: there are no flags. */
static struct lock *get(
    struct kernel *kernel, enum routine routine, PVOID address, ULONG flags)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = flags}, {.name = lock_kinds[LOCK_PUSH_LOCK].text}};

    if (flags != 0) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_PUSH_LOCK_FLAGS, routine,
            parameter);
    }
    lock_region_check(kernel, routine, false);
    return lock_get(kernel, routine, address, LOCK_PUSH_LOCK);
}

VOID ExInitializePushLock_body(PVOID PushLock)
{
    const enum routine routine = ROUTINE_ExInitializePushLock;
    struct kernel *kernel = kernel_current();
    const EX_PUSH_LOCK initial = 0;

    copy_probe(kernel, routine, PushLock, sizeof(initial), true);
    lock_make(kernel, routine, PushLock, LOCK_PUSH_LOCK);
    copy_out(kernel, routine, PushLock, &initial, sizeof(initial));
}

static bool writer_waits(const struct lock *lock)
{
    const struct lock_waiter *waiter = lock->first;

    while (waiter != NULL && waiter->shared) {
        waiter = waiter->next;
    }
    return waiter != NULL;
}

/* PUSH-02; of one that its thread shares already PUSH-04 [C]. */
static bool may_enter(struct kernel *kernel, const struct lock *lock,
    const struct lock_hold *own, bool shared)
{
    if (lock->holds == NULL) {
        return true;
    }
    if (!shared || !lock->holds->shared) {
        return false;
    }
    if (own != NULL && ruling_is(kernel, RULED_PUSH_04_grant)) {
        return true;
    }
    return !writer_waits(lock) &&
           (own == NULL || !ruling_is(kernel, RULED_PUSH_04_hang));
}

/* PUSH-03, PUSH-04 [C]. */
static void check_again(struct kernel *kernel, enum routine routine,
    const struct lock_hold *own, bool shared)
{
    if (own != NULL) {
        rule_warn(kernel, kernel_cpu(kernel),
            shared && own->shared ? RULE_PUSH_LOCK_AGAIN : RULE_LOCK_OWN_WAIT,
            routine);
    }
}

static void acquire(
    enum routine routine, PVOID address, ULONG flags, bool shared)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(kernel, routine, address, flags);
    struct kthread *thread = kthread_current(kernel);
    const struct lock_hold *own = lock_hold_of(lock, thread->address);

    check_again(kernel, routine, own, shared);
    if (own == NULL) {
        lock_order_note(kernel, routine, lock->stored.address, lock->kind);
    }
    if (may_enter(kernel, lock, own, shared)) {
        lock_take(kernel, lock, thread, strand_current(kernel->machine),
            routine, shared);
    } else {
        lock_wait(kernel, lock, routine, shared);
    }
}

/* A reader that has it already is first only where it never comes in (PUSH-04):
 * else it waits behind a writer, who waits for it. */
static bool first_may_enter(const struct lock *lock)
{
    const struct lock_waiter *first = lock->first;

    if (lock->holds == NULL) {
        return true;
    }
    return first->shared && lock->holds->shared &&
           lock_hold_of(lock, first->thread->address) == NULL;
}

/* In order of arrival. */
static void hand_over(struct kernel *kernel, struct lock *lock)
{
    while (lock->first != NULL && first_may_enter(lock)) {
        lock_grant(kernel, lock->first);
    }
}

static void release(
    enum routine routine, PVOID address, ULONG flags, bool shared)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(kernel, routine, address, flags);
    struct lock_hold *hold =
        lock_hold_of(lock, kthread_current(kernel)->address);

    if (hold == NULL) {
        lock_stop(kernel, RULE_LOCK_NOT_HELD, routine, "thread",
            lock_kinds[LOCK_PUSH_LOCK].text, 0);
    }
    if (hold->shared != shared) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_LOCK_MIXED_PAIR, routine);
    }
    lock_give(kernel, hold);
    hand_over(kernel, lock);
}

VOID ExAcquirePushLockExclusiveEx_body(PVOID PushLock, ULONG Flags)
{
    acquire(ROUTINE_ExAcquirePushLockExclusiveEx, PushLock, Flags, false);
}

VOID ExAcquirePushLockSharedEx_body(PVOID PushLock, ULONG Flags)
{
    acquire(ROUTINE_ExAcquirePushLockSharedEx, PushLock, Flags, true);
}

VOID ExReleasePushLockExclusiveEx_body(PVOID PushLock, ULONG Flags)
{
    release(ROUTINE_ExReleasePushLockExclusiveEx, PushLock, Flags, false);
}

VOID ExReleasePushLockSharedEx_body(PVOID PushLock, ULONG Flags)
{
    release(ROUTINE_ExReleasePushLockSharedEx, PushLock, Flags, true);
}
