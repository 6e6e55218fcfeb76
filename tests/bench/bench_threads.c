/* bench_threads.c - the family ke: a processor that is given from one thread to
 * another, and back. */
#include <assert.h>

#include "api/boot/exports.h"
#include "api/boot/kernel_boot.h"
#include "api/core/kernel.h"
#include "api/ke/dispatcher.h"
#include "sim/machine/strand.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"

enum { SWITCHES = 200000, WARM_UP = 1000 };

struct scene {
    struct machine machine;
    struct kernel kernel;
    struct driver driver;
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
        dispatcher_yield(&scene.kernel);
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
    scene.machine.budget = UINT64_MAX;
    kernel_boot(&scene.kernel, &scene.machine, OS_WIN11, ARCH_X64);
    for (unsigned i = 0; i < 2; i++) {
        scene.event[i] = memory_alloc(&scene.machine.memory, sizeof(KEVENT), 0);
        strand_spawn(machine_cpu(&scene.machine, 0), thread,
            (void *)(uintptr_t)&number[i], &scene.driver);
    }
    end = machine_run(&scene.machine);
    assert(end == MACHINE_IDLE);
    (void)end;
    kernel_release(&scene.kernel);
    machine_release(&scene.machine);
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
