/* primary_token.c - PsReferencePrimaryToken, PsDereferencePrimaryToken: whose
 * token a process has, and references of it that a driver holds. */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/kthread.h"
#include "api/ob/reference_routines.h"
#include "api/ps/process.h"
#include "api/se/token.h"

/* A program beside a driver is played by a thread of the system's, which is the
 * program's user while a driver has its request (SEC-11b [C]). */
static enum user user_of(
    struct kernel *kernel, const struct ps_process *process)
{
    if (thread_current(kernel)->user != 0 &&
        process == ps_process_of(kernel, kthread_current(kernel))) {
        return user_current(kernel);
    }
    return process->program == NULL ? USER_SYSTEM : USER_ADMINISTRATORS;
}

PVOID PsReferencePrimaryToken_body(PVOID Process)
{
    struct kernel *kernel = kernel_current();
    const struct ps_process *process = dispatch_object_get(
        kernel, ROUTINE_PsReferencePrimaryToken, Process, 1 << DISPATCH_PROCESS)
                                           ->of;
    struct token *token = token_of(kernel, user_of(kernel, process));

    counted_object_hold(kernel, &token->object);
    return (PVOID)(uintptr_t)token->object.address;
}

VOID PsDereferencePrimaryToken_body(PVOID PrimaryToken)
{
    const enum routine routine = ROUTINE_PsDereferencePrimaryToken;

    token_get(kernel_current(), routine, PrimaryToken);
    reference_give_back(routine, PrimaryToken);
}
