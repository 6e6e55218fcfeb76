/* test_verdict.c - which results are failures, and verdicts that are too long
 * to be sent. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/verdict.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/run/verdict_pipe.h"
#include "tests/rows.h"

static struct failed_row {
    const char *name;
    enum result result;
    bool want;
} failed_rows[] = {
    {"pass_has_not_failed", RESULT_PASS, false},
    {"skip_has_not_failed", RESULT_SKIP, false},
    {"fail_has_failed", RESULT_FAIL, true},
    {"error_has_failed", RESULT_ERROR, true},
    {"timeout_has_failed", RESULT_TIMEOUT, true},
    {"crash_has_failed", RESULT_CRASH, true},
    {"internal_has_failed", RESULT_INTERNAL, true},
};

static void failed_row(void **state)
{
    const struct failed_row *row = *state;

    assert_int_equal(verdict_result_failed(row->result), row->want);
}

static struct verdict *with_failures(size_t count)
{
    struct verdict *verdict = talloc_zero(NULL, struct verdict);

    verdict->failure =
        talloc_zero_array(verdict, struct failure, (unsigned)count);
    verdict->failure_count = count;
    for (size_t i = 0; i < count; i++) {
        verdict->failure[i].message = "wrong";
    }
    return verdict;
}

static void as_many_failures_as_are_sent_stay(void **state)
{
    struct verdict *verdict = with_failures(4096);

    (void)state;
    verdict_trim(verdict);
    assert_int_equal(verdict->failure_count, 4096);
    assert_string_equal(verdict->failure[4095].message, "wrong");
    talloc_free(verdict);
}

static void one_more_is_told(void **state)
{
    struct verdict *verdict = with_failures(4097);

    (void)state;
    verdict_trim(verdict);
    assert_int_equal(verdict->failure_count, 4096);
    assert_string_equal(verdict->failure[4094].message, "wrong");
    assert_string_equal(verdict->failure[4095].message,
        "(of 4097 failures the last that is shown) wrong");
    talloc_free(verdict);
}

static void long_text_is_cut(void **state)
{
    struct verdict *verdict = with_failures(1);
    char *text = malloc((1 << 20) + 2);

    (void)state;
    assert_non_null(text);
    memset(text, 'm', (1 << 20) + 1);
    text[(1 << 20) + 1] = '\0';
    verdict->failure[0].message = text;
    verdict_trim(verdict);
    assert_int_equal(strlen(verdict->failure[0].message), 1 << 20);
    assert_null(verdict->failure[0].call);
    talloc_free(verdict);
    free(text);
}

TEST_FILE(test_verdict)
{
    TEST_ADD_ROWS(list, failed_row, failed_rows);
    test_add(list, "as_many_failures_as_are_sent_stay",
        as_many_failures_as_are_sent_stay, NULL);
    test_add(list, "one_more_is_told", one_more_is_told, NULL);
    test_add(list, "long_text_is_cut", long_text_is_cut, NULL);
}
