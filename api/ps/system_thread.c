/* system_thread.c - PsCreateSystemThread, PsTerminateSystemThread: a driver's
 * thread begins, runs, ends. */
#include <assert.h>
#include <stddef.h>

#include "api/core/float_saves.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/ke/code.h"
#include "api/ke/dispatcher.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"
#include "api/ke/lock_left.h"
#include "api/ke/wait_pair.h"
#include "api/mm/copy.h"
#include "api/ps/notify.h"
#include "api/ps/process.h"
#include "api/ps/thread.h"
#include "sim/machine/strand.h"

/* Signalled, and gone when nobody refers to it. */
static _Noreturn void end(struct kernel *kernel, NTSTATUS status)
{
    struct kthread *thread = kthread_current(kernel);

    notify_thread(kernel, kthread_system_process_id(kernel), thread, false);
    kthread_detach(thread);
    ps_thread_end(kernel, thread, status);
    cpu_checkpoint(kernel_cpu(kernel));
    kthread_leave(kernel);
    strand_end(kernel->machine);
}

/* THR-09a, THR-10 [C]: its own region is not counted (THR-09b [C]). */
static void check_end(struct kernel *kernel, enum routine routine)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct kthread *thread = kthread_current(kernel);
    uint8_t irql = irql_current(kernel, cpu);
    bool pending = thread->apcs.special + thread->apcs.normal > 0;
    const struct bugcheck_parameter parameter[4] = {
        {.name = pending ? "APC" : NULL},
        {.value = (uint64_t)(int64_t)(thread->kernel_apcs + 1)},
        {.value = irql}};

    lock_left_at_end(kernel, routine);
    float_saves_check(kernel, thread, NULL, place_current(kernel));
    if (irql != irql_number(kernel, LEVEL_PASSIVE_LEVEL) ||
        thread->kernel_apcs != THREAD_STARTS_WITH_APCS ||
        thread->special_apcs != 0 || pending) {
        rule_stop(kernel, cpu, RULE_THREAD_EXIT, routine, parameter);
    }
}

static void thread_main(void *argument)
{
    struct ps_thread *thread = argument;
    struct kernel *kernel = kernel_current();
    const uint64_t arguments[CODE_ARGUMENTS] = {thread->context};

    kthread_attach(thread->thread, strand_current(kernel->machine));
    thread_current(kernel)->system = true;
    dispatcher_begin(kernel);
    code_call(kernel, thread->start, arguments);
    wait_pair_abandon(kernel);
    check_end(kernel, ROUTINE_COUNT);
    if (!thread->io && ruling_is(kernel, RULED_THR_06b_event)) {
        rule_warn_at(kernel, kernel_cpu(kernel), RULE_THREAD_RETURNED,
            ROUTINE_COUNT, thread->start);
    }
    end(kernel, STATUS_SUCCESS); /* THR-06b [C] */
}

/* One that may run anywhere begins where its turn is, in its maker's group. */
static struct cpu *place_of_new(struct kernel *kernel)
{
    const struct topology *topology = &kernel->machine->topology;
    uint16_t group = kernel_cpu(kernel)->group;
    uint32_t size = topology->group_size[group];

    return machine_cpu(
        kernel->machine, topology->group_first[group] +
                             ++kernel->threads->next_processor % size);
}

static bool attributes_are_right(
    struct kernel *kernel, enum routine routine, const OBJECT_ATTRIBUTES *given)
{
    OBJECT_ATTRIBUTES attributes;

    if (given == NULL) {
        return true;
    }
    copy_in(kernel, routine, &attributes, given, sizeof(attributes));
    return (attributes.Attributes &
               (OBJ_PERMANENT | OBJ_EXCLUSIVE | OBJ_OPENIF)) == 0;
}

static void check_start(
    struct kernel *kernel, enum routine routine, uint64_t start)
{
    const struct bugcheck_parameter parameter[4] = {{.name = "no code"},
        {.value = irql_current(kernel, kernel_cpu(kernel))}};

    if (!code_is_at(kernel, start)) {
        rule_stop(
            kernel, kernel_cpu(kernel), RULE_CODE_NOT_CODE, routine, parameter);
    }
}

static bool start(struct kernel *kernel, struct ps_thread *thread)
{
    struct cpu *cpu = place_of_new(kernel);
    struct strand *strand = strand_spawn_for_guest(
        cpu, thread_main, thread, kernel_driver(kernel, kernel_cpu(kernel)));

    if (strand == NULL) {
        return false;
    }
    strand_to_background(strand);
    thread->thread->strand = strand;
    thread->thread->ideal = cpu->index;
    dispatcher_look(kernel, cpu);
    return true;
}

/* Who has asked is told before it runs; and of its end where it cannot. */
static bool begin(struct kernel *kernel, struct ps_thread *thread)
{
    bool begun;

    notify_thread(
        kernel, kthread_system_process_id(kernel), thread->thread, true);
    begun = start(kernel, thread);
    if (!begun) {
        notify_thread(
            kernel, kthread_system_process_id(kernel), thread->thread, false);
    }
    return begun;
}

