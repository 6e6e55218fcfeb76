/* test_option_values.c - values of options that are read in another unit, or
 * mean something else to each command. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/command_line/option_values.h"

#include "tests/rows.h"

static FILE *nowhere; /* what is said goes there */

static struct share_row {
    const char *name;
    const char *value;
    bool right;
    unsigned want; /* thousandths */
} share_rows[] = {
    {"nothing_at_all", "0", true, 0},
    {"whole_percent", "95", true, 950},
    {"a_decimal", "62.5", true, 625},
    {"less_than_one", "0.1", true, 1},
    {"all", "100", true, 1000},
    {"all_with_a_decimal", "100.0", true, 1000},
    {"a_little_more_than_all", "100.1", false, 0},
    {"more_than_all", "101", false, 0},
    {"more_digits_than_a_number_has", "4294967296", false, 0},
    {"two_decimals", "43.25", false, 0},
    {"point_without_a_decimal", "43.", false, 0},
    {"decimal_without_a_number", ".5", false, 0},
    {"negative", "-1", false, 0},
    {"with_its_sign", "95%", false, 0},
    {"word", "all", false, 0},
    {"nothing", "", false, 0},
};

static void share_row(void **state)
{
    const struct share_row *row = *state;
    struct options options = {.command = COMMAND_COVERAGE};

    assert_int_equal(option_min_req(&options, row->value, nowhere), row->right);
    if (row->right) {
        assert_int_equal(options.min_req, row->want);
        assert_int_equal(options.min_proven, 0);
    }
    options.min_req = 0;
    assert_int_equal(
        option_min_proven(&options, row->value, nowhere), row->right);
    if (row->right) {
        assert_int_equal(options.min_proven, row->want);
        assert_int_equal(options.min_req, 0);
    }
}

static struct format_row {
    const char *name;
    enum command command;
    const char *value;
    bool right;
    enum format want;
} format_rows[] = {
    {"text_of_coverage", COMMAND_COVERAGE, "text", true, FORMAT_TEXT},
    {"json_of_coverage", COMMAND_COVERAGE, "json", true, FORMAT_JSON},
    {"ctest_of_coverage", COMMAND_COVERAGE, "ctest", false, FORMAT_TEXT},
    {"text_of_list", COMMAND_LIST, "text", true, FORMAT_TEXT},
    {"ctest_of_list", COMMAND_LIST, "ctest", true, FORMAT_CTEST},
    {"table_of_counters", COMMAND_COUNTERS, "table", true, FORMAT_TEXT},
    {"csv_of_counters", COMMAND_COUNTERS, "csv", true, FORMAT_CSV},
    {"json_of_counters", COMMAND_COUNTERS, "json", true, FORMAT_JSON},
    {"text_of_counters", COMMAND_COUNTERS, "text", false, FORMAT_TEXT},
    {"csv_of_list", COMMAND_LIST, "csv", false, FORMAT_TEXT},
    {"json_of_list", COMMAND_LIST, "json", true, FORMAT_JSON},
};

static void format_row(void **state)
{
    const struct format_row *row = *state;
    struct options options = {.command = row->command};

    assert_int_equal(option_format(&options, row->value, nowhere), row->right);
    assert_int_equal(options.format, row->want);
}

static struct every_row {
    const char *name;
    const char *value;
    bool right;
    uint64_t want; /* microseconds */
} every_rows[] = {
    {"a_millisecond", "1", true, 1000},
    {"tenth_of_one", "0.1", true, 100},
    {"least", "0.001", true, 1},
    {"three_decimals", "12.345", true, 12345},
    {"most", "1000000", true, 1000000000},
    {"most_and_more", "1000001", false, 0},
    {"no_time", "0.000", false, 0},
    {"four_decimals", "0.0001", false, 0},
    {"time_with_its_unit", "1ms", false, 0},
    {"time_before", "-1", false, 0},
    {"time_that_is_empty", "", false, 0},
};

static void every_row(void **state)
{
    const struct every_row *row = *state;
    struct options options = {.command = COMMAND_COUNTERS};

    assert_int_equal(option_every(&options, row->value, nowhere), row->right);
    if (row->right) {
        assert_int_equal(options.every_us, row->want);
    }
}

static struct samples_row {
    const char *name;
    const char *value;
    bool right;
} samples_rows[] = {
    {"one_sample", "1", true},
    {"a_million_samples", "1000000", true},
    {"a_million_and_one_samples", "1000001", false},
    {"no_sample", "0", false},
    {"half_a_sample", "0.5", false},
    {"as_many_samples_as_a_word", "all", false},
};

static void samples_row(void **state)
{
    const struct samples_row *row = *state;
    struct options options = {.command = COMMAND_COUNTERS};

    assert_int_equal(option_samples(&options, row->value, nowhere), row->right);
}

static struct set_row {
    const char *name;
    const char *value;
    bool right;
} set_rows[] = {
    {"set_in_utf8", "Z\xC3\xA4hler", true},
    {"set_in_no_utf8", "Z\xE4hler", false},
    {"set_without_a_name", "", false},
};

static void set_row(void **state)
{
    const struct set_row *row = *state;
    struct options options = {.command = COMMAND_COUNTERS};

    assert_int_equal(
        option_counterset(&options, row->value, nowhere), row->right);
    assert_int_equal(options.counterset.count, row->right);
}

static struct basis_row {
    const char *name;
    const char *value;
    bool right;
} basis_rows[] = {
    {"documented", "documented", true},
    {"observed", "observed", false},
    {"part_of_the_word", "doc", false},
};

static void basis_row(void **state)
{
    const struct basis_row *row = *state;
    struct options options = {.command = COMMAND_RUN};

    assert_int_equal(option_basis(&options, row->value, nowhere), row->right);
    assert_int_equal(options.documented, row->right);
}

static int open_nowhere(void **state)
{
    (void)state;
    nowhere = fopen("/dev/null", "we");
    return nowhere == NULL ? -1 : 0;
}

static int close_nowhere(void **state)
{
    (void)state;
    return fclose(nowhere);
}

TEST_FILE(test_option_values)
{
    test_fixture(list, open_nowhere, close_nowhere);
    TEST_ADD_ROWS(list, share_row, share_rows);
    TEST_ADD_ROWS(list, format_row, format_rows);
    TEST_ADD_ROWS(list, every_row, every_rows);
    TEST_ADD_ROWS(list, samples_row, samples_rows);
    TEST_ADD_ROWS(list, set_row, set_rows);
    TEST_ADD_ROWS(list, basis_row, basis_rows);
}
