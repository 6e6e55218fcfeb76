/* process_handle.c - ZwOpenProcess: a process by its number, with a handle. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"
#include "api/ob/handle_use.h"
#include "api/ps/process.h"

/* The process that a CLIENT_ID names, by its own number, or by that of a thread
 * of it. NULL: there is none. */
static struct ps_process *find(struct kernel *kernel, const CLIENT_ID *id)
{
    struct ps_process *process =
        ps_process_by_id(kernel, (uintptr_t)id->UniqueProcess);
    const struct kthread *thread;

    if (id->UniqueThread == NULL) {
        return process;
    }
    thread = kthread_by_id(kernel, (uintptr_t)id->UniqueThread);
    if (thread == NULL || thread->ended ||
        (id->UniqueProcess != NULL &&
            ps_process_of(kernel, thread) != process)) {
        return NULL;
    }
    return ps_process_of(kernel, thread);
}

NTSTATUS ZwOpenProcess_body(PHANDLE ProcessHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes, PCLIENT_ID ClientId)
{
    const enum routine routine = ROUTINE_ZwOpenProcess;
    struct kernel *kernel = kernel_current();
    struct ps_process *process;
    OBJECT_ATTRIBUTES attributes;
    CLIENT_ID id;
    HANDLE handle;

    zw_begin(kernel, routine);
    copy_probe(kernel, routine, ProcessHandle, sizeof(handle), true);
    copy_in(kernel, routine, &attributes, ObjectAttributes, sizeof(attributes));
    if (attributes.ObjectName != NULL || ClientId == NULL) {
        return STATUS_INVALID_PARAMETER_MIX; /* PROC-10 */
    }
    if ((attributes.Attributes & ~(ULONG)OBJ_VALID_ATTRIBUTES) != 0) {
        return STATUS_INVALID_PARAMETER;
    }
    copy_in(kernel, routine, &id, ClientId, sizeof(id));
    process = find(kernel, &id);
    if (process == NULL) {
        return STATUS_INVALID_CID;
    }
    handle = handle_open_as(kernel, &process->object, attributes.Attributes,
        object_type_access(OBJECT_TYPE_PROCESS, DesiredAccess));
    if (handle == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    copy_out(kernel, routine, ProcessHandle, &handle, sizeof(handle));
    return STATUS_SUCCESS;
}
