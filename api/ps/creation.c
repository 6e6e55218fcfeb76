/* creation.c - a process is created, and threads of it: drivers are told, and
 * may refuse the process (PROC-20c). */
#include "api/ps/creation.h"

#include "api/core/kernel.h"
#include "api/core/trace_events.h"
#include "api/ke/clock.h"
#include "api/ke/kthread.h"
#include "api/ps/notify.h"
#include "api/ps/process.h"
#include "api/ps/thread.h"

/* Routines are told of its end as of any other's (PROC-20j [C]). */
static void refuse(struct kernel *kernel, struct ps_process *process,
    struct kthread *first, NTSTATUS status)
{
    notify_process_ends(kernel, process);
    ps_process_end(kernel, process);
    ps_thread_end(kernel, first, status);
}

NTSTATUS ps_create_process(
    struct kernel *kernel, const struct driver *program, struct kthread *first)
{
    struct ps_process *process = ps_process_of(kernel, first);
    NTSTATUS status;

    process->parent = ps_process_of(kernel, kthread_current(kernel))->id;
    process->created = clock_exact_time(kernel);
    cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_PROCESS_BEGIN],
        trace_text(&kernel->machine->trace, program->name));
    status = notify_process_begins(kernel, process);
    if (!NT_SUCCESS(status)) {
        refuse(kernel, process, first, status);
        return status;
    }
    ps_create_thread(kernel, first);
    return STATUS_SUCCESS;
}

void ps_create_thread(struct kernel *kernel, struct kthread *thread)
{
    cpu_trace(
        kernel_cpu(kernel), &api_events[API_EVENT_THREAD_BEGIN], thread->id);
    notify_thread(kernel, ps_process_of(kernel, thread)->id, thread, true);
}
