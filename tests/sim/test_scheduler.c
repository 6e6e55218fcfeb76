/* test_scheduler.c - who goes on, who waits, and how a run ends.
 *
 * Strands are written as programs of one letter and a number a step, see
 * act_once(). What they note reads "a1@300": strand a, on processor 1, at 300.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/machine.h"
#include "sim/strand.h"
#include "tests/rows.h"

enum { PROCESSORS = 4, STRANDS = 4 };

struct actor {
    struct stage *stage;
    struct cpu *cpu;
    char name;
    const char *program;
};

struct stage {
    struct machine machine;
    struct actor actor[STRANDS]; /* a, b, c, d */
    bool flag[2];
    char journal[256];
};

static void note(struct stage *stage, char name, const struct cpu *cpu)
{
    size_t used = strlen(stage->journal);

    snprintf(stage->journal + used, sizeof(stage->journal) - used,
        "%s%c%u@%llu", used == 0 ? "" : " ", name, cpu->index,
        (unsigned long long)cpu->time);
}

static bool flag_is_set(void *context)
{
    return *(const bool *)context;
}

static void run(struct cpu *cpu, uint64_t cycles)
{
    struct segment segment;

    segment_init(&segment, cpu->pmu.model, cpu->unhalted, cycles, RING_USER);
    cpu_run_segment(cpu, &segment);
}

/* A call on another processor notes that it is there. */
struct visit {
    struct actor *actor;
    struct cpu *cpu;
};

static void visit(void *argument)
{
    struct visit *there = argument;

    note(there->actor->stage, there->actor->name, there->cpu);
}

static void act_once(struct actor *actor, char step, uint64_t n)
{
    struct machine *machine = &actor->stage->machine;
    struct visit there = {.actor = actor};

    switch (step) {
    case 'r': /* run a segment of n cycles */
        run(actor->cpu, n);
        break;
    case 'k': /* spend n cycles in the kernel, which is no preemption point */
        cpu_spend(actor->cpu, n, 1);
        break;
    case 'p': /* a preemption point */
        cpu_checkpoint(actor->cpu);
        break;
    case 'n':
        note(actor->stage, actor->name, actor->cpu);
        break;
    case 'f': /* set flag n */
        actor->stage->flag[n] = true;
        break;
    case 's': /* wait for flag n, spinning */
        strand_wait(
            machine, STRAND_SPINNING, flag_is_set, &actor->stage->flag[n]);
        break;
    case 'b': /* wait for flag n, blocked */
        strand_wait(
            machine, STRAND_BLOCKED, flag_is_set, &actor->stage->flag[n]);
        break;
    case 'c': /* call on processor n */
        there.cpu = machine_cpu(machine, (uint32_t)n);
        strand_call_on(there.cpu, visit, &there, NULL);
        break;
    case 'm': /* move to processor n */
        actor->cpu = machine_cpu(machine, (uint32_t)n);
        strand_move(machine, actor->cpu);
        break;
    case 'x':
        machine_stop(machine);
        break;
    default:
        abort();
    }
}

static void act(void *argument)
{
    struct actor *actor = argument;
    const char *at = actor->program;

    while (*at != '\0') {
        char step = *at++;
        char *end;
        uint64_t n = strtoull(at, &end, 10);

        at = end;
        act_once(actor, step, n);
    }
}

static void stage_init(struct stage *stage)
{
    struct machine_config config = {.processors = PROCESSORS,
        .groups = 1,
        .pmu = pmu_models[MODEL_INTEL_V2]};

    memset(stage, 0, sizeof(*stage));
    assert_true(machine_reserve(&stage->machine));
    machine_reset(&stage->machine, &config);
}

static struct strand *enter(
    struct stage *stage, unsigned i, uint32_t processor, const char *program)
{
    struct actor *actor = &stage->actor[i];
    struct strand *strand;

