/* test_profile.c - the frame that a driver's own routine for the PMU's
 * interrupt is given: its memory, and what lies in it. */
#include "api/hal/profile.h"

#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

struct asked {
    uint64_t *routine; /* in the driver's memory */
    NTSTATUS status;
};

static void install(void *argument)
{
    struct asked *asked = argument;

    asked->status = HalSetSystemInformation(
        HalProfileSourceInterruptHandler, sizeof(uint64_t), asked->routine);
}

static void prepare(struct asked *asked, struct booted_kernel *booted)
{
    booted_init_usual(booted);
    *asked =
        (struct asked){.routine = booted_block(booted, sizeof(uint64_t), 0x11)};
}

static void routine_without_memory_for_its_frame_ends_the_run(void **state)
{
    struct booted_kernel booted;
    struct asked asked;

    (void)state;
    prepare(&asked, &booted);
    booted.machine.memory.held_most = booted.machine.memory.held;
    booted_run_to_stop(&booted, 0, install, &asked);
    assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
    assert_string_equal(booted.kernel.end.reason,
        "this machine has no memory left for a trap frame");
    assert_true(booted.kernel.profile->routine == 0);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

static void frame_is_one_page_from_the_first_routine_on(void **state)
{
    struct booted_kernel booted;
    struct asked asked;
    uint64_t frame;

    (void)state;
    prepare(&asked, &booted);
    assert_false(profile_is_frame(&booted.kernel, 0));
    booted_run(&booted, 0, install, &asked);
    assert_int_equal(asked.status, STATUS_SUCCESS);
    frame = (uintptr_t)booted.kernel.profile->frame;
    assert_true(profile_is_frame(&booted.kernel, frame));
    assert_true(profile_is_frame(&booted.kernel, frame + 4095));
    assert_false(profile_is_frame(&booted.kernel, frame + 4096));
    assert_false(profile_is_frame(&booted.kernel, frame - 1));
    assert_false(profile_is_frame(&booted.kernel, 0));
    /* Nobody may read there, nor write. */
    assert_false(memory_allows(
        &booted.machine.memory, (void *)(uintptr_t)frame, 1, MEMORY_READ));
    booted_release(&booted);
}

TEST_FILE(test_profile)
{
    test_add(list, "routine_without_memory_for_its_frame_ends_the_run",
        routine_without_memory_for_its_frame_ends_the_run, NULL);
    test_add(list, "frame_is_one_page_from_the_first_routine_on",
        frame_is_one_page_from_the_first_routine_on, NULL);
}
