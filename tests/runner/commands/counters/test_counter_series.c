/* test_counter_series.c - lines as series, as columns of typeperf and as
 * sparklines. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/commands/counters/counter_series.h"

#include <string.h>

#include "scenarios/runner/commands/counters/counter_live.h"
#include "tests/rows.h"
#include "tests/runner/commands/counters/sampled_lines.h"

static void lines_of_one_counter_are_a_series(void **state)
{
    void *context = talloc_new(NULL);
    struct counter_line line[] = {
        sampled_line(0, "sea", 0, "5"),
        sampled_line(0, "sea", 1, "7"),
        sampled_line(0, "lake", 0, "9"),
        sampled_line(1, "lake", 0, "8"),
        sampled_line(1, "sea", 0, "6"),
    };
    const struct counter_lines lines = {.item = line, .count = 5};
    const struct counter_series_list *list =
        counter_series_make(context, &lines);

    (void)state;
    assert_int_equal(list->count, 3);
    assert_int_equal(list->item[0].count, 2);
    assert_ptr_equal(list->item[0].line[1], &line[4]);
    assert_int_equal(list->item[1].count, 1);
    assert_ptr_equal(list->item[1].line[0], &line[1]);
    assert_ptr_equal(list->item[2].line[0], &line[2]);
    assert_ptr_equal(list->item[2].line[1], &line[3]);
    talloc_free(context);
}

/* The second of a sample is another one, in each sample. */
static void twins_are_two(void **state)
{
    void *context = talloc_new(NULL);
    struct counter_line line[] = {
        sampled_line(0, "sea", 0, "5"),
        sampled_line(0, "sea", 0, "6"),
        sampled_line(1, "sea", 0, "7"),
        sampled_line(1, "sea", 0, "8"),
    };
    const struct counter_lines lines = {.item = line, .count = 4};
    const struct counter_series_list *list =
        counter_series_make(context, &lines);

    (void)state;
    assert_int_equal(list->count, 2);
    assert_ptr_equal(list->item[0].line[1], &line[2]);
    assert_ptr_equal(list->item[1].line[0], &line[1]);
    assert_ptr_equal(list->item[1].line[1], &line[3]);
    talloc_free(context);
}

static void names_do_not_run_into_each_other(void **state)
{
    void *context = talloc_new(NULL);
    struct counter_line line[] = {
        sampled_line(0, "asea", 0, "5"), sampled_line(0, "sea", 0, "6")};
    const struct counter_lines lines = {.item = line, .count = 2};

    (void)state;
    line[0].set = "Wave";
    line[1].set = "Wavea";
    assert_int_equal(counter_series_make(context, &lines)->count, 2);
    talloc_free(context);
}

static struct path_row {
    const char *name, *instance;
    uint32_t counter;
    const char *want;
} path_rows[] = {
    {"path_has_the_instance", "sea", 0, "\\\\NTPMU\\Waves(sea)\\Height"},
    {"path_of_a_single_one", "", 0, "\\\\NTPMU\\Waves\\Height"},
    {"path_of_one_without_a_name", "sea", 7, "\\\\NTPMU\\Waves(sea)\\7"},
};

static void path_row(void **state)
{
    const struct path_row *row = *state;
    void *context = talloc_new(NULL);
    const struct counter_line line =
        sampled_line(0, row->instance, row->counter, NULL);
    const struct counter_line *only[] = {&line};
    const struct counter_series series = {.line = only, .count = 1};

    assert_string_equal(counter_series_path(context, &series), row->want);
    talloc_free(context);
}

static void typeperf_has_a_column_each(void **state)
{
    void *context = talloc_new(NULL);
    struct counter_line line[] = {
        sampled_line(0, "sea", 0, NULL),
        sampled_line(1, "sea", 0, "0.25"),
        sampled_line(1, "a \"b\"", 0, "18446744073709551615"),
        sampled_line(3, "sea", 0, "7"),
    };
    const struct counter_lines lines = {.item = line, .count = 4};

    (void)state;
    line[3].time_ns = UINT64_C(86400) * 31 * 1000000000 + 1999999;
    assert_string_equal(
        sampled_text(context, &lines, counter_lines_print_typeperf),
        "\"(PDH-CSV 4.0)\",\"\\\\NTPMU\\Waves(sea)\\Height\","
        "\"\\\\NTPMU\\Waves(a \"\"b\"\")\\Height\"\r\n"
        "\"01/01/2020 00:00:00.000\",\" \",\" \"\r\n"
        "\"01/01/2020 00:00:00.001\",\"0.250000\","
        "\"18446744073709551616.000000\"\r\n"
        "\"02/01/2020 00:00:00.001\",\"7.000000\",\" \"\r\n");
    talloc_free(context);
}

