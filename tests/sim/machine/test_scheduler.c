/* test_scheduler.c - who goes on, who waits, and how a run ends. */
#include "tests/sim/machine/stage.h"

static struct play_row play_rows[] = {
    {"machine_without_strands_is_idle", {{0, NULL}}, MACHINE_IDLE, ""},
    {"processor_with_the_smallest_time_goes_next",
        {{0, "r300n"}, {1, "r100nr100nr100n"}}, MACHINE_IDLE,
        "b1@100 b1@200 a0@300 b1@300"},
    {"equal_times_go_to_the_lower_number",
        {{3, "nr100n"}, {2, "nr100n"}, {1, "nr100n"}, {0, "nr100n"}},
        MACHINE_IDLE, "d0@0 c1@0 b2@0 a3@0 d0@100 c1@100 b2@100 a3@100"},
    {"strands_of_a_processor_run_in_the_order_of_their_making",
        {{0, "r100n"}, {0, "r50n"}, {0, "n"}}, MACHINE_IDLE,
        "a0@100 b0@150 c0@150"},
    {"strand_runs_to_its_end_before_the_next_one",
        {{0, "r100nr100n"}, {0, "n"}}, MACHINE_IDLE, "a0@100 a0@200 b0@200"},
    {"kernel_code_is_not_preempted", {{0, "k500n"}, {1, "r100n"}}, MACHINE_IDLE,
        "a0@500 b1@100"},
    {"preemption_point_lets_earlier_times_go_first",
        {{0, "k500pn"}, {1, "r100n"}}, MACHINE_IDLE, "b1@100 a0@500"},
    {"spinning_strand_goes_on_when_its_condition_holds",
        {{0, "s0n"}, {1, "r1000f0n"}}, MACHINE_IDLE, "b1@1000 a0@1000"},
    {"blocked_strand_goes_on_when_its_condition_holds",
        {{0, "b0n"}, {1, "r1000f0n"}}, MACHINE_IDLE, "b1@1000 a0@1000"},
    {"condition_that_holds_is_not_waited_for", {{0, "r10f0s0nb0n"}},
        MACHINE_IDLE, "a0@10 a0@10"},
    {"spinning_strand_keeps_its_processor",
        {{0, "s0n"}, {0, "n"}, {1, "r1000f0"}}, MACHINE_IDLE,
        "a0@1000 b0@1000"},
    {"blocked_strand_leaves_its_processor_to_the_next",
        {{0, "b0n"}, {0, "r10n"}, {1, "r1000f0"}}, MACHINE_IDLE,
        "b0@10 a0@1000"},
    {"strand_whose_wait_is_over_waits_for_its_processor",
        {{0, "b0n"}, {0, "r5000n"}, {1, "r1000f0"}}, MACHINE_IDLE,
        "b0@5000 a0@5000"},
    {"waiting_strands_of_a_processor_go_on_in_the_order_of_their_waiting",
        {{0, "b1b0n"}, {0, "b0n"}, {1, "r100f1r100f0"}}, MACHINE_IDLE,
        "b0@200 a0@200"},
    {"waiting_processors_go_on_by_number",
        {{1, "s0n"}, {0, "r10s0n"}, {2, "r1000f0n"}}, MACHINE_IDLE,
        "c2@1000 b0@1000 a1@1000"},
    {"spinning_alone_is_a_deadlock", {{0, "s0n"}}, MACHINE_DEADLOCK, ""},
    {"blocking_alone_is_a_deadlock", {{0, "b0n"}}, MACHINE_DEADLOCK, ""},
    {"deadlock_is_seen_when_the_others_have_ended", {{0, "s0n"}, {1, "r100n"}},
        MACHINE_DEADLOCK, "b1@100"},
    {"waiting_for_each_other_is_a_deadlock", {{0, "s0f1n"}, {1, "s1f0n"}},
        MACHINE_DEADLOCK, ""},
    {"strand_behind_a_spinning_one_never_starts", {{0, "s0n"}, {0, "f0n"}},
        MACHINE_DEADLOCK, ""},
    {"stop_ends_the_run_at_once", {{0, "r100nxn"}, {1, "r200n"}},
        MACHINE_STOPPED, "a0@100"},
    {"call_on_another_processor_runs_there", {{0, "r100c1n"}}, MACHINE_IDLE,
        "a1@100 a0@100"},
    {"call_on_the_own_processor_runs_at_once", {{0, "r100c0n"}, {0, "n"}},
        MACHINE_IDLE, "a0@100 a0@100 b0@100"},
    {"call_waits_for_a_busy_processor", {{0, "r100c1n"}, {1, "r500n"}},
        MACHINE_IDLE, "b1@500 a1@500 a0@500"},
    {"caller_leaves_its_processor_to_others",
        {{0, "r100c1n"}, {0, "r50n"}, {1, "r500n"}}, MACHINE_IDLE,
        "b0@150 c1@500 a1@500 a0@500"},
    {"call_does_not_begin_before_it_is_made", {{0, "k500c1n"}}, MACHINE_IDLE,
        "a1@500 a0@500"},
    {"call_does_not_wait_for_the_latest_time", {{0, "r100c1n"}, {2, "k5000"}},
        MACHINE_IDLE, "a1@100 a0@100"},
    {"spinning_strand_does_not_wait_for_the_latest_time",
        {{0, "s0n"}, {1, "r1000f0"}, {2, "k5000"}}, MACHINE_IDLE, "a0@1000"},
    {"blocked_strand_does_not_wait_for_the_latest_time",
        {{0, "b0n"}, {1, "r1000f0"}, {2, "k5000"}}, MACHINE_IDLE, "a0@1000"},
};

