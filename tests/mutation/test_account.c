/* test_account.c - from the report of a run to the account of all mutants. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/mutation/judge.h"
#include "tests/mutation/report.h"
#include "tests/mutation/summary.h"
#include "tests/rows.h"

/* As single-quoted JSON, which C reads better. */
static char *quoted(const char *text)
{
    char *json = strdup(text);

    assert_non_null(json);
    for (char *c = json; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    return json;
}

static json_t *json_of(const char *text)
{
    char *json = quoted(text);
    json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);

    free(json);
    assert_non_null(value);
    return value;
}

static void assert_json(json_t *got, const char *want)
{
    char *text = json_dumps(got, JSON_COMPACT);
    char *wanted = quoted(want);

    assert_string_equal(text, wanted);
    free(text);
    free(wanted);
}

#define RESULT(id, result, requirements)                                       \
    "{'event':'result','id':'" id "','result':'" result                        \
    "','requirements':[" requirements "]}\n"

static struct report_row {
    const char *name, *text, *want;
} report_rows[] = {
    {"no_lines", "", "{'instances':[],'requirements':[],'cited':[]}"},
    {"pass_cites", RESULT("a", "PASS", "{'id':'A-01','failed':false}"),
        "{'instances':[],'requirements':[],'cited':['A-01']}"},
    {"failure_notices",
        RESULT("a", "FAIL",
            "{'id':'A-01','failed':false},{'id':'A-02','failed':true}"),
        "{'instances':['a'],'requirements':['A-02'],'cited':['A-01','A-02']}"},
    {"requirement_that_failed_once_of_twice",
        RESULT("a", "FAIL",
            "{'id':'A-01','failed':true},{'id':'A-01','failed':false}"),
        "{'instances':['a'],'requirements':['A-01'],'cited':['A-01']}"},
    {"two_instances_notice_one",
        RESULT("a", "FAIL", "{'id':'A-01','failed':true}")
            RESULT("b", "FAIL", "{'id':'A-01','failed':true}"),
        "{'instances':['a','b'],'requirements':['A-01'],'cited':['A-01']}"},
    {"crash_notices_without_expectation", RESULT("a", "CRASH", ""),
        "{'instances':['a'],'requirements':[],'cited':[]}"},
    {"expected_failure_is_no_news",
        RESULT("a", "XFAIL", "{'id':'A-01','failed':true}"),
        "{'instances':[],'requirements':[],'cited':['A-01']}"},
    {"unexpected_pass_is_news",
        RESULT("a", "XPASS", "{'id':'A-01','failed':false}"),
        "{'instances':['a'],'requirements':[],'cited':['A-01']}"},
    {"other_events_are_passed_over",
        "{'event':'begin','id':'a','result':'FAIL'}\n",
        "{'instances':[],'requirements':[],'cited':[]}"},
    {"line_that_broke_off_is_passed_over",
        RESULT("a", "FAIL", "") "{'event':'result','id':'b','res",
        "{'instances':['a'],'requirements':[],'cited':[]}"},
};

static void report_row(void **state)
{
    const struct report_row *row = *state;
    char path[] = "/tmp/ntpmu-report-XXXXXX";
    int file = mkstemp(path);
    char *text = quoted(row->text);
    json_t *noticed;

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    noticed = report_read(path);
    unlink(path);
    assert_json(noticed, row->want);
    json_decref(noticed);
    free(text);
}

static void report_that_was_not_written_has_no_lines(void **state)
{
    json_t *noticed = report_read("/tmp/ntpmu/no/such/report");

    (void)state;
    assert_json(noticed, "{'instances':[],'requirements':[],'cited':[]}");
    json_decref(noticed);
}

