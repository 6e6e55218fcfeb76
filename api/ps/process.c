/* process.c - PsGetCurrentProcess, PsLookupProcessByProcessId and kin: the
 * system process, the idle one, and those of programs. */
#include "api/ps/process.h"

#include <assert.h>

#include "api/core/driver.h"
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/trace_events.h"
#include "api/ke/clock.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/kthread.h"
#include "api/ke/object_wait.h"
#include "api/mm/copy.h"
#include "api/ps/thread.h"

/* The system's own reference is never given back, nor that of the idle one. */
static void process_gone(struct kernel *kernel, void *object)
{
    struct ps_process *process = object;
    void *address = (void *)(uintptr_t)process->object.address;

    assert(process->ended);
    dispatch_object_free(kernel, kernel_cpu(kernel),
        ROUTINE_ObfDereferenceObject,
        dispatch_object_find(kernel, (uintptr_t)address));
    memory_free(&kernel->machine->memory, address);
}

static const struct object_type process_type = {
    .name = OBJECT_TYPE_PROCESS,
    .text = "process",
    .gone = process_gone,
};

static struct ps_process *get(
    struct kernel *kernel, struct ps_process *process, uint64_t id)
{
    void *address;

    if (process->object.address != 0) {
        return process;
    }
    address = run_needs(
        kernel, memory_alloc(&kernel->machine->memory, 0, 0), "a process");
    *process = (struct ps_process){
        .object = {.type = &process_type, .address = (uintptr_t)address},
        .id = id};
    dispatch_object_make_opaque(kernel, (uintptr_t)address, DISPATCH_PROCESS)
        ->of = process;
    counted_object_add(kernel, &process->object);
    return process;
}

/* One that has ended is known by its number as long as the machine lasts. */
static struct ps_process *program_of(
    struct kernel *kernel, const struct driver *program)
{
    struct ps_process *process = kernel->processes->programs;

    while (process != NULL && process->program != program) {
        process = process->next;
    }
    if (process != NULL) {
        return process;
    }
    process = arena_alloc(&kernel->machine->arena, sizeof(*process));
    *process = (struct ps_process){.object = {.address = 0}};
    get(kernel, process, kthread_next_id(kernel));
    process->program = program;
    process->next = kernel->processes->programs;
    kernel->processes->programs = process;
    return process;
}

struct ps_process *ps_process_of(
    struct kernel *kernel, const struct kthread *thread)
{
    struct ps_processes *processes = kernel->processes;

    if (thread->driver != NULL && thread->driver->user) {
        return program_of(kernel, thread->driver);
    }
    return thread->idle ? get(kernel, &processes->idle, 0)
                        : get(kernel, &processes->system,
                              kthread_system_process_id(kernel));
}

static bool is_last(const struct kernel *kernel, const struct kthread *thread)
{
    for (const struct kthread *other = kernel->threads->newest; other != NULL;
         other = other->older) {
        if (other != thread && other->driver == thread->driver &&
            !other->ended) {
            return false;
        }
    }
    return true;
}

/* Handles first, whose closing may ask for the current process, then what else
 * it has, then it is signalled (WAIT-21 [C]). */
void ps_process_end(struct kernel *kernel, struct ps_process *process)
{
    const struct ps_player *player = &kernel->processes->player;

    if (player->close_handles != NULL) {
        player->close_handles(player->context, process->program);
    }
    for (size_t i = 0; kernel->hooks->process_ends[i] != NULL; i++) {
        kernel->hooks->process_ends[i](kernel, process->program);
    }
    process->ended = true;
    cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_PROCESS_END],
        trace_text(&kernel->machine->trace, process->program->name));
    dispatch_object_set(
        kernel, dispatch_object_find(kernel, process->object.address), 1);
    object_signal(
        kernel, dispatch_object_find(kernel, process->object.address));
    counted_object_release(kernel, &process->object);
}