static void typeperf_of_nothing_is_its_head(void **state)
{
    static const struct counter_lines lines = {.count = 0};
    void *context = talloc_new(NULL);

    (void)state;
    assert_string_equal(
        sampled_text(context, &lines, counter_lines_print_typeperf),
        "\"(PDH-CSV 4.0)\"\r\n");
    talloc_free(context);
}

static struct spark_row {
    const char *name;
    const char *figure[4]; /* "": no line in that sample; "-": no figure */
    const char *want;
} spark_rows[] = {
    {"least_and_greatest", {"0", "10", "5", "10"}, "\u2581\u2588\u2585\u2588"},
    {"what_never_changes_is_in_the_middle", {"3", "3", "3", "3"},
        "\u2584\u2584\u2584\u2584"},
    {"without_a_figure_is_a_gap", {"-", "1", "-", "2"}, " \u2581 \u2588"},
    {"without_a_line_is_a_gap", {"1", "", "", "2"}, "\u2581  \u2588"},
    {"nothing_behind_the_last", {"1", "2", "-", ""}, "\u2581\u2588"},
    {"no_figure_at_all", {"-", "-", "", ""}, ""},
    {"below_zero", {"-4", "0", "-2", "-4"}, "\u2581\u2588\u2585\u2581"},
};

static void spark_row(void **state)
{
    const struct spark_row *row = *state;
    void *context = talloc_new(NULL);
    struct counter_line line[4];
    const struct counter_line *there[4];
    struct counter_series series = {.line = there};

    for (size_t i = 0; i < 4; i++) {
        const char *figure = row->figure[i];

        if (figure[0] != '\0') {
            line[i] = sampled_line(
                i, "sea", 0, strcmp(figure, "-") == 0 ? NULL : figure);
            there[series.count++] = &line[i];
        }
    }
    assert_string_equal(counter_live_sparks(context, &series, 4), row->want);
    talloc_free(context);
}

/* What is older moves nothing: neither a mark nor the least. */
static void only_the_last_have_marks(void **state)
{
    enum { SAMPLES = COUNTER_SPARKS + 2 };
    void *context = talloc_new(NULL);
    struct counter_line line[SAMPLES];
    const struct counter_line *there[SAMPLES];
    const struct counter_series series = {.line = there, .count = SAMPLES};
    char *sparks;

    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        line[i] = sampled_line(i, "sea", 0, i < 2 ? "0" : i == 2 ? "4" : "5");
        there[i] = &line[i];
    }
    sparks = counter_live_sparks(context, &series, SAMPLES);
    assert_int_equal(strlen(sparks), 3 * COUNTER_SPARKS);
    assert_memory_equal(sparks, "\u2581\u2588\u2588", 9);
    talloc_free(context);
}

TEST_FILE(test_counter_series)
{
    test_add(list, "lines_of_one_counter_are_a_series",
        lines_of_one_counter_are_a_series, NULL);
    test_add(list, "twins_are_two", twins_are_two, NULL);
    test_add(list, "names_do_not_run_into_each_other",
        names_do_not_run_into_each_other, NULL);
    TEST_ADD_ROWS(list, path_row, path_rows);
    test_add(
        list, "typeperf_has_a_column_each", typeperf_has_a_column_each, NULL);
    test_add(list, "typeperf_of_nothing_is_its_head",
        typeperf_of_nothing_is_its_head, NULL);
    TEST_ADD_ROWS(list, spark_row, spark_rows);
    test_add(list, "only_the_last_have_marks", only_the_last_have_marks, NULL);
}
