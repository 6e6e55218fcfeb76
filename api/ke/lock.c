/* lock.c - blocking locks by the address of their storage: who holds one, who
 * waits, to whom it is granted. */
#include "api/ke/lock.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/dispatcher.h"
#include "api/ke/kthread.h"
#include "api/ke/lock_order.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

const struct lock_kind_row lock_kinds[LOCK_KINDS] = {
#define LOCK_KIND(name, bytes, alignment, reason, text)                        \
    [LOCK_##name] = {bytes, alignment, SWITCH_##reason, text},
#include "api/ke/lock_kinds.def"
};

enum { PAGE_SHIFT = 12 };

/* Locks whose storage begins on a page. */
struct lock_page {
    uint64_t number;
    struct lock *first;
    struct lock_page *next; /* in its bucket */
};

static void *take_memory(struct kernel *kernel, size_t size)
{
    return run_needs(
        kernel, arena_alloc_for_guest(&kernel->machine->arena, size), "locks");
}

static struct lock_page *find_page(
    const struct lock_table *table, uint64_t number)
{
    struct lock_page *page =
        table->bucket == NULL ? NULL : table->bucket[number % LOCK_BUCKETS];

    while (page != NULL && page->number != number) {
        page = page->next;
    }
    return page;
}

static struct lock_page *make_page(struct kernel *kernel, uint64_t number)
{
    struct lock_table *table = kernel->locks;
    struct lock_page *page = find_page(table, number);
    struct lock_page **bucket;

    if (page != NULL) {
        return page;
    }
    if (table->bucket == NULL) {
        table->bucket =
            take_memory(kernel, LOCK_BUCKETS * sizeof(struct lock_page *));
    }
    bucket = &table->bucket[number % LOCK_BUCKETS];
    page = take_memory(kernel, sizeof(*page));
    *page = (struct lock_page){.number = number, .next = *bucket};
    *bucket = page;
    return page;
}

struct lock *lock_find(struct kernel *kernel, uint64_t address)
{
    const struct lock_page *page =
        find_page(kernel->locks, address >> PAGE_SHIFT);
    struct lock *lock = page == NULL ? NULL : page->first;

    while (lock != NULL && lock->address != address) {
        lock = lock->next;
    }
    return lock;
}

static struct lock *add(
    struct kernel *kernel, uint64_t address, enum lock_kind kind)
{
    struct lock_table *table = kernel->locks;
    struct lock_page *page = make_page(kernel, address >> PAGE_SHIFT);
    struct lock *lock = table->free;

    if (lock != NULL) {
        table->free = lock->next;
    } else {
        lock = take_memory(kernel, sizeof(*lock));
    }
    *lock = (struct lock){
        .address = address,
        .number = ++table->made,
        .kind = kind,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .next = page->first,
    };
    page->first = lock;
    return lock;
}

void lock_forget(struct kernel *kernel, struct lock *lock)
{
    struct lock_table *table = kernel->locks;
    struct lock **link = &find_page(table, lock->address >> PAGE_SHIFT)->first;

    assert(lock->holds == NULL && lock->first == NULL);
    while (lock->tags != NULL) {
        lock_tag_take(kernel, lock, lock->tags->tag);
    }
    lock_order_forget(kernel, lock);
    while (*link != lock) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = lock->next;
    lock->number = 0;
    lock->next = table->free;
    table->free = lock;
}

struct lock *lock_at(
    struct kernel *kernel, uint64_t address, enum lock_kind kind)
{
    struct lock *lock = lock_find(kernel, address);

    if (lock != NULL && lock->kind == kind) {
        return lock;
    }
    if (lock != NULL && lock->holds == NULL && lock->first == NULL) {
        lock_forget(kernel, lock);
    }
    return add(kernel, address, kind);
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

struct lock *lock_make(struct kernel *kernel, enum routine routine,
    const void *address, enum lock_kind kind)
{
    const struct lock_kind_row *row = &lock_kinds[kind];
    struct lock *lock = lock_find(kernel, (uintptr_t)address);

    if (lock != NULL && (lock->holds != NULL || lock->first != NULL)) {
        lock_stop(kernel, RULE_OBJECT_IN_USE, routine,
            routine_rows[routine].name, lock_kinds[lock->kind].text, 0);
    }
    if (lock != NULL) {
        lock_forget(kernel, lock);
    }
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
        copy_probe(kernel, routine, address, lock_kinds[kind].bytes, true);
        lock_stop(kernel, RULE_OBJECT_UNINITIALIZED, routine,
            routine_rows[routine].name, lock_kinds[kind].text, 0);
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

static struct lock_hold *new_hold(struct kernel *kernel)
{
    struct lock_hold *hold = kernel->locks->free_hold;

    if (hold == NULL) {
        return take_memory(kernel, sizeof(*hold));
    }
    kernel->locks->free_hold = hold->beside;
    return hold;
}

/* The first of its kind: the caller fills in where it was taken. */
static struct lock_hold *add_hold(
    struct kernel *kernel, struct lock *lock, struct kthread *thread)
{
    struct lock_hold *hold = new_hold(kernel);

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

struct lock_hold *lock_take(struct kernel *kernel, struct lock *lock,
    struct kthread *thread, struct strand *strand, enum routine routine,
    bool shared)
{
    struct lock_hold *hold = lock_hold_of(lock, thread->address);

    if (hold != NULL) {
        hold->count++;
        return hold;
    }
    hold = add_hold(kernel, lock, thread);
    hold->shared = shared;
    hold->routine = routine;
    hold->place = place_of_strand(kernel, strand);
    hold->step = thread_of(strand)->step;
    hold->driver = strand->owner;
    return hold;
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
    hold->beside = kernel->locks->free_hold;
    kernel->locks->free_hold = hold;
    return true;
}

void lock_tag_add(
    struct kernel *kernel, struct lock *lock, uint64_t tag, uint64_t time)
{
    struct lock_table *table = kernel->locks;
    struct lock_tag *added = table->free_tag;

    if (added != NULL) {
        table->free_tag = added->next;
    } else {
        added = take_memory(kernel, sizeof(*added));
    }
    *added = (struct lock_tag){tag, time, lock->tags};
    lock->tags = added;
}

const struct lock_tag *lock_tag_take(
    struct kernel *kernel, struct lock *lock, uint64_t tag)
{
    struct lock_tag **link = &lock->tags, *taken;

    while (*link != NULL && (*link)->tag != tag) {
        link = &(*link)->next;
    }
    link = *link == NULL ? &lock->tags : link;
    taken = *link;
    if (taken != NULL) {
        *link = taken->next;
        taken->next = kernel->locks->free_tag;
        kernel->locks->free_tag = taken;
    }
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
        strand_wait(kernel->machine, STRAND_SPINNING, is_granted, &waiter);
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

static void forget_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct lock *lock)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = lock_kinds[lock->kind].text}};

    if (lock->holds != NULL || lock->first != NULL || is_counted(lock)) {
        rule_stop(kernel, cpu, RULE_OBJECT_FREED, routine, parameter);
    }
    if (lock->kind == LOCK_RESOURCE) {
        rule_warn_about(
            kernel, cpu, RULE_RESOURCE_NOT_DELETED, routine, lock->place);
    }
    lock_forget(kernel, lock);
}

static void block_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    uint64_t start = (uintptr_t)block->start;
    uint64_t end = start + block->size;

    if (kernel->locks->bucket == NULL) {
        return;
    }
    for (uint64_t number = start >> PAGE_SHIFT; number << PAGE_SHIFT < end;
         number++) {
        const struct lock_page *page = find_page(kernel->locks, number);
        struct lock *lock = page == NULL ? NULL : page->first;

        while (lock != NULL) {
            struct lock *next = lock->next;

            if (lock->address >= start && lock->address < end) {
                forget_freed(kernel, cpu, routine, lock);
            }
            lock = next;
        }
    }
}

const struct block_watcher lock_block_watcher = {block_freed};
