/* test_figures.c - bars that are met and missed, and figures held against those
 * of a stored run. */
#include <string.h>

#include "tests/bench/planted/planted_bench.h"
#include "tests/rows.h"

/* Twice as fast a host as that of the bars. */
static double fixed_55(void)
{
    return 55;
}

static double fixed_110(void)
{
    return 110;
}

static double ns_100(void)
{
    return 100;
}

static double ns_200(void)
{
    return 200;
}

/* 15, 1,000, 25, 1,000, 10: their median is 25. */
static double unsteady(void)
{
    static unsigned round;

    round++;
    return round % 5 == 2 || round % 5 == 4 ? 1000 : 10 + round % 5 * 5;
}

/* Bad the first time, good when it is asked again: of a round each. */
static double bad_once(void)
{
    static unsigned times;

    return times++ == 0 ? 74 : 50;
}

/* So bad the first time that it is not asked again. */
static double very_bad_once(void)
{
    static unsigned times;

    return times++ == 0 ? 76 : 50;
}

#define TIME(bar)                                                              \
    {                                                                          \
        "a.time", ns_100, ns_200, VALUE_AMOUNT, UNIT_NS, bar, "200"            \
    }

static const struct benchmark met[] = {TIME(100),
    {"a.time_us", ns_100, ns_200, VALUE_AMOUNT, UNIT_US, 0.1, "200"},
    {"b.ratio", ns_200, ns_100, VALUE_RATIO, UNIT_RATIO, 2, "100"},
    {"b.share", ns_200, ns_100, VALUE_SHARE, UNIT_RATIO, 2, "100"},
    {"b.mib", ns_100, ns_100, VALUE_AMOUNT, UNIT_MIB, 1, "100"}};
static const struct benchmark time_missed[] = {TIME(99)};
static const struct benchmark ratio_missed[] = {
    {"b.ratio", ns_200, ns_100, VALUE_RATIO, UNIT_RATIO, 1.9, "100"}};
static const struct benchmark share_missed[] = {
    {"b.share", ns_200, ns_100, VALUE_SHARE, UNIT_RATIO, 2.1, "100"}};
static const struct benchmark fast_host[] = {TIME(199)};
static const struct benchmark fast_host_bytes[] = {
    {"b.mib", ns_100, ns_100, VALUE_AMOUNT, UNIT_MIB, 0.0001, "100"}};
static const struct benchmark medians[] = {
    {"a.unsteady", unsteady, ns_100, VALUE_AMOUNT, UNIT_NS, 25, "100"}};
static const struct benchmark again[] = {
    {"a.once", bad_once, ns_100, VALUE_AMOUNT, UNIT_NS, 50, "100"}};
static const struct benchmark not_again[] = {
    {"a.once", very_bad_once, ns_100, VALUE_AMOUNT, UNIT_NS, 50, "100"}};

#define ROWS(table) (table), sizeof(table) / sizeof((table)[0])

static struct bar_row {
    const char *name;
    const struct benchmark *benchmark;
    size_t count;
    benchmark_function *fixed;
    unsigned rounds;
    int want;
    const char *want_out; /* is in what is printed */
} bar_rows[] = {
    {"met_bars_exit_0", ROWS(met), fixed_110, 5, 0, "0 of 5 miss the bar"},
    {"a_time_above_the_bar_exits_1", ROWS(time_missed), fixed_110, 5, 1,
        "  1.010        0.5 200  (misses the bar)\n1 of 1 miss"},
    {"a_ratio_above_the_bar_exits_1", ROWS(ratio_missed), fixed_110, 5, 1,
        "  1.053          2 100  (misses the bar)\n"},
    {"a_share_below_the_bar_exits_1", ROWS(share_missed), fixed_110, 5, 1,
        "  1.050          2 100  (misses the bar)\n"},
    {"a_fast_host_has_to_be_faster", ROWS(fast_host), fixed_55, 5, 1,
        "a.time                              100        200 ns       199   "
        "1.005        0.5 200  (misses the bar)\n"},
    {"bytes_are_the_same_on_a_fast_host", ROWS(fast_host_bytes), fixed_55, 5, 0,
        "b.mib                         9.537e-05  9.537e-05 MiB"},
    {"the_median_of_rounds_counts", ROWS(medians), fixed_110, 5, 0,
        "a.unsteady                           25"},
    {"what_misses_narrowly_is_measured_once_more", ROWS(again), fixed_110, 1, 0,
        "a.once                               50"},
    {"what_misses_by_far_is_not", ROWS(not_again), fixed_110, 1, 1,
        "a.once                               76"},
};

