/* test_schedule.c - who goes on when somebody else than the time decides, and
 * what time it is then. */
#include "sim/machine/scheduler.h"
#include "tests/sim/machine/stage.h"

/* The processors that are let go on, a digit for each choice, c for the clock
 * and l for later; "-" and behind the end: the usual one. */
struct chooser {
    const char *at;
    char asked[256]; /* each choice: its candidates and the usual one, "01:0" */
};

static char letter(uint32_t candidate)
{
    return candidate == SCHEDULE_CLOCK   ? 'c'
           : candidate == SCHEDULE_LATER ? 'l'
                                         : (char)('0' + candidate);
}

static uint32_t choose(void *context, const struct schedule_choice *choice)
{
    struct chooser *chooser = context;
    size_t used = strlen(chooser->asked);
    char wanted = *chooser->at;

    for (size_t i = 0; i < choice->count; i++) {
        used += (size_t)snprintf(chooser->asked + used,
            sizeof(chooser->asked) - used, "%s%c",
            i > 0 || used == 0 ? "" : " ", letter(choice->candidate[i]));
    }
    snprintf(chooser->asked + used, sizeof(chooser->asked) - used, ":%u",
        choice->usual);
    chooser->at += wanted != '\0';
    return wanted == '\0' || wanted == '-' ? choice->usual
           : wanted == 'c'                 ? (uint32_t)SCHEDULE_CLOCK
           : wanted == 'l'                 ? (uint32_t)SCHEDULE_LATER
                                           : (uint32_t)(wanted - '0');
}

static struct schedule schedule;

static struct chosen_row {
    const char *name;
    struct {
        uint32_t processor;
        const char *program;
    } strand[STRANDS];
    const char *chosen;
    const char *want_journal;
    const char *want_asked;
} chosen_rows[] = {
    {"processor_goes_on_until_it_ends", {{0, "k10pnk10pn"}, {1, "k10pn"}}, "",
        "a0@10 a0@20 b1@30", "01:0 01:0 01:0"},
    {"another_one_goes_first", {{0, "k10pnk10pn"}, {1, "k10pn"}}, "1",
        "b1@10 a0@20 a0@30", "01:0 01:1"},
    {"one_that_was_kept_goes_on_no_earlier", {{0, "k10pnk10pn"}, {1, "k50pn"}},
        "-1", "b1@60 a0@60 a0@70", "01:0 01:0 01:1"},
    {"one_that_lets_time_pass_gives_way_to_an_earlier_one",
        {{0, "r100n"}, {1, "k10pn"}}, "", "b1@10 a0@100", "01:0 01:1 01:1"},
    {"segment_goes_on_where_it_was_kept", {{0, "r100nr50n"}, {1, "r300n"}},
        "-1111111", "b1@300 a0@300 a0@350", "01:0 01:1 01:0 01:1"},
    {"nobody_is_asked_about_one_alone", {{2, "k10pnk10pn"}}, "0", "a2@10 a2@20",
        ""},
};

static void chosen_row(void **state)
{
    const struct chosen_row *row = *state;
    struct chooser chooser = {.at = row->chosen};
    struct stage stage;

    stage_init(&stage);
    schedule_init(&schedule, false, choose, &chooser);
    stage.machine.schedule = &schedule;
    for (unsigned i = 0; i < STRANDS && row->strand[i].program != NULL; i++) {
        enter(&stage, i, row->strand[i].processor, row->strand[i].program);
    }

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_string_equal(stage.journal, row->want_journal);
    assert_string_equal(chooser.asked, row->want_asked);
    machine_release(&stage.machine);
}

/* An alarm that notes when it comes, "!0@100": on no processor. */
struct bell {
    struct machine_alarm alarm;
    struct stage *stage;
    uint64_t every; /* 0: once */
};

static void ring(void *context)
{
    struct bell *bell = context;
    struct machine *machine = &bell->stage->machine;
    struct cpu nobody = {.time = machine->now};

    note(bell->stage, '!', &nobody);
    if (bell->every > 0) {
        machine_set_alarm(machine, &bell->alarm, machine->now + bell->every);
    }
}

