/* bench_timer.c - the family ke.timer: a timer set and its expiry, among
 * 100,000 that are active, in the memory of the largest machine. */
#include <assert.h>

#include "api/boot/exports.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/kernel_scene.h"
#include "tests/bench/stopwatch.h"

enum {
    TIMERS = 100000,
    TICKS = 1000, /* over which they expire */
    TICK_UNITS = 156250,
    STEP = 7919, /* a prime: neighbours expire at ticks far from each other */
};

struct scene {
    struct kernel_scene booted;
    KTIMER *timer;
    LARGE_INTEGER *interval; /* behind all of them */
    double insert, expiry;   /* nanoseconds */
    unsigned signalled;
};

static struct scene scene;

static void set_and_wait(void *argument)
{
    double start;

    (void)argument;
    for (unsigned i = 0; i < TIMERS; i++) {
        KeInitializeTimer(&scene.timer[i]);
    }
    start = stopwatch_ns();
    for (unsigned i = 0; i < TIMERS; i++) {
        LONGLONG ticks = 1 + (LONGLONG)i * STEP % TICKS;

        KeSetTimer(&scene.timer[i], -TICK_UNITS * ticks, NULL);
    }
    scene.insert = (stopwatch_ns() - start) / TIMERS;
    start = stopwatch_ns();
    KeDelayExecutionThread(0, 0, scene.interval);
    scene.expiry = (stopwatch_ns() - start) / TIMERS;
    for (unsigned i = 0; i < TIMERS; i++) {
        scene.signalled += scene.timer[i].Header.SignalState == 1;
    }
}

static void run(void)
{
    struct arena *arena = &scene.booted.machine.arena;

    scene = (struct scene){.signalled = 0};
    kernel_scene_init(&scene.booted, 1, MODEL_INTEL_V4);
    arena->limit = arena->size;
    arena->reserve = 0;
    scene.timer = kernel_scene_memory(&scene.booted, TIMERS * sizeof(KTIMER));
    scene.interval =
        kernel_scene_memory(&scene.booted, sizeof(*scene.interval));
    scene.interval->QuadPart = -(LONGLONG)TICK_UNITS * (TICKS + 2);
    kernel_scene_spawn(&scene.booted, 0, set_and_wait, NULL);
    kernel_scene_run(&scene.booted);
    assert(scene.signalled == TIMERS);
    kernel_scene_release(&scene.booted);
}

double timer_insert(void)
{
    run();
    return scene.insert;
}

double timer_expiry(void)
{
    run();
    return scene.expiry;
}
