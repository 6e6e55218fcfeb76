/* attach.c - KeStackAttachProcess, KeUnstackDetachProcess: a thread in the
 * process of another program for a while (PROC-11). */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"
#include "api/ps/process.h"

VOID KeStackAttachProcess_body(PVOID Process, PVOID ApcState)
{
    const enum routine routine = ROUTINE_KeStackAttachProcess;
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_current(kernel);
    const struct ps_process *process =
        dispatch_object_get(kernel, routine, Process, 1 << DISPATCH_PROCESS)
            ->of;
    const uint64_t nothing[KAPC_STATE_WORDS] = {0};

    copy_out(kernel, routine, ApcState, nothing, sizeof(nothing));
    if (thread->attachments == KTHREAD_ATTACHMENTS) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "a thread is attached to more than 8 processes");
    }
    thread->attachment[thread->attachments++] = (struct kthread_attachment){
        .state = (uintptr_t)ApcState, .program = process->program};
}

VOID KeUnstackDetachProcess_body(PVOID ApcState)
{
    const enum routine routine = ROUTINE_KeUnstackDetachProcess;
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_current(kernel);

    if (thread->attachments == 0 ||
        thread->attachment[thread->attachments - 1].state !=
            (uintptr_t)ApcState) {
        const struct bugcheck_parameter parameter[4] = {
            {.value = (uintptr_t)ApcState}};

        rule_stop(kernel, kernel_cpu(kernel), RULE_PROCESS_DETACH, routine,
            parameter);
    }
    thread->attachments--;
}
