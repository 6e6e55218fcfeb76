/* test_schedule.c - who goes on when somebody else than the time decides, and
 * what time it is then. */
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
    assert_int_equal(cpu_own_time(&stage.machine.cpu[1]), 500);
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
    test_add(list, "time_of_its_own_leaves_out_what_it_stood_still",
        time_of_its_own_leaves_out_what_it_stood_still, NULL);
    test_add(list, "processor_gives_way_after_a_thousand_points",
        processor_gives_way_after_a_thousand_points, NULL);
}