static void bar_row(void **state)
{
    const struct bar_row *row = *state;
    const struct bench bench = {.benchmark = row->benchmark,
        .count = row->count,
        .fixed_work = row->fixed,
        .rounds = row->rounds};
    const char *const arguments[] = {"@out", NULL};
    struct planted_run run;

    planted_call(&run, &bench, arguments, NULL, NULL, NULL);
    assert_int_equal(run.status, row->want);
    assert_string_equal(run.err, "");
    if (strstr(run.out, row->want_out) == NULL) {
        assert_string_equal(run.out, row->want_out);
    }
}

static const struct bench two = {.benchmark = met,
    .count = sizeof(met) / sizeof(met[0]),
    .fixed_work = fixed_110,
    .rounds = 1};

#define STORED(name, judged)                                                   \
    "{\"name\": \"" name "\", \"judged\": " judged ", \"ratio\": 1}"

static struct against_row {
    const char *name, *stored, *tolerance; /* NULL: none is said */
    int want;
    const char *want_out;
} against_rows[] = {
    {"as_fast_exits_0", "[" STORED("a.time", "100") "]", NULL, 0,
        "0 slower than in @in by more than 15 %"},
    {"slower_exits_1", "[" STORED("a.time", "86") "]", NULL, 1,
        "(+16 %, slower)"},
    {"slower_within_the_tolerance_exits_0", "[" STORED("a.time", "87") "]",
        NULL, 0, "(+15 %)"},
    {"a_wider_tolerance_takes_it", "[" STORED("a.time", "51") "]", "100", 0,
        "(+96 %)"},
    {"a_narrower_one_does_not", "[" STORED("a.time", "95") "]", "5", 1,
        "1 slower than in @in by more than 5 %"},
    {"faster_exits_0", "[" STORED("a.time", "1000") "]", NULL, 0, "(-90 %)"},
    {"a_lower_share_is_slower", "[" STORED("b.share", "2.4") "]", NULL, 1,
        "(+20 %, slower)"},
    {"a_higher_ratio_is_slower", "[" STORED("b.ratio", "1.6") "]", NULL, 1,
        "(+25 %, slower)"},
    {"what_was_not_stored_is_said", "[" STORED("b.ratio", "2") "]", NULL, 0,
        "200  (not stored)"},
};

static void against_row(void **state)
{
    const struct against_row *row = *state;
    const char *arguments[] = {"--against", "@in", "@out", NULL, NULL, NULL};
    struct planted_run run;

    if (row->tolerance != NULL) {
        arguments[3] = "--tolerance";
        arguments[4] = row->tolerance;
    }
    planted_call(&run, &two, arguments, row->stored, NULL, NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, row->want);
    if (strstr(run.out, row->want_out) == NULL) {
        assert_string_equal(run.out, row->want_out);
    }
}

/* Nothing is run where the file is wrong. */
static struct unusable_row {
    const char *name, *stored, *want_err;
} unusable_rows[] = {
    {"a_name_that_is_none",
        "[" STORED("a.time", "1") ", " STORED("a.tmie", "1") "]",
        "bench: @in: entry 2: there is no benchmark 'a.tmie': take it out, or "
        "store a run with tools/bench\n"},
    {"broken_json", "[{\"name\": \"a.time\",\n \"judged\" 1}]",
        "bench: @in:2:11: no JSON: ':' expected near '1': store a run with "
        "tools/bench\n"},
    {"an_empty_file", "",
        "bench: @in:1:0: no JSON: '[' or '{' expected near end of file: store "
        "a run with tools/bench\n"},
    {"no_file", NULL,
        "bench: @in: cannot be read: store a run with tools/bench\n"},
    {"no_list", "{\"name\": \"a.time\"}",
        "bench: @in: no list of figures: store a run with tools/bench\n"},
    {"an_empty_list", "[]",
        "bench: @in: no list of figures: store a run with tools/bench\n"},
    {"no_name", "[{\"judged\": 1, \"ratio\": 1}]",
        "bench: @in: entry 1 has no name: store a run with tools/bench\n"},
    {"a_name_twice", "[" STORED("a.time", "1") ", " STORED("a.time", "1") "]",
        "bench: @in: entry 2: 'a.time' stands there twice: take one out\n"},
    {"no_figure", "[{\"name\": \"a.time\", \"ratio\": 1}]",
        "bench: @in: entry 1: 'a.time' has no 'judged' and 'ratio' above 0: "
        "store a run with tools/bench\n"},
    {"a_figure_of_0", "[" STORED("a.time", "0") "]",
        "bench: @in: entry 1: 'a.time' has no 'judged' and 'ratio' above 0: "
        "store a run with tools/bench\n"},
    {"a_figure_that_is_a_text", "[" STORED("a.time", "\"1\"") "]",
        "bench: @in: entry 1: 'a.time' has no 'judged' and 'ratio' above 0: "
        "store a run with tools/bench\n"},
};

