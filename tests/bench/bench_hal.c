/* bench_hal.c - the family hal: counters that are allocated and freed, and that
 * overflow, on the largest machine and among many sets. */
#include <assert.h>
#include <string.h>

#include "api/boot/exports.h"
#include "api/hal/arbiter.h"
#include "sim/base/bits.h"
#include "sim/machine/msr.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/kernel_scene.h"
#include "tests/bench/stopwatch.h"

enum {
    MANY = 10000,
    ROUNDS = 200,
    BATCH = 8,    /* sets that are allocated and freed in a round, a counter
                     each */
    EMPTY = 1024, /* the processor of which no other set is */
};

struct scene {
    struct kernel_scene booted;
    uint32_t sets; /* others that are held */
    GROUP_AFFINITY *affinity;
    PHYSICAL_COUNTER_RESOURCE_LIST *list;
    HANDLE *handle;
    unsigned overflows;
    double allocate_ns, free_ns, refuse_ns, overflow_ns; /* of one */
};

static struct scene scene;

/* Counter `index` of a processor. */
static NTSTATUS allocate_one(uint32_t processor, ULONG index, HANDLE *handle)
{
    const struct cpu *cpu = machine_cpu(&scene.booted.machine, processor);

    *scene.affinity = (GROUP_AFFINITY){bit(cpu->number), cpu->group, {0}};
    scene.list->Count = 1;
    scene.list->Descriptors[0] = (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR){
        .Type = ResourceTypeSingle, .u = {.CounterIndex = index}};
    return HalAllocateHardwareCounters(scene.affinity, 1, scene.list, handle);
}

/* Every processor but one has its counters in turn. */
static void hold_others(void)
{
    for (uint32_t i = 0; i < scene.sets; i++) {
        uint32_t processor = i % (LIMIT_PROCESSORS - 1);
        NTSTATUS status = allocate_one(processor + (processor >= EMPTY),
            i / (LIMIT_PROCESSORS - 1), scene.handle);

        assert(status == STATUS_SUCCESS);
        (void)status;
    }
}

static void measure_sets(void)
{
    double start;

    for (unsigned round = 0; round < ROUNDS; round++) {
        start = stopwatch_ns();
        for (ULONG i = 0; i < BATCH; i++) {
            allocate_one(EMPTY, i, scene.handle + i);
        }
        scene.allocate_ns += stopwatch_ns() - start;
        start = stopwatch_ns();
        for (unsigned i = 0; i < BATCH; i++) {
            HalFreeHardwareCounters(scene.handle[i]);
        }
        scene.free_ns += stopwatch_ns() - start;
    }
    assert(scene.booted.kernel.arbiter->live == scene.sets);
    scene.allocate_ns /= ROUNDS * BATCH;
    scene.free_ns /= ROUNDS * BATCH;
}

static void NTAPI overflowed(ULONGLONG OverflowBits, HANDLE OwningHandle)
{
    (void)OverflowBits;
    (void)OwningHandle;
    scene.overflows++;
}

/* Counter 0 counts user cycles, and every run lets it wrap. */
static void measure_overflows(void)
{
    struct cpu *cpu = machine_cpu(&scene.booted.machine, EMPTY);
    struct segment segment;
    double start;

    *scene.affinity = (GROUP_AFFINITY){bit(cpu->number), cpu->group, {0}};
    scene.list->Count = 2;
    scene.list->Descriptors[1] = (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR){
        .Type = ResourceTypeOverflow, .u = {.OverflowHandler = overflowed}};
    HalAllocateHardwareCounters(scene.affinity, 1, scene.list, scene.handle);
    msr_write(cpu, 0x186, 0x51003C);
    start = stopwatch_ns();
    for (unsigned i = 0; i < ROUNDS; i++) {
        msr_write(cpu, 0x0C1, 0xFFFFFC18);
        segment_init(
            &segment, cpu->pmu.model, cpu_unhalted(cpu), 2000, RING_USER);
        cpu_run_segment(cpu, &segment);
    }
    scene.overflow_ns = (stopwatch_ns() - start) / ROUNDS;
    assert(scene.overflows == ROUNDS);
}

static void work_among_sets(void *argument)
{
    (void)argument;
    hold_others();
    measure_sets();
    scene.list->Descriptors[0].u.CounterIndex = 0;
    measure_overflows();
}

/* All 8 general and 3 fixed counters of every processor, by a list; and once
 * more, which is refused. */
static void work_on_all(void *argument)
{
    double start;

    (void)argument;
    scene.list->Count = 2;
    for (unsigned i = 0; i < 2; i++) {
        scene.list->Descriptors[i] =
            (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR){.Type = ResourceTypeRange,
                .u = {.Range = {i == 0 ? 0 : 32, i == 0 ? 7 : 34}}};
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        NTSTATUS status;

        start = stopwatch_ns();
        status = HalAllocateHardwareCounters(NULL, 0, scene.list, scene.handle);
        scene.allocate_ns += stopwatch_ns() - start;
        assert(status == STATUS_SUCCESS);
        start = stopwatch_ns();
        status =
            HalAllocateHardwareCounters(NULL, 0, scene.list, scene.handle + 1);
        scene.refuse_ns += stopwatch_ns() - start;
        assert(status == STATUS_INSUFFICIENT_RESOURCES);
        HalFreeHardwareCounters(scene.handle[0]);
    }
    scene.allocate_ns /= ROUNDS;
    scene.refuse_ns /= ROUNDS;
}

/* Runs it as code of a driver, on the processor that has no other sets. */
static void run(void (*work)(void *argument), uint32_t sets)
{
    scene = (struct scene){.sets = sets};
    kernel_scene_init(&scene.booted, LIMIT_PROCESSORS, MODEL_INTEL_V2);
    scene.affinity =
        kernel_scene_memory(&scene.booted, sizeof(*scene.affinity));
    scene.list = kernel_scene_memory(&scene.booted,
        sizeof(*scene.list) + sizeof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR));
    scene.handle =
        kernel_scene_memory(&scene.booted, BATCH * sizeof(*scene.handle));
    kernel_scene_spawn(&scene.booted, EMPTY, work, NULL);
    kernel_scene_run(&scene.booted);
    assert(scene.allocate_ns > 0);
    kernel_scene_release(&scene.booted);
}

double hal_allocate_2048(void)
{
    run(work_on_all, 0);
    return scene.allocate_ns;
}

double hal_refuse_2048(void)
{
    run(work_on_all, 0);
    return scene.refuse_ns;
}

double hal_overflow_among_10000(void)
{
    run(work_among_sets, MANY);
    return scene.overflow_ns;
}

double hal_overflow_among_1(void)
{
    run(work_among_sets, 1);
    return scene.overflow_ns;
}

double hal_allocate_among_10000(void)
{
    run(work_among_sets, MANY);
    return scene.allocate_ns;
}

double hal_allocate_among_1(void)
{
    run(work_among_sets, 1);
    return scene.allocate_ns;
}

double hal_free_among_10000(void)
{
    run(work_among_sets, MANY);
    return scene.free_ns;
}

double hal_free_among_1(void)
{
    run(work_among_sets, 1);
    return scene.free_ns;
}
