/* thread_switch.c - tells thread profiling when a watched thread gets a
 * processor or loses it. */
#include "api/ke/thread_switch.h"

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/ke/kthread.h"

/* NULL: nobody asks. */
static struct kthread *watched(struct kernel *kernel)
{
    struct kthread *thread = thread_current(kernel)->object;

    return thread != NULL && thread->watched ? thread : NULL;
}

void thread_switch_out(struct kernel *kernel, enum switch_reason reason)
{
    struct kthread *thread = watched(kernel);
    const struct switch_watcher *const *watcher = kernel->hooks->switches;

    for (; thread != NULL && *watcher != NULL; watcher++) {
        (*watcher)->out(kernel, thread, kernel_cpu(kernel), reason);
    }
}

void thread_switch_in(struct kernel *kernel)
{
    struct kthread *thread = watched(kernel);
    const struct switch_watcher *const *watcher = kernel->hooks->switches;

    for (; thread != NULL && *watcher != NULL; watcher++) {
        (*watcher)->in(kernel, thread, kernel_cpu(kernel));
    }
}
