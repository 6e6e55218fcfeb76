/* test_attach.c - how often a thread attaches to a process on top of another
 * one (PROC-11): 8 times, what comes behind is not modelled. */
#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

enum { MOST = 8, STATE_BYTES = 48 };

struct scene {
    uint8_t *states; /* of each time, in the driver's memory */
    unsigned times;
    unsigned attached, detached;
};

static void attach_and_detach(void *argument)
{
    struct scene *scene = argument;
    PVOID process = PsGetCurrentProcess();

    for (unsigned i = 0; i < scene->times; i++) {
        KeStackAttachProcess(process, &scene->states[(size_t)STATE_BYTES * i]);
        scene->attached++;
    }
    for (unsigned i = scene->times; i > 0; i--) {
        KeUnstackDetachProcess(&scene->states[(size_t)STATE_BYTES * (i - 1)]);
        scene->detached++;
    }
}

static void eight_times_are_good(void **state)
{
    struct scene scene = {.times = MOST};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    scene.states = booted_block(&booted, (size_t)STATE_BYTES * MOST, 0xA5);
    booted_run(&booted, 0, attach_and_detach, &scene);
    assert_int_equal(scene.attached, MOST);
    assert_int_equal(scene.detached, MOST);
    booted_release(&booted);
}

static void nine_times_are_not_modelled(void **state)
{
    struct scene scene = {.times = MOST + 1};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    scene.states =
        booted_block(&booted, (size_t)STATE_BYTES * (MOST + 1), 0xA5);
    booted_run_to_stop(&booted, 0, attach_and_detach, &scene);
    assert_int_equal(scene.attached, MOST);
    assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
    assert_string_equal(booted.kernel.end.reason,
        "a thread is attached to more than 8 processes");
    booted_release(&booted);
}

TEST_FILE(test_attach)
{
    test_add(list, "eight_times_are_good", eight_times_are_good, NULL);
    test_add(
        list, "nine_times_are_not_modelled", nine_times_are_not_modelled, NULL);
}
