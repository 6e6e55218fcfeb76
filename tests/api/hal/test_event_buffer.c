/* test_event_buffer.c - event buffers where memory is short, and whose areas a
 * driver has spoilt: what no scenario can show. */
#include "api/hal/event_buffer.h"

#include <sys/resource.h>

#include "api/boot/exports.h"
#include "api/boot/processor_start.h"
#include "tests/api/hal/overflow_scene.h"

enum {
    ENTRIES_MOST = 64,
    PAGES_EACH = 33, /* of a processor: area, records, entries */
};

static unsigned calls;
static uint64_t given[ENTRIES_MOST]; /* entries, by call */
static uint8_t *full_spoils; /* a record whose size the handler clears */

static void NTAPI full(void *entries, uint64_t size, uint64_t count, void *set)
{
    (void)entries;
    (void)size;
    (void)set;
    if (calls < ENTRIES_MOST) {
        given[calls] = count;
    }
    if (full_spoils != NULL) {
        memset(full_spoils, 0, 8);
    }
    calls++;
}

struct asked {
    PHYSICAL_COUNTER_RESOURCE_LIST *list;
    PHANDLE handle;
    GROUP_AFFINITY *affinity;
    bool spoils;
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
    memset(given, 0, sizeof(given));
    full_spoils = NULL;
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

    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), count, RING_USER);
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

/* A set of counter 1 joins after a first record, and what a driver has written
 * over a word of the area: PEBS goes on behind the record, or at the beginning
 * where nobody knows what is there. */
static struct joined_row {
    const char *name;
    unsigned word; /* of the area */
    uint64_t value;
    uint64_t index; /* bytes from the base */
} joined_rows[] = {
    {"join_of_an_area_as_it_is", 8, 0xFFFFFFFFFF9D, 200},
    {"join_with_the_index_below_the_records", 5, 0x1000, 0},
    {"join_with_the_index_past_the_records", 5, 0xFFFFFFFF0000, 0},
    {"join_with_the_base_elsewhere", 4, 0x1000, 0},
};

struct joined {
    struct asked first, second;
    const struct joined_row *row;
    uint64_t base, index, base_after;
};

static void join_spoilt(void *argument)
{
    struct joined *joined = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());

    allocate(&joined->first);
    joined->base = area_of(cpu)[4];
    area_of(cpu)[8] = 0xFFFFFFFFFF9D;
    msr_write(cpu, 0x0C1, 0xFFFFFF9D);
    msr_write(cpu, 0x186, 0x4100C0);
    run_instructions(cpu, 150);
    msr_write(cpu, 0x186, 0);
    area_of(cpu)[joined->row->word] = joined->row->value;
    allocate(&joined->second);
    joined->base_after = area_of(cpu)[4];
    joined->index = area_of(cpu)[5] - area_of(cpu)[4];
}

static void joined_row(void **state)
{
    struct booted_kernel booted;
    struct joined joined = {.row = *state};

    booted_init_model(&booted, &pmu_models[MODEL_SKYLAKE]);
    prepare(&joined.first, &booted, 3);
    prepare(&joined.second, &booted, 3);
    joined.second.list->Descriptors[0].u.CounterIndex = 1;
    booted_run(&booted, 0, join_spoilt, &joined);
    assert_int_equal(joined.first.status, STATUS_SUCCESS);
    assert_int_equal(joined.second.status, STATUS_SUCCESS);
    assert_int_equal(joined.base_after, joined.base);
    assert_int_equal(joined.index, joined.row->index);
    booted_release(&booted);
}

/* Three adaptive records of 32 bytes, and the size that a driver writes over
 * that of one before the last one comes, in entries of their own format or of
 * 64 bytes. */
static struct record_row {
    const char *name;
    unsigned record;
    uint64_t size;
    bool generic;
    unsigned calls; /* with all three, if at all */
} record_rows[] = {
    {"records_as_they_are", 0, 32, false, 1},
    {"first_record_of_no_size", 0, 0, false, 0},
    {"first_record_shorter_than_any", 0, 24, false, 0},
    {"first_record_of_odd_size", 0, 36, false, 0},
    {"first_record_longer_than_all", 0, 104, false, 0},
    {"second_record_longer_than_what_is_left", 1, 72, false, 0},
    {"first_two_records_are_one", 0, 64, false, 0},
    {"generic_records_as_they_are", 0, 32, true, 1},
    {"generic_second_record_of_no_size", 1, 0, true, 0},
    {"generic_second_record_longer_than_what_is_left", 1, 72, true, 0},
};

