/* test_machine.c - a machine's parts after RESET, what a reset forgets, and
 * that the same program gives the same trace. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

#include "sim/base/trace.h"
#include "sim/machine/machine.h"
#include "sim/machine/msr.h"
#include "sim/machine/strand.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

static void reset(struct machine *machine, uint32_t processors, uint32_t groups)
{
    struct machine_config config = {.processors = processors,
        .groups = groups,
        .pmu = pmu_models[MODEL_INTEL_V2]};

    machine_reset(machine, &config);
}

static void init(struct machine *machine, uint32_t processors, uint32_t groups)
{
    assert_true(machine_reserve(machine));
    reset(machine, processors, groups);
}

/* Of 200 processors 0, 64 and 199 are of the first kind, 127 and 128 of the
 * second, and the others as all are. */
static const struct machine_kind kinds[] = {
    {.processors = {[0] = 1, [1] = 1, [3] = 1 << (199 - 192)}},
    {.processors = {[1] = UINT64_C(1) << 63, [2] = 1}},
};

static struct kind_row {
    const char *name;
    uint32_t index;
    size_t want; /* from 1; 0: none */
} kind_rows[] = {
    {"first_processor_of_all", 0, 1},
    {"second_processor_of_all", 1, 0},
    {"last_of_the_first_word", 63, 0},
    {"first_of_the_second_word", 64, 1},
    {"second_of_the_second_word", 65, 0},
    {"last_of_the_second_word", 127, 2},
    {"first_of_the_third_word", 128, 2},
    {"first_of_the_last_word", 192, 0},
    {"last_processor_of_all", 199, 1},
};

static void kind_row(void **state)
{
    const struct kind_row *row = *state;
    const struct machine_config config = {
        .processors = 200, .kind = kinds, .kind_count = 2};

    assert_ptr_equal(machine_model(&config, row->index),
        row->want == 0 ? &config.pmu : &kinds[row->want - 1].pmu);
}

static struct place_row {
    const char *name;
    uint32_t processors, groups, index;
    uint16_t want_group;
    uint8_t want_number;
} place_rows[] = {
    {"single_processor_is_number_0_of_group_0", 1, 1, 0, 0, 0},
    {"last_of_four_is_number_3", 4, 1, 3, 0, 3},
    {"last_of_the_first_half_is_in_group_0", 8, 2, 3, 0, 3},
    {"first_of_the_second_half_is_in_group_1", 8, 2, 4, 1, 0},
    {"last_of_a_larger_first_group", 10, 3, 3, 0, 3},
    {"first_of_a_smaller_second_group", 10, 3, 4, 1, 0},
    {"first_of_the_last_group", 10, 3, 7, 2, 0},
    {"each_processor_may_be_its_own_group", 32, 32, 31, 31, 0},
    {"last_of_the_largest_machine", 2048, 32, 2047, 31, 63},
};

static void place_row(void **state)
{
    const struct place_row *row = *state;
    struct machine machine;
    const struct cpu *cpu;

    init(&machine, row->processors, row->groups);
    cpu = machine_cpu(&machine, row->index);

    assert_int_equal(cpu->index, row->index);
    assert_int_equal(cpu->group, row->want_group);
    assert_int_equal(cpu->number, row->want_number);
    machine_release(&machine);
}

/* 24 MiB, and 8 KiB for each processor; our own of it: 2 MiB, and 4 KiB. */
static struct memory_row {
    const char *name;
    uint32_t processors, groups;
    size_t want_limit, want_reserve;
} memory_rows[] = {
    {"one_processor_has_24_mib_and_8_kib", 1, 1, 25174016, 2101248},
    {"most_processors_have_40_mib", 2048, 32, 41943040, 10485760},
};

static void memory_row(void **state)
{
    const struct memory_row *row = *state;
    struct machine machine;

    init(&machine, row->processors, row->groups);
    assert_int_equal(machine.arena.limit, row->want_limit);
    assert_int_equal(machine.arena.reserve, row->want_reserve);
    assert_int_equal(machine.arena.size, 41943040);
    machine_release(&machine);
}

