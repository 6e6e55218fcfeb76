/* object_wait.c - blocks a thread until dispatcher objects are signalled or
 * time is over, and picks who goes on. */
#include "api/ke/object_wait.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/ke/apc_region.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/dispatcher.h"
#include "api/ke/kthread.h"
#include "api/ke/mutex.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

struct wait_until wait_until_after(
    struct kernel *kernel, uint64_t since, uint64_t units)
{
    return (struct wait_until){
        WAIT_TO_TICK, clock_tick_after(kernel, since, units), since + units};
}

struct wait_until wait_until_read(
    struct kernel *kernel, enum routine routine, const LARGE_INTEGER *timeout)
{
    LARGE_INTEGER value;
    uint64_t now, units;

    if (timeout == NULL) {
        return (struct wait_until){.limit = WAIT_FOR_EVER};
    }
    copy_in(kernel, routine, &value, timeout, sizeof(value));
    if (value.QuadPart == 0) {
        return (struct wait_until){.limit = WAIT_NOT};
    }
    if (value.QuadPart < 0) {
        units = UINT64_C(0) - (uint64_t)value.QuadPart;
        return wait_until_after(kernel, clock_interrupt_time(kernel), units);
    }
    now = CLOCK_BOOT_TIME + clock_exact_time(kernel);
    if ((uint64_t)value.QuadPart <= now) {
        return (struct wait_until){.limit = WAIT_NOT};
    }
    units = (uint64_t)value.QuadPart - CLOCK_BOOT_TIME;
    return wait_until_after(kernel, 0, units);
}

/* What a satisfied wait does to the object (WAIT-02). */
static void satisfy(struct kernel *kernel, struct dispatch_object *object,
    const struct thread_wait *wait)
{
    switch (dispatch_kinds[object->kind].takes) {
    case TAKES_NOTHING:
        break;
    case TAKES_ONE:
        dispatch_object_set(kernel, object,
            object->kind == DISPATCH_SEMAPHORE ? object->state - 1 : 0);
        break;
    case TAKES_OWN:
        mutex_take(kernel, object, wait->thread, wait->strand,
            wait->count == 1 ? ROUTINE_KeWaitForSingleObject
                             : ROUTINE_KeWaitForMultipleObjects);
        break;
    }
}

/* What else ends the wait, or would not let it begin (WAIT-09, WAIT-11): an
 * alert first [C]. */
static bool is_interrupted(struct kernel *kernel, struct thread_wait *wait)
{
    struct thread_apcs *apcs = &wait->thread->apcs;
    bool alertable = (wait->how & WAIT_HOW_ALERTABLE) != 0;
    bool user = (wait->how & WAIT_HOW_USER) != 0;

    if (apcs->alerted && alertable) {
        apcs->alerted = false;
        wait->status = STATUS_ALERTED;
        return true;
    }
    if (((apcs->user > 0 && alertable) || (apcs->ending && user)) &&
        apc_region_open(kernel, wait->thread, wait->irql)) {
        apcs->user_due |= user;
        wait->status = STATUS_USER_APC;
        return true;
    }
    return false;
}

static bool all_are_signalled(const struct thread_wait *wait)
{
    for (size_t i = 0; i < wait->count; i++) {
        if (!dispatch_object_is_signalled(wait->link[i].object, wait->thread)) {
            return false;
        }
    }
    return wait->count > 0;
}

/* The number of one that is signalled, the lowest (WAIT-17 [C]); `count`: none
 * is. */
static size_t first_signalled(const struct thread_wait *wait)
{
    size_t n = 0;

    while (n < wait->count &&
           !dispatch_object_is_signalled(wait->link[n].object, wait->thread)) {
        n++;
    }
    return n;
}

static bool stands_before(const struct thread_wait *wait, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (wait->link[i].object == wait->link[n].object) {
            return true;
        }
    }
    return false;
}

/* Takes what it waited for, if it is there (WAIT-16 [C], WAIT-17 [C]). Returns
 * whether it was. */
static bool try_to_satisfy(struct kernel *kernel, struct thread_wait *wait)
{
    size_t n;

    if ((wait->how & WAIT_HOW_ALL) != 0) {
        if (!all_are_signalled(wait)) {
            return false;
        }
        for (size_t i = 0; i < wait->count; i++) {
            if (!stands_before(wait, i)) { /* WAIT-20 [C] */
                satisfy(kernel, wait->link[i].object, wait);
            }
        }
        wait->status = STATUS_SUCCESS;
        return true;
    }
    n = first_signalled(wait);
    if (n == wait->count) {
        return false;
    }
    satisfy(kernel, wait->link[n].object, wait);
    wait->status = STATUS_WAIT_0 + (NTSTATUS)n;
    return true;
}

/* Behind those who came before; WAIT-18 [C]. */
static void join(const struct kernel *kernel, struct wait_link *link)
{
    struct dispatch_object *object = link->object;
    struct wait_link *before = object->last;

    while (before != NULL && ruling_is(kernel, RULED_WAIT_18_priority) &&
           before->wait->thread->priority < link->wait->thread->priority) {
        before = before->previous;
    }
    link->previous = before;
    link->next = before == NULL ? object->first : before->next;
    *(before == NULL ? &object->first : &before->next) = link;
    *(link->next == NULL ? &object->last : &link->next->previous) = link;
}

