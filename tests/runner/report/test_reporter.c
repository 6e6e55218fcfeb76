/* test_reporter.c - what the golden files of tests/reports do not show:
 * results that no scenario brings about, texts that are hard to write, what was
 * not run, and how libyaml reads the blocks of TAP. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include <yaml.h>

#include "scenarios/runner/report/report_set.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/runner/run/scenario_run.h"

#define TEXT                                                                   \
    "ntpmu: 1\nid: t\ntitle: Test\ntags: [a]\nmatrix: {os: [WIN8, WIN11]}\n"   \
    "steps:\n" STEP_OK

static const char awkward[] = "a \"b\" \\ # % , : é \x01\r\n]]> <&> \xFF end";

/* A report of one kind in a file of its own. */
struct reported {
    struct scenario_run made;
    struct suite suite;
    struct report_set *set;
    struct report_totals totals;
    const char *step;               /* of failures that are added */
    struct verdict_missing missing; /* in runs that are added */
    char path[32];
};

static void reported_init(struct reported *reported, const char *kind)
{
    void *memory;
    const char *problem = NULL;
    const char *word;
    int file;

    *reported =
        (struct reported){.path = "/tmp/ntpmu-report-XXXXXX", .step = "1"};
    scenario_run_init(&reported->made, TEXT);
    memory = reported->made.text.file.memory;
    reported->suite.diagnostics = reported->made.text.file.diagnostics;
    reported->suite.instances = reported->made.instances;
    file = mkstemp(reported->path);
    assert_true(file >= 0);
    close(file);
    word = talloc_asprintf(memory, "%s=%s", kind, reported->path);
    reported->set = report_set_open(memory, &word, 1, &problem);
    assert_null(problem);
}

static void reported_begin(struct reported *reported)
{
    static const char *const argv[] = {"/somewhere/ntpmu", "run", "t.yaml"};
    const struct report_run run = {
        argv, 3, 2, &reported->suite, &reported->made.session};

    reported->made.session.requirements = &reported->made.text.requirements;
    report_set_begin(reported->set, &run);
}

/* The n-th instance ends with this result, and the failure unless it passed. */
static void reported_add(
    struct reported *reported, size_t n, enum result result)
{
    struct failure failure = {
        .place = reported->made.text.scenario->root,
        .step = reported->step,
        .message = awkward,
        .call = "Call()",
        .covers = {"T-01", "T-02"},
    };
    const struct verdict verdict = {
        .result = result,
        .failure = &failure,
        .failure_count = result == RESULT_PASS ? 0 : 1,
        .checks = 1,
        .missing = reported->missing,
    };

    report_set_result(
        reported->set, &reported->made.instances->item[n], &verdict);
    reported->totals.count[result]++;
}

static const char *reported_end(struct reported *reported)
{
    void *memory = reported->made.text.file.memory;
    const char *problem;
    struct source *source;

    assert_null(report_set_end(reported->set, &reported->totals));
    source = source_from_file(memory, reported->path, 1 << 20, &problem);
    assert_non_null(source);
    unlink(reported->path);
    return source->text;
}

static void reported_release(struct reported *reported)
{
    scenario_run_release(&reported->made);
}