/* The model has 2,500 cycles a microsecond. */
#define LAG UINT64_C(250000000)

static struct alarm_row {
    const char *name;
    uint64_t at, every;
    bool on_time;
    const char *program[2]; /* of a on processor 0, b on 1 */
    const char *chosen;
    const char *want_journal;
    const char *want_asked;
} alarm_rows[] = {
    {"alarm_comes_at_its_time", 100, 0, false, {"k10pnk10pn"}, "",
        "a0@10 a0@20", "0c:0 0c:0 0c:0"},
    {"alarm_comes_before_the_code_goes_on", 100, 0, false, {"k10pnk10pn"}, "-c",
        "!0@100 a0@100 a0@110", "0c:0 0c:0"},
    {"alarm_comes_first_of_all", 100, 0, false, {"k10pn", "k10pn"}, "c",
        "!0@100 a0@110 b1@120", "01c:0 01:0 01:0"},
    {"nobody_is_asked_about_an_alarm_that_is_on_time", 100, 0, true,
        {"k10pnk10pn"}, "", "a0@10 a0@20", ""},
    {"alarm_that_is_due_comes_unasked", 15, 0, false, {"k10pnk10pnk10pn"}, "",
        "a0@10 !0@15 a0@20 a0@30", "0c:0 0c:0"},
    {"alarm_comes_before_the_one_that_is_chosen_goes_on", 200, 0, true,
        {"r300n", "k10pk10pn"}, "00", "!0@200 a0@300 b1@320", "01:0 01:1 01:0"},
    {"alarm_at_the_end_of_the_lag", LAG, 0, false, {"k10pn"}, "c",
        "!0@250000000 a0@250000010", "0c:0"},
    {"alarm_behind_it", LAG + 1, 0, false, {"k10"}, "", "", ""},
    {"alarm_again_and_again_ends", 100, 100, false, {"k10pn"},
        "cccccccccccccccccccccccccccccccccccccccc", "", ""},
};

static void alarm_row(void **state)
{
    const struct alarm_row *row = *state;
    struct chooser chooser = {.at = row->chosen};
    struct stage stage;
    struct bell bell = {{.action = ring}, &stage, row->every};

    bell.alarm.context = &bell;
    stage_init(&stage);
    schedule_init(&schedule, !row->on_time, choose, &chooser);
    stage.machine.schedule = &schedule;
    for (unsigned i = 0; i < 2 && row->program[i] != NULL; i++) {
        enter(&stage, i, i, row->program[i]);
    }
    machine_set_alarm(&stage.machine, &bell.alarm, row->at);

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    if (row->every > 0) {
        assert_int_equal(stage.machine.now, 32 * 100 + 10);
    } else {
        assert_string_equal(stage.journal, row->want_journal);
        assert_string_equal(chooser.asked, row->want_asked);
    }
    machine_release(&stage.machine);
}

/* What it is to answer for does not grow while it stands still. */
static void time_of_its_own_leaves_out_what_it_stood_still(void **state)
{
    struct chooser chooser = {.at = "-1"};
    struct stage stage;

    (void)state;
    stage_init(&stage);
    schedule_init(&schedule, false, choose, &chooser);
    stage.machine.schedule = &schedule;
    enter(&stage, 0, 0, "k10pk10p");
    enter(&stage, 1, 1, "k500p");

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_int_equal(stage.machine.cpu[0].time, 520);
    assert_int_equal(cpu_own_time(&stage.machine.cpu[0]), 20);
    assert_int_equal(cpu_unhalted(&stage.machine.cpu[0]), 20);
    assert_int_equal(cpu_own_time(&stage.machine.cpu[1]), 500);
    machine_release(&stage.machine);
}

static void note_interrupt(void *context, struct cpu *cpu, uint8_t vector)
{
    assert_int_equal(vector, 0xFE);
    note(context, '!', cpu);
    lapic_eoi(&cpu->lapic);
}

