/* test_timer_storage.c - what the kernel knows of a timer goes with its memory,
 * and changes where it is initialised anew. */
#include "api/boot/exports.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/timer.h"
#include "tests/api/booted_kernel.h"

struct found {
    const struct timer *first, *second;
    enum dispatch_kind kind;
    LONG state;
};

static struct timer *timer_at(PVOID address)
{
    return dispatch_object_find(kernel_current(), (uintptr_t)address)->of;
}

static void free_and_make(void *argument)
{
    struct found *found = argument;
    PVOID block = ExAllocatePoolWithTag(0, sizeof(KTIMER), 0x74736574);

    KeInitializeTimer(block);
    found->first = timer_at(block);
    ExFreePoolWithTag(block, 0x74736574);
    block = ExAllocatePoolWithTag(0, sizeof(KTIMER), 0x74736574);
    KeInitializeTimer(block);
    found->second = timer_at(block);
    ExFreePoolWithTag(block, 0x74736574);
}

static void record_is_used_again(void **state)
{
    struct found found = {.first = NULL};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, free_and_make, &found);
    assert_non_null(found.first);
    assert_ptr_equal(found.first, found.second);
    booted_release(&booted);
}

static void make_anew(void *argument)
{
    struct found *found = argument;
    PVOID block = ExAllocatePoolWithTag(0, sizeof(KTIMER), 0x74736574);

    KeInitializeTimer(block);
    KeSetTimer(block, -1, NULL);
    KeWaitForSingleObject(block, Executive, 0, 0, NULL);
    found->first = timer_at(block);
    KeInitializeTimerEx(block, SynchronizationTimer);
    found->second = timer_at(block);
    found->kind =
        dispatch_object_find(kernel_current(), (uintptr_t)block)->kind;
    found->state = KeReadStateTimer(block);
    ExFreePoolWithTag(block, 0x74736574);
}

static void timer_made_anew_has_its_last_kind(void **state)
{
    struct found found = {.state = 1};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, make_anew, &found);
    assert_ptr_equal(found.first, found.second);
    assert_int_equal(found.kind, DISPATCH_SYNCHRONIZATION_TIMER);
    assert_int_equal(found.state, 0);
    booted_release(&booted);
}

TEST_FILE(test_timer_storage)
{
    test_add(list, "record_is_used_again", record_is_used_again, NULL);
    test_add(list, "timer_made_anew_has_its_last_kind",
        timer_made_anew_has_its_last_kind, NULL);
}
