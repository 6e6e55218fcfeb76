/* kthread.c - kernel threads (KTHREAD): made, found by address or number, their
 * priority and processor time. */
#include "api/ke/kthread.h"

#include <assert.h>

#include "api/core/driver.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/dispatcher.h"
#include "sim/machine/strand.h"

enum { ID_STEP = 4 };

static void *address_of_nothing(struct kernel *kernel)
{
    return run_needs(
        kernel, memory_alloc(&kernel->machine->memory, 0, 0), "a thread");
}

/* TID-02 [C]. */
static uint64_t id_of(const struct kernel *kernel, uint64_t n)
{
    return n * ruling_number_or(kernel, RULED_TID_02_number, ID_STEP);
}

uint64_t kthread_system_process_id(const struct kernel *kernel)
{
    return id_of(kernel, 1);
}

uint64_t kthread_next_id(struct kernel *kernel)
{
    return id_of(kernel, 2 + kernel->threads->made++);
}

uint64_t kthread_teb(struct kernel *kernel, struct kthread *thread)
{
    if (thread->teb == 0 && thread->driver != NULL && thread->driver->user) {
        thread->teb = (uintptr_t)address_of_nothing(kernel);
    }
    return thread->teb;
}

struct kthread *kthread_make(struct kernel *kernel, const struct driver *driver)
{
    struct kthreads *threads = kernel->threads;
    struct kthread *thread =
        record_take(kernel, &threads->pool, sizeof(*thread), "threads");

    *thread = (struct kthread){
        .address = (uintptr_t)address_of_nothing(kernel),
        .id = kthread_next_id(kernel),
        .driver = driver,
        .priority = PRIORITY_NORMAL,
        .base = PRIORITY_NORMAL,
        .exit_status = STATUS_PENDING,
        .older = threads->newest,
    };
    if (thread->older != NULL) {
        thread->older->newer = thread;
    }
    threads->newest = thread;
    thread->object =
        dispatch_object_make_opaque(kernel, thread->address, DISPATCH_THREAD);
    thread->object->of = thread;
    return thread;
}

void kthread_give_back(struct kernel *kernel, struct kthread *thread)
{
    struct kthreads *threads = kernel->threads;

    if (!thread->system || thread->object != NULL || thread->entered ||
        thread->shown > 0 || thread->holds != NULL) {
        return;
    }
    assert(thread->ended && thread->wait == NULL && thread->apcs.first == NULL);
    assert(thread->owned == 0 && thread->profile == NULL);
    *(thread->newer != NULL ? &thread->newer->older : &threads->newest) =
        thread->older;
    if (thread->older != NULL) {
        thread->older->newer = thread->newer;
    }
    record_give(&threads->pool, thread);
}

void kthread_leave(struct kernel *kernel)
{
    struct thread *running = thread_current(kernel);
    struct kthread *thread = running->object;

    assert(thread->ended && thread->strand == NULL);
    running->object = NULL;
    thread->entered = false;
    kthread_give_back(kernel, thread);
}

static struct kthread *idle_thread(struct kernel *kernel, const struct cpu *cpu)
{
    struct processor *processor = kernel_processor(kernel, cpu);

    if (processor->idle == NULL) {
        processor->idle = kthread_make(kernel, NULL);
        processor->idle->idle = true;
        processor->idle->id = 0;
        processor->idle->priority = 0;
    }
    return processor->idle;
}

struct kthread *kthread_current(struct kernel *kernel)
{
    struct strand *strand = strand_current(kernel->machine);
    struct thread *thread = thread_of(strand);

    if (thread->object == NULL && strand->idle) {
        return idle_thread(kernel, strand->cpu);
    }
    if (thread->object == NULL) {
        kthread_attach(kthread_make(kernel, strand->owner), strand);
    }
    return thread->object;
}

const struct driver *kthread_process(const struct kthread *thread)
{
    if (thread->attachments > 0) {
        return thread->attachment[thread->attachments - 1].program;
    }
    return thread->driver != NULL && thread->driver->user ? thread->driver
                                                          : NULL;
}

void kthread_attach(struct kthread *thread, struct strand *strand)
{
    thread->strand = strand;
    thread->entered = true;
    kthread_comes(thread, strand->cpu);
    thread_of(strand)->object = thread;
    if (strand->rank != thread->priority) {
        strand_set_rank(strand, thread->priority);
    }
}

void kthread_comes(struct kthread *thread, const struct cpu *cpu)
{
    thread->since = cpu->time;
}

void kthread_goes(struct kthread *thread, const struct cpu *cpu)
{
    assert(cpu->time >= thread->since);
    thread->ran += cpu->time - thread->since;
    thread->since = cpu->time;
}

/* What another processor runs it has run until now: its own time is that of the
 * last thing that happened there, which may also be a little ahead. */
uint64_t kthread_ran(struct kernel *kernel, const struct kthread *thread)
{
    const struct strand *strand = thread->strand;
    uint64_t now = kernel_cpu(kernel)->time;

    if (strand == NULL || strand->cpu->current != strand ||
        now < thread->since) {
        return thread->ran;
    }
    return thread->ran + now - thread->since;
}

void kthread_run(struct kernel *kernel, const struct segment *segment)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct kthread *thread = thread_current(kernel)->object;
    uint64_t before;

    if (thread == NULL || segment->ring != RING_USER) {
        cpu_run_segment(cpu, segment);
        return;
    }
    before = kthread_ran(kernel, thread);
    cpu_run_segment(cpu, segment);
    thread->ran_user += kthread_ran(kernel, thread) - before;
}

void kthread_detach(struct kthread *thread)
{
    kthread_goes(thread, thread->strand->cpu);
    thread->strand = NULL;
}

void kthread_set_priority(
    struct kernel *kernel, struct kthread *thread, uint8_t priority)
{
    assert(priority <= PRIORITY_HIGHEST);
    thread->priority = priority;
    if (thread->strand != NULL) {
        strand_set_rank(thread->strand, priority);
        dispatcher_look(kernel, thread->strand->cpu);
    }
}

struct kthread *kthread_by_id(const struct kernel *kernel, uint64_t id)
{
    struct kthread *thread = kernel->threads->newest;

    while (thread != NULL && (thread->id != id || thread->object == NULL)) {
        thread = thread->older;
    }
    return thread;
}

struct kthread *kthread_get(
    struct kernel *kernel, enum routine routine, const void *address)
{
    return dispatch_object_get(kernel, routine, address, 1 << DISPATCH_THREAD)
        ->of;
}

struct kthread *kthread_find(struct kernel *kernel, const void *address)
{
    struct dispatch_object *object =
        dispatch_object_find(kernel, (uintptr_t)address);

    return object == NULL || object->kind != DISPATCH_THREAD ? NULL
                                                             : object->of;
}