static struct judge_row {
    const char *name, *end, *errors, *want;
} judge_rows[] = {
    {"suite_passes", "0", "", "{'end':'survived'}"},
    {"expectation_fails", "1", "",
        "{'end':'caught','how':'expectation','instances':['a'],"
        "'requirements':['A-01']}"},
    {"files_are_refused", "3", "",
        "{'end':'caught','how':'invalid','instances':['a'],"
        "'requirements':['A-01']}"},
    {"assertion", "4", "ntpmu: a.c:1: f: Assertion `x' failed.\n",
        "{'end':'caught','how':'assert','instances':['a'],"
        "'requirements':['A-01']}"},
    {"fault", "4", "ntpmu: internal failure in a: a fault in the program\n",
        "{'end':'caught','how':'crash','instances':['a'],"
        "'requirements':['A-01']}"},
    {"killed_by_a_signal", "139", "",
        "{'end':'caught','how':'crash','instances':['a'],"
        "'requirements':['A-01']}"},
    {"aborted_by_an_assertion", "134", "ntpmu: a.c:1: f: Assertion `x' f",
        "{'end':'caught','how':'assert','instances':['a'],"
        "'requirements':['A-01']}"},
    {"too_long", "124", "",
        "{'end':'caught','how':'timeout','instances':['a'],"
        "'requirements':['A-01']}"},
    {"too_long_for_a_signal", "137", "",
        "{'end':'caught','how':'timeout','instances':['a'],"
        "'requirements':['A-01']}"},
    {"memory_not_given_back", "23", "",
        "{'end':'caught','how':'leak','instances':['a'],"
        "'requirements':['A-01']}"},
    {"nothing_selected", "5", "",
        "{'end':'caught','how':'exit 5','instances':['a'],"
        "'requirements':['A-01']}"},
    {"does_not_compile", "stillborn", "", "{'end':'stillborn'}"},
    {"compiles_to_the_same", "same_code", "", "{'end':'same_code'}"},
};

static void judge_row(void **state)
{
    const struct judge_row *row = *state;
    json_t *mutant = json_object();
    json_t *noticed =
        json_of("{'instances':['a'],'requirements':['A-01'],'cited':[]}");

    judge(mutant, row->end, row->errors, noticed);
    assert_json(mutant, row->want);
    json_decref(mutant);
    json_decref(noticed);
}

static struct modules_row {
    const char *name, *end, *said, *want;
} modules_rows[] = {
    {"both_let_it_pass", "0", "survived",
        "{'end':'survived','module_tests':'survived'}"},
    {"modules_that_are_not_built_notice_nothing", "0", "not built",
        "{'end':'survived','module_tests':'not built'}"},
    {"module_notices_what_the_suite_let_pass", "0", "sim.test_pmc",
        "{'end':'caught','module_tests':'sim.test_pmc','how':'module_tests'}"},
    {"module_notices_before_the_suite_is_asked", "unasked", "sim.test_pmc",
        "{'end':'caught','module_tests':'sim.test_pmc','how':'module_tests'}"},
    {"suite_notices_what_the_modules_let_pass", "1", "survived",
        "{'end':'caught','how':'expectation','instances':[],"
        "'requirements':[],'module_tests':'survived'}"},
};

static void modules_row(void **state)
{
    const struct modules_row *row = *state;
    json_t *mutant = json_object();
    json_t *noticed = json_of("{'instances':[],'requirements':[],'cited':[]}");

    judge(mutant, row->end, "", noticed);
    judge_module_tests(mutant, row->said);
    assert_json(mutant, row->want);
    json_decref(mutant);
    json_decref(noticed);
}

#define PROOF_LINE(end, requirements)                                          \
    "{'file':'a.c','line':7,'before':'<','after':'>','by':'s.yaml','entry':"   \
    "'r:3','end':" end ",'requirements':[" requirements                        \
    "],'wanted':['A-01','A-02']}"
#define PROOF_EXPECTATION "'caught','how':'expectation'"
#define PROOF_NOT                                                              \
    "r:3: a.c:7: '<' became '>' and no expectation of s.yaml that "

static struct proof_row {
    const char *name, *mutant, *want;
} proof_rows[] = {
    {"all_have_failed", PROOF_LINE(PROOF_EXPECTATION, "'A-02','B-01','A-01'"),
        ""},
    {"one_has_not", PROOF_LINE(PROOF_EXPECTATION, "'A-01'"),
        PROOF_NOT "cites A-02 failed (caught: expectation)\n"},
    {"others_have", PROOF_LINE(PROOF_EXPECTATION, "'B-01'"),
        PROOF_NOT "cites A-01 failed (caught: expectation)\n" PROOF_NOT
                  "cites A-02 failed (caught: expectation)\n"},
    {"none_has", PROOF_LINE("'survived'", ""),
        PROOF_NOT "cites A-01 failed (survived)\n" PROOF_NOT
                  "cites A-02 failed (survived)\n"},
    {"a_unit_test_names_none",
        PROOF_LINE("'caught','how':'expectation','unit':true", ""), ""},
    {"a_unit_test_has_not_failed", PROOF_LINE("'survived','unit':true", ""),
        PROOF_NOT "cites A-01 failed (survived)\n" PROOF_NOT
                  "cites A-02 failed (survived)\n"},
    {"an_assertion_before_the_end",
        PROOF_LINE("'caught','how':'assert'", "'A-01','A-02'"),
        PROOF_NOT "cites A-01 failed (caught: assert)\n" PROOF_NOT
                  "cites A-02 failed (caught: assert)\n"},
};

