/* test_hearing.c - accounts that no run has given: what cannot have happened is
 * refused, and what is claimed beside the facts does not count. */
#define _GNU_SOURCE
#include "scenarios/runner/run/hearing.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/runner/run/account.h"
#include "tests/runner/run/run_result.h"

/* Step 1 has a condition, the instance does not have step 2, step 3 expects. */
#define HEARD                                                                  \
    HEAD "matrix: {kind: [0, 1]}\n"                                            \
         "steps:\n"                                                            \
         "- {rdmsr: {index: IA32_PMC0}, save: {v: value}}\n"                   \
         "- {advance: {cycles: 1}, when: $(v == 0)}\n"                         \
         "- {advance: {cycles: 1}, when: $(kind == 1)}\n"                      \
         "- {expect: {state: {irql: {cpu: 0}, is: 0}, covers: [T-03]}}\n"

/* Step 0 is done on two processors, step 1 expects. */
#define ON_TWO                                                                 \
    HEAD "steps:\n"                                                            \
         "- {rdmsr: {cpu: [1, 0], index: IA32_PMC0}}\n"                        \
         "- {expect: {state: {irql: {cpu: 0}, is: 0}, covers: [T-03]}}\n"

/* An account in letters: S, A, W, L, D, F, U, H, E records; digits numbers; k
 * that the kernel has recorded nothing; x the largest number of a byte; o what
 * a step without results has done, p and q the same on the second and on the
 * third of its processors; v that a variable is 0; t a text, "t"; n
 * that there is none. */
static const struct letter {
    char letter;
    size_t size;
    const char *bytes;
} letters[] = {
    {'S', 1, "\0"}, /* as enum account_record has them */
    {'A', 1, "\1"},
    {'W', 1, "\2"},
    {'L', 1, "\3"},
    {'D', 1, "\4"},
    {'F', 1, "\5"},
    {'U', 1, "\6"},
    {'H', 1, "\7"},
    {'E', 1, "\10"},
    {'0', 1, "\0"},
    {'1', 1, "\1"},
    {'2', 1, "\2"},
    {'3', 1, "\3"},
    {'4', 1, "\4"},
    {'6', 1, "\6"},
    {'7', 1, "\7"},
    {'8', 1, "\10"},
    {'9', 1, "\11"},
    {'x', 1, "\177"},
    {'k', 6, "\0\0\0\0\0\0"},
    {'o', 18, "\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0"},
    {'p', 18, "\0\0\1\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0"},
    {'q', 18, "\0\0\2\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0"},
    {'v', 5, "\0\0\1\0\0"},
    {'t', 2, "\1t"},
    {'n', 1, "\0"},
};

static size_t spell(uint8_t *bytes, const char *text)
{
    size_t length = 0;

    for (; *text != '\0'; text++) {
        size_t i = 0;

        while (letters[i].letter != *text) {
            i++;
            assert_true(i < sizeof(letters) / sizeof(letters[0]));
        }
        memcpy(bytes + length, letters[i].bytes, letters[i].size);
        length += letters[i].size;
    }
    return length;
}