/* A PMI on its way to processor 0, which stands still up to 500 when it could
 * have gone on: from 0, or from when the PMI comes where it waits for that. */
static struct way_row {
    const char *name;
    uint64_t due, lands;
    const char *program[2];
    const char *chosen;
    const char *want_journal;
} way_rows[] = {
    {"nothing_on_its_way", CPU_NEVER, CPU_NEVER, {"r100n", "k500pn"}, "1",
        "b1@500 a0@600"},
    {"request_on_its_way_stands_still_as_well", 50, CPU_NEVER,
        {"r100n", "k500pn"}, "1", "b1@500 !0@560 a0@600"},
    {"what_lvtpc_accepted_stands_still_as_well", CPU_NEVER, 50,
        {"r100n", "k500pn"}, "1", "b1@500 !0@550 a0@600"},
    {"idle_processor_stands_still_from_its_interrupt_on", CPU_NEVER, 50,
        {NULL, "k500pn"}, "1", "b1@500 !0@500"},
    {"spinning_processor_stands_still_from_its_interrupt_on", CPU_NEVER, 50,
        {"s0n", "k500pf0n"}, "0010", "!0@500 b1@500 a0@500"},
};

static void way_row(void **state)
{
    const struct way_row *row = *state;
    struct chooser chooser = {.at = row->chosen};
    struct stage stage;
    struct cpu *cpu;

    stage_init(&stage);
    machine_on_interrupt(&stage.machine, note_interrupt, &stage);
    schedule_init(&schedule, false, choose, &chooser);
    stage.machine.schedule = &schedule;
    cpu = machine_cpu(&stage.machine, 0);
    cpu->lapic.lvtpc = 0xFE;
    cpu->pmi_due = row->due;
    cpu->pmi_lands = row->lands;
    cpu->pmi_vector = 0xFE;
    for (unsigned i = 0; i < 2; i++) {
        if (row->program[i] != NULL) {
            enter(&stage, i, i, row->program[i]);
        }
    }

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_string_equal(stage.journal, row->want_journal);
    machine_release(&stage.machine);
}

/* What processor 0 was to go on for is no more. */
static void recall_pmi(void *context)
{
    struct stage *stage = context;
    struct cpu *cpu = machine_cpu(&stage->machine, 0);

    cpu->pmi_lands = CPU_NEVER;
    scheduler_update(cpu);
}

/* It is chosen for its interrupt at 300, and an alarm comes before that. */
static void chosen_one_that_has_nothing_to_do_any_more_is_passed_over(
    void **state)
{
    struct chooser chooser = {.at = "0"};
    struct stage stage;
    struct machine_alarm alarm = {.action = recall_pmi, .context = &stage};

    (void)state;
    stage_init(&stage);
    machine_on_interrupt(&stage.machine, note_interrupt, &stage);
    schedule_init(&schedule, false, choose, &chooser);
    stage.machine.schedule = &schedule;
    machine_cpu(&stage.machine, 0)->pmi_lands = 300;
    machine_cpu(&stage.machine, 0)->pmi_vector = 0xFE;
    enter(&stage, 1, 1, "k10pn");
    machine_set_alarm(&stage.machine, &alarm, 200);

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_string_equal(stage.journal, "b1@210");
    assert_string_equal(chooser.asked, "01:1");
    machine_release(&stage.machine);
}

/* Whatever stood where it is made. */
static void schedule_is_made_of_nothing(void **state)
{
    static struct schedule made;

    (void)state;
    memset(&made, 0xA5, sizeof(made));
    schedule_init(&made, true, choose, NULL);
    assert_true(made.interrupts);
    assert_false(made.instructions);
    assert_int_equal(made.touched.reads, 0);
    assert_int_equal(made.touched.writes, 0);
    assert_false(made.mixed);
    assert_false(made.closed);
    assert_int_equal(made.run, 0);
    schedule_open(&made);
    assert_int_equal(made.run, 1);
    schedule_close(&made);
    assert_true(made.closed);
    schedule_open(&made);
    assert_int_equal(made.run, 2);
}