static void proof_row(void **state)
{
    const struct proof_row *row = *state;
    json_t *mutant = json_of(row->mutant);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool proven = judge_proof(mutant, out);

    fclose(out);
    assert_string_equal(text, row->want);
    assert_int_equal(proven, row->want[0] == '\0');
    free(text);
    json_decref(mutant);
}

static struct slice_row {
    const char *name, *mutant, *want;
} slice_rows[] = {
    {"noticed_by_its_test",
        "{'file':'a.c','line':7,'before':'<','after':'>','end':'caught',"
        "'test':'failing.a','module_tests':'failing.a'}",
        ""},
    {"its_test_did_not_notice",
        "{'file':'a.c','line':7,'before':'<','after':'>','end':'survived',"
        "'test':'failing.a','module_tests':'survived'}",
        "a.c:7: '<' became '>' and failing.a did not notice (survived)\n"},
    {"it_does_not_compile",
        "{'file':'a.c','line':7,'before':'<','after':'>','end':'stillborn',"
        "'test':'failing.a'}",
        "a.c:7: '<' became '>' and failing.a did not notice (stillborn)\n"},
};

static void slice_row(void **state)
{
    const struct slice_row *row = *state;
    json_t *mutant = json_of(row->mutant);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool noticed = judge_slice(mutant, out);

    fclose(out);
    assert_string_equal(text, row->want);
    assert_int_equal(noticed, row->want[0] == '\0');
    free(text);
    json_decref(mutant);
}

/* The first of the list is what the account begins with. */
static json_t *summary_of(json_t *list)
{
    json_t *head = json_incref(json_array_get(list, 0));
    json_t *summary;

    json_array_remove(list, 0);
    summary = summary_make(head, list);
    json_decref(head);
    return summary;
}

static void account_counts(void **state)
{
    json_t *lines = json_of(
        "[{'seed':5,'equivalent':2,'under':[],"
        "'cited':['B-01','A-02','A-01']},"
        "{'file':'b.c','end':'caught','how':'expectation',"
        "'requirements':['A-01']},"
        "{'file':'b.c','end':'caught','how':'assert','requirements':[]},"
        "{'file':'a.c','end':'caught','how':'expectation',"
        "'requirements':['A-01']},"
        "{'file':'b.c','end':'survived','line':3},"
        "{'file':'c.c','end':'stillborn'},{'file':'c.c','end':'same_code'}]");
    json_t *summary = summary_of(lines);

    (void)state;
    json_object_del(summary, "share"); /* of 3 in 4, below as b.c's of 2 in 3 */
    json_array_remove(json_object_get(summary, "files"), 1);
    assert_json(summary,
        "{'seed':5,'tried':6,'stillborn':1,'same_code':1,'equivalent':2,"
        "'caught':3,"
        "'survived':1,'how':{'expectation':2,'assert':1},"
        "'files':[{'file':'a.c','caught':1,'survived':0,'share':1.0}],"
        "'survivors':[{'file':'b.c','end':'survived','line':3}],"
        "'hollow':['A-02','B-01'],'under':[]}");
    json_decref(summary);
    json_decref(lines);
}

static void share_is_of_those_that_ran(void **state)
{
    json_t *lines = json_of("[{'seed':5,'cited':[]},"
                            "{'file':'b.c','end':'survived'},"
                            "{'file':'b.c','end':'stillborn'},"
                            "{'file':'b.c','end':'same_code'},"
                            "{'file':'b.c','end':'caught','how':'crash'}]");
    json_t *summary = summary_of(lines);

    (void)state;
    assert_json(json_object_get(summary, "files"),
        "[{'file':'b.c','caught':1,'survived':1,'share':0.5}]");
    assert_true(json_real_value(json_object_get(summary, "share")) == 0.5);
    json_decref(summary);
    json_decref(lines);
}

