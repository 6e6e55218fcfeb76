/* test_event_buffer.c - event buffers where memory is short, and whose areas a
 * driver has spoilt: what no scenario can show. */
#include "api/hal/event_buffer.h"

#include "api/boot/exports.h"
#include "api/boot/processor_start.h"
#include "tests/api/hal/overflow_scene.h"

enum {
    ENTRIES_MOST = 64,
    PAGES_EACH = 33, /* of a processor: area, records, entries */
};

static unsigned calls;
static uint64_t given[ENTRIES_MOST]; /* entries, by call */

static void NTAPI full(void *entries, uint64_t size, uint64_t count, void *set)
{
    (void)entries;
    (void)size;
    (void)set;
    if (calls < ENTRIES_MOST) {
        given[calls] = count;
    }
    calls++;
}

struct asked {
    PHYSICAL_COUNTER_RESOURCE_LIST *list;
    PHANDLE handle;
    NTSTATUS status, freed;
};

static void prepare(
    struct asked *asked, struct booted_kernel *booted, uint32_t threshold)
{
    uint8_t bytes[8 + 2 * sizeof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR)] = {2};
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR *descriptor;

    *asked = (struct asked){
        .list = booted_copy(booted, bytes, sizeof(bytes)),
        .handle = booted_block(booted, sizeof(HANDLE), 0xEE),
    };
    descriptor = asked->list->Descriptors;
    descriptor[0].Type = ResourceTypeSingle;
    descriptor[1].Type = ResourceTypeEventBuffer;
    descriptor[1].u.EventBufferConfiguration.OverflowHandler = full;
    descriptor[1].u.EventBufferConfiguration.EventThreshold = threshold;
    calls = 0;
}

static void allocate(void *argument)
{
    struct asked *asked = argument;

    asked->status =
        HalAllocateHardwareCounters(NULL, 0, asked->list, asked->handle);
}

/* Room for the memory of so many processors out of two. */
static struct memory_row {
    const char *name;
    size_t pages;
    NTSTATUS want;
    bool held;
} memory_rows[] = {
    {"no_memory_at_all", 0, STATUS_INSUFFICIENT_RESOURCES, false},
    {"memory_for_records_and_no_entries", 20, STATUS_INSUFFICIENT_RESOURCES,
        false},
    {"memory_of_one_processor", PAGES_EACH, STATUS_INSUFFICIENT_RESOURCES,
        false},
    {"one_page_too_few", 2 * PAGES_EACH - 1, STATUS_INSUFFICIENT_RESOURCES,
        false},
    {"just_enough_memory", 2 * PAGES_EACH, STATUS_SUCCESS, true},
};

static void memory_row(void **state)
{
    const struct memory_row *row = *state;
    struct booted_kernel booted;
    struct memory *memory = &booted.machine.memory;
    struct asked asked;
    size_t held;
    uint64_t enabled;

    booted_init_model(&booted, &pmu_models[MODEL_SKYLAKE]);
    prepare(&asked, &booted, 1);
    held = memory->held;
    memory->held_most = held + row->pages;
    booted_run(&booted, 0, allocate, &asked);
    assert_int_equal(asked.status, row->want);
    assert_int_equal(memory->held - held, row->held ? 2 * PAGES_EACH : 0);
    assert_int_equal(booted.kernel.arbiter->first != NULL, row->held);
    assert_int_equal(msr_peek(booted_cpu(&booted, 1), 0x3F1, &enabled), MSR_OK);
    assert_int_equal(enabled, row->held ? 1 : 0);
    booted_release(&booted);
}

struct later {
    struct asked asked;
    NTSTATUS started[2];
    size_t *most;
    uint32_t active; /* after the first start */
};

/* The second processor, first with one page too few, then with just enough. */
static void start_later(void *argument)
{
    struct later *later = argument;
    struct kernel *kernel = kernel_current();

    allocate(&later->asked);
    later->started[0] = processor_start(kernel);
    later->active = kernel->machine->topology.processors;
    ++*later->most;
    later->started[1] = processor_start(kernel);
}

