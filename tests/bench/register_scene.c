/* register_scene.c - a processor of each vendor, without a kernel and with one.
 */
#include "tests/bench/register_scene.h"

#include <assert.h>

#include "api/boot/exports.h"
#include "api/boot/kernel_boot.h"
#include "api/core/kernel.h"
#include "sim/base/bits.h"
#include "sim/machine/msr.h"
#include "sim/machine/strand.h"
#include "sim/machine/sysreg.h"
#include "tests/bench/stopwatch.h"

enum {
    IA32_X2APIC_EOI = 0x80B,
    IA32_X2APIC_LVT_PMI = 0x834,
    IA32_FIXED_CTR_CTRL = 0x38D,
    ALL_FIXED = 0x333,
    VECTOR = 0xFE,
    PERIOD = 1000,
};

const struct register_scene register_scenes[VENDOR_COUNT] = {
    [VENDOR_INTEL] = {.model = MODEL_INTEL_V4,
        .counters = 8,
        .counter0 = 0x0C1,
        .select0 = 0x186,
        .stride = 1,
        .events = {0x43003C, 0x4300C0}, /* EN, OS, USR */
        .branches = 0x5100C4,           /* EN, INT, USR */
        .preset = UINT64_C(0x100000000) - PERIOD,
        .control = 0x38F,
        .started = 0x7000000FF,
        .clear = 0x390,
        .open = IA32_X2APIC_LVT_PMI},
    [VENDOR_AMD] = {.model = MODEL_ZEN4,
        .counters = 6,
        .counter0 = 0xC0010201,
        .select0 = 0xC0010200,
        .stride = 2,
        .events = {0x430076, 0x4300C0},
        .branches = 0x5100C2,
        .preset = (UINT64_C(1) << 48) - PERIOD,
        .control = 0xC0000301,
        .started = 0x3F,
        .clear = 0xC0000302},
    [VENDOR_ARM] = {.model = MODEL_NEOVERSE_N1,
        .counters = 6,
        .counter0 = PMEVCNTR_EL0,
        .select0 = PMEVTYPER_EL0,
        .stride = 1,
        .events = {0x11, 0x08},
        .branches = UINT64_C(0x80000021), /* P: not at EL1 */
        .preset = UINT64_C(0x100000000) - PERIOD,
        .control = PMCR_EL0,
        .started = 1,
        .clear = PMOVSCLR_EL0},
};

void access_write(struct cpu *cpu, uint32_t reg, uint64_t value)
{
    if (cpu->armv8 != NULL) {
        enum armv8_result result = sysreg_write(cpu, reg, 1, value);

        assert(result == ARMV8_OK);
        (void)result;
    } else {
        enum msr_result result = msr_write(cpu, reg, value);

        assert(result == MSR_OK);
        (void)result;
    }
}

uint64_t access_read(struct cpu *cpu, uint32_t reg)
{
    uint64_t value = 0;

    if (cpu->armv8 != NULL) {
        enum armv8_result result = sysreg_read(cpu, reg, 1, &value);

        assert(result == ARMV8_OK);
        (void)result;
    } else {
        enum msr_result result = msr_read(cpu, reg, &value);

        assert(result == MSR_OK);
        (void)result;
    }
    return value;
}

/* A machine of one processor, and what runs there. */
struct run {
    struct machine machine;
    struct kernel kernel;
    struct driver driver;
    const struct register_scene *scene;
    struct cpu *cpu;
    register_work *work;
    unsigned count, overflows;
    double ns;
};

static struct run run;

static void start(enum vendor vendor)
{
    struct machine_config config = {.processors = 1,
        .groups = 1,
        .pmu = pmu_models[register_scenes[vendor].model]};
    bool ready;

    run = (struct run){
        .driver = {.name = "bench"}, .scene = &register_scenes[vendor]};
    ready = machine_reserve(&run.machine);
    assert(ready);
    (void)ready;
    config.pmu.latency = 0; /* so that no event is lost behind a wrap */
    config.pmu.skid = 0;
    machine_reset(&run.machine, &config);
    run.machine.trace.off = true;
    run.machine.budget = UINT64_MAX;
    run.cpu = machine_cpu(&run.machine, 0);
}

static double finish(void (*main)(void *argument))
{
    struct strand *strand = strand_spawn(run.cpu, main, NULL, &run.driver);
    enum machine_end end = machine_run(&run.machine);

    assert(strand != NULL && end == MACHINE_IDLE);
    (void)strand;
    (void)end;
    machine_release(&run.machine);
    return run.ns / run.count;
}