static void leave(struct wait_link *link)
{
    struct dispatch_object *object = link->object;

    *(link->previous == NULL ? &object->first : &link->previous->next) =
        link->next;
    *(link->next == NULL ? &object->last : &link->next->previous) =
        link->previous;
}

/* It stands with its objects no more, and its thread goes on. */
static void let_go(struct kernel *kernel, struct thread_wait *wait)
{
    for (size_t i = 0; i < wait->count; i++) {
        leave(&wait->link[i]);
    }
    wait->thread->wait = NULL;
    dispatcher_ready(kernel, wait->strand);
}

static void finish(struct kernel *kernel, struct thread_wait *wait)
{
    clock_timer_cancel(kernel, &wait->deadline);
    wait->done = true;
    let_go(kernel, wait);
}

/* Its objects must stay while code of a driver runs that may free them. */
static void count_away(const struct thread_wait *wait, int32_t more)
{
    for (size_t i = 0; i < wait->count; i++) {
        wait->link[i].object->away += (uint32_t)more;
    }
}

/* A pulse that comes while it is away is missed (WAIT-10). */
void object_wait_disturb(struct kernel *kernel, struct kthread *thread)
{
    struct thread_wait *wait = thread->wait;

    if (wait == NULL) {
        return;
    }
    if (is_interrupted(kernel, wait)) {
        finish(kernel, wait);
    } else if (apc_region_may_take(kernel, thread, wait->irql)) {
        wait->away = true;
        count_away(wait, 1);
        let_go(kernel, wait);
    }
}

static void time_is_over(struct kernel *kernel, struct clock_timer *timer)
{
    struct thread_wait *wait =
        (struct thread_wait *)(void *)((char *)timer -
                                       offsetof(struct thread_wait, deadline));

    if (wait->away) {
        wait->late = true;
        return;
    }
    wait->status = STATUS_TIMEOUT;
    finish(kernel, wait);
}

void object_signal(struct kernel *kernel, struct dispatch_object *object)
{
    struct wait_link *link = object->first;

    while (link != NULL && object->state > 0) {
        struct thread_wait *wait = link->wait;

        link = link->next;
        while (link != NULL && link->wait == wait) {
            link = link->next; /* it stands twice in one wait */
        }
        if (try_to_satisfy(kernel, wait)) {
            finish(kernel, wait);
        }
    }
}

static void set_deadline(struct kernel *kernel, struct thread_wait *wait,
    const struct wait_until *until)
{
    wait->deadline = (struct clock_timer){.expired = time_is_over,
        .processor = kernel_cpu(kernel)->index,
        .due = until->due};
    if (until->limit != WAIT_TO_TICK) {
        return;
    }
    if (ruling_is(kernel, RULED_WAIT_22_exact)) {
        clock_timer_set_fine(kernel, &wait->deadline, until->due);
    } else {
        clock_timer_set(kernel, &wait->deadline, until->tick);
    }
}

/* Leaves the processor until the wait is done, or APCs are to run. */
static void park(
    struct kernel *kernel, struct thread_wait *wait, enum switch_reason reason)
{
    for (size_t i = 0; i < wait->count; i++) {
        join(kernel, &wait->link[i]);
    }
    wait->thread->wait = wait;
    dispatcher_park(kernel, reason);
}

/* It was away (WAIT-10). Whether it need not wait any longer. */
static bool is_over(struct kernel *kernel, struct thread_wait *wait)
{
    wait->away = false;
    count_away(wait, -1);
    if (!try_to_satisfy(kernel, wait) && !is_interrupted(kernel, wait)) {
        wait->status = STATUS_TIMEOUT;
        return wait->late;
    }
    clock_timer_cancel(kernel, &wait->deadline);
    return true;
}

NTSTATUS object_wait(struct kernel *kernel, struct dispatch_object **object,
    size_t count, unsigned how, const struct wait_until *until,
    enum switch_reason reason)
{
    struct thread_wait wait;

    assert(count <= MAXIMUM_WAIT_OBJECTS);
    wait.thread = kthread_current(kernel);
    wait.strand = strand_current(kernel->machine);
    wait.count = count;
    wait.how = how;
    wait.irql = irql_current(kernel, kernel_cpu(kernel));
    wait.away = wait.late = wait.done = false;
    for (size_t i = 0; i < count; i++) {
        wait.link[i] = (struct wait_link){.wait = &wait, .object = object[i]};
    }
    if (kernel->threads->apcs > 0) {
        count_away(&wait, 1);
        apc_region_take(kernel);
        count_away(&wait, -1);
    }
    if (try_to_satisfy(kernel, &wait) || is_interrupted(kernel, &wait)) {
        return wait.status;
    }
    if (until->limit == WAIT_NOT) {
        return STATUS_TIMEOUT;
    }
    set_deadline(kernel, &wait, until);
    park(kernel, &wait, reason);
    while (!wait.done) {
        assert(wait.away);
        apc_region_take(kernel);
        if (is_over(kernel, &wait)) {
            break;
        }
        park(kernel, &wait, reason);
    }
    return wait.status;
}