/* Where several could go on and the PMI is that of the second. */
static void it_is_asked_about_the_processor_that_is_interrupted(void **state)
{
    struct chooser chooser = {.at = "1"};
    struct stage stage;
    struct cpu *cpu;

    (void)state;
    stage_init(&stage);
    machine_on_interrupt(&stage.machine, note_interrupt, &stage);
    schedule_init(&schedule, true, choose, &chooser);
    stage.machine.schedule = &schedule;
    cpu = machine_cpu(&stage.machine, 1);
    cpu->pmi_lands = 5;
    cpu->pmi_vector = 0xFE;
    enter(&stage, 0, 0, "k10pn");
    enter(&stage, 1, 1, "k10pk10pn");

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_string_equal(stage.journal, "!1@10 b1@20 a0@30");
    assert_string_equal(chooser.asked, "01:0 1l:1 01:1 01:1");
    machine_release(&stage.machine);
}

/* What was touched before each choice, and whether by several. */
struct touches {
    unsigned count;
    struct schedule_footprint touched[8];
    bool mixed[8];
    uint32_t run[8];
};

static uint32_t choose_and_note_touches(
    void *context, const struct schedule_choice *choice)
{
    struct touches *touches = context;

    assert_true(touches->count < 8);
    touches->touched[touches->count] = choice->touched;
    touches->run[touches->count] = choice->run;
    touches->mixed[touches->count++] = choice->mixed;
    return choice->usual;
}

/* Ten cycles of code that may touch everything, ten that touches little and
 * then something else, and ten that touches that. */
static void touch_little(void *argument)
{
    struct cpu *cpu = argument;

    cpu_spend(cpu, 10, 1);
    cpu_checkpoint(cpu);
    strand_touches(cpu->machine, (struct schedule_footprint){0x2, 0x4});
    cpu_spend(cpu, 10, 1);
    strand_touches(cpu->machine, (struct schedule_footprint){0x10, 0x20});
    cpu_checkpoint(cpu);
    cpu_spend(cpu, 10, 1);
    cpu_checkpoint(cpu);
}

static void each_choice_is_told_what_was_touched_since_the_one_before(
    void **state)
{
    const struct schedule_footprint all = SCHEDULE_EVERYTHING;
    const struct schedule_footprint want[] = {{0, 0}, all, all, {0x10, 0x20}};
    struct touches touches = {.count = 0};
    struct stage stage;

    (void)state;
    stage_init(&stage);
    schedule_init(&schedule, false, choose_and_note_touches, &touches);
    stage.machine.schedule = &schedule;
    strand_spawn(
        &stage.machine.cpu[0], touch_little, &stage.machine.cpu[0], NULL);
    enter(&stage, 1, 1, "");

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_int_equal(touches.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(touches.touched[i].reads, want[i].reads);
        assert_int_equal(touches.touched[i].writes, want[i].writes);
        assert_false(touches.mixed[i]);
    }
    machine_release(&stage.machine);
}

static void nothing(void *argument)
{
    (void)argument;
}

/* Alone up to here, and then no more. */
static void spawn_elsewhere(void *argument)
{
    struct cpu *cpu = argument;

    strand_spawn(machine_cpu(cpu->machine, 2), nothing, NULL, NULL);
    cpu_checkpoint(cpu);
    cpu_checkpoint(cpu);
}

/* Behind the first choice processor 0 goes on, and then 1, unasked. */
static void each_choice_is_told_whether_several_went_on(void **state)
{
    struct touches touches = {.count = 0};
    struct stage stage;

    (void)state;
    stage_init(&stage);
    schedule_init(&schedule, false, choose_and_note_touches, &touches);
    stage.machine.schedule = &schedule;
    for (unsigned run = 0; run < 2; run++) {
        enter(&stage, 0, 0, "");
        strand_spawn(&stage.machine.cpu[1], spawn_elsewhere,
            &stage.machine.cpu[1], NULL);
        assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    }
    assert_int_equal(touches.count, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(touches.run[i], i / 3 + 1);
    }
    assert_false(touches.mixed[0]);
    assert_true(touches.mixed[1]);
    assert_false(touches.mixed[2]);
    assert_true(touches.mixed[3]); /* processor 2 behind the last one */
    assert_true(touches.mixed[4]);
    assert_false(touches.mixed[5]);
    machine_release(&stage.machine);
}