static void unusable_row(void **state)
{
    const struct unusable_row *row = *state;
    const char *const arguments[] = {"--against", "@in", "@out", NULL};
    struct planted_run run;

    planted_call(&run, &two, arguments, row->stored, NULL, NULL);
    assert_string_equal(run.err, row->want_err);
    assert_int_equal(run.status, 2);
    assert_string_equal(run.out, "");
    assert_string_equal(run.written, "");
}

static struct call_row {
    const char *name, *arguments[PLANTED_ARGUMENTS], *want_err; /* begins so */
} call_rows[] = {
    {"no_file_to_write", {NULL}, "bench: a file is missing\nusage: "},
    {"an_option_that_is_none", {"--fast", "@out", NULL},
        "bench: unknown option: --fast\n"},
    {"an_option_without_a_value", {"@out", "--against", NULL},
        "bench: unknown, or without a value: --against\n"},
    {"three_operands", {"@out", "a", "b", NULL},
        "bench: one argument too many: b\n"},
    {"a_tolerance_of_0", {"--tolerance", "0", "@out", NULL},
        "bench: --tolerance takes 1 to 1000, not 0\n"},
    {"a_tolerance_above_1000", {"--tolerance", "1001", "@out", NULL},
        "bench: --tolerance takes 1 to 1000, not 1001\n"},
    {"a_tolerance_with_a_unit", {"--tolerance", "5%", "@out", NULL},
        "bench: --tolerance takes 1 to 1000, not 5%\n"},
    {"growth_against_figures", {"--growth", "--against", "@in", "@out", NULL},
        "bench: --against goes with figures alone\n"},
    {"a_page_of_growth", {"--growth", "--page", "@in", "@in2", "@in3", NULL},
        "bench: --growth and --page do not go together\n"},
    {"a_page_without_growths", {"--page", "@in", "@in2", NULL},
        "bench: a file is missing\n"},
    {"a_family_that_is_none", {"@out", "c.", NULL},
        "bench: no name begins with c.\n"},
    {"a_place_that_takes_no_file", {"@nowhere/out", NULL},
        "bench: cannot write @nowhere/out\n"},
};

static void call_row(void **state)
{
    const struct call_row *row = *state;
    struct planted_run run;

    planted_call(&run, &two, row->arguments, NULL, NULL, NULL);
    run.err[strlen(row->want_err)] = '\0';
    assert_string_equal(run.err, row->want_err);
    assert_int_equal(run.status, 2);
    assert_string_equal(run.written, "");
}

static void only_a_family_is_run(void **state)
{
    const char *const arguments[] = {"@out", "b.r", NULL};
    struct planted_run run;

    (void)state;
    planted_call(&run, &two, arguments, NULL, NULL, NULL);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.written, "[\n"
                                     "  {\n"
                                     "    \"name\": \"b.ratio\",\n"
                                     "    \"value\": 2.0,\n"
                                     "    \"unit\": \"ratio\",\n"
                                     "    \"judged\": 2.0,\n"
                                     "    \"bar\": 2.0,\n"
                                     "    \"ratio\": 2.0,\n"
                                     "    \"to\": \"100\"\n"
                                     "  }\n"
                                     "]");
}

TEST_FILE(test_figures)
{
    TEST_ADD_GROUP(list, "bar", bar_row, bar_rows);
    TEST_ADD_GROUP(list, "against", against_row, against_rows);
    TEST_ADD_GROUP(list, "unusable", unusable_row, unusable_rows);
    TEST_ADD_GROUP(list, "call", call_row, call_rows);
    test_add(list, "only_a_family_is_run", only_a_family_is_run, NULL);
}
