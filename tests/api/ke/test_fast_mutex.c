/* test_fast_mutex.c - what a guarded mutex that is a region holds back comes
 * when it is released (FMTX-05b), which a scenario sees after the step alone.
 */
#include "api/boot/exports.h"
#include "api/ke/kthread.h"
#include "api/ps/apc.h"
#include "tests/api/booted_kernel.h"

struct held_back {
    FAST_MUTEX *mutex;
    unsigned while_held, released; /* APCs that have come */
};

static unsigned apcs;

static void NTAPI count_apc(PVOID argument)
{
    (void)argument;
    apcs++;
}

static void hold_and_release(void *argument)
{
    struct held_back *held_back = argument;
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_current(kernel);
    const struct apc apc = {.kind = APC_SPECIAL,
        .driver = thread->driver,
        .routine = (uintptr_t)count_apc};

    KeInitializeGuardedMutex(held_back->mutex);
    KeAcquireGuardedMutex(held_back->mutex);
    apc_queue(kernel, thread, &apc);
    KeAreAllApcsDisabled();
    held_back->while_held = apcs;
    KeReleaseGuardedMutex(held_back->mutex);
    held_back->released = apcs;
}

static void guarded_mutex_lets_in_what_it_held_back(void **state)
{
    struct booted_kernel booted;
    struct held_back held_back = {.mutex = NULL};

    (void)state;
    apcs = 0;
    booted_init(&booted, OS_WIN7, ARCH_X64, 1, 1);
    held_back.mutex = booted_block(&booted, sizeof(FAST_MUTEX), 0);
    booted_run(&booted, 0, hold_and_release, &held_back);
    assert_int_equal(held_back.while_held, 0);
    assert_int_equal(held_back.released, 1);
    booted_release(&booted);
}

TEST_FILE(test_fast_mutex)
{
    test_add(list, "guarded_mutex_lets_in_what_it_held_back",
        guarded_mutex_lets_in_what_it_held_back, NULL);
}