static const struct record_row *spoilt_record;

static void sample_adaptive(void *argument)
{
    struct asked *asked = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());
    uint64_t format = spoilt_record->size << 48;
    uint8_t *records;

    allocate(asked);
    records = (uint8_t *)(uintptr_t)area_of(cpu)[4];
    area_of(cpu)[8] = 0xFFFFFFFFFF9D;
    msr_write(cpu, 0x0C1, 0xFFFFFF9D);
    msr_write(cpu, 0x186, 0x4100C0);
    run_instructions(cpu, 250); /* two of them */
    memcpy(records + 32 * (size_t)spoilt_record->record, &format, 8);
    run_instructions(cpu, 100);
    msr_write(cpu, 0x186, 0);
    asked->freed = HalFreeHardwareCounters(*asked->handle);
}

static void record_row(void **state)
{
    struct booted_kernel booted;
    struct asked asked;

    spoilt_record = *state;
    booted_init_model(&booted, &pmu_models[MODEL_ICE_LAKE]);
    if (spoilt_record->generic) {
        booted.kernel.rulings.value[RULING_HAL_EVB_04b] =
            RULED_HAL_EVB_04b_generic;
    }
    prepare(&asked, &booted, 3);
    booted_run(&booted, 0, sample_adaptive, &asked);
    assert_int_equal(asked.status, STATUS_SUCCESS);
    assert_int_equal(asked.freed, STATUS_SUCCESS);
    assert_int_equal(calls, spoilt_record->calls);
    assert_int_equal(given[0], calls == 0 ? 0 : 3);
    booted_release(&booted);
}

/* Two records of 32 bytes, and a third with the general registers, which the
 * handler spoils when it gets the first two. */
static struct unlike_row {
    const char *name;
    bool spoils;
    unsigned calls;
    uint64_t given[2];
} unlike_rows[] = {
    {"unlike_record_comes_behind_the_others", false, 2, {2, 1}},
    {"unlike_record_that_the_handler_spoils_is_left", true, 1, {2}},
};

static void sample_unlike(void *argument)
{
    struct asked *asked = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());

    allocate(asked);
    if (asked->spoils) {
        full_spoils = (uint8_t *)(uintptr_t)area_of(cpu)[4] + 64;
    }
    area_of(cpu)[8] = 0xFFFFFFFFFF9D;
    msr_write(cpu, 0x0C1, 0xFFFFFF9D);
    msr_write(cpu, 0x186, 0x4004100C0);
    run_instructions(cpu, 250);
    msr_write(cpu, 0x3F2, 0x2);
    run_instructions(cpu, 100);
    msr_write(cpu, 0x186, 0);
    asked->freed = HalFreeHardwareCounters(*asked->handle);
}

static void unlike_row(void **state)
{
    const struct unlike_row *row = *state;
    struct booted_kernel booted;
    struct asked asked;

    booted_init_model(&booted, &pmu_models[MODEL_ICE_LAKE]);
    prepare(&asked, &booted, 3);
    asked.spoils = row->spoils;
    booted_run(&booted, 0, sample_unlike, &asked);
    assert_int_equal(asked.status, STATUS_SUCCESS);
    assert_int_equal(asked.freed, STATUS_SUCCESS);
    assert_int_equal(calls, row->calls);
    assert_int_equal(given[0], row->given[0]);
    assert_int_equal(given[1], row->given[1]);
    booted_release(&booted);
}

/* A set of the first processor, and then one of both for which something is
 * short: it is refused, and the first is as before. */
static struct refused_row {
    const char *name;
    bool own, guest; /* whose memory is all handed out */
} refused_rows[] = {
    {"second_set_without_memory_for_its_readers", true, false},
    {"second_set_without_memory_for_the_other_processor", false, true},
};

