/* test_coverage.c - what outcomes make of a requirement's status, and how
 * statuses are counted and printed. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/commands/coverage/coverage.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/commands/coverage/coverage_print.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"
#include "tests/rows.h"

/* Of five families; one requirement is on record as proven by a scenario, one
 * by a unit test, one cannot be tested and one not yet, and those of D have a
 * unit test. */
static struct requirement items[] = {
    {.id = "A-01", .tag = 'D', .source = "s", .text = "The first."},
    {.id = "A-02", .tag = 'C', .source = "s", .text = "The second."},
    {.id = "A-B-01",
        .tag = 'H',
        .source = "s",
        .text = "The third.",
        .proven = true},
    {.id = "C-01",
        .tag = 'D',
        .source = "s",
        .text = "The fourth.",
        .untestable = "a \"tool\""},
    {.id = "C-02",
        .tag = 'O',
        .source = "s",
        .text = "The fifth is so long that a line of eighty columns does not "
                "hold it and what stands before it."},
    {.id = "D-01",
        .tag = 'D',
        .source = "s",
        .text = "The sixth.",
        .unit = "sim.test_six"},
    {.id = "D-02",
        .tag = 'D',
        .source = "s",
        .text = "The seventh.",
        .untestable = "a register",
        .unit = "sim.test_seven"},
    {.id = "E-01",
        .tag = 'O',
        .source = "s",
        .text = "The eighth.",
        .awaits = "MDLs"},
    {.id = "E-02",
        .tag = 'D',
        .source = "s",
        .text = "The ninth.",
        .unit = "sim.test_nine",
        .proven_by_unit = true},
};

static const struct requirements requirements = {.item = items, .count = 9};

/* Notes each letter of `outcomes` for a requirement on WIN11, x64: f failed, m
 * met, x under xfail, i idle; behind / on WIN7, x86. */
static void note_all(
    struct coverage *coverage, const char *id, const char *outcomes)
{
    static const char letters[] = "fmxi";
    enum os os = OS_WIN11;
    enum arch arch = ARCH_X64;

    for (const char *c = outcomes; *c != '\0'; c++) {
        if (*c == '/') {
            os = OS_WIN7;
            arch = ARCH_X86;
            continue;
        }
        coverage->ran[os][arch] = true;
        coverage_note(coverage, id, os, arch,
            (enum coverage_outcome)(strchr(letters, *c) - letters));
    }
}

