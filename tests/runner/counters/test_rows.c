/* test_rows.c - what a consumer was given: names of counters, figures of two
 * collections (PCW-CON-02), and rows as text. */
#include <string.h>
#include <talloc.h>

#include "api/core/kernel.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/counters/rows.h"
#include "scenarios/runner/text/wide_text.h"
#include "tests/rows.h"

/* A number, a rate, a fraction with its base, one without a name, and one whose
 * name is another's id, one of 8 bytes and one of no fixed size. */
static struct manifest_counter counters[] = {
    {.id = 0,
        .type = COUNTER_TYPE_RAWCOUNT,
        .name = "Height",
        .symbol = "H",
        .uri = "U.Height"},
    {.id = 1, .type = COUNTER_TYPE_COUNTER, .name = "Rate"},
    {.id = 2,
        .type = COUNTER_TYPE_RAW_FRACTION,
        .name = "Share",
        .base_id = {true, 3}},
    {.id = 3, .type = COUNTER_TYPE_RAW_BASE, .symbol = "Whole"},
    {.id = 70, .type = COUNTER_TYPE_RAWCOUNT, .uri = "U.Far"},
    {.id = 71, .type = COUNTER_TYPE_RAWCOUNT, .name = "5"},
    {.id = 72, .type = COUNTER_TYPE_LARGE_RAWCOUNT},
    {.id = 73, .type = COUNTER_TYPE_TEXT},
    {.id = 74,
        .type = COUNTER_TYPE_RAWCOUNT,
        .base_id = {true, 0},
        .perf_time_id = {true, 0},
        .perf_freq_id = {true, 0},
        .multi_counter_id = {true, 0}},
};

static const struct manifest_set set = {.symbol = "Waves",
    .name = "Test Waves",
    .counter = counters,
    .counter_count = sizeof(counters) / sizeof(counters[0])};

/* Two of one name, a name that is another's id, and a symbol that is another's
 * name. */
static struct manifest_counter alike[] = {
    {.id = 0, .name = "Depth", .symbol = "D", .uri = "U.Depth"},
    {.id = 1, .name = "Depth", .symbol = "Other"},
    {.id = 2, .name = "1", .symbol = "One"},
    {.id = 3, .name = "D", .uri = "U.Depth"},
    {.id = 4, .name = "4"},
};

static const struct manifest_set ambiguous = {.symbol = "Ponds",
    .name = "Test Ponds",
    .counter = alike,
    .counter_count = sizeof(alike) / sizeof(alike[0])};

static struct find_row {
    const char *name;
    const struct manifest_set *set;
    const char *called;
    bool want;
    uint32_t want_id;
} find_rows[] = {
    {"counter_by_name", &set, "Rate", true, 1},
    {"counter_by_symbol", &set, "H", true, 0},
    {"counter_by_uri", &set, "U.Far", true, 70},
    {"counter_by_id", &set, "3", true, 3},
    {"name_comes_before_an_id", &set, "5", true, 71},
    {"id_that_the_manifest_does_not_have", &set, "99", true, 99},
    {"highest_id", NULL, "65535", true, 65535},
    {"id_that_no_descriptor_can_have", NULL, "65536", false, 0},
    {"name_in_other_case", &set, "rate", false, 0},
    {"name_without_a_manifest", NULL, "Rate", false, 0},
    {"no_name", &set, "", false, 0},
    {"name_of_two", &ambiguous, "Depth", false, 0},
    {"uri_of_two", &ambiguous, "U.Depth", false, 0},
    {"name_that_is_another_ones_id", &ambiguous, "1", false, 0},
    {"symbol_of_one_of_the_two", &ambiguous, "Other", true, 1},
    {"name_comes_before_a_symbol", &ambiguous, "D", true, 3},
    {"name_that_is_its_own_id", &ambiguous, "4", true, 4},
};

static struct two_row {
    const char *name;
    const char *called;
    uint32_t want[2];
} two_rows[] = {
    {"equal_names", "Depth", {0, 1}},
    {"equal_uris", "U.Depth", {0, 3}},
    {"name_and_id", "1", {2, 1}},
};

static void two_row(void **state)
{
    const struct two_row *row = *state;
    uint32_t id[2];

    assert_true(counter_names_are_two(&ambiguous, row->called, id));
    assert_int_equal(id[0], row->want[0]);
    assert_int_equal(id[1], row->want[1]);
    assert_false(counter_names_are_two(&set, row->called, id));
}