/* Chooses the usual one, and notes at which choice that was another one than
 * before, the first time. */
struct patience {
    unsigned asked;
    unsigned gave_way; /* 0: none was */
};

static uint32_t choose_usual(
    void *context, const struct schedule_choice *choice)
{
    struct patience *patience = context;

    patience->asked++;
    if (choice->usual != choice->last && patience->gave_way == 0) {
        patience->gave_way = patience->asked;
    }
    return choice->usual;
}

/* It may wait for what another one does; so that one goes on for once. */
static void processor_gives_way_after_a_thousand_points(void **state)
{
    enum { POINTS = 2500 };
    static char program[POINTS + 1];
    struct patience patience = {.asked = 0};
    struct stage stage;

    (void)state;
    memset(program, 'p', POINTS);
    stage_init(&stage);
    schedule_init(&schedule, false, choose_usual, &patience);
    stage.machine.schedule = &schedule;
    enter(&stage, 0, 0, program);
    enter(&stage, 1, 1, "ppn");

    assert_int_equal(machine_run(&stage.machine), MACHINE_IDLE);
    assert_int_equal(patience.gave_way, 1001);
    assert_string_equal(stage.journal, "b1@0");
    machine_release(&stage.machine);
}

static struct conflict_row {
    const char *name;
    struct schedule_footprint a, b;
    bool want;
} conflict_rows[] = {
    {"two_that_read_do_not_conflict", {0x3, 0}, {0x3, 0}, false},
    {"one_that_writes_what_another_reads_does", {0, 0x2}, {0x3, 0}, true},
    {"one_that_reads_what_another_writes_does", {0x1, 0}, {0, 0x1}, true},
    {"two_that_write_the_same_do", {0, 0x4}, {0, 0x4}, true},
    {"two_that_write_different_things_do_not", {0, 0x4}, {0x1, 0x2}, false},
    {"one_that_touches_nothing_does_not", {0, 0}, {UINT64_MAX, UINT64_MAX},
        false},
};

static void conflict_row(void **state)
{
    const struct conflict_row *row = *state;

    assert_int_equal(schedule_footprints_conflict(row->a, row->b), row->want);
}

TEST_FILE(test_schedule)
{
    TEST_ADD_ROWS(list, chosen_row, chosen_rows);
    TEST_ADD_ROWS(list, alarm_row, alarm_rows);
    TEST_ADD_ROWS(list, conflict_row, conflict_rows);
    TEST_ADD_ROWS(list, way_row, way_rows);
    test_add(list, "chosen_one_that_has_nothing_to_do_any_more_is_passed_over",
        chosen_one_that_has_nothing_to_do_any_more_is_passed_over, NULL);
    test_add(list, "it_is_asked_about_the_processor_that_is_interrupted",
        it_is_asked_about_the_processor_that_is_interrupted, NULL);
    test_add(
        list, "schedule_is_made_of_nothing", schedule_is_made_of_nothing, NULL);
    test_add(list, "each_choice_is_told_whether_several_went_on",
        each_choice_is_told_whether_several_went_on, NULL);
    test_add(list, "each_choice_is_told_what_was_touched_since_the_one_before",
        each_choice_is_told_what_was_touched_since_the_one_before, NULL);
    test_add(list, "time_of_its_own_leaves_out_what_it_stood_still",
        time_of_its_own_leaves_out_what_it_stood_still, NULL);
    test_add(list, "processor_gives_way_after_a_thousand_points",
        processor_gives_way_after_a_thousand_points, NULL);
}
