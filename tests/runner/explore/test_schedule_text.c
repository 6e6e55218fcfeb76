/* test_schedule_text.c - schedules as words: written, read, refused. */
#include "scenarios/runner/explore/schedule_text.h"

#include <string.h>
#include <talloc.h>

#include "sim/machine/schedule.h"
#include "tests/rows.h"

static struct read_row {
    const char *name;
    const char *text;
    size_t want_count;
    struct deviation want[2];
    uint32_t want_choices;
    bool want_broken_off;
} read_rows[] = {
    {"usual_schedule", "v1:/64", 0, {{0, 0}}, 64, false},
    {"schedule_without_choices", "v1:/0", 0, {{0, 0}}, 0, false},
    {"one_deviation", "v1:12.1/13", 1, {{12, 1}}, 13, false},
    {"two_deviations", "v1:0.2047-30.0/64", 2, {{0, 2047}, {30, 0}}, 64, false},
    {"clock_and_later", "v1:0.clock-30.later/64", 2,
        {{0, SCHEDULE_CLOCK}, {30, SCHEDULE_LATER}}, 64, false},
    {"later_at_the_end", "v1:3.later/5", 1, {{3, SCHEDULE_LATER}}, 5, false},
    {"broken_off", "v1:3.1/5+", 1, {{3, 1}}, 5, true},
    {"largest_numbers", "v1:4294967293.clock-4294967294.later/4294967295+", 2,
        {{4294967293, SCHEDULE_CLOCK}, {4294967294, SCHEDULE_LATER}},
        4294967295, true},
};

static void read_row(void **state)
{
    const struct read_row *row = *state;
    void *context = talloc_new(NULL);
    struct deviations read;

    assert_null(schedule_text_read(context, row->text, &read));
    assert_int_equal(read.count, row->want_count);
    assert_int_equal(read.choices, row->want_choices);
    assert_int_equal(read.broken_off, row->want_broken_off);
    for (size_t i = 0; i < read.count; i++) {
        assert_int_equal(read.item[i].choice, row->want[i].choice);
        assert_int_equal(read.item[i].processor, row->want[i].processor);
    }
    assert_string_equal(schedule_text(context, &read), row->text);
    talloc_free(context);
}

#define IN_ORDER                                                               \
    "expected choices in ascending order, each with its processor, clock or "  \
    "later: v1:12.1-30.clock/64"

static struct refused_row {
    const char *name;
    const char *text;
    const char *want;
} refused_rows[] = {
    {"nothing", "", "a schedule begins with v1:"},
    {"another_version", "v2:12.1/13", "a schedule begins with v1:"},
    {"version_alone", "v1:", IN_ORDER},
    {"word", "v1:abc", IN_ORDER},
    {"choice_without_a_processor", "v1:12/13", IN_ORDER},
    {"choice_at_the_end", "v1:12", IN_ORDER},
    {"processor_without_a_choice", "v1:.1/13", IN_ORDER},
    {"choice_with_nothing_behind_the_dot", "v1:12./13", IN_ORDER},
    {"processor_that_no_machine_has", "v1:12.2048/13", IN_ORDER},
    {"word_in_place_of_a_processor", "v1:12.sooner/13", IN_ORDER},
    {"word_that_goes_on", "v1:12.clocks/13", IN_ORDER},
    {"word_at_the_end", "v1:12.clock", IN_ORDER},
    {"choices_out_of_order", "v1:12.1-11.0/13", IN_ORDER},
    {"choice_twice", "v1:12.1-12.0/13", IN_ORDER},
    {"choice_above_all_numbers", "v1:99999999999999999999.1/13", IN_ORDER},
    {"nothing_behind_the_hyphen", "v1:12.1-/13",
        "a choice is missing behind the last -"},
    {"no_number_of_choices", "v1:12.1/",
        "expected the number of choices at its end: v1:12.1-30.0/64"},
    {"no_slash", "v1:12.1", IN_ORDER},
    {"something_behind_the_plus", "v1:12.1/13+1",
        "expected the number of choices at its end: v1:12.1-30.0/64"},
    {"something_behind_the_end", "v1:12.1/13x",
        "expected the number of choices at its end: v1:12.1-30.0/64"},
};

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    void *context = talloc_new(NULL);
    struct deviations read;

    assert_string_equal(
        schedule_text_read(context, row->text, &read), row->want);
    talloc_free(context);
}

/* "v1:1.1-2.0/3" is twelve letters. */
static struct room_row {
    const char *name;
    size_t room;
    const char *want;
} room_rows[] = {
    {"all_of_it", 13, "v1:1.1-2.0/3"},
    {"all_but_one", 12, ""},
    {"half", 6, ""},
    {"a_byte", 1, ""},
};

static void room_row(void **state)
{
    const struct room_row *row = *state;
    char text[16] = "untouched";
    struct schedule_writer writer = {.text = text, .room = row->room};

    memset(text + row->room, 'x', sizeof(text) - row->room);
    schedule_write(&writer, (struct deviation){1, 1});
    schedule_write(&writer, (struct deviation){2, 0});
    assert_int_equal(
        schedule_write_end(&writer, 3, false), row->want[0] != '\0');
    assert_string_equal(text, row->want);
    for (size_t i = row->room; i < sizeof(text); i++) {
        assert_int_equal(text[i], 'x');
    }
}

TEST_FILE(test_schedule_text)
{
    TEST_ADD_ROWS(list, room_row, room_rows);
    TEST_ADD_ROWS(list, read_row, read_rows);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
}
