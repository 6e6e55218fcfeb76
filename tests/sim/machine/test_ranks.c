/* test_ranks.c - strands that are parked and let go on, who comes first in a
 * processor's queue, and what keeps a machine running. */
#include "sim/machine/machine.h"
#include "sim/machine/strand.h"
#include "tests/rows.h"

enum { NOTES = 16 };

/* What some strands have done, in order: a character each. */
struct scene {
    struct machine machine;
    struct strand *strand[4];
    struct machine_alarm alarm;
    char notes[NOTES];
    unsigned count;
};

struct player {
    struct scene *scene;
    char name;
    uint8_t rank; /* 0: as it was made */
    void (*act)(struct player *player);
};

static struct player players[4];

static void note(struct scene *scene, char what)
{
    assert_true(scene->count < NOTES - 1);
    scene->notes[scene->count++] = what;
}

static void scene_init(struct scene *scene)
{
    struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};

    *scene = (struct scene){.count = 0};
    assert_true(machine_reserve(&scene->machine));
    machine_reset(&scene->machine, &config);
    for (unsigned i = 0; i < 4; i++) {
        players[i] = (struct player){.scene = scene, .name = (char)('a' + i)};
    }
}

static void play(void *argument)
{
    struct player *player = argument;

    note(player->scene, player->name);
    if (player->act != NULL) {
        player->act(player);
    }
}

static struct strand *spawn(struct scene *scene, unsigned n, uint32_t cpu)
{
    struct strand *strand = strand_spawn(
        machine_cpu(&scene->machine, cpu), play, &players[n], NULL);

    scene->strand[n] = strand;
    if (players[n].rank != 0) {
        strand_set_rank(strand, players[n].rank);
    }
    return strand;
}

/* Parks, and notes its capital letter when it goes on. */
static void park(struct player *player)
{
    strand_park(&player->scene->machine);
    note(player->scene, (char)(player->name - 'a' + 'A'));
}

static void unpark_a(struct player *player)
{
    strand_unpark(player->scene->strand[0]);
}

static void give_way(struct player *player)
{
    if (!strand_give_way(&player->scene->machine, false)) {
        note(player->scene, '-');
    }
    note(player->scene, (char)(player->name - 'a' + 'A'));
}

static void give_way_to_equal(struct player *player)
{
    if (!strand_give_way(&player->scene->machine, true)) {
        note(player->scene, '-');
    }
    note(player->scene, (char)(player->name - 'a' + 'A'));
}

static void unpark_a_and_give_way(struct player *player)
{
    unpark_a(player);
    give_way(player);
}

static void wake_by_alarm(void *context)
{
    struct scene *scene = context;

    note(scene, '!');
    strand_unpark(scene->strand[0]);
}

struct rank_row {
    const char *name;
    uint8_t rank[4];
    uint32_t cpu[4];
    void (*act[4])(struct player *player);
    unsigned strands;
    bool background; /* the first one is */
    uint64_t alarm;  /* 0: none */
    bool wakes;
    enum machine_end want_end;
    const char *want_notes;
} rank_rows[] = {
    {"equal_ranks_in_order", {0, 0, 0}, {0}, {NULL}, 3, false, 0, false,
        MACHINE_IDLE, "abc"},
    {"higher_rank_first", {8, 9, 12}, {0}, {NULL}, 3, false, 0, false,
        MACHINE_IDLE, "cba"},
    {"behind_those_of_its_rank", {9, 8, 9, 8}, {0}, {NULL}, 4, false, 0, false,
        MACHINE_IDLE, "acbd"},
    {"parked_until_another_lets_it_go_on", {0}, {0}, {park, unpark_a}, 2, false,
        0, false, MACHINE_IDLE, "abA"},
    {"parked_until_one_elsewhere_does", {0}, {0, 1}, {park, unpark_a}, 2, false,
        0, false, MACHINE_IDLE, "abA"},
    {"parked_and_of_higher_rank_waits_for_its_turn", {9, 8}, {0},
        {park, unpark_a}, 2, false, 0, false, MACHINE_IDLE, "abA"},
    {"way_given_to_a_higher_rank", {9, 8}, {0}, {park, unpark_a_and_give_way},
        2, false, 0, false, MACHINE_IDLE, "abAB"},
    {"no_way_to_an_equal_rank", {8, 8}, {0}, {park, unpark_a_and_give_way}, 2,
        false, 0, false, MACHINE_IDLE, "ab-BA"},
    {"no_way_to_a_lower_rank", {8, 9}, {0}, {NULL, give_way_to_equal}, 2, false,
        0, false, MACHINE_IDLE, "b-Ba"},
    {"turns_of_equal_ranks", {8, 8, 8}, {0},
        {give_way_to_equal, give_way_to_equal}, 3, false, 0, false,
        MACHINE_IDLE, "abcAB"},
    {"nobody_lets_it_go_on", {0}, {0}, {park}, 1, false, 0, false,
        MACHINE_DEADLOCK, "a"},
    {"in_the_background_nobody_needs_to", {0}, {0}, {park, NULL}, 2, true, 0,
        false, MACHINE_IDLE, "ab"},
    {"an_alarm_lets_it_go_on", {0}, {0}, {park}, 1, false, 500, true,
        MACHINE_IDLE, "a!A"},
    {"an_alarm_that_wakes_nobody_is_not_waited_for", {0}, {0}, {park}, 1, false,
        500, false, MACHINE_DEADLOCK, "a"},
    {"the_last_cycle_that_there_is", {0}, {0}, {park}, 1, false,
        0x3FFFFFFFFFFFFFFF, true, MACHINE_IDLE, "a!A"},
    {"behind_the_last_cycle_no_alarm_comes", {0}, {0}, {park}, 1, false,
        0x4000000000000000, true, MACHINE_BUDGET, "a"},
    {"for_one_in_the_background_no_time_passes", {0}, {0}, {park}, 1, true, 500,
        true, MACHINE_IDLE, "a"},
};

