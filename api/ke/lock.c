/* lock.c - blocking locks by the address of their storage: who holds one, who
 * waits, to whom it is granted. */
#include "api/ke/lock.h"

#include <assert.h>

#include "api/core/early_end.h"
#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/dispatcher.h"
#include "api/ke/kthread.h"
#include "api/ke/lock_order.h"
#include "api/ke/spin.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

const struct lock_kind_row lock_kinds[LOCK_KINDS] = {
#define LOCK_KIND(name, bytes, alignment, reason, text)                        \
    [LOCK_##name] = {bytes, alignment, SWITCH_##reason, text},
#include "api/ke/lock_kinds.def"
};

static const char for_what[] = "locks";

struct lock *lock_find(struct kernel *kernel, uint64_t address)
{
    return (struct lock *)(void *)storage_find(&kernel->locks->table, address);
}

static struct lock *add(
    struct kernel *kernel, uint64_t address, enum lock_kind kind)
{
    struct lock_table *table = kernel->locks;
    struct lock *lock =
        record_take(kernel, &table->pool, sizeof(*lock), for_what);

    *lock = (struct lock){
        .stored = {.address = address},
        .number = ++table->made,
        .kind = kind,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
    };
    storage_enter(kernel, &table->table, &lock->stored, for_what);
    return lock;
}

/* What leads to it ends. */
static void give(struct kernel *kernel, struct lock *lock)
{
    assert(lock->holds == NULL && lock->first == NULL);
    while (lock->tags != NULL) {
        lock_tag_take(kernel, lock, lock->tags->tag);
    }
    lock_order_forget(kernel, lock);
    lock->number = 0;
    record_give(&kernel->locks->pool, lock);
}

void lock_forget(struct kernel *kernel, struct lock *lock)
{
    storage_remove(&kernel->locks->table, &lock->stored);
    give(kernel, lock);
}

_Noreturn void lock_stop(struct kernel *kernel, enum rule rule,
    enum routine routine, const char *first, const char *second, uint64_t third)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = first}, {.name = second}, {.value = third}};

    rule_stop(kernel, kernel_cpu(kernel), rule, routine, parameter);
}

void lock_misused(struct kernel *kernel, enum rule rule, enum routine routine,
    const struct lock *lock, bool goes_on)
{
    if (!goes_on) {
        lock_stop(kernel, rule, routine, routine_rows[routine].name,
            lock_kinds[lock->kind].text, 0);
    }
    rule_report(kernel, kernel_cpu(kernel), rule, routine);
}

void lock_replace(struct kernel *kernel, enum routine routine, uint64_t address)
{
    struct lock *lock = lock_find(kernel, address);

    if (lock != NULL && (lock->holds != NULL || lock->first != NULL)) {
        lock_stop(kernel, RULE_OBJECT_IN_USE, routine,
            routine_rows[routine].name, lock_kinds[lock->kind].text, 0);
    }
    if (lock != NULL) {
        lock_forget(kernel, lock);
    }
}

struct lock *lock_at(struct kernel *kernel, enum routine routine,
    uint64_t address, enum lock_kind kind)
{
    struct lock *lock = lock_find(kernel, address);

    if (lock != NULL && lock->kind == kind) {
        return lock;
    }
    lock_replace(kernel, routine, address);
    return add(kernel, address, kind);
}

struct lock *lock_make(struct kernel *kernel, enum routine routine,
    const void *address, enum lock_kind kind)
{
    const struct lock_kind_row *row = &lock_kinds[kind];

    lock_replace(kernel, routine, (uintptr_t)address);
    if ((uintptr_t)address % row->alignment != 0 &&
        !ruling_is(kernel, RULED_EXE_LAY_02_silent)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_LOCK_MISALIGNED, routine);
    }
    return add(kernel, (uintptr_t)address, kind);
}

struct lock *lock_get(struct kernel *kernel, enum routine routine,
    const void *address, enum lock_kind kind)
{
    struct lock *lock = lock_find(kernel, (uintptr_t)address);

    if (lock == NULL || lock->kind != kind) {
        const struct bugcheck_parameter parameter[4] = {
            {.name = routine_rows[routine].name},
            {.name = lock_kinds[kind].text}};

        copy_probe(kernel, routine, address, lock_kinds[kind].bytes, true);
        early_end_for_object(
            kernel, RULE_OBJECT_UNINITIALIZED, routine, parameter);
    }
    return lock;
}

struct lock_hold *lock_hold_of(const struct lock *lock, uint64_t owner)
{
    struct lock_hold *hold = lock->holds;

    while (hold != NULL && hold->owner != owner) {
        hold = hold->beside;
    }
    return hold;
}

/* The first of its kind: the caller fills in where it was taken. */
static struct lock_hold *add_hold(
    struct kernel *kernel, struct lock *lock, struct kthread *thread)
{
    struct lock_hold *hold =
        record_take(kernel, &kernel->locks->hold_pool, sizeof(*hold), for_what);

    *hold = (struct lock_hold){
        .lock = lock,
        .owner = thread->address,
        .thread = thread,
        .count = 1,
        .next = thread->holds,
        .beside = lock->holds,
    };
    thread->holds = hold;
    lock->holds = hold;
    return hold;
}

void lock_take(struct kernel *kernel, struct lock *lock, struct kthread *thread,
    struct strand *strand, enum routine routine, bool shared)
{
    struct lock_hold *hold = lock_hold_of(lock, thread->address);

