/* bench_threads.c - the family ke: a processor that is given from one thread to
 * another, and back, and very many threads that are profiled. */
#include <assert.h>

#include "api/boot/exports.h"
#include "api/ke/dispatcher.h"
#include "sim/machine/msr.h"
#include "sim/machine/strand.h"
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

enum { PROFILED = 10000, PROCESSORS = 64, TURNS = 2 };

/* What a thread has of the one block of guest memory that all share. */
struct profiled {
    HANDLE handle;
    PERFORMANCE_DATA data;
};

static struct profiled *profiled;

/* Instructions of the thread's in a turn, no two neighbours' alike. */
static uint64_t workload(uint64_t number)
{
    return 100 + number % 997;
}

static void configure(void *argument)
{
    HARDWARE_COUNTER *counter = argument;
    NTSTATUS status;

    status = HalAllocateHardwareCounters(NULL, 0, NULL, &profiled->handle);
    assert(status == STATUS_SUCCESS);
    *counter = (HARDWARE_COUNTER){.Type = PMCCounter, .Index = 0};
    status = KeSetHardwareCounterConfiguration(counter, 1);
    assert(status == STATUS_SUCCESS);
    (void)status;
}

/* Counter 0 counts the instructions of user mode here. */
static void count_instructions(void *argument)
{
    struct cpu *cpu = argument;

    msr_write(cpu, 0x186, 0x4100C0);
    msr_write(cpu, 0x38F, 1);
}

static void profile(void *argument)
{
    struct profiled *own = argument;
    uint64_t number = (uint64_t)(own - profiled);
    struct cpu *cpu = kernel_cpu(&scene.booted.kernel);
    struct segment segment;
    ULONG error;

    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), workload(number),
        RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){1, 1, 0};
    error = EnableThreadProfiling(GetCurrentThread(), 1, 1, &own->handle);
    for (unsigned turn = 0; turn < TURNS && error == 0; turn++) {
        cpu_run_segment(cpu, &segment);
        dispatcher_yield(&scene.booted.kernel);
    }
    own->data = (PERFORMANCE_DATA){.Size = sizeof(own->data), .Version = 1};
    error |= ReadThreadProfilingData(own->handle, 3, &own->data);
    error |= DisableThreadProfiling(own->handle);
    assert(error == 0);
    assert(own->data.ContextSwitchCount == TURNS);
    assert(own->data.HwCounters[0].Value == TURNS * workload(number));
    (void)error;
}

static void start_profiled(void)
{
    struct kernel_scene *booted = &scene.booted;
    HARDWARE_COUNTER *counter = kernel_scene_memory(booted, sizeof(*counter));

    profiled = kernel_scene_memory(booted, PROFILED * sizeof(*profiled));
    kernel_scene_spawn(booted, 0, configure, counter);
    kernel_scene_run(booted);
    for (uint32_t i = 0; i < PROCESSORS; i++) {
        kernel_scene_spawn(
            booted, i, count_instructions, machine_cpu(&booted->machine, i));
    }
    kernel_scene_run(booted);
}

double ke_threads_10000(void)
{
    scene = (struct scene){.switches = 0};
    kernel_scene_init(&scene.booted, PROCESSORS, MODEL_INTEL_V4);
    start_profiled();
    scene.start = stopwatch_ns();
    for (uint32_t i = 0; i < PROFILED; i++) {
        kernel_scene_spawn(
            &scene.booted, i % PROCESSORS, profile, &profiled[i]);
    }
    kernel_scene_run(&scene.booted);
    scene.ns = stopwatch_ns() - scene.start;
    kernel_scene_release(&scene.booted);
    return scene.ns;
}
