/* bench_event_buffer.c - the family evb: a record of PEBS on its way from the
 * counter to the handler of an event buffer. */
#include <assert.h>

#include "api/boot/exports.h"
#include "sim/machine/msr.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/kernel_scene.h"
#include "tests/bench/stopwatch.h"

enum {
    IA32_PMC0 = 0x0C1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_DS_AREA = 0x600,
    AREA_RESET = 0x40,
    USER_INSTRUCTIONS = 0x4100C0,
    PERIOD = 1000,
    RECORDS = 400000,
};

/* Records of a model, and how many of them a handler gets. */
struct kind {
    enum model model;
    size_t size; /* bytes */
    ULONG threshold;
};

struct scene {
    struct kernel_scene booted;
    PHYSICAL_COUNTER_RESOURCE_LIST *list;
    void **handle;
    unsigned records;
    double ns;
};

static uint64_t handed_on, size_of_entry;

static void NTAPI full(void *entries, uint64_t size, uint64_t count, void *set)
{
    (void)entries;
    (void)set;
    size_of_entry = size;
    handed_on += count;
}

static void describe(struct scene *scene, ULONG threshold)
{
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR *descriptor;
    size_t size = sizeof(*scene->list) + sizeof(*descriptor);

    scene->list = kernel_scene_memory(&scene->booted, size);
    scene->handle = kernel_scene_memory(&scene->booted, sizeof(*scene->handle));
    scene->list->Count = 2;
    descriptor = scene->list->Descriptors;
    descriptor[0].Type = ResourceTypeSingle;
    descriptor[1].Type = ResourceTypeEventBuffer;
    descriptor[1].u.EventBufferConfiguration.OverflowHandler = full;
    descriptor[1].u.EventBufferConfiguration.EventThreshold = threshold;
}

static void write_msr(struct cpu *cpu, uint32_t address, uint64_t value)
{
    enum msr_result result = msr_write(cpu, address, value);

    assert(result == MSR_OK);
    (void)result;
}

/* The counter of a processor counts on with the period that the area tells. */
static void program(struct cpu *cpu)
{
    uint64_t area = 0;

    msr_read(cpu, IA32_DS_AREA, &area);
    assert(area != 0);
    *(uint64_t *)(uintptr_t)(area + AREA_RESET) =
        (UINT64_C(1) << 48) - (PERIOD - 1);
    write_msr(cpu, IA32_PMC0, (UINT64_C(1) << 32) - (PERIOD - 1));
    write_msr(cpu, IA32_PERFEVTSEL0, USER_INSTRUCTIONS);
}

static void work(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = machine_cpu(&scene->booted.machine, 0);
    struct segment segment;
    NTSTATUS status = HalAllocateHardwareCounters(
        NULL, 0, scene->list, (PHANDLE)scene->handle);

    assert(status == STATUS_SUCCESS);
    (void)status;
    program(cpu);
    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu),
        (uint64_t)PERIOD * scene->records + PERIOD / 2, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 1, .q = 1};
    scene->ns = stopwatch_ns();
    cpu_run_segment(cpu, &segment);
    scene->ns = stopwatch_ns() - scene->ns;
}

static double time_of(const struct kind *kind, unsigned records)
{
    struct scene scene = {.records = records};

    handed_on = 0;
    kernel_scene_init(&scene.booted, 1, kind->model);
    describe(&scene, kind->threshold);
    kernel_scene_spawn(&scene.booted, 0, work, &scene);
    kernel_scene_run(&scene.booted);
    assert(handed_on == records && size_of_entry == kind->size);
    kernel_scene_release(&scene.booted);
    return scene.ns;
}

/* Of one more record: what it takes to begin is left out. */
static double record_of(const struct kind *kind)
{
    return (time_of(kind, 2 * RECORDS) - time_of(kind, RECORDS)) / RECORDS;
}

double evb_record(void)
{
    return record_of(
        &(struct kind){MODEL_ICE_LAKE, sizeof(PEBS_RECORD_4), 1000});
}

double evb_long_record(void)
{
    return record_of(&(struct kind){MODEL_SKYLAKE, sizeof(PEBS_RECORD_3), 200});
}