static void share_of_nothing_is_null(void **state)
{
    json_t *lines = json_of("[{'seed':5,'cited':[]}]");
    json_t *summary = summary_of(lines);

    (void)state;
    assert_true(json_is_null(json_object_get(summary, "share")));
    json_decref(summary);
    json_decref(lines);
}

/* The suite did not see all of them. */
static void nothing_is_hollow_where_modules_were_asked(void **state)
{
    json_t *lines = json_of("[{'seed':5,'module_tests':true,"
                            "'under':['sim'],'cited':['A-01']},"
                            "{'file':'b.c','end':'caught','how':'module_tests'}"
                            "]");
    json_t *summary = summary_of(lines);

    (void)state;
    assert_true(json_is_null(json_object_get(summary, "hollow")));
    assert_json(json_object_get(summary, "how"), "{'module_tests':1}");
    assert_json(json_object_get(summary, "under"), "['sim']");
    json_decref(summary);
    json_decref(lines);
}

/* What summary_print writes; the caller frees it. */
static char *printed(const char *lines_of)
{
    json_t *lines = json_of(lines_of);
    json_t *summary = summary_of(lines);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    summary_print(summary, out);
    fclose(out);
    json_decref(summary);
    json_decref(lines);
    return text;
}

static struct print_row {
    const char *name, *lines, *want;
} print_rows[] = {
    {"suite_alone",
        "[{'seed':5,'under':[],'cited':['A-01']},"
        "{'file':'b.c','end':'caught','how':'expectation','requirements':[]},"
        "{'file':'b.c','end':'caught','how':'crash','requirements':[]},"
        "{'file':'b.c','line':3,'column':4,'kind':'mask','before':'&',"
        "'after':'|','end':'survived'}]",
        "\ncaught of planted, by file\n"
        "     2 of    3   67 %  b.c\n"
        "\nsurvivors\n"
        "  b.c:3:4: mask: & -> |\n"
        "\nhollow, none of their expectations caught one:\n"
        "  A-01\n"
        "\n3 mutants of seed 5: 2 caught (expectation 1, crash 1), 1 survived, "
        "0 of the same code, 0 stillborn, 0 equivalent; 66.7 %; 1 hollow\n"},
    {"modules_of_a_selection",
        "[{'seed':1,'under':['sim/pmu','sim/machine/msr.c'],"
        "'module_tests':true,'cited':[]},"
        "{'file':'b.c','line':3,'column':4,'kind':'mask','before':'&',"
        "'after':'|','end':'survived','module_tests':'survived'}]",
        "\ncaught of planted, by file\n"
        "     0 of    1    0 %  b.c\n"
        "\nsurvivors\n"
        "  b.c:3:4: mask: & -> |; module tests: survived\n"
        "\n1 mutants of seed 1 under sim/pmu sim/machine/msr.c: 0 caught (), 1 "
        "survived, 0 of the same code, 0 stillborn, 0 equivalent; 0.0 %\n"},
};

static void print_row(void **state)
{
    const struct print_row *row = *state;
    char *text = printed(row->lines);

    assert_string_equal(text, row->want);
    free(text);
}

TEST_FILE(test_account)
{
    TEST_ADD_ROWS(list, report_row, report_rows);
    test_add(list, "report_that_was_not_written_has_no_lines",
        report_that_was_not_written_has_no_lines, NULL);
    TEST_ADD_ROWS(list, judge_row, judge_rows);
    TEST_ADD_ROWS(list, modules_row, modules_rows);
    TEST_ADD_ROWS(list, proof_row, proof_rows);
    TEST_ADD_ROWS(list, slice_row, slice_rows);
    test_add(list, "account_counts", account_counts, NULL);
    test_add(
        list, "share_is_of_those_that_ran", share_is_of_those_that_ran, NULL);
    test_add(list, "share_of_nothing_is_null", share_of_nothing_is_null, NULL);
    test_add(list, "nothing_is_hollow_where_modules_were_asked",
        nothing_is_hollow_where_modules_were_asked, NULL);
    TEST_ADD_ROWS(list, print_row, print_rows);
}
