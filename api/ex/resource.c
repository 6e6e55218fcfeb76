/* resource.c - ERESOURCE, a reader-writer lock: acquired, shared, converted,
 * released, each as often as a thread likes (executive.md 6). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/apc_region.h"
#include "api/ke/kthread.h"
#include "api/ke/lock.h"
#include "api/ke/lock_order.h"
#include "api/ke/lock_region.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum {
    OWNER_BITS = 3,              /* of an owner pointer (ERES-07) */
    OWNER_POINTER_IS_THREAD = 1, /* FLAG_OWNER_POINTER_IS_THREAD */
    VERIFIER_DELETED_OWNED = 0x100B,
};

/* How a reader comes in where a writer waits. */
enum reader { READER_QUEUES, READER_STARVES, READER_YIELDS };

static struct lock *get(enum routine routine, const void *address)
{
    return lock_get(kernel_current(), routine, address, LOCK_RESOURCE);
}

static struct lock_hold *hold_of_current(
    struct kernel *kernel, const struct lock *lock)
{
    return lock_hold_of(lock, kthread_current(kernel)->address);
}

/* ERES-01b [C]. */
static void check_region(struct kernel *kernel, enum routine routine)
{
    if (!ruling_is(kernel, RULED_ERES_01b_silent)) {
        lock_region_check(kernel, routine, false);
    }
}

/* ERES-09: one that is there has to be deleted first. Of one that somebody has
 * lock_make() tells. */
static void report_old(enum routine routine, const void *address)
{
    struct kernel *kernel = kernel_current();
    const struct lock *lock = lock_find(kernel, (uintptr_t)address);

    if (lock != NULL && lock->kind == LOCK_RESOURCE && lock->holds == NULL &&
        lock->first == NULL) {
        rule_warn_about(kernel, kernel_cpu(kernel), RULE_RESOURCE_NOT_DELETED,
            routine, lock->place);
    }
}

static NTSTATUS initialize(enum routine routine, PERESOURCE resource)
{
    const ERESOURCE initial = {.SystemResourcesList = {NULL, NULL}};
    struct kernel *kernel = kernel_current();

    copy_probe(kernel, routine, resource, sizeof(initial), true);
    lock_make(kernel, routine, resource, LOCK_RESOURCE);
    copy_out(kernel, routine, resource, &initial, sizeof(initial));
    return STATUS_SUCCESS;
}

NTSTATUS ExInitializeResourceLite_body(PERESOURCE Resource)
{
    report_old(ROUTINE_ExInitializeResourceLite, Resource);
    return initialize(ROUTINE_ExInitializeResourceLite, Resource);
}

NTSTATUS ExReinitializeResourceLite_body(PERESOURCE Resource)
{
    get(ROUTINE_ExReinitializeResourceLite, Resource);
    return initialize(ROUTINE_ExReinitializeResourceLite, Resource);
}

/* ERES-10 [C]. */
NTSTATUS ExDeleteResourceLite_body(PERESOURCE Resource)
{
    const enum routine routine = ROUTINE_ExDeleteResourceLite;
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(routine, Resource);
    const struct bugcheck_parameter parameter[4] = {
        {.value = VERIFIER_DELETED_OWNED},
        {.name = lock_kinds[LOCK_RESOURCE].text}};

    if (lock->holds == NULL && lock->first == NULL) {
        lock_forget(kernel, lock);
        return STATUS_SUCCESS;
    }
    if (!ruling_is(kernel, RULED_ERES_10_event)) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_RESOURCE_DELETED_HELD,
            routine, parameter);
    }
    rule_report(
        kernel, kernel_cpu(kernel), RULE_RESOURCE_DELETED_HELD, routine);
    return STATUS_SUCCESS;
}

static bool is_shared(const struct lock *lock)
{
    return lock->holds != NULL && lock->holds->shared;
}

/* ERES-02. */
static bool writer_may_enter(
    const struct lock *lock, const struct lock_hold *own)
{
    return lock->holds == NULL || (own != NULL && !own->shared);
}

