/* test_explored.c - what is said of all schedules of a scenario together, how
 * many are left meanwhile, how parts share them, and one that is run again. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "scenarios/runner/run/schedule_progress.h"
#include "tests/rows.h"
#include "tests/runner/explore/explored_text.h"

#define ADDS_A_COUNTER                                                         \
    "   - {call: KeQueryHardwareCounterConfiguration, args: {CounterArray: "   \
    "{buffer: 4}, MaximumCount: 4}, save: {was: out.Count}}\n"                 \
    "   - {call: KeSetHardwareCounterConfiguration, args: {CounterArray: "     \
    "{repeat: $(was + 1), item: {Type: PMCCounter, Index: $i}}, "              \
    "Count: $(was + 1)}}\n"

/* Fails where one of both queries between the query and the set of the other,
 * which by time nobody does. */
static const char lost_update[] =
    "ntpmu: 1\nid: lost\ntitle: Test\nmachine: {cpus: 2}\n"
    "actors: [drvA, drvB]\nwarnings: note\nsteps:\n"
    "- parallel:\n"
    "   drvA:\n" ADDS_A_COUNTER
    "   drvB:\n   - {run: {cpu: 1, cycles: 100000}}\n" ADDS_A_COUNTER
    "- as: drvA\n"
    "  call: KeQueryHardwareCounterConfiguration\n"
    "  args: {CounterArray: {buffer: 4}, MaximumCount: 4}\n"
    "  expect: {out: {Count: 2}}\n";

enum { SAID_BYTES = 200 };

/* What those who watch were told to be left, a number each, by whichever
 * process. NULL: other tests run. */
static char *left_said;

void __wrap_schedule_progress_tried(
    struct schedule_progress *progress, uint64_t *before, uint64_t left);
void __real_schedule_progress_tried(
    struct schedule_progress *progress, uint64_t *before, uint64_t left);

void __wrap_schedule_progress_tried(
    struct schedule_progress *progress, uint64_t *before, uint64_t left)
{
    __real_schedule_progress_tried(progress, before, left);
    if (left_said != NULL) {
        size_t length = strlen(left_said);

        snprintf(left_said + length, SAID_BYTES - length, "%s%llu",
            length == 0 ? "" : " ", (unsigned long long)left);
    }
}

/* Usual, by the order of ntpmu run and by its schedule, has six choices, each
 * of which could go the other way. */
static struct explored_row {
    const char *name;
    enum explore_mode mode;
    uint32_t preemptions;
    uint64_t max_schedules;
    uint32_t part, parts;
    uint64_t want, want_shared, want_left;
    const char *want_said;
} explored_rows[] = {
    {"every_one", EXPLORE_EVERY, 1, 0, 0, 0, 8, 8, 0, "0 0 5 4 3 2 1 0"},
    {"every_one_up_to_a_limit", EXPLORE_EVERY, 1, 5, 0, 0, 6, 6, 2,
        "0 0 3 2 1 0"},
    {"those_of_part_1", EXPLORE_EVERY, 1, 0, 1, 2, 8, 8, 0, "0 0 5 4 3 2 1 0"},
    {"those_left_of_part_1", EXPLORE_EVERY, 1, 5, 1, 2, 6, 6, 2, "0 0 3 2 1 0"},
    {"those_left_of_part_2", EXPLORE_EVERY, 1, 5, 2, 2, 6, 6, 0, "0 0 3 2 1 0"},
    {"six_at_random", EXPLORE_RANDOM, 2, 6, 0, 0, 7, 2, 0, "0 0 4 3 2 1 0"},
    /* 3; 1 and 4; 2 and 5. */
    {"random_ones_of_part_1", EXPLORE_RANDOM, 2, 6, 1, 3, 3, 2, 0, "0 0 0"},
    {"random_ones_of_part_2", EXPLORE_RANDOM, 2, 6, 2, 3, 4, 2, 0, "0 0 1 0"},
    {"random_ones_of_part_3", EXPLORE_RANDOM, 2, 6, 3, 3, 4, 2, 0, "0 0 1 0"},
    {"four_by_priorities", EXPLORE_PCT, 2, 4, 0, 0, 5, 2, 0, "0 0 2 1 0"},
    {"each_point", EXPLORE_EACH_POINT, 2, 0, 0, 0, 3, 2, 0, "0 0 0"},
    {"each_point_of_part_1", EXPLORE_EACH_POINT, 2, 0, 1, 2, 2, 2, 0, "0 0"},
    {"each_point_of_part_2", EXPLORE_EACH_POINT, 2, 0, 2, 2, 3, 2, 0, "0 0 0"},
};