static void find_row(void **state)
{
    const struct find_row *row = *state;
    uint32_t id = 0;

    assert_int_equal(counter_names_find(row->set, row->called, &id), row->want);
    assert_int_equal(id, row->want_id);
}

static struct manifest_set sets[] = {
    {.symbol = "Waves", .name = "Test Waves", .guid = {.data1 = 1}},
    {.symbol = "Pond", .name = "Mare \xC3\xA9t\xC3\xA9", .guid = {.data1 = 2}},
    {.symbol = "Test Waves", .name = "Pond", .guid = {.data1 = 3}},
};

static struct set_row {
    const char *name;
    const char *called;
    int want;       /* as a scenario calls it: which; -1: none */
    int registered; /* what describes a set that is registered so */
} set_rows[] = {
    {"set_by_name", "Test Waves", 0, 0},
    {"set_by_name_in_other_case", "TEST waves", 0, 0},
    {"set_by_name_in_other_case_beyond_ascii", "mare \xC3\x89T\xC3\x89", 1, 1},
    {"set_by_symbol", "Waves", 0, -1},
    {"set_by_symbol_in_other_case", "waves", -1, -1},
    {"set_name_comes_before_a_symbol", "Pond", 2, 2},
    {"unknown_set", "Ponds", -1, -1},
};

static const struct manifest_set *nth(int n)
{
    return n < 0 ? NULL : &sets[n];
}

/* Each set is in a manifest of its own. */
static void set_row(void **state)
{
    enum { SETS = sizeof(sets) / sizeof(sets[0]) };
    const struct set_row *row = *state;
    const struct manifest whole = {.set = sets, .set_count = SETS};
    struct manifest manifest[SETS];
    struct named_manifest named[SETS] = {0};
    const struct named_manifests manifests = {.item = named, .count = SETS};

    for (size_t i = 0; i < SETS; i++) {
        manifest[i] = (struct manifest){.set = &sets[i], .set_count = 1};
        named[i].manifest = &manifest[i];
    }
    assert_ptr_equal(
        counter_names_set(&manifests, row->called), nth(row->want));
    for (int i = 0; i < SETS; i++) {
        assert_int_equal(named[i].used, i == row->want);
    }
    assert_ptr_equal(
        counter_names_registered(&whole, row->called), nth(row->registered));
}

/* The values of counters 0 to 3 of one instance. */
struct sample {
    const char *name;
    uint32_t id;
    uint64_t value[4];
    size_t count;
};

static struct rows *make(
    void *context, const struct sample *sample, size_t count, uint64_t cycles)
{
    static const struct pcw_column columns[4] = {
        {0, 4}, {1, 4}, {2, 4}, {3, 4}};
    struct pcw_row rows[2];
    const struct pcw_result result = {
        .row = rows, .row_count = count, .cycles = cycles};

    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct pcw_row){1, wide_text(context, sample[i].name),
            sample[i].id, columns, sample[i].value, sample[i].count};
    }
    return rows_copy(context, &set, &result);
}

/* A collection at 1,000 MHz, and one a second later. */
static struct figure_row {
    const char *name;
    struct sample first[2], second[2];
    size_t row; /* of the second */
    uint32_t counter;
    const char *want; /* NULL: no figure */
} figure_rows[] = {
    {"number_as_it_is", {{"a", 0, {0}, 0}}, {{"a", 0, {7, 0, 0, 0}, 4}}, 0, 0,
        "7"},
    {"rate_by_two_collections", {{"a", 0, {0, 100}, 2}},
        {{"a", 0, {0, 350}, 2}}, 0, 1, "250"},
    {"rate_of_an_instance_that_is_new", {{"b", 0, {0, 100}, 2}},
        {{"a", 0, {0, 350}, 2}}, 0, 1, NULL},
    {"instance_with_another_id", {{"a", 1, {0, 100}, 2}},
        {{"a", 0, {0, 350}, 2}}, 0, 1, NULL},
    {"instances_are_matched_without_case", {{"Ab", 0, {0, 100}, 2}},
        {{"aB", 0, {0, 101}, 2}}, 0, 1, "1"},
    {"second_of_two_that_look_alike",
        {{"a", 0, {0, 100}, 2}, {"a", 0, {0, 5}, 2}},
        {{"a", 0, {0, 100}, 2}, {"a", 0, {0, 8}, 2}}, 1, 1, "3"},
    {"fraction_of_its_base", {{"a", 0, {0}, 0}}, {{"a", 0, {0, 0, 1, 3}, 4}}, 0,
        2, "33.333333"},
    {"fraction_without_a_base", {{"a", 0, {0}, 0}}, {{"a", 0, {0, 0, 1}, 3}}, 0,
        2, NULL},
    {"base_has_no_figure", {{"a", 0, {0}, 0}}, {{"a", 0, {0, 0, 1, 3}, 4}}, 0,
        3, NULL},
};

