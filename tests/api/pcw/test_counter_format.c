/* test_counter_format.c - the figures of counters, computed by hand from the
 * formulas of the pages Calculating Counter Values and of section Counter Types
 * of the Windows Server 2003 Deployment Kit. */
#include "api/pcw/counter_format.h"

#include "tests/rows.h"

/* Two samples 2 s apart, of a performance counter of 1,000 ticks per second,
 * and of an object whose own clock has 50 per second and was asked 3 s apart.
 * The values grow by 600. */
static const struct counter_sample earlier = {
    .value = 1400,
    .base = 100,
    .multi = 7,
    .object_time = 10000,
    .object_freq = 25,
    .perf_time = 5000,
    .perf_freq = 500,
    .time_100ns = 30000000,
};
static const struct counter_sample later = {
    .value = 2000,
    .base = 900,
    .multi = 4,
    .object_time = 10150,
    .object_freq = 50,
    .perf_time = 7000,
    .perf_freq = 1000,
    .time_100ns = 50000000,
};

static struct figure_row {
    const char *name;
    enum counter_type type;
    double want;
    const char *unit;
} figure_rows[] = {
    /* (2000 - 1400) / ((7000 - 5000) / 1000) */
    {"counter", COUNTER_TYPE_COUNTER, 300, "/s"},
    {"bulk_count", COUNTER_TYPE_BULK_COUNT, 300, "/s"},
    {"sample_counter", COUNTER_TYPE_SAMPLE_COUNTER, 300, ""},
    /* 100 * 600 / 2000 */
    {"timer", COUNTER_TYPE_TIMER, 30, "%"},
    {"timer_inv", COUNTER_TYPE_TIMER_INV, 70, "%"},
    {"precision_system_timer", COUNTER_TYPE_PRECISION_SYSTEM_TIMER, 30, "%"},
    /* 600 / 2000 */
    {"queuelen", COUNTER_TYPE_QUEUELEN, 0.3, ""},
    {"large_queuelen", COUNTER_TYPE_LARGE_QUEUELEN, 0.3, ""},
    /* 600 / 20000000 */
    {"queuelen_100ns", COUNTER_TYPE_QUEUELEN_100NS, 0.00003, ""},
    {"timer_100ns", COUNTER_TYPE_TIMER_100NS, 0.003, "%"},
    {"timer_100ns_inv", COUNTER_TYPE_TIMER_100NS_INV, 99.997, "%"},
    /* 600 / (10150 - 10000) */
    {"queuelen_obj_time", COUNTER_TYPE_QUEUELEN_OBJ_TIME, 4, ""},
    {"obj_time_timer", COUNTER_TYPE_OBJ_TIME_TIMER, 400, "%"},
    {"precision_object_timer", COUNTER_TYPE_PRECISION_OBJECT_TIMER, 400, "%"},
    /* The second sample's value alone. */
    {"rawcount", COUNTER_TYPE_RAWCOUNT, 2000, ""},
    {"large_rawcount", COUNTER_TYPE_LARGE_RAWCOUNT, 2000, ""},
    {"rawcount_hex", COUNTER_TYPE_RAWCOUNT_HEX, 2000, ""},
    {"large_rawcount_hex", COUNTER_TYPE_LARGE_RAWCOUNT_HEX, 2000, ""},
    {"delta", COUNTER_TYPE_DELTA, 600, ""},
    {"large_delta", COUNTER_TYPE_LARGE_DELTA, 600, ""},
    /* 100 * 600 / (900 - 100) */
    {"sample_fraction", COUNTER_TYPE_SAMPLE_FRACTION, 75, "%"},
    {"precision_100ns_timer", COUNTER_TYPE_PRECISION_100NS_TIMER, 75, "%"},
    /* 600 / 1000 / 800, and 600 / 800 */
    {"average_timer", COUNTER_TYPE_AVERAGE_TIMER, 0.00075, "s"},
    {"average_bulk", COUNTER_TYPE_AVERAGE_BULK, 0.75, ""},
    /* 100 * 2000 / 900 */
    {"raw_fraction", COUNTER_TYPE_RAW_FRACTION, 222.2222222222222, "%"},
    {"large_raw_fraction", COUNTER_TYPE_LARGE_RAW_FRACTION, 222.2222222222222,
        "%"},
    /* (10150 - 2000) / 50 */
    {"elapsed_time", COUNTER_TYPE_ELAPSED_TIME, 163, "s"},
    /* 100 * (600 / 2000) / 4, and 100 * (4 - 600 / 2000) */
    {"multi_timer", COUNTER_TYPE_MULTI_TIMER, 7.5, "%"},
    {"multi_timer_inv", COUNTER_TYPE_MULTI_TIMER_INV, 370, "%"},
    /* 100 * (600 / 20000000) / 4, and 100 * (4 - 600 / 20000000) */
    {"multi_timer_100ns", COUNTER_TYPE_MULTI_TIMER_100NS, 0.00075, "%"},
    {"multi_timer_100ns_inv", COUNTER_TYPE_MULTI_TIMER_100NS_INV, 399.997, "%"},
};