/* Whatever stood where the machine is made. */
static void machine_is_made_of_nothing(void **state)
{
    struct machine machine;

    (void)state;
    memset(&machine, 0xA5, sizeof(machine));
    init(&machine, 1, 1);
    assert_int_equal(machine.trace.count, 0);
    assert_false(machine.trace.off);
    assert_int_equal(machine.now, 0);
    assert_null(machine.interrupt);
    cpu_trace(machine_cpu(&machine, 0), &sim_events[SIM_EVENT_SWITCH], 7);
    assert_int_equal(machine.trace.count, 1);
    assert_int_equal(machine.trace.record[0].value[0], 7);
    machine_release(&machine);
}

static void processor_after_reset_has_done_nothing(void **state)
{
    struct machine machine;
    const struct cpu *cpu;

    (void)state;
    init(&machine, 2, 1);
    cpu = machine_cpu(&machine, 1);
    assert_int_equal(cpu->time, 0);
    assert_int_equal(cpu_unhalted(cpu), 0);
    assert_int_equal(cpu->pmi_due, 0xFFFFFFFFFFFFFFFF);
    assert_int_equal(cpu->lapic.lvtpc, 0x10000);
    assert_int_equal(cpu->pmu.global_ctrl, 0xFF);
    assert_null(cpu->current);
    machine_release(&machine);
}

/* 64 processors in four groups write each its own index to the same MSR.
 * PMU-BEH-14 */
static void same_msr_on_64_processors_is_64_registers(void **state)
{
    struct machine machine;

    (void)state;
    init(&machine, 64, 4);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(
            msr_write(machine_cpu(&machine, i), 0x0C1, 1000 + i), MSR_OK);
    }
    for (uint32_t i = 0; i < 64; i++) {
        uint64_t value = 0;

        assert_int_equal(
            msr_read(machine_cpu(&machine, i), 0x0C1, &value), MSR_OK);
        assert_int_equal(value, 1000 + i);
    }
    machine_release(&machine);
}

static bool never(void *context)
{
    (void)context;
    return false;
}

static void wait_forever(void *argument)
{
    strand_wait(argument, STRAND_SPINNING, never, NULL);
}

static void count_up(void *argument)
{
    unsigned *count = argument;

    (*count)++;
}

static void reset_drops_strands_in_the_middle_of_something(void **state)
{
    struct machine machine;
    unsigned count = 0;

    (void)state;
    init(&machine, 1, 1);
    strand_spawn(machine_cpu(&machine, 0), wait_forever, &machine, NULL);
    assert_int_equal(machine_run(&machine), MACHINE_DEADLOCK);
    reset(&machine, 1, 1);
    assert_int_equal(machine_run(&machine), MACHINE_IDLE);
    strand_spawn(machine_cpu(&machine, 0), count_up, &count, NULL);
    assert_int_equal(machine_run(&machine), MACHINE_IDLE);
    assert_int_equal(count, 1);
    assert_int_equal(machine.stacks.made, 1);
    machine_release(&machine);
}

struct frozen {
    struct machine *machine;
    unsigned others, at_the_end;
};

static void count_late(void *argument)
{
    struct frozen *frozen = argument;

    cpu_spend(strand_current(frozen->machine)->cpu, 1000, 1);
    cpu_checkpoint(strand_current(frozen->machine)->cpu);
    frozen->others++;
}

static void freeze_and_spend(void *argument)
{
    struct frozen *frozen = argument;
    struct cpu *cpu = strand_current(frozen->machine)->cpu;

    machine_freeze(frozen->machine);
    for (unsigned i = 0; i < 10; i++) {
        cpu_spend(cpu, 10000, 1);
        cpu_checkpoint(cpu);
    }
    frozen->at_the_end = frozen->others;
    machine_stop(frozen->machine);
}

