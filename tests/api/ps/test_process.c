/* test_process.c - whose process a thread is of: the system's, or that of an
 * idle processor that an interrupt has come to (TID-02). */
#include "api/ps/process.h"

#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

struct found {
    KDPC *dpc;
    uint64_t own_process, own_id, idle_process, idle_id, idle_thread;
    PVOID idle;
    LONG idle_priority;
    bool other;
};

static struct found found;

static void NTAPI look(PKDPC dpc, PVOID context, PVOID a, PVOID b)
{
    (void)dpc;
    (void)context;
    (void)a;
    (void)b;
    found.idle_process = (uintptr_t)PsGetCurrentProcess();
    found.idle_id = (uintptr_t)PsGetCurrentProcessId();
    found.idle_thread = (uintptr_t)PsGetCurrentThreadId();
    found.idle = KeGetCurrentThread();
}

static void look_here_and_there(void *argument)
{
    (void)argument;
    found.own_process = (uintptr_t)IoGetCurrentProcess();
    found.own_id = (uintptr_t)PsGetCurrentProcessId();
    KeInitializeDpc(found.dpc, look, NULL);
    KeSetTargetProcessorDpc(found.dpc, 1);
    KeSetImportanceDpc(found.dpc, HighImportance);
    KeInsertQueueDpc(found.dpc, NULL, NULL);
    KeFlushQueuedDpcs();
    found.idle_priority = KeQueryPriorityThread(found.idle);
    found.other = found.own_process != found.idle_process;
}

static void idle_processor_is_of_another_process(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    found = (struct found){.dpc = booted_block(&booted, sizeof(KDPC), 0),
        .idle_id = 99,
        .idle_thread = 99,
        .idle_priority = 99};
    booted_run(&booted, 0, look_here_and_there, NULL);
    assert_int_equal(found.own_id, 4);
    assert_int_equal(found.idle_id, 0);
    assert_int_equal(found.idle_thread, 0);
    assert_int_equal(found.idle_priority, 0);
    assert_true(found.other);
    booted_release(&booted);
}

TEST_FILE(test_process)
{
    test_add(list, "idle_processor_is_of_another_process",
        idle_processor_is_of_another_process, NULL);
}
