/* waits.c - the program's thread waits here, for an event that another request
 * sets, for the time, or for a thread or process to end. */
#include "scenarios/drivers/asked/waits.h"

#include <ntifs.h>

/* The export, for which the headers have another's name. */
#undef KeWaitForMutexObject
NTKERNELAPI NTSTATUS NTAPI KeWaitForMutexObject(PVOID Mutex,
    KWAIT_REASON WaitReason, KPROCESSOR_MODE WaitMode, BOOLEAN Alertable,
    PLARGE_INTEGER Timeout);

static KEVENT gate;

void waits_init(void)
{
    KeInitializeEvent(&gate, SynchronizationEvent, FALSE);
}

static NTSTATUS wait_by_handle(BOOLEAN alertable, PLARGE_INTEGER until)
{
    OBJECT_ATTRIBUTES attributes;
    HANDLE event;
    NTSTATUS status;

    InitializeObjectAttributes(
        &attributes, NULL, OBJ_KERNEL_HANDLE, NULL, NULL);
    status = ZwCreateEvent(
        &event, EVENT_ALL_ACCESS, &attributes, NotificationEvent, FALSE);
    if (NT_SUCCESS(status)) {
        status = ZwWaitForSingleObject(event, alertable, until);
        ZwClose(event);
    }
    return status;
}

static NTSTATUS wait(const struct asked_wait *asked)
{
    LARGE_INTEGER timeout, *until = asked->timeout == 0 ? NULL : &timeout;
    KPROCESSOR_MODE mode = asked->user_mode != 0 ? UserMode : KernelMode;
    BOOLEAN alertable = asked->alertable != 0;
    PVOID object[1] = {&gate};

    timeout.QuadPart = asked->timeout == ASKED_NO_TIME ? 0 : asked->timeout;
    if (asked->by == ASKED_BY_DELAY) {
        return KeDelayExecutionThread(mode, alertable, &timeout);
    }
    if (asked->by == ASKED_BY_HANDLE) {
        return wait_by_handle(alertable, until);
    }
    if (asked->by == ASKED_BY_ARRAY) {
        return KeWaitForMultipleObjects(
            1, object, WaitAny, UserRequest, mode, alertable, until, NULL);
    }
    if (asked->by == ASKED_BY_MUTEX) {
        return KeWaitForMutexObject(&gate, UserRequest, mode, alertable, until);
    }
    return KeWaitForSingleObject(&gate, UserRequest, mode, alertable, until);
}

NTSTATUS waits_wait(const struct asked_wait *asked)
{
    NTSTATUS status;

    if (asked->region == ASKED_REGION_NONE) {
        return wait(asked);
    }
    if (asked->region == ASKED_REGION_CRITICAL) {
        KeEnterCriticalRegion();
        status = wait(asked);
        KeLeaveCriticalRegion();
        return status;
    }
    KeEnterGuardedRegion();
    status = wait(asked);
    KeLeaveGuardedRegion();
    return status;
}

NTSTATUS waits_set(const ULONG *pulse)
{
    if (*pulse != 0) {
        KePulseEvent(&gate, IO_NO_INCREMENT, FALSE);
    } else {
        KeSetEvent(&gate, IO_NO_INCREMENT, FALSE);
    }
    return STATUS_SUCCESS;
}

NTSTATUS waits_look_up(const struct asked_lookup *asked)
{
    HANDLE id = (HANDLE)(ULONG_PTR)asked->id;
    PETHREAD thread;
    PEPROCESS process;
    PVOID object;
    NTSTATUS status;

    if (asked->thread != 0) {
        status = PsLookupThreadByThreadId(id, &thread);
        object = thread;
    } else {
        status = PsLookupProcessByProcessId(id, &process);
        object = process;
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (asked->wait != 0) {
        status =
            KeWaitForSingleObject(object, Executive, KernelMode, FALSE, NULL);
    }
    ObDereferenceObject(object);
    return status;
}