static struct status_row {
    const char *name;
    const char *id, *outcomes;
    enum coverage_status want, want_win11, want_win7;
} status_rows[] = {
    {"cited_by_nothing", "A-01", "", COVERAGE_UNTESTED, COVERAGE_UNTESTED,
        COVERAGE_UNTESTED},
    {"cited_by_nothing_with_a_reason", "C-01", "", COVERAGE_UNTESTABLE,
        COVERAGE_UNTESTABLE, COVERAGE_UNTESTABLE},
    {"cited_by_a_unit_test_alone", "D-01", "", COVERAGE_UNIT, COVERAGE_UNIT,
        COVERAGE_UNIT},
    {"cited_by_a_unit_test_with_a_reason", "D-02", "", COVERAGE_UNIT,
        COVERAGE_UNIT, COVERAGE_UNIT},
    {"met_beside_a_unit_test", "D-01", "m", COVERAGE_CITED, COVERAGE_CITED,
        COVERAGE_UNIT},
    {"not_met_beside_a_unit_test", "D-01", "f", COVERAGE_FAILING,
        COVERAGE_FAILING, COVERAGE_UNIT},
    {"idle_beside_a_unit_test", "D-01", "i", COVERAGE_HOLLOW, COVERAGE_HOLLOW,
        COVERAGE_UNIT},
    {"met", "A-01", "m", COVERAGE_CITED, COVERAGE_CITED, COVERAGE_UNTESTED},
    {"not_met", "A-01", "f", COVERAGE_FAILING, COVERAGE_FAILING,
        COVERAGE_UNTESTED},
    {"under_xfail", "A-01", "x", COVERAGE_XFAIL, COVERAGE_XFAIL,
        COVERAGE_UNTESTED},
    {"idle", "A-01", "i", COVERAGE_HOLLOW, COVERAGE_HOLLOW, COVERAGE_UNTESTED},
    {"met_before_it_was_not", "A-01", "mf", COVERAGE_FAILING, COVERAGE_FAILING,
        COVERAGE_UNTESTED},
    {"met_after_it_was_not", "A-01", "fm", COVERAGE_FAILING, COVERAGE_FAILING,
        COVERAGE_UNTESTED},
    {"met_and_under_xfail", "A-01", "xm", COVERAGE_CITED, COVERAGE_CITED,
        COVERAGE_UNTESTED},
    {"met_and_on_record", "A-B-01", "m", COVERAGE_PROVEN, COVERAGE_PROVEN,
        COVERAGE_UNTESTED},
    {"on_record_and_failing", "A-B-01", "mf", COVERAGE_FAILING,
        COVERAGE_FAILING, COVERAGE_UNTESTED},
    {"on_record_and_under_xfail", "A-B-01", "x", COVERAGE_XFAIL, COVERAGE_XFAIL,
        COVERAGE_UNTESTED},
    {"on_record_and_cited_by_nothing", "A-B-01", "", COVERAGE_UNTESTED,
        COVERAGE_UNTESTED, COVERAGE_UNTESTED},
    {"on_record_of_a_unit_test", "E-02", "", COVERAGE_PROVEN, COVERAGE_PROVEN,
        COVERAGE_PROVEN},
    {"met_and_on_record_of_a_unit_test", "E-02", "m", COVERAGE_PROVEN,
        COVERAGE_PROVEN, COVERAGE_PROVEN},
    {"idle_and_on_record_of_a_unit_test", "E-02", "i", COVERAGE_HOLLOW,
        COVERAGE_HOLLOW, COVERAGE_PROVEN},
    {"on_record_of_a_unit_test_and_failing", "E-02", "f", COVERAGE_FAILING,
        COVERAGE_FAILING, COVERAGE_PROVEN},
    {"awaiting_what_is_not_modelled", "E-01", "", COVERAGE_UNTESTED,
        COVERAGE_UNTESTED, COVERAGE_UNTESTED},
    {"awaiting_and_met", "E-01", "m", COVERAGE_CITED, COVERAGE_CITED,
        COVERAGE_UNTESTED},
    {"met_and_idle", "A-01", "im", COVERAGE_CITED, COVERAGE_CITED,
        COVERAGE_UNTESTED},
    {"under_xfail_and_idle", "A-01", "ix", COVERAGE_XFAIL, COVERAGE_XFAIL,
        COVERAGE_UNTESTED},
    {"met_although_there_is_a_reason", "C-01", "m", COVERAGE_CITED,
        COVERAGE_CITED, COVERAGE_UNTESTABLE},
    {"idle_although_there_is_a_reason", "C-01", "i", COVERAGE_HOLLOW,
        COVERAGE_HOLLOW, COVERAGE_UNTESTABLE},
    {"failing_in_one_place_is_failing", "A-01", "m/f", COVERAGE_FAILING,
        COVERAGE_CITED, COVERAGE_FAILING},
    {"tested_in_one_place_is_tested", "A-01", "x/m", COVERAGE_CITED,
        COVERAGE_XFAIL, COVERAGE_CITED},
};

static void status_row(void **state)
{
    const struct status_row *row = *state;
    struct coverage *coverage = coverage_new(NULL, &requirements);
    size_t number = (size_t)(requirements_find(&requirements, row->id) - items);

    note_all(coverage, row->id, row->outcomes);
    assert_int_equal(coverage_status(coverage, number), row->want);
    assert_int_equal(coverage_status_on(coverage, number, OS_WIN11, ARCH_X64),
        row->want_win11);
    assert_int_equal(coverage_status_on(coverage, number, OS_WIN7, ARCH_X86),
        row->want_win7);
    talloc_free(coverage);
}