struct refused {
    struct asked first, second;
    const struct refused_row *row;
    uint64_t area_before, area_after;
};

static void sample_refused(void *argument)
{
    struct refused *refused = argument;
    struct kernel *kernel = kernel_current();
    struct machine *machine = kernel->machine;
    struct cpu *cpu = kernel_cpu(kernel);
    GROUP_AFFINITY *first = refused->first.affinity;

    refused->first.status = HalAllocateHardwareCounters(
        first, 1, refused->first.list, refused->first.handle);
    if (refused->row->own) {
        machine->arena.reserve = machine->arena.limit - machine->arena.used;
    }
    if (refused->row->guest) {
        machine->memory.held_most = machine->memory.held;
    }
    refused->area_before = (uintptr_t)area_of(cpu);
    allocate(&refused->second);
    refused->area_after = (uintptr_t)area_of(cpu);
    area_of(cpu)[8] = 0xFFFFFFFFFF9D;
    msr_write(cpu, 0x0C1, 0xFFFFFF9D);
    msr_write(cpu, 0x186, 0x4100C0);
    run_instructions(cpu, 250);
    msr_write(cpu, 0x186, 0);
    refused->first.freed = HalFreeHardwareCounters(*refused->first.handle);
}

static void refused_row(void **state)
{
    const GROUP_AFFINITY one = {.Mask = 0x1};
    struct booted_kernel booted;
    struct refused refused = {.row = *state};

    booted_init_model(&booted, &pmu_models[MODEL_SKYLAKE]);
    prepare(&refused.first, &booted, 1);
    prepare(&refused.second, &booted, 1);
    refused.first.affinity = booted_copy(&booted, &one, sizeof(one));
    refused.second.list->Descriptors[0].u.CounterIndex = 1;
    booted_run(&booted, 0, sample_refused, &refused);
    assert_int_equal(refused.first.status, STATUS_SUCCESS);
    assert_int_equal(refused.second.status, STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(refused.area_after, refused.area_before);
    assert_int_equal(calls, 2);
    assert_int_equal(refused.first.freed, STATUS_SUCCESS);
    booted_release(&booted);
}

/* The host has no data pages left when the entries are to be opened. */
static void sample_on_a_full_host(void *argument)
{
    struct asked *asked = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());
    struct rlimit data;

    allocate(asked);
    area_of(cpu)[8] = 0xFFFFFFFFFF9D;
    msr_write(cpu, 0x0C1, 0xFFFFFF9D);
    msr_write(cpu, 0x186, 0x4100C0);
    getrlimit(RLIMIT_DATA, &data);
    data.rlim_cur = 4096;
    setrlimit(RLIMIT_DATA, &data);
    run_instructions(cpu, 150);
}

static void entries_that_the_host_does_not_open_end_the_run(void **state)
{
    struct booted_kernel booted;
    struct asked asked;
    struct rlimit data;

    (void)state;
    booted_init_model(&booted, &pmu_models[MODEL_SKYLAKE]);
    prepare(&asked, &booted, 1);
    assert_int_equal(getrlimit(RLIMIT_DATA, &data), 0);
    booted_run_to_stop(&booted, 0, sample_on_a_full_host, &asked);
    assert_int_equal(setrlimit(RLIMIT_DATA, &data), 0);
    assert_int_equal(calls, 0);
    assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
    assert_string_equal(booted.kernel.end.reason,
        "this host has no mapping left for an event buffer");
    booted_release(&booted);
}

TEST_FILE(test_event_buffer)
{
    TEST_ADD_ROWS(list, memory_row, memory_rows);
    test_add(list, "processor_without_memory_for_its_buffer_stays_out",
        processor_without_memory_for_its_buffer_stays_out, NULL);
    TEST_ADD_ROWS(list, spoilt_row, spoilt_rows);
    TEST_ADD_ROWS(list, joined_row, joined_rows);
    TEST_ADD_ROWS(list, record_row, record_rows);
    TEST_ADD_ROWS(list, unlike_row, unlike_rows);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
    test_add(list, "entries_that_the_host_does_not_open_end_the_run",
        entries_that_the_host_does_not_open_end_the_run, NULL);
}
