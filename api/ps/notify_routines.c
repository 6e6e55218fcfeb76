/* notify_routines.c - PsSetCreateProcessNotifyRoutine and its kin, by which
 * drivers register notify routines and remove them. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/code.h"
#include "api/ps/notify.h"

enum { PS_CREATE_PROCESS_NOTIFY_SUBSYSTEMS = 0 };

/* PROC-22 [C]. */
static NTSTATUS not_registered(const struct kernel *kernel)
{
    return ruling_is(kernel, RULED_PROC_22_invalid)
               ? STATUS_INVALID_PARAMETER
               : STATUS_PROCEDURE_NOT_FOUND;
}

static NTSTATUS set_process(
    enum routine routine, enum notify_form form, uint64_t function, bool remove)
{
    struct kernel *kernel = kernel_current();

    if (remove) {
        return notify_remove(kernel, routine, NOTIFY_PROCESS, form, function)
                   ? STATUS_SUCCESS
                   : not_registered(kernel);
    }
    if (form != NOTIFY_PLAIN && !code_is_checked(kernel, function)) {
        return STATUS_ACCESS_DENIED;
    }
    return !notify_has(kernel, NOTIFY_PROCESS, form, function) &&
                   notify_add(kernel, NOTIFY_PROCESS, form, function)
               ? STATUS_SUCCESS
               : STATUS_INVALID_PARAMETER;
}

NTSTATUS PsSetCreateProcessNotifyRoutine_body(
    PCREATE_PROCESS_NOTIFY_ROUTINE NotifyRoutine, BOOLEAN Remove)
{
    return set_process(ROUTINE_PsSetCreateProcessNotifyRoutine, NOTIFY_PLAIN,
        (uintptr_t)NotifyRoutine, Remove != 0);
}

NTSTATUS PsSetCreateProcessNotifyRoutineEx_body(
    PCREATE_PROCESS_NOTIFY_ROUTINE_EX NotifyRoutine, BOOLEAN Remove)
{
    return set_process(ROUTINE_PsSetCreateProcessNotifyRoutineEx, NOTIFY_EX,
        (uintptr_t)NotifyRoutine, Remove != 0);
}

NTSTATUS PsSetCreateProcessNotifyRoutineEx2_body(ULONG NotifyType,
    PCREATE_PROCESS_NOTIFY_ROUTINE_EX NotifyInformation, BOOLEAN Remove)
{
    if (NotifyType != PS_CREATE_PROCESS_NOTIFY_SUBSYSTEMS) {
        return STATUS_INVALID_PARAMETER;
    }
    return set_process(ROUTINE_PsSetCreateProcessNotifyRoutineEx2, NOTIFY_EX2,
        (uintptr_t)NotifyInformation, Remove != 0);
}

/* Of threads and images one that is there is registered once more (PROC-20b
 * [C]). */
static NTSTATUS add(enum notify_kind kind, uint64_t function)
{
    return notify_add(kernel_current(), kind, NOTIFY_PLAIN, function)
               ? STATUS_SUCCESS
               : STATUS_INSUFFICIENT_RESOURCES;
}

static NTSTATUS remove_of(
    enum routine routine, enum notify_kind kind, uint64_t function)
{
    return notify_remove(
               kernel_current(), routine, kind, NOTIFY_PLAIN, function)
               ? STATUS_SUCCESS
               : STATUS_PROCEDURE_NOT_FOUND;
}

NTSTATUS PsSetCreateThreadNotifyRoutine_body(
    PCREATE_THREAD_NOTIFY_ROUTINE NotifyRoutine)
{
    return add(NOTIFY_THREAD, (uintptr_t)NotifyRoutine);
}

NTSTATUS PsRemoveCreateThreadNotifyRoutine_body(
    PCREATE_THREAD_NOTIFY_ROUTINE NotifyRoutine)
{
    return remove_of(ROUTINE_PsRemoveCreateThreadNotifyRoutine, NOTIFY_THREAD,
        (uintptr_t)NotifyRoutine);
}

NTSTATUS PsSetLoadImageNotifyRoutine_body(
    PLOAD_IMAGE_NOTIFY_ROUTINE NotifyRoutine)
{
    return add(NOTIFY_IMAGE, (uintptr_t)NotifyRoutine);
}

NTSTATUS PsRemoveLoadImageNotifyRoutine_body(
    PLOAD_IMAGE_NOTIFY_ROUTINE NotifyRoutine)
{
    return remove_of(ROUTINE_PsRemoveLoadImageNotifyRoutine, NOTIFY_IMAGE,
        (uintptr_t)NotifyRoutine);
}