/* ERES-03, ERES-04. Where readers have it, the first to wait is a writer. */
static bool reader_may_enter(
    const struct lock *lock, const struct lock_hold *own, enum reader how)
{
    if (lock->holds == NULL || (own != NULL && !own->shared)) {
        return true;
    }
    if (!is_shared(lock)) {
        return false;
    }
    assert(lock->first == NULL || !lock->first->shared);
    return how == READER_STARVES || lock->first == NULL ||
           (own != NULL && how == READER_QUEUES);
}

static void enter(
    struct kernel *kernel, struct lock *lock, enum routine routine, bool shared)
{
    lock_take(kernel, lock, kthread_current(kernel),
        strand_current(kernel->machine), routine, shared);
}

/* What only tries takes no part in the order of locks. */
static void note_order(struct kernel *kernel, const struct lock *lock,
    enum routine routine, bool waits)
{
    if (waits && hold_of_current(kernel, lock) == NULL) {
        lock_order_note(kernel, routine, lock->stored.address, lock->kind);
    }
}

static BOOLEAN acquire_exclusive(
    enum routine routine, PERESOURCE resource, bool waits)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(routine, resource);
    const struct lock_hold *own = hold_of_current(kernel, lock);

    check_region(kernel, routine);
    note_order(kernel, lock, routine, waits);
    if (writer_may_enter(lock, own)) {
        enter(kernel, lock, routine, false);
        return 1;
    }
    if (!waits) {
        return 0;
    }
    if (own != NULL) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_LOCK_OWN_WAIT, routine);
    }
    lock_wait(kernel, lock, routine, false);
    return 1;
}

static BOOLEAN acquire_shared(
    enum routine routine, PERESOURCE resource, bool waits, enum reader how)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(routine, resource);

    check_region(kernel, routine);
    note_order(kernel, lock, routine, waits);
    if (reader_may_enter(lock, hold_of_current(kernel, lock), how)) {
        enter(kernel, lock, routine, true);
        return 1;
    }
    if (waits) {
        lock_wait(kernel, lock, routine, true);
    }
    return waits;
}

BOOLEAN ExAcquireResourceExclusiveLite_body(PERESOURCE Resource, BOOLEAN Wait)
{
    return acquire_exclusive(
        ROUTINE_ExAcquireResourceExclusiveLite, Resource, Wait != 0);
}

BOOLEAN ExAcquireResourceSharedLite_body(PERESOURCE Resource, BOOLEAN Wait)
{
    return acquire_shared(ROUTINE_ExAcquireResourceSharedLite, Resource,
        Wait != 0, READER_QUEUES);
}

BOOLEAN ExAcquireSharedStarveExclusive_body(PERESOURCE Resource, BOOLEAN Wait)
{
    return acquire_shared(ROUTINE_ExAcquireSharedStarveExclusive, Resource,
        Wait != 0, READER_STARVES);
}

BOOLEAN ExAcquireSharedWaitForExclusive_body(PERESOURCE Resource, BOOLEAN Wait)
{
    return acquire_shared(ROUTINE_ExAcquireSharedWaitForExclusive, Resource,
        Wait != 0, READER_YIELDS);
}

static void let_readers_in(struct kernel *kernel, struct lock *lock)
{
    struct lock_waiter *waiter = lock->first;

    while (waiter != NULL) {
        struct lock_waiter *next = waiter->next;

        if (waiter->shared) {
            lock_grant(kernel, waiter);
        }
        waiter = next;
    }
}

static struct lock_waiter *first_writer(const struct lock *lock)
{
    struct lock_waiter *waiter = lock->first;

    while (waiter != NULL && waiter->shared) {
        waiter = waiter->next;
    }
    return waiter;
}

static void let_in_order(struct kernel *kernel, struct lock *lock)
{
    if (lock->first == NULL) {
        return;
    }
    if (!lock->first->shared) {
        lock_grant(kernel, lock->first);
        return;
    }
    while (lock->first != NULL && lock->first->shared) {
        lock_grant(kernel, lock->first);
    }
}