    if (hold != NULL) {
        hold->count++;
        return;
    }
    hold = add_hold(kernel, lock, thread);
    hold->shared = shared;
    hold->routine = routine;
    hold->place = place_of_strand(kernel, strand);
    hold->step = thread_of(strand)->step;
    hold->driver = strand->owner;
}

static void leave_thread(struct lock_hold *hold)
{
    struct lock_hold **link;

    if (hold->thread == NULL) {
        return;
    }
    link = &hold->thread->holds;
    while (*link != hold) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = hold->next;
}

void lock_hold_move(
    struct lock_hold *hold, struct kthread *thread, uint64_t owner)
{
    leave_thread(hold);
    hold->thread = thread;
    hold->owner = owner;
    if (thread != NULL) {
        hold->next = thread->holds;
        thread->holds = hold;
    }
}

bool lock_give(struct kernel *kernel, struct lock_hold *hold)
{
    struct lock_hold **link = &hold->lock->holds;

    assert(hold->count > 0);
    if (--hold->count > 0) {
        return false;
    }
    leave_thread(hold);
    while (*link != hold) {
        link = &(*link)->beside;
        assert(*link != NULL);
    }
    *link = hold->beside;
    record_give(&kernel->locks->hold_pool, hold);
    return true;
}

void lock_tag_add(
    struct kernel *kernel, struct lock *lock, uint64_t tag, uint64_t time)
{
    struct lock_table *table = kernel->locks;
    struct lock_tag *added =
        record_take(kernel, &table->tag_pool, sizeof(*added), for_what);

    *added = (struct lock_tag){tag, time, lock->tags};
    lock->tags = added;
}

struct lock_tag lock_tag_take(
    struct kernel *kernel, struct lock *lock, uint64_t tag)
{
    struct lock_tag **link = &lock->tags, *last, taken;

    assert(lock->tags != NULL);
    while (*link != NULL && (*link)->tag != tag) {
        link = &(*link)->next;
    }
    link = *link == NULL ? &lock->tags : link;
    last = *link;
    taken = *last;
    *link = taken.next;
    record_give(&kernel->locks->tag_pool, last);
    return taken;
}

static void join(struct lock_waiter *waiter)
{
    struct lock *lock = waiter->lock;

    *(lock->first == NULL ? &lock->first : &lock->last->next) = waiter;
    lock->last = waiter;
}

static void leave(const struct lock_waiter *waiter)
{
    struct lock *lock = waiter->lock;
    struct lock_waiter *before = NULL;

    for (struct lock_waiter *at = lock->first; at != waiter; at = at->next) {
        assert(at != NULL);
        before = at;
    }
    *(before == NULL ? &lock->first : &before->next) = waiter->next;
    if (lock->last == waiter) {
        lock->last = before;
    }
}

static bool is_granted(void *context)
{
    const struct lock_waiter *waiter = context;

    return waiter->granted;
}

void lock_wait(
    struct kernel *kernel, struct lock *lock, enum routine routine, bool shared)
{
    struct lock_waiter waiter = {
        .lock = lock,
        .thread = kthread_current(kernel),
        .strand = strand_current(kernel->machine),
        .shared = shared,
        .routine = routine,
        .place = place_current(kernel),
        .step = thread_step(kernel),
    };

    waiter.spins = irql_is_raised(kernel, kernel_cpu(kernel));
    join(&waiter);
    waiter.thread->lock_wait = &waiter;
    if (waiter.spins) {
        /* Only where IRQL-GEN-01 [C] is flipped. */
        spin_until(kernel, is_granted, &waiter);
    } else {
        lock_order_wait(kernel, routine);
        dispatcher_park(kernel, lock_kinds[lock->kind].reason);
    }
    assert(waiter.granted);
}

void lock_wake(struct kernel *kernel, struct lock_waiter *waiter)
{
    leave(waiter);
    waiter->granted = true;
    waiter->thread->lock_wait = NULL;
    if (!waiter->spins) { /* also one that is about to park */
        dispatcher_ready(kernel, waiter->strand);
    }
}

void lock_grant(struct kernel *kernel, struct lock_waiter *waiter)
{
    lock_take(kernel, waiter->lock, waiter->thread, waiter->strand,
        waiter->routine, waiter->shared);
    lock_wake(kernel, waiter);
}

/* Somebody has its protection. */
static bool is_counted(const struct lock *lock)
{
    return (lock->kind == LOCK_RUNDOWN || lock->kind == LOCK_REMOVE_LOCK) &&
           lock->count > 0;
}

static void end_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct lock *lock)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = lock_kinds[lock->kind].text}};

    if (lock->kind != LOCK_MUTEX &&
        (lock->holds != NULL || lock->first != NULL || is_counted(lock))) {
        leaks_alive(kernel, cpu, RULE_OBJECT_FREED, routine,
            place_current(kernel), parameter);
    }
    if (lock->holds != NULL || lock->first != NULL) {
        return; /* and stays so: EXE-GEN-05 [C] */
    }
    if (lock->kind == LOCK_RESOURCE) {
        rule_warn_about(
            kernel, cpu, RULE_RESOURCE_NOT_DELETED, routine, lock->place);
    }
    give(kernel, lock);
}

static void block_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    struct stored *stored = storage_take_all(
        &kernel->locks->table, (uintptr_t)block->start, block->size);

    while (stored != NULL) {
        struct lock *lock = (struct lock *)(void *)stored;

        stored = stored->next;
        end_freed(kernel, cpu, routine, lock);
    }
}

const struct block_watcher lock_block_watcher = {block_freed};
