/* process.c - PsGetCurrentProcess, PsLookupProcessByProcessId and kin: the
 * system process, the idle one, and those of programs. */
#include "api/ps/process.h"

#include <assert.h>

#include "api/core/driver.h"
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"

/* Its own reference is never given back. */
static void process_gone(struct kernel *kernel, void *object)
{
    (void)kernel;
    (void)object;
    assert(false && "a process of the system's is never gone");
}

static const struct object_type process_type = {
    OBJECT_TYPE_PROCESS, "process", process_gone};

/* It ends never, so nobody is let go on who waits for it (WAIT-21 [C]). */
static struct ps_process *get(
    struct kernel *kernel, struct ps_process *process, uint64_t id)
{
    void *address;

    if (process->object.address != 0) {
        return process;
    }
    address = memory_alloc(&kernel->machine->memory, 0, 0);
    if (address == NULL) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "there is no guest memory left for a process");
    }
    *process = (struct ps_process){
        .object = {.type = &process_type, .address = (uintptr_t)address},
        .id = id};
    dispatch_object_make_opaque(kernel, (uintptr_t)address, DISPATCH_PROCESS)
        ->of = process;
    counted_object_add(kernel, &process->object);
    return process;
}

/* It lasts as long as the machine: no program ends before. */
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
                        : get(kernel, &processes->system, SYSTEM_PROCESS_ID);
}

static struct ps_process *current(void)
{
    struct kernel *kernel = kernel_current();

    return ps_process_of(kernel, kthread_current(kernel));
}

PVOID IoGetCurrentProcess_body(void)
{
    return (PVOID)(uintptr_t)current()->object.address;
}

PVOID PsGetCurrentProcess_body(void)
{
    return IoGetCurrentProcess_body();
}

HANDLE PsGetCurrentProcessId_body(void)
{
    return (HANDLE)(uintptr_t)current()->id;
}

HANDLE PsGetProcessId_body(PVOID Process)
{
    const struct ps_process *process = dispatch_object_get(kernel_current(),
        ROUTINE_PsGetProcessId, Process, 1 << DISPATCH_PROCESS)
                                           ->of;

    return (HANDLE)(uintptr_t)process->id;
}

/* NULL: no process has that number. The idle one's is none. */
static struct ps_process *find(struct kernel *kernel, uint64_t id)
{
    struct ps_processes *processes = kernel->processes;
    struct ps_process *process = processes->programs;

    while (process != NULL && process->id != id) {
        process = process->next;
    }
    return id == SYSTEM_PROCESS_ID
               ? get(kernel, &processes->system, SYSTEM_PROCESS_ID)
               : process;
}

NTSTATUS PsLookupProcessByProcessId_body(HANDLE ProcessId, PVOID *Process)
{
    const enum routine routine = ROUTINE_PsLookupProcessByProcessId;
    struct kernel *kernel = kernel_current();
    struct ps_process *process;
    PVOID address;

    copy_probe(kernel, routine, Process, sizeof(*Process), true);
    process = find(kernel, (uintptr_t)ProcessId);
    if (process == NULL) {
        return STATUS_INVALID_CID;
    }
    counted_object_reference(&process->object);
    address = (PVOID)(uintptr_t)process->object.address;
    copy_out(kernel, routine, Process, &address, sizeof(address));
    return STATUS_SUCCESS;
}