static void assert_near(double got, double want)
{
    double difference = got > want ? got - want : want - got;

    if (difference > 1e-12 * (want < 0 ? -want : want)) {
        fail_msg("%.17g, not %.17g", got, want);
    }
}

/* Small counts are as near as all others. */
static double number_of(const struct counter_figure *figure)
{
    return figure->is_count ? (double)figure->count : figure->number;
}

static void figure(void **state)
{
    const struct figure_row *row = *state;
    struct counter_figure got = {.number = -1};

    assert_int_equal(
        counter_format(row->type, &earlier, &later, &got), COUNTER_FIGURE);
    assert_near(number_of(&got), row->want);
    assert_string_equal(counter_unit(row->type), row->unit);
}

/* A case of its own: what the two samples have other than `earlier` and
 * `later`. A figure below 0 is not wanted anywhere but in its own rows. */
static struct case_row {
    const char *name;
    enum counter_type type;
    struct counter_sample first, second;
    enum counter_figure_state want;
    double figure;
} case_rows[] = {
    {"nothing_happened_is_no_rate", COUNTER_TYPE_COUNTER, {.value = 5},
        {.value = 5, .perf_time = 10, .perf_freq = 10}, COUNTER_FIGURE, 0},
    {"no_time_has_passed", COUNTER_TYPE_COUNTER, {.value = 5, .perf_time = 10},
        {.value = 6, .perf_time = 10, .perf_freq = 10}, COUNTER_NO_CHANGE, 0},
    {"time_went_backwards", COUNTER_TYPE_TIMER, {.value = 5, .perf_time = 11},
        {.value = 6, .perf_time = 10}, COUNTER_NO_CHANGE, 0},
    {"time_100ns_went_backwards", COUNTER_TYPE_TIMER_100NS,
        {.value = 5, .time_100ns = 11}, {.value = 6, .time_100ns = 10},
        COUNTER_NO_CHANGE, 0},
    {"object_time_went_backwards", COUNTER_TYPE_OBJ_TIME_TIMER,
        {.value = 5, .object_time = 11}, {.value = 6, .object_time = 10},
        COUNTER_NO_CHANGE, 0},
    {"frequency_is_0", COUNTER_TYPE_COUNTER, {.value = 5},
        {.value = 6, .perf_time = 10}, COUNTER_NO_CHANGE, 0},
    {"average_timer_frequency_is_0", COUNTER_TYPE_AVERAGE_TIMER, {.value = 5},
        {.value = 6, .base = 1}, COUNTER_NO_CHANGE, 0},
    {"timer_needs_no_frequency", COUNTER_TYPE_TIMER, {.value = 5},
        {.value = 6, .perf_time = 10}, COUNTER_FIGURE, 10},
    {"value_of_4_bytes_wraps", COUNTER_TYPE_COUNTER, {.value = 0xFFFFFFFF},
        {.value = 0, .perf_time = 10, .perf_freq = 10}, COUNTER_NO_CHANGE, 0},
    {"value_of_8_bytes_went_backwards", COUNTER_TYPE_LARGE_DELTA, {.value = 6},
        {.value = 5}, COUNTER_NO_CHANGE, 0},
    {"inverse_of_all_but_one_tick_of_many", COUNTER_TYPE_TIMER_INV,
        {.value = 0}, {.value = 999999999999999, .perf_time = 1000000000000000},
        COUNTER_FIGURE, 1e-13},
    {"inverse_of_all_but_one_tick_of_many_of_3", COUNTER_TYPE_MULTI_TIMER_INV,
        {.value = 0},
        {.value = 2999999999999999, .multi = 3, .perf_time = 1000000000000000},
        COUNTER_FIGURE, 1e-13},
    {"average_of_nothing", COUNTER_TYPE_AVERAGE_BULK, {.value = 5, .base = 3},
        {.value = 5, .base = 3}, COUNTER_NO_CHANGE, 0},
    {"average_of_0", COUNTER_TYPE_AVERAGE_BULK, {.value = 5, .base = 3},
        {.value = 5, .base = 4}, COUNTER_FIGURE, 0},
    {"base_went_backwards", COUNTER_TYPE_AVERAGE_BULK, {.value = 5, .base = 3},
        {.value = 6, .base = 2}, COUNTER_NO_CHANGE, 0},
    {"fraction_of_0", COUNTER_TYPE_RAW_FRACTION, {.base = 8}, {.value = 6},
        COUNTER_NO_CHANGE, 0},
    {"fraction_goes_by_the_later_base", COUNTER_TYPE_RAW_FRACTION, {.base = 8},
        {.value = 1, .base = 4}, COUNTER_FIGURE, 25},
    {"sample_fraction_of_no_samples", COUNTER_TYPE_SAMPLE_FRACTION, {.base = 8},
        {.value = 1, .base = 8}, COUNTER_NO_CHANGE, 0},
    {"multi_timer_of_none", COUNTER_TYPE_MULTI_TIMER, {.multi = 2},
        {.value = 1, .perf_time = 10}, COUNTER_NO_CHANGE, 0},
    {"inverse_multi_timer_of_none", COUNTER_TYPE_MULTI_TIMER_INV, {.multi = 2},
        {.value = 1, .perf_time = 10}, COUNTER_FIGURE, -10},
    {"inverse_below_0", COUNTER_TYPE_TIMER_INV, {.value = 0},
        {.value = 15, .perf_time = 10}, COUNTER_FIGURE, -50},
    {"percentage_above_100", COUNTER_TYPE_TIMER, {.value = 0},
        {.value = 15, .perf_time = 10}, COUNTER_FIGURE, 150},
    {"elapsed_began_later", COUNTER_TYPE_ELAPSED_TIME, {.value = 0},
        {.value = 11, .object_time = 10, .object_freq = 1}, COUNTER_NO_CHANGE,
        0},
    {"elapsed_frequency_is_0", COUNTER_TYPE_ELAPSED_TIME, {.object_freq = 1},
        {.value = 9, .object_time = 10}, COUNTER_NO_CHANGE, 0},
    {"elapsed_begins_now", COUNTER_TYPE_ELAPSED_TIME, {.value = 0},
        {.value = 10, .object_time = 10, .object_freq = 1}, COUNTER_FIGURE, 0},
    {"text_has_none", COUNTER_TYPE_TEXT, {.value = 1}, {.value = 2},
        COUNTER_NO_FIGURE, 0},
    {"composite_has_none", COUNTER_TYPE_COMPOSITE, {.value = 1}, {.value = 2},
        COUNTER_NO_FIGURE, 0},
    {"sample_base_has_none", COUNTER_TYPE_SAMPLE_BASE, {.value = 1},
        {.value = 2}, COUNTER_NO_FIGURE, 0},
    {"average_base_has_none", COUNTER_TYPE_AVERAGE_BASE, {.value = 1},
        {.value = 2}, COUNTER_NO_FIGURE, 0},
    {"multi_base_has_none", COUNTER_TYPE_MULTI_BASE, {.value = 1}, {.value = 2},
        COUNTER_NO_FIGURE, 0},
    {"raw_base_has_none", COUNTER_TYPE_RAW_BASE, {.value = 1}, {.value = 2},
        COUNTER_NO_FIGURE, 0},
    {"large_raw_base_has_none", COUNTER_TYPE_LARGE_RAW_BASE, {.value = 1},
        {.value = 2}, COUNTER_NO_FIGURE, 0},
};

