/* test_page.c - a page whose tables are those of stored runs. */
#include <string.h>

#include "tests/bench/planted/planted_bench.h"
#include "tests/rows.h"

static double one(void)
{
    return 1;
}

static double one_of(uint64_t size)
{
    (void)size;
    return 1;
}

static const struct benchmark benchmarks[] = {
    {"a.time", one, one, VALUE_AMOUNT, UNIT_NS, 30, "a reference"},
    {"a.new", one, one, VALUE_RATIO, UNIT_RATIO, 1.5, "another"},
    {"b.share", one, one, VALUE_SHARE, UNIT_RATIO, 0.9, "two runs"}};
static const struct growth growths[] = {
    {"files", one_of, {1000, 3000, 10000}, GROWTH_LINEAR, "files read"},
    {"sets", one_of, {1, 100, 10000}, GROWTH_FLAT, "a set among others"}};
static const struct bench bench = {.benchmark = benchmarks,
    .count = 3,
    .growth = growths,
    .growth_count = 2,
    .fixed_work = one,
    .rounds = 1};

#define FIGURES                                                                \
    "[{\"name\": \"a.time\", \"judged\": 12.345, \"ratio\": 0.11},"            \
    " {\"name\": \"b.share\", \"judged\": 0.83, \"ratio\": 0.83}]"
#define GROWTHS                                                                \
    "[{\"name\": \"files\", \"ns\": [81000000, 243e6, 1234567890],"            \
    " \"exponent\": 1.171}]"
#define PAGE                                                                   \
    "# Speed\n<!-- figures a. -->\nold\n<!-- end -->\nwhy\n"                   \
    "<!-- figures c. b. -->\n<!-- end -->\n<!-- growth -->\n<!-- end "         \
    "-->\nend\n"

static const char *const arguments[] = {"--page", "@in", "@in2", "@in3", NULL};

static void tables_are_made_anew(void **state)
{
    struct planted_run run;

    (void)state;
    planted_call(&run, &bench, arguments, PAGE, FIGURES, GROWTHS);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.out,
        "# Speed\n"
        "<!-- figures a. -->\n"
        "| benchmark | figure | bar | ratio | to |\n"
        "|---|---|---|---|---|\n"
        "| a.time | 12.3 ns | 30 | 0.11 | a reference |\n"
        "| a.new | not measured | 1.5 |  | another |\n"
        "<!-- end -->\n"
        "why\n"
        "<!-- figures c. b. -->\n"
        "| benchmark | figure | bar | ratio | to |\n"
        "|---|---|---|---|---|\n"
        "| b.share | 0.83 (misses) | at least 0.9 | 0.83 | two runs |\n"
        "<!-- end -->\n"
        "<!-- growth -->\n"
        "| name | of | small | middle | large | exponent | most |\n"
        "|---|---|---|---|---|---|---|\n"
        "| files | files read | 1000: 81 ms | 3000: 243 ms | 10000: 1.23 s | "
        "1.17 (misses) | 1.15 |\n"
        "| sets | a set among others | 1: not measured | 100: not measured | "
        "10000: not measured | | 0.1 |\n"
        "<!-- end -->\n"
        "end\n");
}

static struct page_row {
    const char *name, *page, *figures, *growths, *want_err;
} page_rows[] = {
    {"a_benchmark_without_a_place",
        "<!-- figures a. -->\n<!-- end -->\n<!-- growth -->\n<!-- end -->\n",
        FIGURES, GROWTHS,
        "bench: no table of the page has b.share: write <!-- figures "
        "PREFIX... --> and <!-- end --> into it\n"},
    {"no_place_for_growths",
        "<!-- figures a. -->\n<!-- end -->\n<!-- figures b. -->\n"
        "<!-- end -->\n",
        FIGURES, GROWTHS, "bench: the page has no <!-- growth -->\n"},
    {"a_place_for_what_there_is_not", "<!-- figures c. -->\n<!-- end -->\n",
        FIGURES, GROWTHS,
        "bench: no benchmark's name begins as in <!-- figures c. -->\n"},
    {"a_table_without_an_end", "<!-- figures a. -->\n", FIGURES, GROWTHS,
        "bench: the last table has no <!-- end -->\n"},
    {"no_page", NULL, FIGURES, GROWTHS, "bench: cannot read @in\n"},
    {"figures_that_are_none", PAGE, "[]", GROWTHS,
        "bench: @in2: no list of figures: store a run with tools/bench\n"},
    {"a_growth_that_is_none", PAGE, FIGURES, "[{\"name\": \"file\"}]",
        "bench: @in3: entry 1: there is no growth 'file': take it out, or "
        "store a run with tools/bench --growth\n"},
    {"a_growth_of_two_sizes", PAGE, FIGURES,
        "[{\"name\": \"files\", \"ns\": [1, 2], \"exponent\": 1}]",
        "bench: @in3: entry 1: 'files' has no 'ns' of three sizes and "
        "'exponent': store a run with tools/bench --growth\n"},
};

static void page_row(void **state)
{
    const struct page_row *row = *state;
    struct planted_run run;

    planted_call(
        &run, &bench, arguments, row->page, row->figures, row->growths);
    assert_string_equal(run.err, row->want_err);
    assert_int_equal(run.status, 2);
}

TEST_FILE(test_page)
{
    test_add(list, "tables_are_made_anew", tables_are_made_anew, NULL);
    TEST_ADD_ROWS(list, page_row, page_rows);
}