/* The counters' own registers, and the enables of all of them. */
static void start_counters(void)
{
    const struct register_scene *scene = run.scene;

    if (run.cpu->armv8 != NULL) {
        access_write(run.cpu, PMCNTENSET_EL0, bits_low(scene->counters));
    } else if (run.cpu->pmu.model->fixed > 0) {
        access_write(run.cpu, IA32_FIXED_CTR_CTRL, ALL_FIXED);
    }
    access_write(run.cpu, scene->control, scene->started);
}

static void run_operation(void *argument)
{
    const struct register_scene *scene = run.scene;

    (void)argument;
    for (unsigned n = 0; n < scene->counters; n++) {
        access_write(
            run.cpu, scene->select0 + n * scene->stride, scene->events[n % 2]);
    }
    start_counters();
    run.ns = stopwatch_ns();
    run.work(scene, run.cpu, run.count);
    run.ns = stopwatch_ns() - run.ns;
}

double register_scene_operation(
    enum vendor vendor, register_work *work, unsigned count)
{
    start(vendor);
    run.work = work;
    run.count = count;
    return finish(run_operation);
}

static void handle(void *context, struct cpu *cpu, uint8_t vector)
{
    const struct register_scene *scene = run.scene;

    (void)context;
    (void)vector;
    access_write(cpu, scene->counter0, scene->preset);
    access_write(cpu, scene->clear, 1);
    if (scene->open != 0) {
        access_write(cpu, scene->open, VECTOR);
    }
    msr_write(cpu, IA32_X2APIC_EOI, 0);
    run.overflows++;
}

static void NTAPI overflowed(ULONGLONG OverflowBits, HANDLE OwningHandle)
{
    (void)OverflowBits;
    (void)OwningHandle;
    access_write(run.cpu, run.scene->counter0, run.scene->preset);
    run.overflows++;
}

/* Two events a cycle; half a period is left at the end, so that what overflows
 * is known. */
static void run_overflows(void)
{
    const struct register_scene *scene = run.scene;
    struct segment segment;

    access_write(run.cpu, scene->select0, scene->branches);
    access_write(run.cpu, scene->counter0, scene->preset);
    for (unsigned n = 1; n < scene->counters; n++) {
        access_write(
            run.cpu, scene->select0 + n * scene->stride, scene->events[n % 2]);
    }
    if (run.cpu->armv8 != NULL) {
        access_write(run.cpu, PMINTENSET_EL1, 1);
    }
    start_counters();
    segment_init(&segment, run.cpu->pmu.model, cpu_unhalted(run.cpu),
        (uint64_t)run.count * (PERIOD / 2) + PERIOD / 4, RING_USER);
    segment.rate[EVENT_BRANCHES].p = 2;
    run.ns = stopwatch_ns();
    cpu_run_segment(run.cpu, &segment);
    run.ns = stopwatch_ns() - run.ns;
    assert(run.overflows == run.count);
}

static void run_alone(void *argument)
{
    (void)argument;
    msr_write(run.cpu, IA32_X2APIC_LVT_PMI, VECTOR);
    run_overflows();
}

double register_scene_overflow(enum vendor vendor, unsigned count)
{
    start(vendor);
    run.count = count;
    machine_on_interrupt(&run.machine, handle, NULL);
    return finish(run_alone);
}

static void *guest(size_t size)
{
    void *memory = memory_alloc(&run.machine.memory, size, 0);

    assert(memory != NULL);
    return memory;
}

static void run_with_set(void *argument)
{
    PHYSICAL_COUNTER_RESOURCE_LIST *list =
        guest(sizeof(*list) + sizeof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR));
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR *descriptor = list->Descriptors;
    HANDLE *handle = guest(sizeof(*handle));
    NTSTATUS status;

    (void)argument;
    list->Count = 2;
    descriptor[0] = (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR){
        .Type = ResourceTypeSingle, .u = {.CounterIndex = 0}};
    descriptor[1] = (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR){
        .Type = ResourceTypeOverflow, .u = {.OverflowHandler = overflowed}};
    status = HalAllocateHardwareCounters(NULL, 0, list, handle);
    assert(status == STATUS_SUCCESS);
    (void)status;
    run_overflows();
}

double register_scene_hal_overflow(enum vendor vendor, unsigned count)
{
    double ns;

    start(vendor);
    run.count = count;
    kernel_boot(&run.kernel, &run.machine, OS_WIN11,
        vendor == VENDOR_ARM ? ARCH_ARM64 : ARCH_X64);
    ns = finish(run_with_set);
    kernel_release(&run.kernel);
    return ns;
}