static void rank_row(void **state)
{
    const struct rank_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    for (unsigned i = 0; i < row->strands; i++) {
        players[i].rank = row->rank[i];
        players[i].act = row->act[i];
        spawn(&scene, i, row->cpu[i]);
    }
    if (row->background) {
        strand_to_background(scene.strand[0]);
    }
    if (row->alarm != 0) {
        scene.alarm = (struct machine_alarm){
            .action = wake_by_alarm, .context = &scene, .wakes = row->wakes};
        machine_set_alarm(&scene.machine, &scene.alarm, row->alarm);
    }
    assert_int_equal(machine_run(&scene.machine), row->want_end);
    assert_string_equal(scene.notes, row->want_notes);
    machine_release(&scene.machine);
}

static void spend_and_unpark(struct player *player)
{
    cpu_spend(machine_cpu(&player->scene->machine, 1), 700, 1);
    unpark_a(player);
}

static void goes_on_no_earlier_than_it_is_let(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    players[0].act = park;
    players[1].act = spend_and_unpark;
    spawn(&scene, 0, 0);
    spawn(&scene, 1, 1);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_int_equal(machine_cpu(&scene.machine, 0)->time, 700);
    machine_release(&scene.machine);
}

/* In what order d lets the three that are parked go on. */
static struct unpark_row {
    const char *name;
    unsigned order[3];
    const char *want_notes;
} unpark_rows[] = {
    {"first_parked_first", {0, 1, 2}, "abcdABC"},
    {"first_parked_first_and_last_second", {0, 2, 1}, "abcdACB"},
    {"one_in_between_first", {1, 0, 2}, "abcdBAC"},
    {"one_in_between_first_and_last_second", {1, 2, 0}, "abcdBCA"},
    {"last_parked_first", {2, 0, 1}, "abcdCAB"},
    {"last_parked_first_and_first_last", {2, 1, 0}, "abcdCBA"},
};

static const struct unpark_row *unparks;

static void unpark_in_order(struct player *player)
{
    for (unsigned i = 0; i < 3; i++) {
        strand_unpark(player->scene->strand[unparks->order[i]]);
    }
}

static void unpark_row(void **state)
{
    struct scene scene;

    unparks = *state;
    scene_init(&scene);
    for (unsigned i = 0; i < 4; i++) {
        players[i].act = i < 3 ? park : unpark_in_order;
        spawn(&scene, i, 0);
    }
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_string_equal(scene.notes, unparks->want_notes);
    assert_null(scene.machine.parked);
    machine_release(&scene.machine);
}

static void spend_and_unpark_here(struct player *player)
{
    cpu_spend(machine_cpu(&player->scene->machine, 0), 700, 1);
    unpark_a(player);
}

