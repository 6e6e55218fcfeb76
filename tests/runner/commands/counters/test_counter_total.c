/* test_counter_total.c - instances put together, as their manifest says. */
#include "scenarios/runner/commands/counters/counter_total.h"

#include <talloc.h>

#include "tests/rows.h"

static struct total_row {
    const char *name;
    enum manifest_aggregate aggregate;
    uint64_t value[3];
    const char *figure[3]; /* NULL: none */
    size_t count;
    uint64_t want;
    const char *want_figure;
} total_rows[] = {
    {"sum", MANIFEST_SUM, {1, 20, 300}, {"1", "20", "300"}, 3, 321, "321"},
    {"sum_of_rates", MANIFEST_SUM, {1, 2, 3}, {"0.5", "250000", "1.25"}, 3, 6,
        "250001.75"},
    {"sum_of_one", MANIFEST_SUM, {7}, {"7"}, 1, 7, "7"},
    {"sum_that_a_double_has_not", MANIFEST_SUM, {1, 2},
        {"9007199254740993", "2"}, 2, 3, "9007199254740995"},
    {"sum_beyond_64_bits", MANIFEST_SUM, {UINT64_MAX, 3},
        {"18446744073709551615", "1"}, 2, 2, "18446744073709551616"},
    {"average", MANIFEST_AVG, {1, 2, 6}, {"1", "2", "6"}, 3, 3, "3"},
    {"average_with_decimals", MANIFEST_AVG, {1, 2}, {"1", "2"}, 2, 1, "1.5"},
    {"average_of_rates", MANIFEST_AVG, {1, 2}, {"0.25", "0.75"}, 2, 1, "0.5"},
    {"least_is_first", MANIFEST_MIN, {1, 2, 3}, {"1", "2.5", "3"}, 3, 1, "1"},
    {"least_is_last", MANIFEST_MIN, {3, 2, 1}, {"3", "2.5", "1"}, 3, 1, "1"},
    {"least_is_below_zero", MANIFEST_MIN, {3, 2}, {"0", "-4"}, 2, 2, "-4"},
    {"greatest_is_first", MANIFEST_MAX, {9, 2}, {"9", "2.5"}, 2, 9, "9"},
    {"greatest_is_last", MANIFEST_MAX, {2, 9}, {"2.5", "9"}, 2, 9, "9"},
    {"greatest_that_a_double_has_not", MANIFEST_MAX, {1, 2},
        {"9007199254740993", "9007199254740992"}, 2, 2, "9007199254740993"},
    {"without_a_figure_there_is_none", MANIFEST_SUM, {1, 2}, {"1", NULL}, 2, 3,
        NULL},
    {"first_without_a_figure", MANIFEST_MAX, {1, 2}, {NULL, "2"}, 2, 2, NULL},
};

static void total_row(void **state)
{
    const struct total_row *row = *state;
    const struct manifest_counter counter = {.aggregate = row->aggregate};
    struct counter_line total = {.counter = &counter, .counter_id = 5};
    struct counter_line part[3];
    const struct counter_line *line[3];
    void *context = talloc_new(NULL);

    for (size_t i = 0; i < row->count; i++) {
        part[i] = (struct counter_line){
            .value = row->value[i], .figure = row->figure[i]};
        line[i] = &part[i];
    }
    counter_total_make(context, &total, line, row->count);
    assert_int_equal(total.value, row->want);
    assert_int_equal(total.counter_id, 5);
    if (row->want_figure == NULL) {
        assert_null(total.figure);
    } else {
        assert_string_equal(total.figure, row->want_figure);
    }
    talloc_free(context);
}

static struct kind_row {
    const char *name;
    enum manifest_instances instances;
    bool made, all;
} kind_rows[] = {
    {"single_has_no_total", MANIFEST_SINGLE, false, false},
    {"multiple_has_no_total", MANIFEST_MULTIPLE, false, false},
    {"global_is_its_total", MANIFEST_GLOBAL_AGGREGATE, true, true},
    {"multiple_aggregate_has_one", MANIFEST_MULTIPLE_AGGREGATE, true, false},
    {"history_has_none", MANIFEST_GLOBAL_AGGREGATE_HISTORY, false, false},
};

static void kind_row(void **state)
{
    const struct kind_row *row = *state;
    const struct manifest_set set = {.instances = row->instances};

    assert_int_equal(counter_total_is_made(&set), row->made);
    assert_int_equal(counter_total_is_all(&set), row->all);
}

static void what_nothing_describes_has_no_total(void **state)
{
    (void)state;
    assert_false(counter_total_is_made(NULL));
    assert_false(counter_total_is_all(NULL));
}

TEST_FILE(test_counter_total)
{
    TEST_ADD_ROWS(list, total_row, total_rows);
    TEST_ADD_ROWS(list, kind_row, kind_rows);
    test_add(list, "what_nothing_describes_has_no_total",
        what_nothing_describes_has_no_total, NULL);
}
