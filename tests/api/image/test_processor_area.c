/* test_processor_area.c - CurrentThread in a processor's area: threads one
 * after another, whose records are used again, are each shown as themselves. */
#include "api/boot/exports.h"
#include "api/image/processor_area.h"
#include "tests/api/booted_kernel.h"

enum { THREADS = 8, CURRENT_THREAD = 0x188 };

static struct {
    uint64_t shown[THREADS], is[THREADS];
    size_t count;
} seen;

/* In the area of the processor that runs it. */
static void NTAPI look(PVOID context)
{
    struct kernel *kernel = kernel_current();
    const struct cpu *cpu = kernel_cpu(kernel);

    (void)context;
    processor_area_load(kernel);
    memcpy(&seen.shown[seen.count],
        kernel_processor(kernel, cpu)->area + CURRENT_THREAD, 8);
    seen.is[seen.count++] = (uintptr_t)KeGetCurrentThread();
}

/* Their turns are on one processor and the other, where nothing else runs. */
static void make_threads(void *argument)
{
    HANDLE *handle = argument;
    LARGE_INTEGER *millisecond = (LARGE_INTEGER *)argument + 1;

    millisecond->QuadPart = -10000;
    for (int i = 0; i < THREADS; i++) {
        PsCreateSystemThread(handle, 0, NULL, NULL, NULL, look, NULL);
        ZwClose(*handle);
        KeDelayExecutionThread(0, 0, millisecond);
    }
}

static void each_is_shown(void **state)
{
    struct booted_kernel booted;

    (void)state;
    memset(&seen, 0, sizeof(seen));
    booted_init_usual(&booted);
    booted_run(&booted, 0, make_threads, booted_block(&booted, 16, 0));
    assert_int_equal(seen.count, THREADS);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(seen.shown[i], seen.is[i]);
    }
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

TEST_FILE(test_processor_area)
{
    test_add(list, "each_thread_is_shown", each_is_shown, NULL);
}