static struct verdict_row {
    const char *name;
    enum result result;
    bool xfail;
    bool failed, hollow;
    enum coverage_status want;
    bool want_ran;
} verdict_rows[] = {
    {"passed", RESULT_PASS, false, false, false, COVERAGE_CITED, true},
    {"passed_and_idle", RESULT_PASS, false, false, true, COVERAGE_HOLLOW, true},
    {"failed", RESULT_FAIL, false, true, false, COVERAGE_FAILING, true},
    {"met_before_something_else_failed", RESULT_ERROR, false, false, false,
        COVERAGE_CITED, true},
    {"failed_as_expected", RESULT_XFAIL, true, true, false, COVERAGE_XFAIL,
        true},
    {"met_where_something_else_failed_as_expected", RESULT_XFAIL, true, false,
        false, COVERAGE_XFAIL, true},
    {"passed_against_xfail", RESULT_XPASS, true, false, false, COVERAGE_XFAIL,
        true},
    {"failed_otherwise_than_xfail_says", RESULT_FAIL, true, true, false,
        COVERAGE_FAILING, true},
    {"skipped", RESULT_SKIP, false, false, false, COVERAGE_UNTESTED, false},
};

static void verdict_row(void **state)
{
    static const struct node xfail;
    const struct verdict_row *row = *state;
    struct coverage *coverage = coverage_new(NULL, &requirements);
    struct cited cited = {
        .requirement = "A-02", .failed = row->failed, .hollow = row->hollow};
    const struct verdict verdict = {
        .result = row->result, .cited = &cited, .cited_count = 1};
    const struct instance instance = {
        .statics = {.os = OS_WIN8, .arch = ARCH_X86},
        .xfail = row->xfail ? &xfail : NULL};

    coverage_add(coverage, &instance, &verdict);
    assert_int_equal(
        coverage_status_on(coverage, 1, OS_WIN8, ARCH_X86), row->want);
    assert_int_equal(coverage_status(coverage, 0), COVERAGE_UNTESTED);
    assert_int_equal(coverage->ran[OS_WIN8][ARCH_X86], row->want_ran);
    talloc_free(coverage);
}

static void families_are_those_of_the_ids(void **state)
{
    struct coverage *coverage = coverage_new(NULL, &requirements);
    size_t count;
    struct coverage_family *family =
        coverage_families(coverage, coverage, &count);

    (void)state;
    assert_int_equal(count, 5);
    assert_string_equal(family[0].name, "A");
    assert_int_equal(family[0].first, 0);
    assert_int_equal(family[0].end, 2);
    assert_string_equal(family[1].name, "A-B");
    assert_int_equal(family[1].end, 3);
    assert_string_equal(family[2].name, "C");
    assert_int_equal(family[2].end, 5);
    assert_string_equal(family[3].name, "D");
    assert_int_equal(family[3].end, 7);
    talloc_free(coverage);
}

static struct share_row {
    const char *name;
    size_t counts[COVERAGE_STATUS_COUNT];
    unsigned want;
} share_rows[] = {
    {"of_nothing_all_is_tested", {0}, 1000},
    {"what_cannot_be_tested_does_not_count",
        {[COVERAGE_UNTESTABLE] = 3, [COVERAGE_CITED] = 1}, 1000},
    {"only_what_cannot_be_tested", {[COVERAGE_UNTESTABLE] = 3}, 1000},
    {"a_unit_test_counts_like_an_expectation",
        {[COVERAGE_CITED] = 1, [COVERAGE_UNIT] = 1, [COVERAGE_UNTESTED] = 2},
        500},
    {"what_is_proven_is_tested",
        {[COVERAGE_PROVEN] = 1, [COVERAGE_UNTESTED] = 1}, 500},
    {"rounded_down", {[COVERAGE_CITED] = 1999, [COVERAGE_UNTESTED] = 1}, 999},
    {"failing_xfail_and_hollow_are_not_tested",
        {[COVERAGE_CITED] = 1,
            [COVERAGE_FAILING] = 1,
            [COVERAGE_XFAIL] = 1,
            [COVERAGE_HOLLOW] = 1,
            [COVERAGE_UNTESTED] = 1},
        200},
};

static void share_row(void **state)
{
    const struct share_row *row = *state;

    assert_int_equal(coverage_share(row->counts), row->want);
}

