/* user_mode.c - runs user APCs and ends threads where a program's thread goes
 * back to user mode; SleepEx. */
#include "api/ps/user_mode.h"

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/ke/apc_region.h"
#include "api/ke/clock.h"
#include "api/ke/dispatcher.h"
#include "api/ke/kthread.h"
#include "api/ke/lock_left.h"
#include "api/ke/object_wait.h"
#include "api/ps/apc.h"
#include "api/ps/process.h"
#include "api/ps/thread.h"

enum {
    UNITS_PER_MILLISECOND = 10000,
    WAIT_IO_COMPLETION = 0xC0,
};

static const ULONG INFINITE_SLEEP = 0xFFFFFFFF;

static bool is_program(const struct kthread *thread)
{
    return thread != NULL && !thread->ended && thread->driver != NULL &&
           thread->driver->user;
}

static bool takes(struct kernel *kernel, const struct kthread *thread)
{
    return apc_region_open(
        kernel, thread, irql_current(kernel, kernel_cpu(kernel)));
}

/* Nothing of user mode runs any more in a thread that is to end. */
void user_mode_return(struct kernel *kernel)
{
    struct kthread *thread = thread_current(kernel)->object;

    apc_region_take(kernel);
    if (!is_program(thread) || !takes(kernel, thread)) {
        return;
    }
    if (thread->apcs.user_due && !thread->apcs.ending) {
        thread->apcs.user_due = false;
        apc_run_user(kernel, thread);
    }
    if (thread->apcs.ending) {
        NTSTATUS status = thread->apcs.status;

        lock_left_at_end(kernel, ROUTINE_COUNT);
        ps_process_thread_ends(kernel, thread);
        ps_thread_end(kernel, thread, status);
    }
}

bool user_mode_is_over(struct kernel *kernel)
{
    const struct kthread *thread = thread_current(kernel)->object;

    return thread != NULL && thread->apcs.ending &&
           kernel_driver(kernel, kernel_cpu(kernel))->user;
}

/* An alert does not end it: only APCs do [C]. */
static NTSTATUS sleep(struct kernel *kernel, ULONG milliseconds, unsigned how)
{
    const struct wait_until until =
        milliseconds == INFINITE_SLEEP
            ? (struct wait_until){.limit = WAIT_FOR_EVER}
        : milliseconds == 0
            ? (struct wait_until){.limit = WAIT_NOT}
            : wait_until_after(kernel, clock_exact_time(kernel),
                  (uint64_t)milliseconds * UNITS_PER_MILLISECOND);
    NTSTATUS status;

    do {
        status = object_wait(kernel, NULL, 0, how, &until, SWITCH_DELAY);
    } while (status == STATUS_ALERTED);
    return status;
}

ULONG SleepEx_body(ULONG dwMilliseconds, ULONG bAlertable)
{
    struct kernel *kernel = kernel_current();
    unsigned how =
        WAIT_HOW_USER | (bAlertable == 0 ? 0u : (unsigned)WAIT_HOW_ALERTABLE);
    NTSTATUS status = sleep(kernel, dwMilliseconds, how);

    if (dwMilliseconds == 0 && status == STATUS_TIMEOUT) {
        dispatcher_yield(kernel);
    }
    return status == STATUS_USER_APC ? WAIT_IO_COMPLETION : 0;
}