/* What both routines are given. */
struct request {
    enum routine routine;
    bool io;
    PHANDLE handle;
    const OBJECT_ATTRIBUTES *attributes;
    HANDLE process;
    PCLIENT_ID id;
    PKSTART_ROUTINE start;
    PVOID context;
};

/* THR-08 [C]. */
static NTSTATUS check(struct kernel *kernel, const struct request *request)
{
    const enum routine routine = request->routine;

    if (!attributes_are_right(kernel, routine, request->attributes)) {
        return STATUS_INVALID_PARAMETER;
    }
    if (request->process != NULL) {
        return STATUS_INVALID_HANDLE; /* there is no other process */
    }
    copy_probe(kernel, routine, request->handle, sizeof(HANDLE), true);
    if (request->id != NULL) {
        copy_probe(kernel, routine, request->id, sizeof(CLIENT_ID), true);
    }
    check_start(kernel, routine, (uintptr_t)request->start);
    return STATUS_SUCCESS;
}

static NTSTATUS create(const struct request *request)
{
    struct kernel *kernel = kernel_current();
    NTSTATUS status = check(kernel, request);
    struct ps_thread *thread;
    CLIENT_ID id;
    HANDLE handle;

    if (!NT_SUCCESS(status)) {
        return status;
    }
    thread = ps_thread_make(
        kernel, (uintptr_t)request->start, (uintptr_t)request->context);
    thread->io = request->io;
    handle = handle_open(kernel, &thread->object);
    if (handle == NULL || !begin(kernel, thread)) {
        if (handle != NULL) {
            handle_close(kernel, handle);
        }
        ps_thread_release(kernel, thread->thread);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    id = (CLIENT_ID){(HANDLE)(uintptr_t)kthread_system_process_id(kernel),
        (HANDLE)(uintptr_t)thread->thread->id};
    if (request->id != NULL) {
        copy_out(kernel, request->routine, request->id, &id, sizeof(id));
    }
    copy_out(
        kernel, request->routine, request->handle, &handle, sizeof(handle));
    return STATUS_SUCCESS;
}

NTSTATUS PsCreateSystemThread_body(PHANDLE ThreadHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes, HANDLE ProcessHandle,
    PCLIENT_ID ClientId, PKSTART_ROUTINE StartRoutine, PVOID StartContext)
{
    const struct request request = {ROUTINE_PsCreateSystemThread, false,
        ThreadHandle, ObjectAttributes, ProcessHandle, ClientId, StartRoutine,
        StartContext};

    (void)DesiredAccess;
    return create(&request);
}

/* The driver is not unloaded before its thread has ended (THR-07), for which
 * ps_thread_keeps answers. */
NTSTATUS IoCreateSystemThread_body(PVOID IoObject, PHANDLE ThreadHandle,
    ULONG DesiredAccess, POBJECT_ATTRIBUTES ObjectAttributes,
    HANDLE ProcessHandle, PCLIENT_ID ClientId, PKSTART_ROUTINE StartRoutine,
    PVOID StartContext)
{
    const struct request request = {ROUTINE_IoCreateSystemThread, true,
        ThreadHandle, ObjectAttributes, ProcessHandle, ClientId, StartRoutine,
        StartContext};
    struct kernel *kernel = kernel_current();

    (void)DesiredAccess;
    if (io_device_at(kernel, IoObject) == NULL &&
        io_driver_at(kernel, IoObject) == NULL) {
        io_stop(kernel, RULE_IO_NOT_OBJECT, request.routine,
            "what a thread is for");
    }
    return create(&request);
}

NTSTATUS PsTerminateSystemThread_body(NTSTATUS ExitStatus)
{
    const enum routine routine = ROUTINE_PsTerminateSystemThread;
    struct kernel *kernel = kernel_current();

    if (kthread_current(kernel)->worker) {
        const struct bugcheck_parameter parameter[4] = {{.name = "worker"}};

        rule_stop(
            kernel, kernel_cpu(kernel), RULE_WORK_ENDED, routine, parameter);
    }
    if (!kthread_current(kernel)->system) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_THREAD_NOT_SYSTEM, routine);
        return (NTSTATUS)(uint32_t)ruling_number_or(
            kernel, RULED_THR_05_number, (uint32_t)STATUS_INVALID_PARAMETER);
    }
    check_end(kernel, routine);
    end(kernel, ExitStatus);
}

PVOID KeGetCurrentThread_body(void)
{
    return (PVOID)(uintptr_t)kthread_current(kernel_current())->address;
}

PVOID PsGetCurrentThread_body(void)
{
    return KeGetCurrentThread_body();
}

HANDLE PsGetCurrentThreadId_body(void)
{
    return (HANDLE)(uintptr_t)kthread_current(kernel_current())->id;
}