static void figure_row(void **state)
{
    const struct figure_row *row = *state;
    void *context = talloc_new(NULL);
    size_t count = row->second[1].name == NULL ? 1 : 2;
    struct rows *first = make(context, row->first, count, 5);
    struct rows *second = make(context, row->second, count, 1000000005);
    const char *shown;

    rows_make_figures(1000, first, NULL);
    rows_make_figures(1000, second, first);
    shown = row_find(&second->item[row->row], row->counter)->shown;
    if (row->want == NULL) {
        assert_null(shown);
    } else {
        assert_non_null(shown);
        assert_string_equal(shown, row->want);
    }
    talloc_free(context);
}

/* Descriptors as no driver should register them (PCW-REG-13 [C]), of one
 * instance, collected twice. */
static struct odd_row {
    const char *name;
    struct pcw_value first[4], second[4];
    size_t count;
    size_t value; /* of the second */
    const char *want;
} odd_rows[] = {
    {"first_of_two_with_one_id", {{0, 4, 1}, {0, 4, 2}},
        {{0, 4, 5}, {0, 4, 100}}, 2, 0, "5"},
    {"second_of_two_with_one_id", {{0, 4, 1}, {0, 4, 2}},
        {{0, 4, 5}, {0, 4, 100}}, 2, 1, "100"},
    {"rate_of_the_second_of_two_with_one_id", {{1, 4, 100}, {1, 4, 5}},
        {{1, 4, 350}, {1, 4, 8}}, 2, 1, "3"},
    {"rate_of_the_first_of_two_with_one_id", {{1, 4, 100}, {1, 4, 5}},
        {{1, 4, 350}, {1, 4, 8}}, 2, 0, "250"},
    {"size_of_8_for_a_type_of_4", {{0, 8, 5}}, {{0, 8, 5}}, 1, 0, NULL},
    {"size_of_2_for_a_type_of_4", {{0, 2, 5}}, {{0, 2, 5}}, 1, 0, NULL},
    {"size_of_9_for_a_type_of_8", {{72, 9, 5}}, {{72, 9, 5}}, 1, 0, NULL},
    {"size_of_4_for_a_type_of_8", {{72, 4, 5}}, {{72, 4, 5}}, 1, 0, NULL},
    {"size_of_8_for_a_type_of_8", {{72, 8, 5}}, {{72, 8, 5}}, 1, 0, "5"},
    {"size_of_the_base", {{2, 4, 1}, {3, 8, 4}}, {{2, 4, 1}, {3, 8, 4}}, 2, 0,
        NULL},
    {"size_was_another_before", {{1, 8, 100}}, {{1, 4, 350}}, 1, 0, NULL},
    {"size_of_another_counter", {{0, 8, 5}, {1, 4, 100}},
        {{0, 8, 5}, {1, 4, 350}}, 2, 1, "250"},
    {"type_without_a_size", {{73, 8, 5}}, {{73, 8, 5}}, 1, 0, NULL},
    {"type_that_has_no_use_for_another_counter", {{74, 4, 5}}, {{74, 4, 6}}, 1,
        0, "6"},
};

static struct rows *make_odd(
    void *context, const struct pcw_value *value, size_t count, uint64_t cycles)
{
    struct pcw_column column[4];
    uint64_t values[4];
    const struct pcw_row row = {
        1, wide_text(context, "a"), 0, column, values, count};
    const struct pcw_result result = {
        .row = &row, .row_count = 1, .cycles = cycles};

    for (size_t i = 0; i < count; i++) {
        column[i] = (struct pcw_column){value[i].counter, value[i].bytes};
        values[i] = value[i].value;
    }
    return rows_copy(context, &set, &result);
}