/* What no figure may change. */
static const struct counter_figure untouched = {false, 54321, -12345};

static void assert_untouched(const struct counter_figure *figure)
{
    assert_false(figure->is_count);
    assert_true(figure->count == untouched.count);
    assert_true(figure->number == untouched.number);
}

static void one_case(void **state)
{
    const struct case_row *row = *state;
    struct counter_figure got = untouched;

    assert_int_equal(
        counter_format(row->type, &row->first, &row->second, &got), row->want);
    if (row->want != COUNTER_FIGURE) {
        assert_untouched(&got);
    } else {
        assert_false(got.is_count);
        assert_near(got.number, row->figure);
    }
}

/* Counts are exact. */
static struct count_row {
    const char *name;
    enum counter_type type;
    uint64_t first, second, want;
} count_rows[] = {
    {"value_of_4_bytes_at_its_end", COUNTER_TYPE_DELTA, 0, 0xFFFFFFFF,
        4294967295},
    {"value_of_8_bytes_grows_by_2_to_the_63", COUNTER_TYPE_LARGE_DELTA, 1,
        UINT64_C(0x8000000000000001), UINT64_C(0x8000000000000000)},
    {"growth_that_no_double_is", COUNTER_TYPE_LARGE_DELTA, 5,
        UINT64_C(9007199254740998), UINT64_C(9007199254740993)},
    {"largest_value", COUNTER_TYPE_LARGE_RAWCOUNT, 0, UINT64_MAX, UINT64_MAX},
    {"largest_hexadecimal_value", COUNTER_TYPE_LARGE_RAWCOUNT_HEX, 0,
        UINT64_MAX, UINT64_MAX},
    {"raw_value_that_no_double_is", COUNTER_TYPE_LARGE_RAWCOUNT, 0,
        UINT64_C(9007199254740993), UINT64_C(9007199254740993)},
    {"raw_value_may_go_backwards", COUNTER_TYPE_RAWCOUNT, 6, 5, 5},
    {"raw_value_may_be_0", COUNTER_TYPE_RAWCOUNT_HEX, 6, 0, 0},
};