/* Two processors with three segments each. A segment passes two preemption
 * points, one before its cycles and one after: twelve in all. The one that
 * takes the last of the budget is not left. */
static struct budget_row {
    const char *name;
    uint64_t budget;
    enum machine_end want_end;
    const char *want_journal;
} budget_rows[] = {
    {"budget_of_nothing_runs_nothing", 0, MACHINE_BUDGET, ""},
    {"budget_of_four_ends_at_the_fourth_point", 4, MACHINE_BUDGET, "a0@100"},
    {"budget_one_short_leaves_the_last_strand", 12, MACHINE_BUDGET,
        "a0@100 b1@100 a0@200 b1@200 a0@300"},
    {"budget_that_is_just_enough_ends_idle", 13, MACHINE_IDLE,
        "a0@100 b1@100 a0@200 b1@200 a0@300 b1@300"},
};

static void budget_row(void **state)
{
    const struct budget_row *row = *state;
    struct stage stage;

    stage_init(&stage);
    enter(&stage, 0, 0, "r100nr100nr100n");
    enter(&stage, 1, 1, "r100nr100nr100n");
    stage.machine.budget = row->budget;

    assert_int_equal(machine_run(&stage.machine), row->want_end);
    assert_string_equal(stage.journal, row->want_journal);
    machine_release(&stage.machine);
}

/* How a wait of 1,000 cycles is charged to counters of kernel instructions and
 * core cycles: a PAUSE loop retires one in 40. */
static struct charge_row {
    const char *name;
    const char *program;
    uint64_t want_instructions, want_cycles, want_unhalted;
} charge_rows[] = {
    {"spinning_is_charged_to_the_processor", "s0", 25, 1000, 1000},
    {"blocking_is_not_charged", "b0", 0, 0, 0},
};

static void charge_row(void **state)
{
    const struct charge_row *row = *state;
    struct stage stage;
    struct cpu *cpu;

    stage_init(&stage);
    cpu = machine_cpu(&stage.machine, 0);
    pmu_set_fixed_ctrl(&cpu->pmu, 0x11);
    pmu_set_global_ctrl(&cpu->pmu, 0x300000000);
    enter(&stage, 0, 0, row->program);
    enter(&stage, 1, 1, "r1000f0");
    machine_run(&stage.machine);

    assert_int_equal(cpu->time, 1000);
    assert_int_equal(pmu_value(&cpu->pmu, 8), row->want_instructions);
    assert_int_equal(pmu_value(&cpu->pmu, 9), row->want_cycles);
    assert_int_equal(cpu_unhalted(cpu), row->want_unhalted);
    machine_release(&stage.machine);
}

static void note_interrupt(void *context, struct cpu *cpu, uint8_t vector)
{
    note(context, vector == 0xFE ? '!' : '?', cpu);
    lapic_eoi(&cpu->lapic);
}