    *actor = (struct actor){.stage = stage,
        .cpu = machine_cpu(&stage->machine, processor),
        .name = (char)('a' + i),
        .program = program};
    strand = strand_spawn(actor->cpu, act, actor, NULL);
    assert_non_null(strand);
    return strand;
}

static struct play_row {
    const char *name;
    struct {
        uint32_t processor;
        const char *program;
    } strand[STRANDS]; /* in the order in which they are made */
    enum machine_end want_end;
    const char *want_journal;
} play_rows[] = {
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
    {"strand_moves_and_takes_its_time_along", {{0, "r100m2nr100n"}},
        MACHINE_IDLE, "a2@100 a2@200"},
    {"strand_moves_to_a_later_time", {{0, "r100m1n"}, {1, "k500"}},
        MACHINE_IDLE, "a1@500"},
    {"strand_moves_to_where_it_is", {{0, "r100m0n"}, {0, "n"}}, MACHINE_IDLE,
        "a0@100 b0@100"},
    {"strand_that_moves_leaves_its_processor_to_the_next",
        {{0, "r100m1r500n"}, {0, "n"}}, MACHINE_IDLE, "b0@100 a1@600"},
    {"strand_that_moves_waits_for_those_that_are_there",
        {{0, "r100m1n"}, {1, "r300n"}, {1, "n"}}, MACHINE_IDLE,
        "b1@300 c1@300 a1@300"},
    {"strand_moves_back", {{0, "nm1nm0n"}}, MACHINE_IDLE, "a0@0 a1@0 a0@0"},
    {"strand_that_moved_waits_where_it_is",
        {{0, "m1b0n"}, {1, "r10n"}, {0, "r1000f0"}}, MACHINE_IDLE,
        "b1@10 a1@1000"},
    {"move_to_a_processor_that_spins_for_ever_is_a_deadlock",
        {{0, "m1n"}, {1, "s0"}}, MACHINE_DEADLOCK, ""},
};

static void play_row(void **state)
{
    const struct play_row *row = *state;
    struct stage stage;

    stage_init(&stage);
    for (unsigned i = 0; i < STRANDS && row->strand[i].program != NULL; i++) {
        enter(&stage, i, row->strand[i].processor, row->strand[i].program);
    }

    assert_int_equal(machine_run(&stage.machine), row->want_end);
    assert_string_equal(stage.journal, row->want_journal);
    machine_release(&stage.machine);
}

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
    cpu->pmu.fixed_ctrl = 0x11;
    cpu->pmu.global_ctrl = 0x300000000;
    pmu_decode(&cpu->pmu);
    enter(&stage, 0, 0, row->program);
    enter(&stage, 1, 1, "r1000f0");
    machine_run(&stage.machine);

    assert_int_equal(cpu->time, 1000);
    assert_int_equal(cpu->pmu.counter[8].value, row->want_instructions);
    assert_int_equal(cpu->pmu.counter[9].value, row->want_cycles);
    assert_int_equal(cpu->unhalted, row->want_unhalted);
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
    cpu->pmi_due = 500;
    enter(&stage, 0, 0, row->program);
    enter(&stage, 1, 1, "r1000f0n");

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_string_equal(stage.journal, row->want_journal);
    assert_int_equal(cpu->unhalted, row->want_unhalted);
    machine_release(&stage.machine);
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

int main(void)
{
    struct test_list list = {.count = 0};

    TEST_ADD_ROWS(&list, play_row, play_rows);
    TEST_ADD_ROWS(&list, budget_row, budget_rows);
    TEST_ADD_ROWS(&list, charge_row, charge_rows);
    TEST_ADD_ROWS(&list, interrupt_row, interrupt_rows);
    test_add(&list, "stopped_machine_stays_stopped",
        stopped_machine_stays_stopped, NULL);
    test_add(&list, "budget_raised_again_lets_the_run_go_on",
        budget_raised_again_lets_the_run_go_on, NULL);
    return test_run("sim.scheduler", &list);
}