static char *said_new(void)
{
    void *said = mmap(NULL, SAID_BYTES, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    assert_ptr_not_equal(said, MAP_FAILED);
    return said;
}

static void said_free(void)
{
    munmap(left_said, SAID_BYTES);
    left_said = NULL;
}

static void explored_row(void **state)
{
    const struct explored_row *row = *state;
    struct run_settings settings = {.exploring = exploring_words_none,
        .part = row->part,
        .parts = row->parts};
    struct explored_text explored;
    const struct explored *said;

    settings.exploring.mode = row->mode;
    settings.exploring.preemptions = row->preemptions;
    settings.exploring.max_schedules = row->max_schedules;
    left_said = said_new();
    explored_text_run(&explored, explored_two_actors, settings);
    assert_int_equal(explored.result.verdict->result, RESULT_PASS);
    said = &explored.result.verdict->explored;
    assert_int_equal(said->schedules, row->want);
    assert_int_equal(said->shared, row->want_shared);
    assert_int_equal(said->left, row->want_left);
    assert_int_equal(said->number, 0);
    assert_null(said->schedule);
    assert_null(said->order);
    assert_string_equal(left_said, row->want_said);
    said_free();
    explored_text_release(&explored);
}

/* Behind that of ntpmu run and the usual one, which have no number. */
static struct failing_row {
    const char *name;
    enum explore_mode mode;
} failing_rows[] = {
    {"at_random", EXPLORE_RANDOM},
    {"by_priorities", EXPLORE_PCT},
    {"each_point", EXPLORE_EACH_POINT},
};

static void failing_row(void **state)
{
    const struct failing_row *row = *state;
    struct run_settings settings = {.exploring = exploring_words_none};
    struct explored_text explored;
    const struct explored *said;
    uint64_t number;

    settings.exploring.mode = row->mode;
    explored_text_run(&explored, lost_update, settings);
    assert_int_equal(explored.result.verdict->result, RESULT_FAIL);
    said = &explored.result.verdict->explored;
    number = said->number;
    assert_true(number >= 1);
    assert_int_equal(said->schedules, 2 + number);
    assert_int_equal(said->left, 0);
    assert_non_null(said->schedule);
    assert_non_null(said->order);
    explored_text_release(&explored);
    /* The part that has it finds it under the same number, behind those with
     * lower ones of its own. */
    settings.parts = 2;
    settings.part = 1 + (uint32_t)(number % 2);
    explored_text_run(&explored, lost_update, settings);
    said = &explored.result.verdict->explored;
    assert_int_equal(said->number, number);
    assert_int_equal(said->schedules, 2 + (number + number % 2) / 2);
    explored_text_release(&explored);
}

/* What the scenario says of its schedules, and what the command line does. */
static struct asked_row {
    const char *name, *own; /* own: of `explore`; NULL: it says nothing */
    struct exploring_words words;
    uint64_t want; /* with that of ntpmu run */
} asked_rows[] = {
    {"by_the_scenario", "mode: every, preemptions: 1",
        {.mode = EXPLORE_MODE_COUNT, .preemptions = UINT32_MAX}, 8},
    {"two_at_most_where_nobody_says_it", NULL,
        {.mode = EXPLORE_EVERY, .preemptions = UINT32_MAX}, 32},
    {"more_at_once_than_the_scenario_says", "mode: every, preemptions: 1",
        {.mode = EXPLORE_MODE_COUNT, .preemptions = 2}, 32},
    {"none_at_all", "mode: every, preemptions: 1",
        {.mode = EXPLORE_MODE_COUNT, .preemptions = 0}, 2},
    {"as_many_as_the_scenario_says", "mode: every, max_schedules: 5",
        {.mode = EXPLORE_MODE_COUNT, .preemptions = UINT32_MAX}, 6},
    {"fewer_than_the_scenario_says", "mode: every, max_schedules: 5",
        {.mode = EXPLORE_MODE_COUNT,
            .preemptions = UINT32_MAX,
            .max_schedules = 3},
        4},
    {"its_mode_said_again", "mode: every, max_schedules: 5",
        {.mode = EXPLORE_EVERY, .preemptions = UINT32_MAX}, 6},
    /* Its number was for its own mode. */
    {"another_mode", "mode: every, max_schedules: 5",
        {.mode = EXPLORE_RANDOM, .preemptions = UINT32_MAX}, 201},
    {"random_by_the_scenario", "mode: random, max_schedules: 4",
        {.mode = EXPLORE_MODE_COUNT, .preemptions = UINT32_MAX}, 5},
};

static void asked_row(void **state)
{
    const struct asked_row *row = *state;
    struct run_settings settings = {.exploring = row->words};
    struct explored_text explored;
    char text[600];

    snprintf(text, sizeof(text), "%s%s%s%s", explored_two_actors,
        row->own == NULL ? "" : "explore: {", row->own == NULL ? "" : row->own,
        row->own == NULL ? "" : "}\n");
    explored_text_run(&explored, text, settings);
    assert_int_equal(explored.result.verdict->result, RESULT_PASS);
    assert_int_equal(explored.result.verdict->explored.schedules, row->want);
    explored_text_release(&explored);
}

#define NOT_OF_IT(schedule)                                                    \
    "schedule " schedule " is not one of this scenario, which came to 6 "      \
    "choices in it: it was of other steps, parameters or drivers; ntpmu "      \
    "explore finds one anew"

/* NULL: it passes. */
static struct again_row {
    const char *name, *schedule, *want;
} again_rows[] = {
    {"usual", "v1:/6", NULL},
    {"broken_off", "v1:/5+", NULL},
    {"broken_off_at_the_end", "v1:/6+", NULL},
    {"too_few_choices", "v1:/5", NOT_OF_IT("v1:/5")},
    {"too_many_choices", "v1:/7", NOT_OF_IT("v1:/7")},
    {"broken_off_behind_the_end", "v1:/7+", NOT_OF_IT("v1:/7+")},
    {"choice_behind_the_end", "v1:6.1/6", NOT_OF_IT("v1:6.1/6")},
    {"processor_that_there_is_not", "v1:1.5/6", NOT_OF_IT("v1:1.5/6")},
    {"clock_that_is_no_choice", "v1:1.clock/6", NOT_OF_IT("v1:1.clock/6")},
};

static void again_row(void **state)
{
    const struct again_row *row = *state;
    struct run_settings settings = {
        .exploring = exploring_words_none, .schedule = row->schedule};
    struct explored_text explored;
    const struct verdict *verdict;

    explored_text_run(&explored, explored_two_actors, settings);
    verdict = explored.result.verdict;
    if (row->want == NULL) {
        assert_int_equal(verdict->result, RESULT_PASS);
        assert_int_equal(verdict->explored.schedules, 1);
        assert_string_equal(verdict->explored.schedule, row->schedule);
        assert_null(verdict->explored.order);
    } else {
        assert_int_equal(verdict->result, RESULT_ERROR);
        assert_string_equal(verdict->failure[0].message, row->want);
    }
    explored_text_release(&explored);
}

#define NEVER(condition, schedules)                                            \
    "sometimes: " condition " was true in none of " schedules " schedules"

/* Of the last step, with eight choices. */
static struct sometimes_row {
    const char *name, *sometimes;
    uint64_t max_schedules;
    size_t want_count; /* of failures, the last of them with this message */
    const char *want;
} sometimes_rows[] = {
    {"always_true", "$(drvA.level == 0)", 0, 0, NULL},
    {"all_of_a_list", "[$(drvA.level == 0), $(drvB.level == 0)]", 0, 0, NULL},
    {"never_true", "$(drvA.level == 1)", 0, 1,
        NEVER("$(drvA.level == 1)", "10")},
    {"second_of_a_list", "[$(drvA.level == 0), $(drvB.level == 1)]", 0, 1,
        NEVER("$(drvB.level == 1)", "10")},
    {"first_of_a_list", "[$(drvA.level == 1), $(drvB.level == 0)]", 0, 1,
        NEVER("$(drvA.level == 1)", "10")},
    {"none_of_a_list", "[$(drvA.level == 1), $(drvB.level == 2)]", 0, 2,
        NEVER("$(drvB.level == 2)", "10")},
    {"of_those_that_were_tried", "$(drvA.level == 1)", 1, 1,
        NEVER("$(drvA.level == 1)", "2") "; max_schedules allows more"},
};

static void sometimes_row(void **state)
{
    const struct sometimes_row *row = *state;
    struct run_settings settings = {.exploring = exploring_words_none};
    struct explored_text explored;
    const struct verdict *verdict;
    char text[600];

    settings.exploring.max_schedules = row->max_schedules;
    snprintf(text, sizeof(text),
        "%s  - {call: KeGetCurrentIrql, save: {level: returns}}\n"
        "  sometimes: %s\n"
        "explore: {mode: every, preemptions: 1}\n",
        explored_two_actors, row->sometimes);
    explored_text_run(&explored, text, settings);
    verdict = explored.result.verdict;
    assert_int_equal(
        verdict->result, row->want == NULL ? RESULT_PASS : RESULT_FAIL);
    assert_int_equal(verdict->failure_count, row->want_count);
    if (row->want != NULL) {
        assert_string_equal(
            verdict->failure[row->want_count - 1].message, row->want);
    }
    explored_text_release(&explored);
}

TEST_FILE(test_explored)
{
    TEST_ADD_GROUP(list, "sometimes", sometimes_row, sometimes_rows);
    TEST_ADD_GROUP(list, "asked", asked_row, asked_rows);
    TEST_ADD_GROUP(list, "again", again_row, again_rows);
    TEST_ADD_ROWS(list, explored_row, explored_rows);
    TEST_ADD_GROUP(list, "what_fails", failing_row, failing_rows);
}