static struct hearing_row {
    const char *name, *account;
    const char *want; /* the problem, or the first failure; NULL: a PASS */
    bool judged;
} hearing_rows[] = {
    {"whole", "W100vL2kS30ko10UkH00E", NULL, true},
    {"nothing", "", "it ends too early", false},
    {"no_end", "L2kS30ko10Uk", "it ends too early", false},
    {"unknown_record", "9", "a number is too large", false},
    {"end_before_the_run_s", "L2kS30ko10E", "it ends before the run does",
        false},
    {"end_before_anybody_asks_what_is_held", "L2kS30ko10UkE",
        "it ends before the run does", false},
    {"cleaning_up_after_no_failure", "W101", "it cleans up after no failure",
        false},
    {"block_that_is_held", "L2kS30ko10UkH014t1014t10E",
        "drv ends and still holds pool_block (t) of step 1: give it back, or "
        "expect it: finally: [{expect: {leaks: [{kind: pool_block}]}}]",
        true},
    {"expectation_that_was_not_evaluated", "L2kUkE",
        "step 4 expects something and has never run: the machine had stopped; "
        "only steps without an action are evaluated after that",
        true},
    {"other_level", "L2kS30ko12tUkE",
        "state of cpu 0, irql: expected 0, actual t", true},
    {"step_that_does_not_exist", "S7", "a number is too large", false},
    {"step_whose_turn_had_come_is_left_out", "L3k", "a step was left out",
        false},
    {"condition_of_a_step_without_one", "W300", "a step has no condition",
        false},
    {"after_a_step_that_does_not_exist", "A38", "a number is too large", false},
    {"rules_of_a_processor_that_is_not_there", "Dk0x", "a number is too large",
        false},
    {"failure_with_the_result_pass", "F00ttn", "a failure is none", false},
    {"failure_with_a_result_of_a_judge", "F70ttn", "a number is too large",
        false},
    {"failure_of_ours", "F60ttnE", "t", true},
    {"handler_of_a_callback_that_does_not_exist", "S3011000000000000000000000",
        "a number is too large", false},
    {"rule_that_does_not_exist", "S3001xxxxxxxxxxxxxxxxxxxx",
        "a number is too large", false},
    {"what_nobody_models_and_nobody_reached", "W100vL2kS300001ttt000o10UkH00E",
        NULL, true},
    {"what_nobody_models_and_was_reached_in_silence",
        "W100vL2kS300001ttt010o10UkH00E", "it does not say what ended the run",
        false},
    {"more_reached_than_nobody_models", "S3000012", "it ends too early", false},
    {"second_reached_of_one", "S300001ttt02", "a number is too large", false},
    {"bug_check_without_a_broken_rule", "S3000100000000000000000000000000",
        "it stopped the machine for nothing", false},
};

static struct hearing_row processor_rows[] = {
    {"each_processor", "S00koS00kpS10ko10UkH00E", NULL, true},
    {"first_processor_left_out", "S00kpS10ko10UkH00E",
        "a processor of a step was left out", false},
    {"last_processor_left_out", "S00koS10ko10UkH00E",
        "a processor of a step was left out", false},
    {"one_processor_twice", "S00koS00koS10ko10UkH00E",
        "a processor of a step was left out", false},
    {"processor_that_the_step_does_not_have", "S00kqS10ko10UkH00E",
        "a number is too large", false},
};

static void hear(const struct hearing_row *row, const char *scenario)
{
    struct scenario_run made;
    struct hearing hearing;
    uint8_t bytes[128], *exact;
    size_t length = spell(bytes, row->account);

    scenario_run_init(&made, scenario);
    exact = malloc(length + 1);
    assert_non_null(exact);
    memcpy(exact + 1, bytes, length);
    hearing = hearing_judge(made.text.file.memory, &made.session,
        result_first(&made), exact + 1, length);
    free(exact);
    assert_int_equal(hearing.verdict != NULL, row->judged);
    if (!row->judged) {
        assert_string_equal(hearing.problem, row->want);
    } else if (row->want == NULL) {
        assert_int_equal(hearing.verdict->result, RESULT_PASS);
        assert_int_equal(hearing.verdict->checks, 1);
    } else {
        assert_string_equal(hearing.verdict->failure[0].message, row->want);
    }
    assert_null(made.session.account);
    scenario_run_release(&made);
}

static void hearing_row(void **state)
{
    hear(*state, HEARD);
}

static void processor_row(void **state)
{
    hear(*state, ON_TWO);
}

TEST_FILE(test_hearing)
{
    TEST_ADD_ROWS(list, hearing_row, hearing_rows);
    TEST_ADD_ROWS(list, processor_row, processor_rows);
}
