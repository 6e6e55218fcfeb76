/* bench_timer.c - the family ke.timer: a timer set and its expiry, among 50,000
 * that are active: the largest machine has memory for some more. */
#include <assert.h>

#include "api/boot/exports.h"
#include "api/boot/kernel_boot.h"
#include "api/core/kernel.h"
#include "sim/machine/strand.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"

enum {
    TIMERS = 50000,
    TICKS = 1000, /* over which they expire */
    TICK_UNITS = 156250,
    STEP = 7919, /* a prime: neighbours expire at ticks far from each other */
};

struct scene {
    struct machine machine;
    struct kernel kernel;
    struct driver driver;
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
    const struct machine_config config = {
        .processors = 1, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V4]};
    enum machine_end end;
    bool ready;

    scene = (struct scene){.driver = {.name = "bench"}};
    ready = machine_reserve(&scene.machine);
    assert(ready);
    (void)ready;
    machine_reset(&scene.machine, &config);
    scene.machine.trace.off = true;
    kernel_boot(&scene.kernel, &scene.machine, OS_WIN11, ARCH_X64);
    scene.machine.arena.limit = scene.machine.arena.size;
    scene.machine.arena.reserve = 0;
    scene.timer =
        memory_alloc(&scene.machine.memory, TIMERS * sizeof(KTIMER), 0);
    scene.interval = memory_alloc(&scene.machine.memory, 8, 0);
    assert(scene.timer != NULL && scene.interval != NULL);
    scene.interval->QuadPart = -(LONGLONG)TICK_UNITS * (TICKS + 2);
    strand_spawn(
        machine_cpu(&scene.machine, 0), set_and_wait, NULL, &scene.driver);
    end = machine_run(&scene.machine);
    assert(end == MACHINE_IDLE && scene.signalled == TIMERS);
    (void)end;
    kernel_release(&scene.kernel);
    machine_release(&scene.machine);
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
