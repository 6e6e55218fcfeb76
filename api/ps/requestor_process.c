/* requestor_process.c - IoGetRequestorProcess, IoGetRequestorProcessId: the
 * process whose thread has made a request, wherever that is looked at. */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/irp.h"
#include "api/ke/kthread.h"
#include "api/ps/process.h"

/* NULL: the request is no thread's. A program beside a driver is played by a
 * thread of the system's, which the request may not name (IO-38). */
static struct ps_process *process_of(enum routine routine, const IRP *irp)
{
    struct kernel *kernel = kernel_current();
    const struct io_request *request = io_request_at(kernel, routine, irp);
    const void *address = request->irp->Tail.Overlay.Thread;
    const struct kthread *thread = kthread_find(kernel, address);

    if (address == NULL && io_request_is_awaited(request)) {
        return ps_process_of_system(kernel);
    }
    return thread == NULL ? NULL : ps_process_of(kernel, thread);
}

PVOID IoGetRequestorProcess_body(PIRP Irp)
{
    const struct ps_process *process =
        process_of(ROUTINE_IoGetRequestorProcess, Irp);

    return process == NULL ? NULL : (PVOID)(uintptr_t)process->object.address;
}

ULONG IoGetRequestorProcessId_body(PIRP Irp)
{
    const struct ps_process *process =
        process_of(ROUTINE_IoGetRequestorProcessId, Irp);

    return process == NULL ? 0 : (ULONG)process->id;
}