static struct shown_row {
    const char *name;
    const char *kind;
    enum result result;
    const char *want; /* somewhere in it */
} shown_rows[] = {
    {"junit_pass", "junit", RESULT_PASS,
        "<testcase name=\"t[os=WIN8]\" classname=\"t\" time=\"0\">\n"
        "      <properties>\n        <property name=\"tag\" value=\"a\"/>\n"
        "      </properties>\n    </testcase>"},
    {"junit_skip", "junit", RESULT_SKIP,
        "<skipped message=\"a &quot;b&quot; \\ # % , : é &#13;&#10;]]&gt; "
        "&lt;&amp;&gt; \xEF\xBF\xBD end\"/>"},
    {"junit_fail", "junit", RESULT_FAIL, "<failure type=\"FAIL\" message="},
    {"junit_error", "junit", RESULT_ERROR, "<error type=\"ERROR\" message="},
    {"junit_timeout", "junit", RESULT_TIMEOUT, "<error type=\"TIMEOUT\" mess"},
    {"junit_crash", "junit", RESULT_CRASH, "<error type=\"CRASH\" message="},
    {"junit_internal", "junit", RESULT_INTERNAL, "<error type=\"INTERNAL\" m"},
    {"junit_counts_errors", "junit", RESULT_CRASH,
        "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">"},
    {"tap_pass", "tap", RESULT_PASS, "TAP version 14\nok 1 - t[os=WIN8]\n1..1"},
    {"tap_skip", "tap", RESULT_SKIP,
        "\nok 1 - t[os=WIN8] # SKIP a \"b\" \\\\ \\# % , : é "
        "\\\\u0001\\\\u000d\\\\n]]> <&> "},
    {"tap_fail", "tap", RESULT_FAIL,
        "\nnot ok 1 - t[os=WIN8]\n  ---\n  result: FAIL\n"},
    {"tap_timeout", "tap", RESULT_TIMEOUT,
        "\nnot ok 1 - t[os=WIN8]\n  ---\n  result: TIMEOUT\n"},
    {"tap_crash", "tap", RESULT_CRASH,
        "\nnot ok 1 - t[os=WIN8]\n  ---\n  result: CRASH\n"},
    {"tap_internal", "tap", RESULT_INTERNAL,
        "\nnot ok 1 - t[os=WIN8]\n  ---\n  result: INTERNAL\n"},
    {"jsonl_crash", "jsonl", RESULT_CRASH, "\"result\":\"CRASH\",\"checks\":1"},
    {"jsonl_counts", "jsonl", RESULT_CRASH,
        "\"TIMEOUT\":0,\"CRASH\":1,\"INTERNAL\":0,\"XFAIL\":0,\"XPASS\":0},"
        "\"not_run\":0,"},
    {"jsonl_message", "jsonl", RESULT_FAIL,
        "\"message\":\"a \\\"b\\\" \\\\ # % , : é \\u0001\\u000d\\n]]> <&> "
        "\xEF\xBF\xBD end\""},
    {"jsonl_command_has_no_directory", "jsonl", RESULT_PASS,
        "\"command\":[\"ntpmu\",\"run\",\"t.yaml\"],\"selected\":2}"},
    {"github_fail", "github", RESULT_FAIL,
        "::error file=t.yaml,line=1,col=1,title=FAIL t[os=WIN8] step 1::a "
        "\"b\" \\ # %25 , : é \\u0001\\u000d\\n]]> <&> \xEF\xBF\xBD "
        "end%0Acall: Call()%0A"
        "covers: T-01, T-02\n"},
    {"github_crash", "github", RESULT_CRASH, "title=CRASH t[os=WIN8]"},
};

static void shown_row(void **state)
{
    const struct shown_row *row = *state;
    struct reported reported;
    const char *text;

    reported_init(&reported, row->kind);
    reported_begin(&reported);
    reported_add(&reported, 0, row->result);
    text = reported_end(&reported);
    if (strstr(text, row->want) == NULL) {
        assert_string_equal(text, row->want); /* shows both */
    }
    reported_release(&reported);
}

/* One of three imports that are not modelled was reached; or, of one that
 * passed, none was. */
static struct shown_row missing_rows[] = {
    {"junit_fail", "junit", RESULT_FAIL,
        "<property name=\"imports_missing\" value=\"3\"/>\n        "
        "<property name=\"imports_reached\" value=\"1\"/>\n      "
        "</properties>"},
    {"junit_pass", "junit", RESULT_PASS,
        "<property name=\"imports_missing\" value=\"3\"/>\n        "
        "<property name=\"imports_reached\" value=\"0\"/>\n      "
        "</properties>"},
    {"tap_fail", "tap", RESULT_FAIL,
        "  imports_missing: 3\n  imports_reached: 1\n  failures:\n"},
    {"tap_pass", "tap", RESULT_PASS,
        "TAP version 14\nok 1 - t[os=WIN8]\n  ---\n  imports_missing: 3\n"
        "  imports_reached: 0\n  ...\n1..1"},
    {"github_fail", "github", RESULT_FAIL,
        "%0Acovers: T-01, T-02%0Aimports: of 3 that are not modelled, 2 never "
        "reached\n"},
    {"jsonl_fail", "jsonl", RESULT_FAIL,
        "\"imports_missing\":[\"a\",\"b\",\"c\"],\"imports_reached\":1,"},
};

static void missing_row(void **state)
{
    static const char *names[] = {"a", "b", "c"};
    const struct shown_row *row = *state;
    struct reported reported;
    const char *text;

    reported_init(&reported, row->kind);
    reported_begin(&reported);
    reported.missing =
        (struct verdict_missing){names, 3, row->result != RESULT_PASS};
    reported_add(&reported, 0, row->result);
    text = reported_end(&reported);
    if (strstr(text, row->want) == NULL) {
        assert_string_equal(text, row->want); /* shows both */
    }
    reported_release(&reported);
}

static struct row {
    const char *name;
    const char *kind;
    const char *want;
} not_run_rows[] =
    {
        {"junit_says_what_was_not_run", "junit",
            "<skipped message=\"2 selected instances were not run\"/>"},
        {"tap_bails_out_of_what_was_not_run", "tap",
            "TAP version 14\n1..0\nBail out! 2 selected instances were not "
            "run\n"},
        {"jsonl_says_what_was_not_run", "jsonl", "\"not_run\":2,"},
        {"github_says_what_was_not_run", "github",
            "::warning::2 selected instances were not run\n"},
},
  interrupted_rows[] = {
      {"junit_says_what_interrupted_the_run", "junit",
          "<skipped message=\"2 selected instances were not run: interrupted "
          "by "
          "SIGINT\"/>"},
      {"tap_bails_out_of_what_was_interrupted", "tap",
          "TAP version 14\n1..0\nBail out! 2 selected instances were not run: "
          "interrupted by SIGINT\n"},
      {"jsonl_says_what_interrupted_the_run", "jsonl",
          "\"not_run\":2,\"interrupted\":\"INT\","},
      {"github_says_what_interrupted_the_run", "github",
          "::warning::2 selected instances were not run: interrupted by "
          "SIGINT\n"},
};

static void not_run_row(void **state)
{
    const struct row *row = *state;
    struct reported reported;

    reported_init(&reported, row->kind);
    reported_begin(&reported);
    reported.totals.not_run = 2;
    assert_non_null(strstr(reported_end(&reported), row->want));
    reported_release(&reported);
}

static void interrupted_row(void **state)
{
    const struct row *row = *state;
    struct reported reported;

    reported_init(&reported, row->kind);
    reported_begin(&reported);
    reported.totals.not_run = 2;
    reported.totals.interrupted = "INT";
    assert_non_null(strstr(reported_end(&reported), row->want));
    reported_release(&reported);
}

static void github_says_nothing_of_what_passed_or_was_skipped(void **state)
{
    struct reported reported;

    (void)state;
    reported_init(&reported, "github");
    reported_begin(&reported);
    reported_add(&reported, 0, RESULT_PASS);
    reported_add(&reported, 1, RESULT_SKIP);
    assert_string_equal(reported_end(&reported), "");
    reported_release(&reported);
}

/* As many failures of the first instance, each in a step of its own. */
static void reported_add_apart(struct reported *reported, unsigned count)
{
    static const char *const steps[] = {
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"};

    assert_true(count <= sizeof(steps) / sizeof(steps[0]));
    for (unsigned i = 0; i < count; i++) {
        reported->step = steps[i];
        reported_add(reported, 0, RESULT_FAIL);
    }
}

/* The worst come first, in the order in which they came. */
static void github_keeps_the_worst_ten(void **state)
{
    struct reported reported;
    const char *text, *crash, *fail;
    size_t errors = 0;

    (void)state;
    reported_init(&reported, "github");
    reported_begin(&reported);
    reported_add_apart(&reported, 12);
    reported_add(&reported, 1, RESULT_CRASH);
    text = reported_end(&reported);
    for (const char *at = text; (at = strstr(at, "::error ")) != NULL; at++) {
        errors++;
    }
    crash = strstr(text, "title=CRASH t[os=WIN11]");
    fail = strstr(text, "title=FAIL t[os=WIN8]");
    assert_true(crash != NULL && fail != NULL && crash < fail);
    assert_int_equal(errors, 10);
    assert_non_null(strstr(text, "\n::warning::3 more failures\n"));
    reported_release(&reported);
}

static void github_counts_one_more(void **state)
{
    struct reported reported;
    const char *text;

    (void)state;
    reported_init(&reported, "github");
    reported_begin(&reported);
    reported_add_apart(&reported, 11);
    text = reported_end(&reported);
    assert_non_null(strstr(text, "\n::warning::1 more failure\n"));
    reported_release(&reported);
}

/* However many instances have it, another failure has its place. */
static void github_says_the_same_once(void **state)
{
    struct reported reported;
    const char *text, *same;

    (void)state;
    reported_init(&reported, "github");
    reported_begin(&reported);
    for (unsigned i = 0; i < 12; i++) {
        reported_add(&reported, 1, RESULT_FAIL);
    }
    reported.step = "2";
    reported_add(&reported, 0, RESULT_FAIL);
    text = reported_end(&reported);
    same = strstr(text, "%0Athe same 11 more times, in: t[os=WIN11], t[os=");
    assert_non_null(same);
    assert_non_null(strstr(same, ", ...\n::error "));
    assert_non_null(strstr(text, "title=FAIL t[os=WIN8] step 2::"));
    assert_null(strstr(text, "::warning::"));
    reported_release(&reported);
}

/* However the instances came, with -j or in another order. */
static void junit_lists_instances_in_the_order_of_the_suite(void **state)
{
    struct reported reported;
    const char *text, *first, *second;

    (void)state;
    reported_init(&reported, "junit");
    reported_begin(&reported);
    reported_add(&reported, 1, RESULT_PASS);
    reported_add(&reported, 0, RESULT_FAIL);
    text = reported_end(&reported);
    first = strstr(text, "name=\"t[os=WIN8]\"");
    second = strstr(text, "name=\"t[os=WIN11]\"");
    assert_true(first != NULL && second != NULL && first < second);
    reported_release(&reported);
}

/* The first block of a TAP report, without its indentation. */
static char *first_block(void *memory, const char *text)
{
    const char *line = strstr(text, "\n  ---\n");
    char *block = talloc_strdup(memory, "");

    assert_non_null(line);
    line += strlen("\n  ---\n");
    while (strncmp(line, "  ...\n", 6) != 0) {
        const char *end = strchr(line, '\n');

        assert_non_null(end);
        assert_true(text_begins(line, "  "));
        block =
            talloc_strndup_append(block, line + 2, (size_t)(end - line) - 1);
        line = end + 1;
    }
    return block;
}

/* A scalar as libyaml gives it, which may hold what scenarios may not. */
static const char *yaml_value(void *memory, const char *text, const char *key)
{
    yaml_parser_t parser;
    yaml_event_t event;
    const char *found = NULL;
    bool next = false, going = true;

    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(
        &parser, (const yaml_char_t *)text, strlen(text));
    while (going) {
        assert_true(yaml_parser_parse(&parser, &event));
        going = event.type != YAML_STREAM_END_EVENT;
        if (event.type == YAML_SCALAR_EVENT) {
            const char *value = (const char *)event.data.scalar.value;

            if (next && found == NULL) {
                found = talloc_strdup(memory, value);
            }
            next = strcmp(value, key) == 0;
        }
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return found;
}

static void tap_block_is_read_back_by_libyaml(void **state)
{
    struct reported reported;
    void *memory;
    char *block;

    (void)state;
    reported_init(&reported, "tap");
    memory = reported.made.text.file.memory;
    reported_begin(&reported);
    reported_add(&reported, 0, RESULT_FAIL);
    block = first_block(memory, reported_end(&reported));
    assert_string_equal(yaml_value(memory, block, "result"), "FAIL");
    assert_string_equal(yaml_value(memory, block, "message"),
        "a \"b\" \\ # % , : é \x01\r\n]]> <&> \xEF\xBF\xBD end");
    assert_string_equal(yaml_value(memory, block, "call"), "Call()");
    assert_string_equal(yaml_value(memory, block, "covers"), "T-01");
    assert_string_equal(yaml_value(memory, block, "T-01"), "T-02");
    reported_release(&reported);
}

TEST_FILE(test_reporter)
{
    TEST_ADD_ROWS(list, shown_row, shown_rows);
    TEST_ADD_GROUP(list, "missing", missing_row, missing_rows);
    TEST_ADD_ROWS(list, not_run_row, not_run_rows);
    TEST_ADD_ROWS(list, interrupted_row, interrupted_rows);
    test_add(list, "github_says_nothing_of_what_passed_or_was_skipped",
        github_says_nothing_of_what_passed_or_was_skipped, NULL);
    test_add(
        list, "github_keeps_the_worst_ten", github_keeps_the_worst_ten, NULL);
    test_add(list, "github_counts_one_more", github_counts_one_more, NULL);
    test_add(
        list, "github_says_the_same_once", github_says_the_same_once, NULL);
    test_add(list, "junit_lists_instances_in_the_order_of_the_suite",
        junit_lists_instances_in_the_order_of_the_suite, NULL);
    test_add(list, "tap_block_is_read_back_by_libyaml",
        tap_block_is_read_back_by_libyaml, NULL);
}