/* Nobody holds it any more: ERES-11 [C]. */
static void hand_over(struct kernel *kernel, struct lock *lock, bool was_shared)
{
    struct lock_waiter *writer = first_writer(lock);

    if (ruling_is(kernel, RULED_ERES_11_fifo)) {
        let_in_order(kernel, lock);
    } else if (was_shared && writer != NULL) {
        lock_grant(kernel, writer);
    } else {
        let_readers_in(kernel, lock);
        if (lock->holds == NULL && writer != NULL) {
            lock_grant(kernel, writer);
        }
    }
}

static void release(struct kernel *kernel, struct lock_hold *hold)
{
    struct lock *lock = hold->lock;
    bool was_shared = hold->shared;

    if (lock_give(kernel, hold) && lock->holds == NULL) {
        hand_over(kernel, lock, was_shared);
    }
}

/* ERES-08. */
static struct lock_hold *hold_to_release(
    struct kernel *kernel, enum routine routine, const struct lock *lock)
{
    struct lock_hold *hold = hold_of_current(kernel, lock);

    if (hold == NULL) {
        lock_stop(kernel, RULE_RESOURCE_NOT_OWNED, routine,
            lock_kinds[LOCK_RESOURCE].text, "thread", 0);
    }
    return hold;
}

static void release_current(enum routine routine, PERESOURCE resource)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(routine, resource);

    check_region(kernel, routine);
    release(kernel, hold_to_release(kernel, routine, lock));
}

VOID ExReleaseResourceLite_body(PERESOURCE Resource)
{
    release_current(ROUTINE_ExReleaseResourceLite, Resource);
}

VOID ExReleaseResourceForThreadLite_body(
    PERESOURCE Resource, ULONG_PTR ResourceThreadId)
{
    const enum routine routine = ROUTINE_ExReleaseResourceForThreadLite;
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(routine, Resource);
    struct lock_hold *hold = lock_hold_of(lock, ResourceThreadId);
    bool is_pointer = (ResourceThreadId & OWNER_BITS) == OWNER_BITS;

    if (!kthread_current(kernel)->system) {
        check_region(kernel, routine);
    }
    if (hold == NULL && !is_pointer &&
        kthread_find(kernel, (void *)(uintptr_t)ResourceThreadId) == NULL) {
        lock_stop(kernel, RULE_RESOURCE_WRONG_THREAD, routine,
            lock_kinds[LOCK_RESOURCE].text, "thread", ResourceThreadId);
    }
    if (hold == NULL) {
        lock_stop(kernel, RULE_RESOURCE_NOT_OWNED, routine,
            lock_kinds[LOCK_RESOURCE].text, "thread", 0);
    }
    release(kernel, hold);
}

/* ERES-05, ERES-10 [C]. */
VOID ExConvertExclusiveToSharedLite_body(PERESOURCE Resource)
{
    const enum routine routine = ROUTINE_ExConvertExclusiveToSharedLite;
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(routine, Resource);
    struct lock_hold *hold = hold_of_current(kernel, lock);

    if (hold != NULL && !hold->shared) {
        hold->shared = true;
        let_readers_in(kernel, lock);
        return;
    }
    if (!ruling_is(kernel, RULED_ERES_10_event)) {
        lock_stop(kernel, RULE_RESOURCE_CONVERTED, routine,
            lock_kinds[LOCK_RESOURCE].text, NULL, 0);
    }
    rule_report(kernel, kernel_cpu(kernel), RULE_RESOURCE_CONVERTED, routine);
}

/* ERES-07. */
static _Noreturn void stop_pointer(
    struct kernel *kernel, enum routine routine, uint64_t pointer)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = lock_kinds[LOCK_RESOURCE].text}, {.value = 0},
        {.name = "thread"}, {.value = pointer}};

    rule_stop(kernel, kernel_cpu(kernel), RULE_RESOURCE_OWNER_POINTER, routine,
        parameter);
}

