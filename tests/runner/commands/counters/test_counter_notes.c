/* test_counter_notes.c - what is wrong with counters of samples is said once
 * for all of a set. */
#include "scenarios/runner/commands/counters/counter_notes.h"
#include "scenarios/runner/run/samples.h"
#include "tests/rows.h"

#include <talloc.h>

static struct samples *samples_of_two_sets(void *context)
{
    struct samples *samples = samples_new(context);

    samples_add_name(samples, "Waves");
    samples_add_name(samples, "Tides");
    return samples;
}

static void counter_is_news_once_for_each_reason(void **state)
{
    void *context = talloc_new(NULL);
    struct counter_notes *notes =
        counter_notes_new(context, samples_of_two_sets(context));

    (void)state;
    assert_true(counter_notes_is_news(notes, 0, 7, COUNTER_NOTED_WIDTH));
    assert_false(counter_notes_is_news(notes, 0, 7, COUNTER_NOTED_WIDTH));
    assert_true(
        counter_notes_is_news(notes, 0, 7, COUNTER_NOTED_NOT_REGISTERED));
    assert_true(counter_notes_is_news(notes, 0, 8, COUNTER_NOTED_WIDTH));
    assert_true(counter_notes_is_news(notes, 1, 7, COUNTER_NOTED_WIDTH));
    assert_null(counter_notes_text(context, notes, 0));
    talloc_free(context);
}

static void notes_are_apart_by_set_and_text(void **state)
{
    void *context = talloc_new(NULL);
    struct counter_notes *notes =
        counter_notes_new(context, samples_of_two_sets(context));

    (void)state;
    counter_notes_add(notes, 0, 1, "Height", "wrong");
    counter_notes_add(notes, 1, 1, "Ebb", "wrong");
    counter_notes_add(notes, 0, 1, "Height", "unknown");
    counter_notes_add(notes, 0, 65535, NULL, "wrong");
    assert_string_equal(counter_notes_text(context, notes, 0),
        "counter set 'Waves': wrong: 'Height', 65535");
    assert_string_equal(counter_notes_text(context, notes, 1),
        "counter set 'Tides': wrong: 'Ebb'");
    assert_string_equal(counter_notes_text(context, notes, 2),
        "counter set 'Waves': unknown: 'Height'");
    assert_null(counter_notes_text(context, notes, 3));
    talloc_free(context);
}

static struct list_row {
    const char *name;
    uint32_t counters;
    const char *want;
} list_rows[] = {
    {"twenty_are_all_named", 20,
        "counter set 'Waves': wrong: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "
        "13, 14, 15, 16, 17, 18, 19"},
    {"of_more_their_number_is_said", 21,
        "counter set 'Waves': wrong: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "
        "13, 14, 15, 16, 17, 18, 19, ... 21 in all"},
};

static void list_row(void **state)
{
    const struct list_row *row = *state;
    void *context = talloc_new(NULL);
    struct counter_notes *notes =
        counter_notes_new(context, samples_of_two_sets(context));

    for (uint32_t i = 0; i < row->counters; i++) {
        counter_notes_add(notes, 0, i, NULL, "wrong");
    }
    assert_string_equal(counter_notes_text(context, notes, 0), row->want);
    talloc_free(context);
}

TEST_FILE(test_counter_notes)
{
    test_add(list, "counter_is_news_once_for_each_reason",
        counter_is_news_once_for_each_reason, NULL);
    test_add(list, "notes_are_apart_by_set_and_text",
        notes_are_apart_by_set_and_text, NULL);
    TEST_ADD_ROWS(list, list_row, list_rows);
}
