/* lock_left.c - finds locks still held where a thread, a routine or a driver
 * ends, and reports them. */
#include "api/ke/lock_left.h"

#include <assert.h>
#include <stdio.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/ke/kthread.h"
#include "api/ke/lock.h"

static void stop_owning(
    struct kernel *kernel, enum routine routine, uint64_t place)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "thread"}, {.name = lock_kinds[LOCK_MUTEX].text}};

    rule_stop_at(kernel, kernel_cpu(kernel), RULE_MUTEX_EXIT_OWNED, routine,
        place, parameter);
}

/* Where THR-10 [C] is flipped the lock stays held for ever. */
static void end_holding(
    struct kernel *kernel, enum routine routine, const struct lock_hold *hold)
{
    if (ruling_is(kernel, RULED_THR_10_event)) {
        rule_report(kernel, kernel_cpu(kernel), RULE_LOCK_EXIT_OWNED, routine);
        return;
    }
    lock_stop(kernel, RULE_LOCK_EXIT_OWNED, routine, "thread",
        lock_kinds[hold->lock->kind].text, 1);
}

void lock_left_at_end(struct kernel *kernel, enum routine routine)
{
    const struct kthread *thread = kthread_current(kernel);

    for (const struct lock_hold *hold = thread->holds; hold != NULL;
         hold = hold->next) {
        if (hold->lock->kind == LOCK_MUTEX) {
            stop_owning(kernel, routine, hold->place);
        }
    }
    for (const struct lock_hold *hold = thread->holds; hold != NULL;
         hold = hold->next) {
        end_holding(kernel, routine, hold);
    }
}

void lock_left_at_return(
    struct kernel *kernel, uint32_t owned_before, uint64_t place)
{
    const struct kthread *thread = thread_current(kernel)->object;

    if (thread != NULL && thread->owned > owned_before) {
        stop_owning(kernel, ROUTINE_COUNT, place);
    }
}

static void list_of_thread(
    const struct kthread *thread, const struct leak_listing *listing)
{
    char text[100];

    for (const struct lock_hold *hold = thread->holds; hold != NULL;
         hold = hold->next) {
        if (hold->driver == listing->driver) {
            snprintf(text, sizeof(text), "%s acquired by %s",
                lock_kinds[hold->lock->kind].text,
                routine_rows[hold->routine].name);
            leaks_found(listing, LEAK_LOCK, text, hold->step);
        }
    }
}

static void list_locks(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct kthread *thread = kernel->threads->newest; thread != NULL;
         thread = thread->older) {
        list_of_thread(thread, listing);
    }
}

static void report_locks(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (struct kthread *thread = kernel->threads->newest; thread != NULL;
         thread = thread->older) {
        for (struct lock_hold *hold = thread->holds; hold != NULL;
             hold = hold->next) {
            if (hold->driver == driver && leaks_is_news(&hold->reported)) {
                rule_warn_of(kernel, cpu, RULE_LEAK_LOCK, hold->routine,
                    hold->place, lock_kinds[hold->lock->kind].text);
            }
        }
    }
}

const struct leak_source lock_leaks = {
    LEAK_LOCK, list_locks, report_locks, NULL};