/* HAL-ALLOC-60. */
static void processor_without_memory_for_its_buffer_stays_out(void **state)
{
    const struct machine_config config = {.processors = 2,
        .active = 1,
        .groups = 1,
        .pmu = pmu_models[MODEL_SKYLAKE]};
    struct booted_kernel booted;
    struct memory *memory = &booted.machine.memory;
    struct later later = {.most = &memory->held_most};
    uint64_t enabled;
    size_t held;

    (void)state;
    booted_init_config(&booted, &config, OS_WIN11, ARCH_X64);
    prepare(&later.asked, &booted, 1);
    held = memory->held;
    memory->held_most = held + 2 * PAGES_EACH - 1;
    booted_run(&booted, 0, start_later, &later);
    assert_int_equal(later.asked.status, STATUS_SUCCESS);
    assert_int_equal(later.started[0], STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(later.active, 1);
    assert_int_equal(later.started[1], STATUS_SUCCESS);
    assert_int_equal(memory->held - held, 2 * PAGES_EACH);
    assert_int_equal(msr_peek(booted_cpu(&booted, 1), 0x3F1, &enabled), MSR_OK);
    assert_int_equal(enabled, 1);
    booted_release(&booted);
}

static uint64_t *area_of(struct cpu *cpu)
{
    uint64_t area = 0;

    msr_peek(cpu, 0x600, &area);
    return (uint64_t *)(uintptr_t)area;
}

/* A period of 100, two records, and what a driver writes over words of the
 * area: where it is base or index, the HAL sets the area up anew with the
 * interrupt, if there is one. */
static struct spoilt_row {
    const char *name;
    unsigned word; /* of the area */
    uint64_t value;
    unsigned calls;
} spoilt_rows[] = {
    {"area_as_it_is", 8, 0xFFFFFFFFFF9D, 2},
    {"index_below_the_records", 5, 0x1000, 0},
    {"index_past_the_records", 5, 0xFFFFFFFF0000, 0},
    {"base_elsewhere", 4, 0x1000, 1},
};

static const struct spoilt_row *spoilt;

/* As many of ring 3, one a cycle. */
static void run_instructions(struct cpu *cpu, uint64_t count)
{
    struct segment segment;

    segment_init(&segment, cpu->pmu.model, cpu->unhalted, count, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 1, .q = 1};
    cpu_run_segment(cpu, &segment);
}

static void sample_spoilt(void *argument)
{
    struct asked *asked = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());

    allocate(asked);
    area_of(cpu)[8] = 0xFFFFFFFFFF9D;
    area_of(cpu)[spoilt->word] = spoilt->value;
    msr_write(cpu, 0x0C1, 0xFFFFFF9D);
    msr_write(cpu, 0x186, 0x4100C0);
    run_instructions(cpu, 250);
    msr_write(cpu, 0x186, 0);
    asked->freed = HalFreeHardwareCounters(*asked->handle);
}

static void spoilt_row(void **state)
{
    struct booted_kernel booted;
    struct asked asked;

    spoilt = *state;
    booted_init_model(&booted, &pmu_models[MODEL_SKYLAKE]);
    prepare(&asked, &booted, 1);
    booted_run(&booted, 0, sample_spoilt, &asked);
    assert_int_equal(asked.status, STATUS_SUCCESS);
    assert_int_equal(asked.freed, STATUS_SUCCESS);
    assert_int_equal(calls, spoilt->calls);
    booted_release(&booted);
}

TEST_FILE(test_event_buffer)
{
    TEST_ADD_ROWS(list, memory_row, memory_rows);
    test_add(list, "processor_without_memory_for_its_buffer_stays_out",
        processor_without_memory_for_its_buffer_stays_out, NULL);
    TEST_ADD_ROWS(list, spoilt_row, spoilt_rows);
}
