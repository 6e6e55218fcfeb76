/* test_part_join.c - verdicts of parts of an exploration as one: which
 * failure counts, what is added up, and what cannot be. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/parts/part_join.h"

#include <talloc.h>

#include "scenarios/runner/run/verdict.h"
#include "tests/rows.h"
#include "tests/runner/run/verdict_exchange.h"

static struct join_row {
    const char *name;
    struct {
        enum result result;
        struct explored explored;
    } part[3]; /* the third is there where it has tried something */
    enum result want_result;
    const char *want_schedule;
    uint64_t want_schedules, want_left;
} join_rows[] = {
    {"both_pass",
        {{RESULT_PASS, {10, 3, .shared = 4}},
            {RESULT_PASS, {12, 5, .shared = 4}}},
        RESULT_PASS, NULL, 18, 8},
    {"one_fails",
        {{RESULT_PASS, {10, 3, .shared = 4}},
            {RESULT_FAIL, {12, 0, .schedule = "v1:1.1-2.0/9", .shared = 4}}},
        RESULT_FAIL, "v1:1.1-2.0/9", 18, 0},
    {"what_has_fewer_switches_counts",
        {{RESULT_FAIL, {10, 0, .schedule = "v1:1.1-2.0/9", .shared = 4}},
            {RESULT_TIMEOUT, {12, 0, .schedule = "v1:0.1/9", .shared = 4}}},
        RESULT_TIMEOUT, "v1:0.1/9", 18, 0},
    {"what_branches_off_later_counts",
        {{RESULT_FAIL, {10, 0, .schedule = "v1:1.1-5.0/9", .shared = 4}},
            {RESULT_ERROR, {12, 0, .schedule = "v1:2.1-3.0/9", .shared = 4}}},
        RESULT_ERROR, "v1:2.1-3.0/9", 18, 0},
    {"then_the_second_switch_that_is_later",
        {{RESULT_FAIL, {10, 0, .schedule = "v1:1.1-5.0/9", .shared = 4}},
            {RESULT_ERROR, {12, 0, .schedule = "v1:1.1-3.0/9", .shared = 4}}},
        RESULT_FAIL, "v1:1.1-5.0/9", 18, 0},
    {"then_the_lower_processor",
        {{RESULT_FAIL, {10, 0, .schedule = "v1:1.2-5.0/9", .shared = 4}},
            {RESULT_ERROR, {12, 0, .schedule = "v1:1.1-5.0/9", .shared = 4}}},
        RESULT_ERROR, "v1:1.1-5.0/9", 18, 0},
    {"of_random_ones_the_first",
        {{RESULT_FAIL,
             {10, 0, .schedule = "v1:1.1/9", .shared = 2, .number = 9}},
            {RESULT_ERROR, {12, 0, .schedule = "v1:1.1-5.0-6.1/9", .shared = 2,
                               .number = 4}}},
        RESULT_ERROR, "v1:1.1-5.0-6.1/9", 20, 0},
    {"not_the_same_in_common",
        {{RESULT_PASS, {10, 3, .shared = 4}},
            {RESULT_PASS, {12, 5, .shared = 5}}},
        RESULT_INTERNAL, NULL, 0, 0},
    {"more_in_common_than_there_are",
        {{RESULT_PASS, {3, 3, .shared = 4}},
            {RESULT_PASS, {12, 5, .shared = 4}}},
        RESULT_INTERNAL, NULL, 0, 0},
    {"not_the_same_in_common_in_the_last",
        {{RESULT_PASS, {10, 3, .shared = 4}},
            {RESULT_PASS, {12, 5, .shared = 4}},
            {RESULT_PASS, {12, 5, .shared = 3}}},
        RESULT_INTERNAL, NULL, 0, 0},
    {"three_pass",
        {{RESULT_PASS, {10, 3, .shared = 4}},
            {RESULT_PASS, {12, 5, .shared = 4}},
            {RESULT_PASS, {20, 7, .shared = 4}}},
        RESULT_PASS, NULL, 34, 15},
    {"of_three_the_last_fails",
        {{RESULT_PASS, {10, 3, .shared = 4}},
            {RESULT_PASS, {12, 5, .shared = 4}},
            {RESULT_CRASH, {20, 0, .schedule = "v1:1.1/9", .shared = 4}}},
        RESULT_CRASH, "v1:1.1/9", 34, 0},
    {"of_three_failures_the_middle_one_comes_first",
        {{RESULT_FAIL, {10, 0, .schedule = "v1:3.1-4.0/9", .shared = 4}},
            {RESULT_CRASH, {12, 0, .schedule = "v1:7.0/9", .shared = 4}},
            {RESULT_ERROR, {20, 0, .schedule = "v1:5.1/9", .shared = 4}}},
        RESULT_CRASH, "v1:7.0/9", 34, 0},
    {"the_usual_schedule_has_no_switch",
        {{RESULT_FAIL, {10, 0, .schedule = "v1:3.1/9", .shared = 4}},
            {RESULT_ERROR, {4, 0, .schedule = "v1:/9", .shared = 4}}},
        RESULT_ERROR, "v1:/9", 10, 0},
};

static struct verdict *verdict_of(void *context,
    const struct exchange *exchange, enum result result,
    const struct explored *explored)
{
    const struct instance *instance = &exchange->made.instances->item[0];
    struct verdict *verdict =
        verdict_failed(context, instance, RESULT_FAIL, "made up");

    verdict->result = result;
    verdict->failure_count = result == RESULT_PASS ? 0 : 1;
    verdict->explored = *explored;
    return verdict;
}

static void join_row(void **state)
{
    const struct join_row *row = *state;
    void *context = talloc_new(NULL);
    struct exchange exchange;
    size_t parts = row->part[2].explored.schedules == 0 ? 2 : 3;
    struct verdict *verdict[3], *joined;

    exchange_init(&exchange);
    for (size_t i = 0; i < parts; i++) {
        verdict[i] = verdict_of(
            context, &exchange, row->part[i].result, &row->part[i].explored);
    }
    joined =
        part_join(context, &exchange.made.instances->item[0], verdict, parts);
    assert_int_equal(joined->result, row->want_result);
    assert_int_equal(joined->explored.schedules, row->want_schedules);
    assert_int_equal(joined->explored.left, row->want_left);
    if (row->want_schedule == NULL) {
        assert_null(joined->explored.schedule);
    } else {
        assert_string_equal(joined->explored.schedule, row->want_schedule);
        assert_true(joined->explored.joined);
    }
    talloc_free(context);
    exchange_release(&exchange);
}

static void what_one_part_has_not_asked_is_no_answer(void **state)
{
    void *context = talloc_new(NULL);
    struct exchange exchange;
    struct verdict *verdict[2], *joined;
    bool held = true;

    (void)state;
    exchange_init(&exchange);
    for (size_t i = 0; i < 2; i++) {
        verdict[i] = verdict_of(context, &exchange, RESULT_PASS,
            &(struct explored){.schedules = 1, .shared = 1});
    }
    verdict[1]->sometimes = &held;
    verdict[1]->sometimes_count = 1;
    joined = part_join(context, &exchange.made.instances->item[0], verdict, 2);
    assert_int_equal(joined->result, RESULT_INTERNAL);
    talloc_free(context);
    exchange_release(&exchange);
}

TEST_FILE(test_part_join)
{
    TEST_ADD_ROWS(list, join_row, join_rows);
    test_add(list, "what_one_part_has_not_asked_is_no_answer",
        what_one_part_has_not_asked_is_no_answer, NULL);
}
