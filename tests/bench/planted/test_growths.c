/* test_growths.c - costs that grow as they may, and such that do not. */
#include <math.h>
#include <string.h>

#include "tests/bench/planted/planted_bench.h"
#include "tests/rows.h"

enum { LIST = 4096, START = 1000000 };

static double fixed_110(void)
{
    return 110;
}

/* A list in which each new number is looked for from its head before it is put
 * behind the last: the comparisons, which are the time that it takes. */
static double list_filled(uint64_t size)
{
    static uint64_t number[LIST];
    uint64_t count = 0, compared = 0;

    while (count < size) {
        uint64_t at = 0;

        for (; at < count && number[at] != size - count; at++) {
            compared++;
        }
        number[count++] = size - at;
    }
    return (double)compared;
}

static double list_started_and_filled(uint64_t size)
{
    return START + list_filled(size);
}

static double proportional(uint64_t size)
{
    return 3 * (double)size;
}

static double started(uint64_t size)
{
    return START + 3 * (double)size;
}

/* Each looked for in a tree of the others. */
static double sorted(uint64_t size)
{
    return size == 0 ? 0 : (double)size * (20 + log2((double)size));
}

/* Well up to the middle, and quadratic behind it. */
static double breaks_down(uint64_t size)
{
    return (double)size * (size <= 512 ? 1 : (double)size / 512);
}

static double constant(uint64_t size)
{
    (void)size;
    return 50;
}

static double falling(uint64_t size)
{
    return 1e9 / (double)size;
}

static double halfway(uint64_t size)
{
    return sqrt((double)size);
}

static struct growth_row {
    const char *name;
    growth_function *cost;
    enum growth_kind kind;
    int want;
    const char *want_out;
} growth_rows[] = {
    {"proportional_cost_passes", proportional, GROWTH_LINEAR, 0,
        "    1.00  1.15 planted\n0 of 1 grow too fast\n"},
    {"the_start_is_left_out", started, GROWTH_LINEAR, 0,
        "      1000 us     1.00  1.15 planted\n"},
    {"a_tree_that_is_searched_passes", sorted, GROWTH_LINEAR, 0,
        "    1.05  1.15"},
    {"a_list_that_is_searched_fails", list_filled, GROWTH_LINEAR, 1,
        "    2.00  1.15 planted  (grows too fast)\n1 of 1 grow too fast\n"},
    {"and_a_long_start_does_not_hide_it", list_started_and_filled,
        GROWTH_LINEAR, 1, "    2.00  1.15 planted  (grows too fast)\n"},
    {"what_breaks_down_at_the_end_fails", breaks_down, GROWTH_LINEAR, 1,
        "    1.50  1.15 planted  (grows too fast)\n"},
    {"what_takes_no_time_cannot_be_judged", constant, GROWTH_LINEAR, 1,
        "     inf  1.15 planted  (grows too fast)\n"},
    {"constant_cost_passes", constant, GROWTH_FLAT, 0,
        "    0.00   0.1 planted\n"},
    {"falling_cost_passes", falling, GROWTH_FLAT, 0, "   -1.00   0.1"},
    {"the_root_of_the_size_fails_where_it_is_not_to_matter", halfway,
        GROWTH_FLAT, 1, "    0.50   0.1 planted  (grows too fast)\n"},
    {"proportional_cost_fails_where_it_is_not_to_matter", proportional,
        GROWTH_FLAT, 1, "    1.00   0.1 planted  (grows too fast)\n"},
};

static void growth_row(void **state)
{
    const struct growth_row *row = *state;
    const struct growth growth = {
        "planted", row->cost, {64, 512, 4096}, row->kind, "planted"};
    const struct bench bench = {
        .growth = &growth, .growth_count = 1, .fixed_work = fixed_110};
    const char *const arguments[] = {"--growth", "@out", NULL};
    struct planted_run run;

    planted_call(&run, &bench, arguments, NULL, NULL, NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, row->want);
    if (strstr(run.out, row->want_out) == NULL) {
        assert_string_equal(run.out, row->want_out);
    }
}

static void a_growth_is_written(void **state)
{
    static const struct growth growth = {
        "planted", started, {10, 100, 1000}, GROWTH_LINEAR, "planted"};
    const struct bench bench = {
        .growth = &growth, .growth_count = 1, .fixed_work = fixed_110};
    const char *const arguments[] = {"--growth", "@out", "pl", NULL};
    struct planted_run run;

    (void)state;
    planted_call(&run, &bench, arguments, NULL, NULL, NULL);
    assert_string_equal(run.written, "[\n"
                                     "  {\n"
                                     "    \"name\": \"planted\",\n"
                                     "    \"sizes\": [\n"
                                     "      10,\n"
                                     "      100,\n"
                                     "      1000\n"
                                     "    ],\n"
                                     "    \"ns\": [\n"
                                     "      30.0,\n"
                                     "      300.0,\n"
                                     "      3000.0\n"
                                     "    ],\n"
                                     "    \"start_ns\": 1e6,\n"
                                     "    \"exponent\": 1.0,\n"
                                     "    \"most\": 1.15\n"
                                     "  }\n"
                                     "]");
}

TEST_FILE(test_growths)
{
    TEST_ADD_ROWS(list, growth_row, growth_rows);
    test_add(list, "a_growth_is_written", a_growth_is_written, NULL);
}
