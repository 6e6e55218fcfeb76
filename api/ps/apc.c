/* apc.c - queues calls to threads (APCs), runs them where the thread may,
 * alerts threads and asks them to end. */
#include "api/ps/apc.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/trace_events.h"
#include "api/ke/apc_region.h"
#include "api/ke/dispatcher.h"
#include "api/ke/driver_call.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"
#include "api/ke/object_wait.h"
#include "sim/machine/strand.h"

static const char *const kinds[] = {
    [APC_SPECIAL] = "special kernel APC",
    [APC_NORMAL] = "kernel APC",
    [APC_USER] = "user APC",
};

static uint32_t *count_of(struct kthread *thread, enum apc_kind kind)
{
    switch (kind) {
    case APC_SPECIAL:
        return &thread->apcs.special;
    case APC_NORMAL:
        return &thread->apcs.normal;
    case APC_USER:
        break;
    }
    return &thread->apcs.user;
}

/* Where it runs, or is about to, it looks behind the next interrupt. */
static void tell(struct kernel *kernel, struct kthread *thread)
{
    object_wait_disturb(kernel, thread);
    if (thread->strand != NULL && thread->wait == NULL) {
        dispatcher_request(kernel, thread->strand->cpu);
    }
}

bool apc_queue(
    struct kernel *kernel, struct kthread *thread, const struct apc *apc)
{
    struct thread_apcs *apcs = &thread->apcs;
    struct apc *made;

    if (thread->ended) {
        return false;
    }
    made =
        record_take(kernel, &kernel->threads->apc_pool, sizeof(*made), "APCs");
    *made = *apc;
    made->next = NULL;
    *(apcs->last == NULL ? &apcs->first : &apcs->last->next) = made;
    apcs->last = made;
    ++*count_of(thread, apc->kind);
    kernel->threads->apcs++;
    cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_APC_QUEUED],
        trace_text(&kernel->machine->trace, kinds[apc->kind]), thread->id);
    tell(kernel, thread);
    return true;
}

void apc_alert(struct kernel *kernel, struct kthread *thread)
{
    if (!thread->ended) {
        thread->apcs.alerted = true;
        cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_THREAD_ALERTED],
            thread->id);
        object_wait_disturb(kernel, thread);
    }
}

void apc_end(struct kernel *kernel, struct kthread *thread, NTSTATUS status)
{
    assert(thread->driver != NULL && thread->driver->user);
    if (!thread->ended && !thread->apcs.ending) {
        thread->apcs.ending = true;
        thread->apcs.status = status;
        object_wait_disturb(kernel, thread);
    }
}

/* The first of that kind leaves the queue. False: none is there. */
static bool take(struct kernel *kernel, struct kthread *thread,
    enum apc_kind kind, struct apc *taken)
{
    struct thread_apcs *apcs = &thread->apcs;
    struct apc **link = &apcs->first;
    struct apc *before = NULL;
    struct apc *apc;

    while (*link != NULL && (*link)->kind != kind) {
        before = *link;
        link = &before->next;
    }
    apc = *link;
    if (apc == NULL) {
        return false;
    }
    *taken = *apc;
    *link = apc->next;
    if (apcs->last == apc) {
        apcs->last = before;
    }
    --*count_of(thread, kind);
    kernel->threads->apcs--;
    record_give(&kernel->threads->apc_pool, apc);
    return true;
}

static void call(struct kernel *kernel, const struct apc *apc)
{
    const struct driver_target target = {.driver = apc->driver,
        .routine = kinds[apc->kind],
        .address = apc->routine,
        .irql_rule = RULE_APC_IRQL,
        .interrupts_rule = RULE_IO_DISPATCH_INTERRUPTS};

    driver_call(kernel, &target, apc->argument);
}

static void run_special(struct kernel *kernel, const struct apc *apc)
{
    uint8_t before = irql_set(
        kernel, kernel_cpu(kernel), irql_number(kernel, LEVEL_APC_LEVEL));

    call(kernel, apc);
    irql_set(kernel, kernel_cpu(kernel), before);
}

/* No other normal one comes on top of it, special ones do. */
static void run_normal(
    struct kernel *kernel, struct kthread *thread, const struct apc *apc)
{
    thread->apcs.running = true;
    call(kernel, apc);
    thread->apcs.running = false;
}

static uint8_t level(struct kernel *kernel)
{
    return irql_current(kernel, kernel_cpu(kernel));
}

void apc_run(struct kernel *kernel, struct kthread *thread)
{
    while (apc_region_may_take(kernel, thread, level(kernel))) {
        struct apc apc;

        if (take(kernel, thread, APC_SPECIAL, &apc)) {
            run_special(kernel, &apc);
        } else if (take(kernel, thread, APC_NORMAL, &apc)) {
            run_normal(kernel, thread, &apc);
        }
    }
}

void apc_run_user(struct kernel *kernel, struct kthread *thread)
{
    struct apc apc;

    while (!thread->apcs.ending && take(kernel, thread, APC_USER, &apc)) {
        call(kernel, &apc);
    }
}

void apc_forget(struct kernel *kernel, struct kthread *thread)
{
    struct thread_apcs *apcs = &thread->apcs;

    kernel->threads->apcs -= apcs->special + apcs->normal + apcs->user;
    *apcs = (struct thread_apcs){.first = NULL};
}