/* A PMI request arrives at processor 0 at 500, while it does this. */
static struct interrupt_row {
    const char *name;
    const char *program;
    const char *want_journal;
    uint64_t want_unhalted;
} interrupt_rows[] = {
    {"idle_processor_takes_an_interrupt", "", "!0@500 b1@1000", 0},
    {"blocked_strand_s_processor_takes_an_interrupt", "b0n",
        "!0@500 b1@1000 a0@1000", 0},
    {"spinning_processor_takes_an_interrupt_and_waits_on", "s0n",
        "!0@500 b1@1000 a0@1000", 1000},
    {"running_segment_takes_an_interrupt", "r2000n", "!0@500 b1@1000 a0@2000",
        2000},
};

static void interrupt_row(void **state)
{
    const struct interrupt_row *row = *state;
    struct stage stage;
    struct cpu *cpu;

    stage_init(&stage);
    machine_on_interrupt(&stage.machine, note_interrupt, &stage);
    cpu = machine_cpu(&stage.machine, 0);
    cpu->lapic.lvtpc = 0xFE;
    cpu->pmi_due = 490;
    enter(&stage, 0, 0, row->program);
    enter(&stage, 1, 1, "r1000f0n");

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_string_equal(stage.journal, row->want_journal);
    assert_int_equal(cpu_unhalted(cpu), row->want_unhalted);
    machine_release(&stage.machine);
}

/* Processor 0 looks at 0, at 1,000 and at 2,000 who has nothing to do. */
struct look {
    struct stage stage;
    uint64_t seen[3];
};

static void look(void *argument)
{
    struct look *look = argument;
    struct machine *machine = &look->stage.machine;

    for (unsigned i = 0; i < 3; i++) {
        look->seen[i] = strand_unoccupied(machine, 0);
        run(machine_cpu(machine, 0), 1000);
    }
}

static void processors_without_anything_to_do_are_known(void **state)
{
    static struct look at;

    (void)state;
    stage_init(&at.stage);
    assert_non_null(
        strand_spawn(machine_cpu(&at.stage.machine, 0), look, &at, NULL));
    enter(&at.stage, 1, 2, "r500");
    enter(&at.stage, 2, 3, "r1500");

    assert_int_equal(machine_run(&at.stage.machine), MACHINE_IDLE);
    assert_int_equal(at.seen[0], 0x2);
    assert_int_equal(at.seen[1], 0x6);
    assert_int_equal(at.seen[2], 0xE);
    assert_int_equal(strand_unoccupied(&at.stage.machine, 0), 0xF);
    machine_release(&at.stage.machine);
}

static void stopped_machine_stays_stopped(void **state)
{
    struct stage stage;

    (void)state;
    stage_init(&stage);
    enter(&stage, 0, 0, "r100nxn");
    enter(&stage, 1, 1, "r200n");
    machine_run(&stage.machine);
    assert_int_equal(machine_run(&stage.machine), MACHINE_STOPPED);
    assert_string_equal(stage.journal, "a0@100");
    machine_release(&stage.machine);
}

static void budget_raised_again_lets_the_run_go_on(void **state)
{
    struct stage stage;

    (void)state;
    stage_init(&stage);
    enter(&stage, 0, 0, "r100nr100n");
    enter(&stage, 1, 1, "r100nr100n");
    stage.machine.budget = 3;
    assert_int_equal(machine_run(&stage.machine), MACHINE_BUDGET);
    stage.machine.budget = 100;
    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_string_equal(stage.journal, "a0@100 b1@100 a0@200 b1@200");
    machine_release(&stage.machine);
}

TEST_FILE(test_scheduler)
{
    TEST_ADD_ROWS(list, play_row, play_rows);
    TEST_ADD_ROWS(list, budget_row, budget_rows);
    TEST_ADD_ROWS(list, charge_row, charge_rows);
    TEST_ADD_ROWS(list, interrupt_row, interrupt_rows);
    test_add(list, "processors_without_anything_to_do_are_known",
        processors_without_anything_to_do_are_known, NULL);
    test_add(list, "stopped_machine_stays_stopped",
        stopped_machine_stays_stopped, NULL);
    test_add(list, "budget_raised_again_lets_the_run_go_on",
        budget_raised_again_lets_the_run_go_on, NULL);
}
