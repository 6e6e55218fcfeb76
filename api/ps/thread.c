/* thread.c - thread objects with references and handles (ETHREAD), and threads
 * still running when their driver unloads. */
#include "api/ps/thread.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/kthread.h"
#include "api/ke/object_wait.h"
#include "api/ps/apc.h"
#include "api/ps/process.h"

/* Its address is nobody's any more: whoever waits for it now is told so. */
static void thread_gone(struct kernel *kernel, void *object)
{
    struct ps_thread *of = object;
    struct kthread *thread = of->thread;

    assert(thread->ended);
    dispatch_object_free(kernel, kernel_cpu(kernel),
        ROUTINE_ObfDereferenceObject, thread->object);
    memory_free(&kernel->machine->memory, (void *)(uintptr_t)thread->address);
    thread->object = NULL;
    thread->of = NULL;
    record_give(&kernel->processes->thread_pool, of);
    kthread_give_back(kernel, thread);
}

static const struct object_type thread_type = {
    .name = OBJECT_TYPE_THREAD,
    .text = "thread",
    .gone = thread_gone,
};

struct ps_thread *ps_thread_of(struct kernel *kernel, struct kthread *thread)
{
    struct ps_thread *of = thread->of;

    if (of != NULL) {
        return of;
    }
    of = record_take(
        kernel, &kernel->processes->thread_pool, sizeof(*of), "threads");
    *of = (struct ps_thread){
        .object = {.type = &thread_type, .address = thread->address},
        .thread = thread,
    };
    thread->of = of;
    counted_object_add(kernel, &of->object);
    return of;
}

struct kthread *ps_thread_in(struct counted_object *object)
{
    return object->type == &thread_type
               ? ((struct ps_thread *)(void *)object)->thread
               : NULL;
}

struct ps_thread *ps_thread_make(
    struct kernel *kernel, uint64_t start, uint64_t context)
{
    struct kthread *kthread =
        kthread_make(kernel, kernel_driver(kernel, kernel_cpu(kernel)));
    struct ps_thread *thread = ps_thread_of(kernel, kthread);

    kthread->system = true;
    kthread->kernel_apcs = THREAD_STARTS_WITH_APCS;
    kthread->place = place_current(kernel);
    kthread->step = thread_step(kernel);
    thread->start = start;
    thread->context = context;
    return thread;
}

void ps_thread_release(struct kernel *kernel, struct kthread *thread)
{
    struct ps_thread *of = thread->of;

    thread->ended = true;
    counted_object_release(kernel, &of->object);
}

void ps_thread_end(
    struct kernel *kernel, struct kthread *thread, NTSTATUS status)
{
    apc_forget(kernel, thread);
    assert(thread->apcs.first == NULL); /* nothing runs in it any more */
    thread->ended = true;
    thread->exit_status = status;
    dispatch_object_set(kernel, thread->object, 1);
    object_signal(kernel, thread->object);
    if (thread->of != NULL) {
        ps_thread_release(kernel, thread);
    }
}

static void list_threads(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct kthread *thread = kernel->threads->newest; thread != NULL;
         thread = thread->older) {
        if (thread->system && !thread->ended &&
            thread->driver == listing->driver) {
            leaks_found(listing, LEAK_THREAD, "system thread", thread->step);
        }
    }
}

static bool is_for_io(const struct kthread *thread)
{
    return ((const struct ps_thread *)thread->of)->io;
}

bool ps_thread_keeps(const struct kernel *kernel, const struct driver *driver)
{
    bool keeps = false;

    for (const struct kthread *thread = kernel->threads->newest;
         thread != NULL && !keeps; thread = thread->older) {
        keeps = thread->system && !thread->ended && thread->driver == driver &&
                is_for_io(thread);
    }
    return keeps;
}

/* Its code is gone with the driver (EXE-GEN-05 [C]); of those that keep it none
 * is left. */
static void report_threads(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "system thread"}, {.value = irql_current(kernel, cpu)}};

    for (struct kthread *thread = kernel->threads->newest; thread != NULL;
         thread = thread->older) {
        if (thread->system && !thread->ended && thread->driver == driver &&
            leaks_is_news(&thread->reported)) {
            leaks_alive(kernel, cpu, RULE_LEAK_THREAD, ROUTINE_COUNT,
                thread->place, parameter);
        }
    }
}

const struct leak_source ps_thread_leaks = {
    LEAK_THREAD, list_threads, report_threads, NULL};
