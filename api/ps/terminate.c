/* terminate.c - ZwTerminateProcess: a driver ends a program with all its
 * threads (PROC-13); or its own exception does (GEN-USER-01). */
#include "api/ps/terminate.h"

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/kthread.h"
#include "api/ob/handle_use.h"
#include "api/ps/apc.h"
#include "api/ps/process.h"

static bool is_live(
    const struct kthread *thread, const struct ps_process *process)
{
    return thread->driver == process->program && !thread->ended;
}

/* Somebody has asked for its end already. */
static bool is_terminating(
    const struct kernel *kernel, const struct ps_process *process)
{
    bool goes_on = false;

    for (const struct kthread *thread = kernel->threads->newest; thread != NULL;
         thread = thread->older) {
        goes_on |= is_live(thread, process) && !thread->apcs.ending;
    }
    return process->ended || !goes_on;
}

/* Each ends where it is back in user mode; who plays one that does nothing
 * looks at it. */
static void terminate(
    struct kernel *kernel, struct ps_process *process, NTSTATUS status)
{
    const struct ps_player *player = &kernel->processes->player;

    for (struct kthread *thread = kernel->threads->newest; thread != NULL;
         thread = thread->older) {
        if (is_live(thread, process)) {
            apc_end(kernel, thread, status);
            if (player->look != NULL) {
                player->look(player->context, thread);
            }
        }
    }
}

void ps_terminate_unhandled(struct kernel *kernel, NTSTATUS exception)
{
    terminate(
        kernel, ps_process_of(kernel, kthread_current(kernel)), exception);
}

NTSTATUS ZwTerminateProcess_body(HANDLE ProcessHandle, NTSTATUS ExitStatus)
{
    const enum routine routine = ROUTINE_ZwTerminateProcess;
    struct kernel *kernel = kernel_current();
    struct counted_object *object;
    struct ps_process *process;
    NTSTATUS status;

    zw_begin(kernel, routine);
    status = handle_use_kind(
        kernel, routine, ProcessHandle, OBJECT_TYPE_PROCESS, &object);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    process = (struct ps_process *)(void *)object;
    if (process->program == NULL) {
        return STATUS_ACCESS_DENIED; /* PROC-13b [C] */
    }
    if (is_terminating(kernel, process)) {
        return STATUS_PROCESS_IS_TERMINATING;
    }
    if (ps_process_of(kernel, kthread_current(kernel)) == process) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "a driver ends the process that it runs in, so that its call would "
            "never return");
    }
    terminate(kernel, process, ExitStatus);
    return STATUS_SUCCESS;
}
