/* test_apc.c - what an APC was queued with can be used again once it has run:
 * a long run needs no more for them than a short one. */
#include "api/ps/apc.h"

#include "api/ke/kthread.h"
#include "tests/api/booted_kernel.h"

enum { TIMES = 1000 };

static unsigned calls;

static void NTAPI called(PVOID argument)
{
    (void)argument;
    calls++;
}

static void queue_and_run(void *argument)
{
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_current(kernel);
    const enum apc_kind *kind = argument;
    const struct apc apc = {
        .kind = *kind, .driver = thread->driver, .routine = (uintptr_t)called};

    for (unsigned i = 0; i < TIMES; i++) {
        apc_queue(kernel, thread, &apc);
        if (*kind == APC_USER) {
            apc_run_user(kernel, thread);
        } else {
            apc_run(kernel, thread);
        }
    }
}

static struct again_row {
    const char *name;
    enum apc_kind kind;
} again_rows[] = {
    {"special_ones_one_after_the_other", APC_SPECIAL},
    {"normal_ones_one_after_the_other", APC_NORMAL},
    {"user_ones_one_after_the_other", APC_USER},
};

static void again_row(void **state)
{
    const struct again_row *row = *state;
    enum apc_kind kind = row->kind;
    struct booted_kernel booted;
    size_t used;

    calls = 0;
    booted_init_usual(&booted);
    booted.machine.trace.off = true;
    booted_run(&booted, 0, queue_and_run, &kind);
    used = booted.machine.arena.used;
    booted_run(&booted, 0, queue_and_run, &kind);
    assert_int_equal(calls, 2 * TIMES);
    assert_in_range(booted.machine.arena.used - used, 0, 1024);
    booted_release(&booted);
}

TEST_FILE(test_apc)
{
    TEST_ADD_ROWS(list, again_row, again_rows);
}