static void one_count(void **state)
{
    const struct count_row *row = *state;
    const struct counter_sample first = {.value = row->first};
    const struct counter_sample second = {.value = row->second};
    struct counter_figure got = untouched;

    assert_int_equal(
        counter_format(row->type, &first, &second, &got), COUNTER_FIGURE);
    assert_true(got.is_count);
    assert_true(got.count == row->want);
}

/* Without an earlier sample. Types that are not here need two. */
static const enum counter_type lone[] = {
    COUNTER_TYPE_RAWCOUNT,
    COUNTER_TYPE_LARGE_RAWCOUNT,
    COUNTER_TYPE_RAWCOUNT_HEX,
    COUNTER_TYPE_LARGE_RAWCOUNT_HEX,
    COUNTER_TYPE_RAW_FRACTION,
    COUNTER_TYPE_LARGE_RAW_FRACTION,
    COUNTER_TYPE_ELAPSED_TIME,
};

static bool is_lone(enum counter_type type)
{
    for (size_t i = 0; i < sizeof(lone) / sizeof(lone[0]); i++) {
        if (lone[i] == type) {
            return true;
        }
    }
    return false;
}

static void one_sample(void **state)
{
    const struct figure_row *row = *state;
    struct counter_figure got = untouched;
    enum counter_figure_state state_of_one =
        counter_format(row->type, NULL, &later, &got);

    if (is_lone(row->type)) {
        assert_int_equal(state_of_one, COUNTER_FIGURE);
        assert_near(number_of(&got), row->want);
    } else {
        assert_int_equal(state_of_one, COUNTER_NEEDS_SECOND);
        assert_untouched(&got);
    }
}

static struct lone_row {
    const char *name;
    enum counter_type type;
} lone_rows[] = {
    {"text_of_one_sample_has_none", COUNTER_TYPE_TEXT},
    {"base_of_one_sample_has_none", COUNTER_TYPE_AVERAGE_BASE},
};

static void one_sample_has_none(void **state)
{
    const struct lone_row *row = *state;
    struct counter_figure got = untouched;

    assert_int_equal(
        counter_format(row->type, NULL, &later, &got), COUNTER_NO_FIGURE);
    assert_untouched(&got);
    assert_string_equal(counter_unit(row->type), "");
}

/* 31 types with a figure, 5 bases, text and composite. */
static void every_type_is_here(void **state)
{
    (void)state;
    assert_int_equal(sizeof(figure_rows) / sizeof(figure_rows[0]), 31);
    assert_int_equal(COUNTER_TYPE_COUNT, 31 + 5 + 2);
}

TEST_FILE(test_counter_format)
{
    TEST_ADD_GROUP(list, "figure", figure, figure_rows);
    TEST_ADD_GROUP(list, "case", one_case, case_rows);
    TEST_ADD_GROUP(list, "count", one_count, count_rows);
    TEST_ADD_GROUP(list, "sample", one_sample, figure_rows);
    TEST_ADD_GROUP(list, "lone", one_sample_has_none, lone_rows);
    test_add(list, "every_type_is_here", every_type_is_here, NULL);
}