static void share_of_the_proven_has_no_other(void **state)
{
    const size_t counts[COVERAGE_STATUS_COUNT] = {[COVERAGE_PROVEN] = 1,
        [COVERAGE_CITED] = 2,
        [COVERAGE_UNIT] = 3,
        [COVERAGE_UNTESTED] = 4,
        [COVERAGE_UNTESTABLE] = 5};

    (void)state;
    assert_int_equal(coverage_share_proven(counts), 100);
    assert_int_equal(coverage_testable(counts), 10);
}

/* What one of the printers writes of an account with something of all. */
static char *printed(bool json, bool verbose)
{
    struct coverage *coverage = coverage_new(NULL, &requirements);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    note_all(coverage, "A-01", "m/f");
    note_all(coverage, "A-02", "i");
    note_all(coverage, "A-B-01", "m/m");
    if (json) {
        coverage_print_json(coverage, out);
    } else {
        coverage_print_text(coverage, verbose, out);
    }
    fclose(out);
    talloc_free(coverage);
    return text;
}

static struct print_row {
    const char *name;
    bool json, verbose;
    const char *want;
} print_rows[] = {
    {"as_json", true, false,
        "[{\"id\":\"A-01\",\"family\":\"A\",\"tag\":\"D\","
        "\"status\":\"failing\","
        "\"on\":{\"WIN7/x86\":\"failing\",\"WIN11/x64\":\"cited\"}},"
        "{\"id\":\"A-02\",\"family\":\"A\",\"tag\":\"C\","
        "\"status\":\"hollow\",\"on\":{\"WIN11/x64\":\"hollow\"}},"
        "{\"id\":\"A-B-01\",\"family\":\"A-B\",\"tag\":\"H\","
        "\"status\":\"proven\","
        "\"on\":{\"WIN7/x86\":\"proven\",\"WIN11/x64\":\"proven\"}},"
        "{\"id\":\"C-01\",\"family\":\"C\",\"tag\":\"D\","
        "\"status\":\"untestable\",\"untestable\":\"a \\\"tool\\\"\","
        "\"on\":{}},"
        "{\"id\":\"C-02\",\"family\":\"C\",\"tag\":\"O\","
        "\"status\":\"untested\",\"on\":{}},"
        "{\"id\":\"D-01\",\"family\":\"D\",\"tag\":\"D\","
        "\"status\":\"unit\",\"unit\":\"sim.test_six\",\"on\":{}},"
        "{\"id\":\"D-02\",\"family\":\"D\",\"tag\":\"D\","
        "\"status\":\"unit\",\"untestable\":\"a register\","
        "\"unit\":\"sim.test_seven\",\"on\":{}},"
        "{\"id\":\"E-01\",\"family\":\"E\",\"tag\":\"O\","
        "\"status\":\"untested\",\"awaits\":\"MDLs\",\"on\":{}},"
        "{\"id\":\"E-02\",\"family\":\"E\",\"tag\":\"D\","
        "\"status\":\"proven\",\"unit\":\"sim.test_nine\",\"on\":{}}]\n"},
    {"as_text", false, false,
        "requirements: 9, tested 50.0% of the 8 that can be, proven 25.0%\n"
        "in documents and headers: 5 that can be, proven 40.0%\n"
        "\n"
        "family    failing proven cited xfail hollow unit untestable untested\n"
        "A               1      .     .     .      1    .          .        ."
        "    0.0%\n"
        "A-B             .      1     .     .      .    .          .        ."
        "  100.0%\n"
        "C               .      .     .     .      .    .          1        1"
        "    0.0%\n"
        "D               .      .     .     .      .    2          .        ."
        "  100.0%\n"
        "E               .      1     .     .      .    .          .        1"
        "   50.0%\n"
        "all             1      2     .     .      1    2          1        2"
        "   50.0%\n"
        "\n"
        "tested on  WIN7 WIN11\n"
        "            x86   x64\n"
        "A-B           1     1\n"
        "\n"
        "failing:\n"
        "  A-01    The first.\n"
        "\n"
        "hollow:\n"
        "  A-02    The second.\n"
        "\n"
        "untested:\n"
        "  C-02    The fifth is so long that a line of eighty columns does not "
        "hold it...\n"
        "\n"
        "untested until that is modelled:\n"
        "  E-01    MDLs\n"},
};

