/* bench_threads.c - the family ke: a processor that is given from one thread to
 * another, and back. */
#include <assert.h>

#include "api/boot/exports.h"
#include "api/ke/dispatcher.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/kernel_scene.h"
#include "tests/bench/stopwatch.h"

enum { SWITCHES = 200000, WARM_UP = 1000 };

struct scene {
    struct kernel_scene booted;
    KEVENT *event[2];
    unsigned switches;
    double start, ns;
};

static struct scene scene;

static void count_switch(void)
{
    scene.switches++;
    if (scene.switches == WARM_UP) {
        scene.start = stopwatch_ns();
    } else if (scene.switches == WARM_UP + SWITCHES) {
        scene.ns = (stopwatch_ns() - scene.start) / SWITCHES;
    }
}

static void yield(void *argument)
{
    (void)argument;
    KeGetCurrentThread(); /* it has an object, as every thread of a driver's */
    while (scene.switches < WARM_UP + SWITCHES) {
        count_switch();
        dispatcher_yield(&scene.booted.kernel);
    }
}

/* Waits for its own event, and sets the other's. */
static void hand_over(void *argument)
{
    unsigned self = *(const unsigned *)argument;

    while (scene.switches < WARM_UP + SWITCHES) {
        KeWaitForSingleObject(scene.event[self], Executive, 0, 0, NULL);
        count_switch();
        KeSetEvent(scene.event[1 - self], 0, 0);
    }
}

static double time_of(void (*thread)(void *argument))
{
    static const unsigned number[] = {0, 1};

    scene = (struct scene){.switches = 0};
    kernel_scene_init(&scene.booted, 1, MODEL_INTEL_V4);
    for (unsigned i = 0; i < 2; i++) {
        scene.event[i] = kernel_scene_memory(&scene.booted, sizeof(KEVENT));
        kernel_scene_spawn(
            &scene.booted, 0, thread, (void *)(uintptr_t)&number[i]);
    }
    kernel_scene_run(&scene.booted);
    kernel_scene_release(&scene.booted);
    return scene.ns;
}

/* The events are there before the threads wait for them. */
static void hand_over_first(void *argument)
{
    if (*(const unsigned *)argument == 0) {
        KeInitializeEvent(scene.event[0], SynchronizationEvent, 1);
        KeInitializeEvent(scene.event[1], SynchronizationEvent, 0);
    }
    hand_over(argument);
}

double ke_switch(void)
{
    return time_of(yield);
}

double ke_hand_over(void)
{
    return time_of(hand_over_first);
}