static void no_processor_goes_on_but_the_one_that_has_frozen_the_others(
    void **state)
{
    struct machine machine;
    struct frozen frozen = {.machine = &machine};

    (void)state;
    init(&machine, 3, 1);
    strand_spawn(machine_cpu(&machine, 0), count_late, &frozen, NULL);
    strand_spawn(machine_cpu(&machine, 1), freeze_and_spend, &frozen, NULL);
    strand_spawn(machine_cpu(&machine, 2), count_late, &frozen, NULL);
    assert_int_equal(machine_run(&machine), MACHINE_STOPPED);
    assert_int_equal(frozen.at_the_end, 0);
    assert_int_equal(machine_cpu(&machine, 1)->time, 100000);
    assert_true(machine_cpu(&machine, 1)->lapic.nmi_blocked);
    reset(&machine, 3, 1);
    strand_spawn(machine_cpu(&machine, 0), count_late, &frozen, NULL);
    assert_int_equal(machine_run(&machine), MACHINE_IDLE);
    assert_int_equal(frozen.others, 1);
    machine_release(&machine);
}

static void reset_lets_a_stopped_machine_run_again(void **state)
{
    struct machine machine;
    unsigned count = 0;

    (void)state;
    init(&machine, 1, 1);
    machine.budget = 0;
    machine_stop(&machine);
    reset(&machine, 1, 1);
    strand_spawn(machine_cpu(&machine, 0), count_up, &count, NULL);
    assert_int_equal(machine_run(&machine), MACHINE_IDLE);
    assert_int_equal(count, 1);
    machine_release(&machine);
}

static void ignore(void *context, struct cpu *cpu, uint8_t vector)
{
    (void)context;
    (void)cpu;
    (void)vector;
}

static void reset_forgets_handler_memory_trace_and_time(void **state)
{
    struct machine machine;
    void *block;

    (void)state;
    init(&machine, 1, 1);
    machine_on_interrupt(&machine, ignore, &machine);
    block = memory_alloc(&machine.memory, 10, 0);
    assert_int_equal(msr_write(machine_cpu(&machine, 0), 0x0C1, 5), MSR_OK);
    reset(&machine, 1, 1);

    assert_null(machine.interrupt);
    assert_null(memory_find(&machine.memory, block));
    assert_int_equal(machine.trace.count, 0);
    assert_int_equal(machine_cpu(&machine, 0)->time, 0);
    assert_int_equal(pmu_value(&machine_cpu(&machine, 0)->pmu, 0), 0);
    machine_release(&machine);
}

static void guest_addresses_are_the_same_after_reset(void **state)
{
    struct machine machine;
    const struct cpu *cpu;
    const void *block;

    (void)state;
    init(&machine, 4, 1);
    cpu = machine_cpu(&machine, 3);
    block = memory_alloc(&machine.memory, 10, 0);
    reset(&machine, 4, 1);
    assert_ptr_equal(machine_cpu(&machine, 3), cpu);
    assert_ptr_equal(memory_alloc(&machine.memory, 10, 0), block);
    machine_release(&machine);
}

static void largest_machine_runs_a_strand_on_each_processor(void **state)
{
    struct machine machine;
    unsigned count = 0;

    (void)state;
    init(&machine, 2048, 32);
    for (uint32_t i = 0; i < 2048; i++) {
        assert_non_null(
            strand_spawn(machine_cpu(&machine, i), count_up, &count, NULL));
    }
    assert_int_equal(machine_run(&machine), MACHINE_IDLE);
    assert_int_equal(count, 2048);
    assert_in_range(machine.arena.used, 1, 32 << 20);
    machine_release(&machine);
}

static void smaller_machine_may_follow_a_larger_one(void **state)
{
    struct machine machine;

    (void)state;
    init(&machine, 2048, 32);
    reset(&machine, 2, 1);
    assert_int_equal(machine.topology.processors, 2);
    assert_int_equal(machine_cpu(&machine, 1)->group, 0);
    assert_int_equal(machine_run(&machine), MACHINE_IDLE);
    machine_release(&machine);
}