static void set_owner(enum routine routine, PERESOURCE resource, PVOID pointer)
{
    struct kernel *kernel = kernel_current();
    struct lock *lock = get(routine, resource);
    uint64_t owner = (uintptr_t)pointer;

    if ((owner & OWNER_BITS) != OWNER_BITS) {
        stop_pointer(kernel, routine, owner);
    }
    lock_hold_move(hold_to_release(kernel, routine, lock), NULL, owner);
}

VOID ExSetResourceOwnerPointer_body(PERESOURCE Resource, PVOID OwnerPointer)
{
    set_owner(ROUTINE_ExSetResourceOwnerPointer, Resource, OwnerPointer);
}

VOID ExSetResourceOwnerPointerEx_body(
    PERESOURCE Resource, PVOID OwnerPointer, ULONG Flags)
{
    const enum routine routine = ROUTINE_ExSetResourceOwnerPointerEx;
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_find(kernel, OwnerPointer);

    if ((Flags & OWNER_POINTER_IS_THREAD) == 0) {
        set_owner(routine, Resource, OwnerPointer);
        return;
    }
    if (thread == NULL) {
        stop_pointer(kernel, routine, (uintptr_t)OwnerPointer);
    }
    lock_hold_move(hold_to_release(kernel, routine, get(routine, Resource)),
        thread, thread->address);
}

BOOLEAN ExIsResourceAcquiredExclusiveLite_body(PERESOURCE Resource)
{
    const struct lock_hold *hold = hold_of_current(kernel_current(),
        get(ROUTINE_ExIsResourceAcquiredExclusiveLite, Resource));

    return hold != NULL && !hold->shared;
}

ULONG ExIsResourceAcquiredSharedLite_body(PERESOURCE Resource)
{
    const struct lock_hold *hold = hold_of_current(kernel_current(),
        get(ROUTINE_ExIsResourceAcquiredSharedLite, Resource));

    return hold == NULL ? 0 : hold->count;
}

static ULONG count_waiters(const struct lock *lock, bool shared)
{
    ULONG count = 0;

    for (const struct lock_waiter *waiter = lock->first; waiter != NULL;
         waiter = waiter->next) {
        count += waiter->shared == shared;
    }
    return count;
}

ULONG ExGetExclusiveWaiterCount_body(PERESOURCE Resource)
{
    return count_waiters(
        get(ROUTINE_ExGetExclusiveWaiterCount, Resource), false);
}

ULONG ExGetSharedWaiterCount_body(PERESOURCE Resource)
{
    return count_waiters(get(ROUTINE_ExGetSharedWaiterCount, Resource), true);
}

/* Not with what is no resource (EXE-GEN-02 [C]). */
static void enter_region(enum routine routine, const void *resource)
{
    (void)get(routine, resource);
    apc_region_enter(kthread_current(kernel_current()));
}

/* What it returns is for nobody. */
PVOID ExEnterCriticalRegionAndAcquireResourceExclusive_body(PERESOURCE Resource)
{
    const enum routine routine =
        ROUTINE_ExEnterCriticalRegionAndAcquireResourceExclusive;

    enter_region(routine, Resource);
    acquire_exclusive(routine, Resource, true);
    return NULL;
}

PVOID ExEnterCriticalRegionAndAcquireResourceShared_body(PERESOURCE Resource)
{
    const enum routine routine =
        ROUTINE_ExEnterCriticalRegionAndAcquireResourceShared;

    enter_region(routine, Resource);
    acquire_shared(routine, Resource, true, READER_QUEUES);
    return NULL;
}

VOID ExReleaseResourceAndLeaveCriticalRegion_body(PERESOURCE Resource)
{
    release_current(ROUTINE_ExReleaseResourceAndLeaveCriticalRegion, Resource);
    apc_region_leave(kthread_current(kernel_current()));
    apc_region_take(kernel_current());
}