/* The one that is let go on just now, and one that was ready before. */
static void ready_by_now_comes_by_its_rank(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    players[0].rank = 9;
    players[0].act = park;
    players[1].act = spend_and_unpark_here;
    for (unsigned i = 0; i < 3; i++) {
        spawn(&scene, i, 0);
    }
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_string_equal(scene.notes, "abAc");
    machine_release(&scene.machine);
}

static void spend_500(struct player *player)
{
    cpu_spend(machine_cpu(&player->scene->machine, 0), 500, 1);
}

static void spawn_a_again(struct player *player)
{
    players[0].act = NULL;
    spawn(player->scene, 0, 0);
}

/* For the other processor, where c is ready at 300, and d at 700. */
static void spawn_c_and_then_d(struct player *player)
{
    struct cpu *cpu = machine_cpu(&player->scene->machine, 1);

    cpu_spend(cpu, 300, 1);
    spawn(player->scene, 2, 0);
    cpu_spend(cpu, 400, 1);
    spawn(player->scene, 3, 0);
}

/* D is of a higher rank, and not ready at 500, when a leaves the processor. */
static void one_that_is_not_ready_yet_is_passed_over(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    players[0].act = spend_500;
    players[1].act = spawn_c_and_then_d;
    players[2].act = spawn_a_again;
    players[3].rank = 9;
    spawn(&scene, 0, 0);
    spawn(&scene, 1, 1);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_string_equal(scene.notes, "abcad");
    assert_int_equal(machine_cpu(&scene.machine, 0)->time, 700);
    machine_release(&scene.machine);
}

static void spend_and_spawn_c_and_d(struct player *player)
{
    cpu_spend(machine_cpu(&player->scene->machine, 1), 300, 1);
    spawn(player->scene, 2, 0);
    spawn(player->scene, 3, 0);
}

static void those_ready_at_one_time_come_in_order(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    players[1].act = spend_and_spawn_c_and_d;
    spawn(&scene, 1, 1);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_string_equal(scene.notes, "bcd");
    assert_int_equal(machine_cpu(&scene.machine, 0)->time, 300);
    machine_release(&scene.machine);
}

static void alarm_of_a(void *context)
{
    note(context, 'a');
}

static void alarm_of_b(void *context)
{
    note(context, 'b');
}

static void run_1000(struct player *player)
{
    struct cpu *cpu = machine_cpu(&player->scene->machine, 0);
    struct segment segment;

    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), 1000, RING_USER);
    cpu_run_segment(cpu, &segment);
}

/* Two alarms at these times; 0: not set. */
struct two_row {
    const char *name;
    uint64_t first, second, second_again;
    const char *want_notes;
} two_rows[] = {
    {"each_at_its_time", 300, 200, 0, "cba"},
    {"equal_times_in_order_of_setting", 300, 300, 0, "cab"},
    {"set_anew_later", 300, 200, 400, "cab"},
    {"taken_back", 300, 200, MACHINE_NO_ALARM, "ca"},
};

static void two_row(void **state)
{
    const struct two_row *row = *state;
    struct machine_alarm a, b;
    struct scene scene;

    scene_init(&scene);
    a = (struct machine_alarm){.action = alarm_of_a, .context = &scene};
    b = (struct machine_alarm){.action = alarm_of_b, .context = &scene};
    players[2].act = run_1000;
    machine_set_alarm(&scene.machine, &a, row->first);
    machine_set_alarm(&scene.machine, &b, row->second);
    if (row->second_again != 0) {
        machine_set_alarm(&scene.machine, &b, row->second_again);
    }
    spawn(&scene, 2, 0);
    assert_int_equal(machine_run(&scene.machine), MACHINE_IDLE);
    assert_string_equal(scene.notes, row->want_notes);
    machine_release(&scene.machine);
}

TEST_FILE(test_ranks)
{
    TEST_ADD_ROWS(list, rank_row, rank_rows);
    TEST_ADD_ROWS(list, two_row, two_rows);
    TEST_ADD_ROWS(list, unpark_row, unpark_rows);
    test_add(list, "ready_by_now_comes_by_its_rank",
        ready_by_now_comes_by_its_rank, NULL);
    test_add(list, "one_that_is_not_ready_yet_is_passed_over",
        one_that_is_not_ready_yet_is_passed_over, NULL);
    test_add(list, "those_ready_at_one_time_come_in_order",
        those_ready_at_one_time_come_in_order, NULL);
    test_add(list, "goes_on_no_earlier_than_it_is_let",
        goes_on_no_earlier_than_it_is_let, NULL);
}
