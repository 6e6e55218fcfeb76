/* thread_routines.c - PsGetThreadId, PsLookupThreadByThreadId,
 * PsGetThreadExitStatus and their kin. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"
#include "api/ps/process.h"
#include "api/ps/thread.h"

HANDLE PsGetThreadId_body(PVOID Thread)
{
    const struct kthread *thread =
        kthread_get(kernel_current(), ROUTINE_PsGetThreadId, Thread);

    return (HANDLE)(uintptr_t)thread->id;
}

HANDLE PsGetThreadProcessId_body(PVOID Thread)
{
    struct kernel *kernel = kernel_current();
    const struct kthread *thread =
        kthread_get(kernel, ROUTINE_PsGetThreadProcessId, Thread);

    return (HANDLE)(uintptr_t)ps_process_of(kernel, thread)->id;
}

BOOLEAN PsIsSystemThread_body(PVOID Thread)
{
    return kthread_get(kernel_current(), ROUTINE_PsIsSystemThread, Thread)
        ->system;
}

BOOLEAN IoIsSystemThread_body(PVOID Thread)
{
    return kthread_get(kernel_current(), ROUTINE_IoIsSystemThread, Thread)
        ->system;
}

NTSTATUS PsGetThreadExitStatus_body(PVOID Thread)
{
    return kthread_get(kernel_current(), ROUTINE_PsGetThreadExitStatus, Thread)
        ->exit_status;
}

NTSTATUS PsLookupThreadByThreadId_body(HANDLE ThreadId, PVOID *Thread)
{
    const enum routine routine = ROUTINE_PsLookupThreadByThreadId;
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_by_id(kernel, (uintptr_t)ThreadId);
    PVOID address;

    copy_probe(kernel, routine, Thread, sizeof(*Thread), true);
    if (thread == NULL || thread->idle || thread->ended) {
        return STATUS_INVALID_PARAMETER; /* TID-03 */
    }
    counted_object_hold(kernel, &ps_thread_of(kernel, thread)->object);
    address = (PVOID)(uintptr_t)thread->address;
    copy_out(kernel, routine, Thread, &address, sizeof(address));
    return STATUS_SUCCESS;
}

PVOID PsGetCurrentThreadTeb_body(void)
{
    struct kernel *kernel = kernel_current();

    return (PVOID)(uintptr_t)kthread_teb(kernel, kthread_current(kernel));
}