static void odd_row(void **state)
{
    const struct odd_row *row = *state;
    void *context = talloc_new(NULL);
    struct rows *first = make_odd(context, row->first, row->count, 5);
    struct rows *second =
        make_odd(context, row->second, row->count, 1000000005);
    const char *shown;

    rows_make_figures(1000, first, NULL);
    rows_make_figures(1000, second, first);
    shown = second->item[0].value[row->value].shown;
    if (row->want == NULL) {
        assert_null(shown);
    } else {
        assert_non_null(shown);
        assert_string_equal(shown, row->want);
    }
    talloc_free(context);
}

static struct width_row {
    const char *name;
    const struct manifest_set *set;
    struct row_value value;
    const char *want; /* NULL: they agree */
} width_rows[] = {
    {"width_of_4", &set, {.counter = 0, .size = 4}, NULL},
    {"width_of_8_and_not_4", &set, {.counter = 0, .size = 8},
        "registered with 8 bytes, its type in the manifest has 4"},
    {"width_of_1_and_not_8", &set, {.counter = 72, .size = 1},
        "registered with 1 byte, its type in the manifest has 8"},
    {"width_of_none", &set, {.counter = 72, .size = 0},
        "registered with 0 bytes, its type in the manifest has 8"},
    {"width_of_a_type_without_one", &set, {.counter = 73, .size = 3}, NULL},
    {"width_that_nothing_describes", &set, {.counter = 99, .size = 3}, NULL},
    {"width_without_a_manifest", NULL, {.counter = 0, .size = 3}, NULL},
};

static void width_row(void **state)
{
    const struct width_row *row = *state;
    char *text;

    assert_int_equal(
        row_value_agrees(row->set, &row->value), row->want == NULL);
    if (row->want != NULL) {
        text = row_value_width_text(NULL, row->set, &row->value);
        assert_string_equal(text, row->want);
        talloc_free(text);
    }
}

static void row_is_a_line_of_text(void **state)
{
    static const struct sample sample = {"lake", 7, {5, 6, 7, 8}, 4};
    void *context = talloc_new(NULL);
    struct rows *rows = make(context, &sample, 1, 0);

    (void)state;
    rows->item[0].value[0].shown = "5";
    assert_string_equal(row_text(context, rows, 0),
        "'lake' 7: Height = 5 (5), Rate = 6, Share = 7, Whole = 8");
    rows->set = NULL;
    assert_string_equal(
        row_text(context, rows, 0), "'lake' 7: 0 = 5 (5), 1 = 6, 2 = 7, 3 = 8");
    talloc_free(context);
}

static struct wide_row {
    const char *name;
    const char *utf8;
    uint16_t want[4];
    size_t want_length;
} wide_rows[] = {
    {"text_of_nothing", "", {0}, 0},
    {"letters", "Ab", {'A', 'b'}, 2},
    {"two_bytes", "\xC3\xA9", {0xE9}, 1},
    {"beyond_the_bmp", "x\xF0\x9F\x8C\x8A", {'x', 0xD83C, 0xDF0A}, 3},
};

static void wide_row(void **state)
{
    const struct wide_row *row = *state;
    void *context = talloc_new(NULL);
    struct pcw_text text = wide_text(context, row->utf8);

    assert_int_equal(text.length, row->want_length);
    assert_memory_equal(
        text.at, row->want, row->want_length * sizeof(text.at[0]));
    assert_string_equal(wide_text_utf8(context, text), row->utf8);
    talloc_free(context);
}

TEST_FILE(test_rows)
{
    TEST_ADD_ROWS(list, find_row, find_rows);
    TEST_ADD_ROWS(list, two_row, two_rows);
    TEST_ADD_ROWS(list, set_row, set_rows);
    TEST_ADD_ROWS(list, figure_row, figure_rows);
    TEST_ADD_ROWS(list, odd_row, odd_rows);
    TEST_ADD_ROWS(list, width_row, width_rows);
    test_add(list, "row_is_a_line_of_text", row_is_a_line_of_text, NULL);
    TEST_ADD_ROWS(list, wide_row, wide_rows);
}