/* Of two groups of two the first one is active. */
static void processors_that_start_are_the_next_ones(void **state)
{
    struct machine_config config = {.processors = 4,
        .active = 2,
        .groups = 2,
        .pmu = pmu_models[MODEL_INTEL_V2]};
    struct machine machine;

    (void)state;
    assert_true(machine_reserve(&machine));
    machine_reset(&machine, &config);
    assert_int_equal(machine.topology.processors, 2);
    assert_ptr_equal(machine_start_cpu(&machine), machine_cpu(&machine, 2));
    assert_int_equal(machine.topology.processors, 3);
    assert_int_equal(machine.topology.group_size[1], 1);
    assert_ptr_equal(machine_start_cpu(&machine), machine_cpu(&machine, 3));
    assert_int_equal(machine.topology.processors, 4);
    assert_int_equal(machine.topology.group_size[1], 2);
    assert_int_equal(machine.all.processors, 4);
    machine_release(&machine);
}

static void two_machines_do_not_share_registers(void **state)
{
    struct machine first, second;

    (void)state;
    init(&first, 1, 1);
    init(&second, 1, 1);
    assert_int_equal(msr_write(machine_cpu(&first, 0), 0x0C1, 5), MSR_OK);
    assert_int_equal(pmu_value(&machine_cpu(&second, 0)->pmu, 0), 0);
    assert_int_equal(machine_cpu(&second, 0)->time, 0);
    machine_release(&second);
    machine_release(&first);
}

/* Five segments of 1,000 cycles, with a counter that overflows after as many
 * or a few more. */
static void busy(void *argument)
{
    struct cpu *cpu = argument;

    msr_write(cpu, 0x834, 0xFE);
    msr_write(cpu, 0x0C1, 0xFFFFFC18 - cpu->index);
    msr_write(cpu, 0x186, 0x53003C);
    for (int i = 0; i < 5; i++) {
        struct segment segment;

        segment_init(
            &segment, cpu->pmu.model, cpu_unhalted(cpu), 1000, RING_USER);
        cpu_run_segment(cpu, &segment);
    }
}

static void rearm(void *context, struct cpu *cpu, uint8_t vector)
{
    (void)context;
    (void)vector;
    msr_write(cpu, 0x390, 0x1);
    msr_write(cpu, 0x0C1, 0xFFFFFC18 - cpu->index);
    msr_write(cpu, 0x834, 0xFE);
    msr_write(cpu, 0x80B, 0);
}

/* Runs three busy processors; the trace as text, one line a record. */
static void run_busy(struct machine *machine, char *text, size_t size)
{
    size_t used = 0;

    machine_on_interrupt(machine, rearm, NULL);
    for (uint32_t i = 0; i < 3; i++) {
        struct cpu *cpu = machine_cpu(machine, i);

        assert_non_null(strand_spawn(cpu, busy, cpu, NULL));
    }
    assert_int_equal(machine_run(machine), MACHINE_IDLE);
    for (size_t n = 0; n < machine->trace.count; n++) {
        assert_in_range(used, 0, size - 200);
        used += trace_format(&machine->trace, n, text + used, size - used);
        text[used++] = '\n';
    }
    text[used] = '\0';
}

static void same_program_gives_the_same_trace(void **state)
{
    static char want[32768], got[32768];
    struct machine first, second;

    (void)state;
    init(&first, 3, 1);
    init(&second, 3, 1); /* at other host addresses */
    run_busy(&first, want, sizeof(want));
    assert_non_null(strstr(want, "cpu2 pmi_taken vector=0xfe\n"));
    run_busy(&second, got, sizeof(got));
    assert_string_equal(got, want);
    reset(&first, 3, 1);
    run_busy(&first, got, sizeof(got));
    assert_string_equal(got, want);
    machine_release(&second);
    machine_release(&first);
}

