/* lock_order.c - the lock-order graph: an edge from each lock held to the one
 * taken then; a cycle is a deadlock that can be. */
#include "api/ke/lock_order.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/kthread.h"
#include "api/ke/spinlock.h"
#include "sim/machine/strand.h"

struct lock_edge {
    struct lock *to;
    uint64_t number; /* of that lock; another one's: it is gone */
    uint64_t place;  /* of the code that took it; 0: unknown */
    uint32_t step;   /* of an actor, that took it; 0: none */
    struct lock_edge *next;
};

/* One that is asked for, and who asks. */
struct wish {
    struct kernel *kernel;
    enum routine routine;
    struct lock *lock;
};

static struct lock_edge *new_edge(struct kernel *kernel)
{
    return record_take(kernel, &kernel->locks->edge_pool,
        sizeof(struct lock_edge), "the order of locks");
}

static bool is_there(const struct lock_edge *edge)
{
    return edge->to->number == edge->number;
}

static bool leads_to(const struct lock *from, const struct lock *to)
{
    const struct lock_edge *edge = from->after;

    while (edge != NULL && (edge->to != to || !is_there(edge))) {
        edge = edge->next;
    }
    return edge != NULL;
}

/* The last edge of a way between the two, the nearest locks first; NULL: there
 * is none. */
static const struct lock_edge *find_way(
    struct kernel *kernel, struct lock *from, const struct lock *to)
{
    uint64_t search = ++kernel->locks->searches;
    struct lock *last = from;

    from->search = search;
    from->path = NULL;
    for (struct lock *at = from; at != NULL; at = at->path) {
        for (struct lock_edge *edge = at->after; edge != NULL;
             edge = edge->next) {
            if (!is_there(edge)) {
                continue;
            }
            if (edge->to == to) {
                return edge;
            }
            if (edge->to->search != search) {
                edge->to->search = search;
                edge->to->path = NULL;
                last->path = edge->to;
                last = edge->to;
            }
        }
    }
    return NULL;
}

static void report(const struct wish *wish, const struct lock *held,
    const struct lock_edge *other)
{
    struct kernel *kernel = wish->kernel;
    const char *text[] = {
        lock_kinds[wish->lock->kind].text, lock_kinds[held->kind].text};
    char subject[RULE_SUBJECT_BYTES];

    if (other->step == 0) {
        snprintf(subject, sizeof(subject), "%s behind %s", text[0], text[1]);
    } else {
        snprintf(subject, sizeof(subject),
            "%s behind %s; step %" PRIu32 " took them the other way round",
            text[0], text[1], other->step);
    }
    rule_warn_between(kernel, kernel_cpu(kernel), RULE_LOCK_ORDER,
        wish->routine, other->place, subject);
}

/* The same order again says nothing new. */
static void note(const struct wish *wish, struct lock *held)
{
    const struct lock_edge *other;
    struct lock_edge *edge;

    if (held == wish->lock || leads_to(held, wish->lock)) {
        return;
    }
    other = find_way(wish->kernel, wish->lock, held);
    edge = new_edge(wish->kernel);
    *edge = (struct lock_edge){
        .to = wish->lock,
        .number = wish->lock->number,
        .place = place_current(wish->kernel),
        .step = thread_step(wish->kernel),
        .next = held->after,
    };
    held->after = edge;
    if (other != NULL) {
        report(wish, held, other);
    }
}

/* What an interrupt runs holds nothing of the thread that it came upon. */
static struct lock_hold *holds_of_thread(struct kernel *kernel)
{
    const struct processor *processor =
        kernel_processor(kernel, kernel_cpu(kernel));
    const struct kthread *thread = thread_current(kernel)->object;

    return thread == NULL || processor->in_dpc || processor->servicing != 0
               ? NULL
               : thread->holds;
}

void lock_order_note(struct kernel *kernel, enum routine routine,
    uint64_t address, enum lock_kind kind)
{
    struct lock_hold *hold = holds_of_thread(kernel);
    const struct spinlock_log *log = kernel->spinlocks;
    uint32_t processor = kernel_cpu(kernel)->index;
    struct wish wish = {kernel, routine, NULL};

    for (size_t i = 0; i < log->count; i++) {
        const struct spinlock_hold *spin = &log->hold[i];
        uint64_t held = (uintptr_t)spin->lock;
        struct lock *lock = lock_find(kernel, held);

        /* The driver may have made another lock of its storage. */
        if (spin->processor == processor && held != address && lock != NULL &&
            lock->kind == spin->kind) {
            wish.lock = lock_at(kernel, routine, address, kind);
            note(&wish, lock);
        }
    }
    for (; hold != NULL; hold = hold->next) {
        if (hold->lock->stored.address != address) {
            wish.lock = lock_at(kernel, routine, address, kind);
            note(&wish, hold->lock);
        }
    }
}

void lock_order_forget(struct kernel *kernel, struct lock *lock)
{
    while (lock->after != NULL) {
        struct lock_edge *edge = lock->after;

        lock->after = edge->next;
        record_give(&kernel->locks->edge_pool, edge);
    }
}

void lock_order_wait(struct kernel *kernel, enum routine routine)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct spinlock_log *log = kernel->spinlocks;

    for (size_t i = 0; i < log->count; i++) {
        const struct spinlock_hold *spin = &log->hold[i];

        if (spin->processor == cpu->index) {
            rule_warn_between(kernel, cpu, RULE_LOCK_HELD_WAIT, routine,
                spin->place, lock_kinds[spin->kind].text);
        }
    }
}