void ps_process_thread_ends(struct kernel *kernel, const struct kthread *thread)
{
    char number[NT_STATUS_DIGITS];
    const char *status = nt_status_text((uint32_t)thread->apcs.status, number);
    struct ps_process *process;

    assert(thread->driver != NULL && thread->driver->user && !thread->ended);
    process = program_of(kernel, thread->driver);
    notify_thread(kernel, process->id, thread, false);
    cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_THREAD_END], thread->id,
        trace_text(&kernel->machine->trace, status));
    if (is_last(kernel, thread)) {
        notify_process_ends(kernel, process);
        ps_process_end(kernel, process);
    }
}

struct ps_process *ps_process_of_system(struct kernel *kernel)
{
    return get(
        kernel, &kernel->processes->system, kthread_system_process_id(kernel));
}

struct ps_process *ps_process_current(struct kernel *kernel)
{
    const struct kthread *thread = kthread_current(kernel);
    const struct driver *program = kthread_process(thread);

    if (thread->attachments == 0) {
        return ps_process_of(kernel, thread);
    }
    return program == NULL ? ps_process_of_system(kernel)
                           : program_of(kernel, program);
}

struct counted_object *ps_self_object(struct kernel *kernel, const void *handle)
{
    const intptr_t number = (intptr_t)handle;

    return number == -1 ? &ps_process_current(kernel)->object
           : number == -2
               ? &ps_thread_of(kernel, kthread_current(kernel))->object
               : NULL;
}

const struct driver *ps_program_of(const struct counted_object *process)
{
    assert(process->type == &process_type);
    return ((const struct ps_process *)(const void *)process)->program;
}

PVOID IoGetCurrentProcess_body(void)
{
    return (PVOID)(uintptr_t)ps_process_current(kernel_current())
        ->object.address;
}

PVOID PsGetCurrentProcess_body(void)
{
    return IoGetCurrentProcess_body();
}

HANDLE PsGetCurrentProcessId_body(void)
{
    return (HANDLE)(uintptr_t)ps_process_current(kernel_current())->id;
}

PVOID ps_process_initial(struct kernel *kernel)
{
    return (PVOID)(uintptr_t)ps_process_of_system(kernel)->object.address;
}

/* What no step has created began with the machine (PROC-04 [C]). */
LONGLONG PsGetProcessCreateTimeQuadPart_body(PVOID Process)
{
    const struct ps_process *process = dispatch_object_get(kernel_current(),
        ROUTINE_PsGetProcessCreateTimeQuadPart, Process, 1 << DISPATCH_PROCESS)
                                           ->of;

    return (LONGLONG)(CLOCK_BOOT_TIME + process->created);
}

HANDLE PsGetProcessId_body(PVOID Process)
{
    const struct ps_process *process = dispatch_object_get(kernel_current(),
        ROUTINE_PsGetProcessId, Process, 1 << DISPATCH_PROCESS)
                                           ->of;

    return (HANDLE)(uintptr_t)process->id;
}

struct ps_process *ps_process_by_id(struct kernel *kernel, uint64_t id)
{
    struct ps_processes *processes = kernel->processes;
    struct ps_process *process = processes->programs;

    while (process != NULL && (process->id != id || process->ended)) {
        process = process->next;
    }
    return id == kthread_system_process_id(kernel)
               ? get(kernel, &processes->system,
                     kthread_system_process_id(kernel))
               : process;
}

NTSTATUS PsLookupProcessByProcessId_body(HANDLE ProcessId, PVOID *Process)
{
    const enum routine routine = ROUTINE_PsLookupProcessByProcessId;
    struct kernel *kernel = kernel_current();
    struct ps_process *process;
    PVOID address;

    copy_probe(kernel, routine, Process, sizeof(*Process), true);
    process = ps_process_by_id(kernel, (uintptr_t)ProcessId);
    if (process == NULL) {
        return STATUS_INVALID_CID;
    }
    counted_object_hold(kernel, &process->object);
    address = (PVOID)(uintptr_t)process->object.address;
    copy_out(kernel, routine, Process, &address, sizeof(address));
    return STATUS_SUCCESS;
}