/* What guests see lies where it lay; what is ours does not. */
static void machine_reserved_again_lies_elsewhere(void **state)
{
    struct machine machine, released;

    (void)state;
    init(&machine, 1, 1);
    released = machine;
    machine_release(&machine);
    init(&machine, 1, 1);
    assert_int_equal((uintptr_t)machine.memory.base, 0x1801fc000000);
    assert_int_equal((uintptr_t)machine.guest_stacks.base, 0x180400000000);
    assert_ptr_not_equal(machine.arena.base, released.arena.base);
    assert_ptr_not_equal(machine.stacks.base, released.stacks.base);
    assert_ptr_not_equal(machine.memory.page, released.memory.page);
    assert_ptr_not_equal(machine.memory.block, released.memory.block);
    machine_release(&machine);
}

static void released_machine_gives_the_host_its_memory_back(void **state)
{
    struct machine machine, released;
    uint8_t *block, *stack, *guest_stack;

    (void)state;
    init(&machine, 1, 1);
    block = memory_alloc(&machine.memory, 10, 0);
    stack = stack_pool_take(&machine.stacks);
    guest_stack = stack_pool_take(&machine.guest_stacks);
    released = machine;
    assert_true(host_byte_is_open(released.arena.base));
    assert_true(host_byte_is_open(block));
    assert_true(host_byte_is_open(stack));
    assert_true(host_byte_is_open(guest_stack));
    machine_release(&machine);
    assert_false(host_byte_is_open(released.arena.base));
    assert_false(host_byte_is_open(block));
    assert_false(host_byte_is_open(stack));
    assert_false(host_byte_is_open(guest_stack));
}

TEST_FILE(test_machine)
{
    TEST_ADD_ROWS(list, place_row, place_rows);
    TEST_ADD_GROUP(list, "kind", kind_row, kind_rows);
    TEST_ADD_ROWS(list, memory_row, memory_rows);
    test_add(
        list, "machine_is_made_of_nothing", machine_is_made_of_nothing, NULL);
    test_add(list, "processor_after_reset_has_done_nothing",
        processor_after_reset_has_done_nothing, NULL);
    test_add(list, "same_msr_on_64_processors_is_64_registers",
        same_msr_on_64_processors_is_64_registers, NULL);
    test_add(list, "reset_drops_strands_in_the_middle_of_something",
        reset_drops_strands_in_the_middle_of_something, NULL);
    test_add(list,
        "no_processor_goes_on_but_the_one_that_has_frozen_the_others",
        no_processor_goes_on_but_the_one_that_has_frozen_the_others, NULL);
    test_add(list, "reset_lets_a_stopped_machine_run_again",
        reset_lets_a_stopped_machine_run_again, NULL);
    test_add(list, "reset_forgets_handler_memory_trace_and_time",
        reset_forgets_handler_memory_trace_and_time, NULL);
    test_add(list, "guest_addresses_are_the_same_after_reset",
        guest_addresses_are_the_same_after_reset, NULL);
    test_add(list, "largest_machine_runs_a_strand_on_each_processor",
        largest_machine_runs_a_strand_on_each_processor, NULL);
    test_add(list, "smaller_machine_may_follow_a_larger_one",
        smaller_machine_may_follow_a_larger_one, NULL);
    test_add(list, "processors_that_start_are_the_next_ones",
        processors_that_start_are_the_next_ones, NULL);
    test_add(list, "two_machines_do_not_share_registers",
        two_machines_do_not_share_registers, NULL);
    test_add(list, "same_program_gives_the_same_trace",
        same_program_gives_the_same_trace, NULL);
    test_add(list, "released_machine_gives_the_host_its_memory_back",
        released_machine_gives_the_host_its_memory_back, NULL);
    test_add(list, "machine_reserved_again_lies_elsewhere",
        machine_reserved_again_lies_elsewhere, NULL);
}
