/* test_mdl_pages.c - physical pages for an MDL when there is no more room for
 * what they hold, or for the MDL (executive.md, MDL-11a). */
#include "api/boot/exports.h"
#include "api/ex/pool.h"
#include "api/mm/physical_room.h"
#include "tests/api/booted_kernel.h"

enum { TAG = 0x31676154 };

static void allocate_now(void *argument)
{
    PVOID *mdl = argument;

    *mdl = MmAllocatePagesForMdl(0, UINT64_MAX, 0, 4096);
}

static void use_up_now(void *argument)
{
    unsigned *blocks = argument;

    while (ExAllocatePool2(POOL_FLAG_NON_PAGED, 16, TAG) != NULL) {
        ++*blocks;
    }
}

static void pages_that_the_host_has_not_are_none(void **state)
{
    struct booted_kernel booted;
    struct frames *frames = &booted.machine.memory.frames;
    PVOID mdl = &booted;

    (void)state;
    booted_init_usual(&booted);
    assert_true(frames_own(frames));
    frames->used = FRAMES_MOST;
    booted_run(&booted, 0, allocate_now, &mdl);
    assert_null(mdl);
    assert_null(pool_first(&booted.kernel));
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

static void without_a_block_for_the_mdl_there_are_none(void **state)
{
    struct booted_kernel booted;
    unsigned blocks = 0;
    PVOID mdl = &booted;

    (void)state;
    booted_init_usual(&booted);
    booted.machine.trace.off = true;
    booted_run(&booted, 0, use_up_now, &blocks);
    booted_run(&booted, 0, allocate_now, &mdl);
    assert_null(mdl);
    assert_int_equal(booted.kernel.pool->live, blocks);
    assert_null(physical_room_of(&booted.kernel, 0x100));
    booted_release(&booted);
}

TEST_FILE(test_mdl_pages)
{
    test_add(list, "pages_that_the_host_has_not_are_none",
        pages_that_the_host_has_not_are_none, NULL);
    test_add(list, "without_a_block_for_the_mdl_there_are_none",
        without_a_block_for_the_mdl_there_are_none, NULL);
}