static void print_row(void **state)
{
    const struct print_row *row = *state;
    char *text = printed(row->json, row->verbose);

    assert_string_equal(text, row->want);
    free(text);
}

static void verbose_says_why_something_cannot_be_tested(void **state)
{
    char *text = printed(false, true);

    (void)state;
    assert_non_null(strstr(text, "\nuntestable:\n  C-01    a \"tool\"\n"));
    free(text);
}

static void verbose_names_unit_tests(void **state)
{
    char *text = printed(false, true);

    (void)state;
    assert_non_null(strstr(
        text, "\nunit:\n  D-01    sim.test_six\n  D-02    sim.test_seven\n"));
    free(text);
}

/* The first is the same as the other two, of which one is on record. */
static const struct requirement parts[] = {
    {.id = "P-01",
        .tag = 'D',
        .source = "s",
        .text = "Both.",
        .same = {"P-01a", "P-01b"}},
    {.id = "P-01a", .tag = 'D', .source = "s", .text = "One.", .proven = true},
    {.id = "P-01b", .tag = 'D', .source = "s", .text = "The other."},
};

static const struct requirements in_parts = {.item = parts, .count = 3};

static struct same_row {
    const char *name;
    const char *one, *other; /* as for note_all */
    enum coverage_status want, want_on_win11;
    bool want_cited;
} same_rows[] = {
    {"same_as_one_that_is_cited_is_cited", "m", "m", COVERAGE_CITED,
        COVERAGE_CITED, true},
    {"same_as_one_that_is_failing_is_failing", "f", "m", COVERAGE_FAILING,
        COVERAGE_FAILING, true},
    {"same_as_one_that_is_hollow_is_hollow", "m", "i", COVERAGE_HOLLOW,
        COVERAGE_HOLLOW, true},
    {"same_as_one_that_is_untested_is_untested", "m", "", COVERAGE_UNTESTED,
        COVERAGE_UNTESTED, false},
    {"same_as_two_in_two_places_is_cited_in_neither", "m", "/m", COVERAGE_CITED,
        COVERAGE_UNTESTED, false},
};

static void same_row(void **state)
{
    const struct same_row *row = *state;
    struct coverage *coverage = coverage_new(NULL, &in_parts);

    note_all(coverage, "P-01a", row->one);
    note_all(coverage, "P-01b", row->other);
    assert_int_equal(coverage_status(coverage, 0), row->want);
    assert_int_equal(coverage_status_on(coverage, 0, OS_WIN11, ARCH_X64),
        row->want_on_win11);
    assert_int_equal(
        coverage_is_cited_on(coverage, 0, OS_WIN11, ARCH_X64), row->want_cited);
    talloc_free(coverage);
}

static void json_names_those_that_one_is_the_same_as(void **state)
{
    struct coverage *coverage = coverage_new(NULL, &in_parts);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_non_null(out);
    note_all(coverage, "P-01a", "m");
    note_all(coverage, "P-01b", "m");
    coverage_print_json(coverage, out);
    fclose(out);
    assert_non_null(
        strstr(text, "\"status\":\"cited\",\"same\":[\"P-01a\",\"P-01b\"],"
                     "\"on\":{\"WIN11/x64\":\"cited\"}}"));
    free(text);
    talloc_free(coverage);
}

TEST_FILE(test_coverage)
{
    TEST_ADD_ROWS(list, same_row, same_rows);
    test_add(list, "json_names_those_that_one_is_the_same_as",
        json_names_those_that_one_is_the_same_as, NULL);
    TEST_ADD_ROWS(list, status_row, status_rows);
    TEST_ADD_ROWS(list, verdict_row, verdict_rows);
    TEST_ADD_ROWS(list, share_row, share_rows);
    test_add(list, "share_of_the_proven_has_no_other",
        share_of_the_proven_has_no_other, NULL);
    TEST_ADD_ROWS(list, print_row, print_rows);
    test_add(list, "families_are_those_of_the_ids",
        families_are_those_of_the_ids, NULL);
    test_add(list, "verbose_says_why_something_cannot_be_tested",
        verbose_says_why_something_cannot_be_tested, NULL);
    test_add(list, "verbose_names_unit_tests", verbose_names_unit_tests, NULL);
}
