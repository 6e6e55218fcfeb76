/* test_free_waits.c - HalFreeHardwareCounters while a handler of the set runs
 * on another processor: until that has ended nobody gets the counters
 * (facts.md 2.3). */
#include "api/hal/arbiter.h"
#include "sim/machine/msr.h"
#include "tests/api/core/allocation.h"

/* A handler of 10,000 cycles, from 2,840 on, with preemption points. */
static void NTAPI slow_handler(ULONGLONG OverflowBits, HANDLE OwningHandle)
{
    struct cpu *cpu = kernel_cpu(kernel_current());

    (void)OverflowBits;
    (void)OwningHandle;
    for (unsigned i = 0; i < 10; i++) {
        cpu_spend(cpu, 1000, 1);
        cpu_checkpoint(cpu);
    }
}

static void overflow_on_processor_1(void *argument)
{
    struct cpu *cpu = argument;
    struct segment segment;

    msr_write(cpu, 0x0C1, 0xFFFFFC18);
    msr_write(cpu, 0x186, 0x51003C);
    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), 1500, RING_USER);
    cpu_run_segment(cpu, &segment);
    msr_write(cpu, 0x186, 0);
}

/* Processor 0 frees the set while the handler runs. */
static void free_at_3000(void *argument)
{
    strand_sleep_until(kernel_current()->machine, 3000);
    release_call(argument);
}

static void free_waits_for_a_handler_elsewhere(void **state)
{
    static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptors[] = {
        SINGLE(0), HANDLER(slow_handler)};
    struct booted_kernel booted;
    struct release call = {0};

    (void)state;
    booted_init_usual(&booted);
    assert_int_equal(allocate(&booted, descriptors, 2, &call.handle), 0);
    booted_spawn(&booted, 1, overflow_on_processor_1, booted_cpu(&booted, 1));
    booted_spawn(&booted, 0, free_at_3000, &call);
    assert_int_equal(machine_run(&booted.machine), MACHINE_IDLE);

    assert_int_equal(call.status, 0x00000000);
    assert_in_range(call.time, 11000, 20000);
    assert_null(booted.kernel.arbiter->first);
    booted_release(&booted);
}

/* Processor 2, which is at 1,300, spends some time and asks for counters; the
 * routine looks 1,200 cycles later. */
struct asking {
    struct allocation call;
    uint64_t time;
};

static void ask(void *argument)
{
    struct asking *asking = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());

    cpu_spend(cpu, asking->time, 1);
    cpu_checkpoint(cpu);
    allocation_try(&asking->call);
}

static struct wait_row {
    const char *name;
    uint64_t time;
    uint32_t index;
    uint32_t want;
} wait_rows[] = {
    {"counter_is_held_before_the_free", 500, 0, 0xC000009A},
    {"counter_is_held_while_the_handler_runs", 6000, 0, 0xC000009A},
    {"counter_is_held_until_the_handler_ends", 10000, 0, 0xC000009A},
    {"counter_is_free_after_the_handler", 20000, 0, 0x00000000},
    {"other_counter_is_free_all_the_time", 6000, 1, 0x00000000},
};

static void wait_row(void **state)
{
    const struct wait_row *row = *state;
    static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR first[] = {
        SINGLE(0), HANDLER(slow_handler)};
    const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR second = SINGLE(row->index);
    struct booted_kernel booted;
    struct release freeing = {.status = 99};
    struct asking asking = {.time = row->time};

    booted_init(&booted, OS_WIN11, ARCH_X64, 3, 1);
    assert_int_equal(allocate(&booted, first, 2, &freeing.handle), 0);
    asking.call.handle = allocation_handle(&booted);
    asking.call.list = allocation_list(&booted, &second, 1);
    booted_spawn(&booted, 1, overflow_on_processor_1, booted_cpu(&booted, 1));
    booted_spawn(&booted, 0, free_at_3000, &freeing);
    booted_spawn(&booted, 2, ask, &asking);
    assert_int_equal(machine_run(&booted.machine), MACHINE_IDLE);
    assert_int_equal(freeing.status, 0x00000000);
    assert_false(asking.call.raised);
    assert_int_equal(asking.call.status, row->want);
    booted_release(&booted);
}

TEST_FILE(test_free_waits)
{
    test_add(list, "free_waits_for_a_handler_elsewhere",
        free_waits_for_a_handler_elsewhere, NULL);
    TEST_ADD_ROWS(list, wait_row, wait_rows);
}
