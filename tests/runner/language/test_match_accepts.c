/* test_match_accepts.c - whether an expected value can fail, however it is
 * written. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/match_accepts.h"
#include "tests/rows.h"
#include "tests/runner/language/values_scope.h"

static struct accepts_row {
    const char *name;
    const char *text;
    enum nt_type type;
    bool array;
    bool want;
} accepts_rows[] = {
    {"any_can_never_fail", "any", NT_ULONG, false, true},
    {"any_in_quotes_is_a_text", "\"any\"", NT_VOID, false, false},
    {"list_of_any_can_fail", "[any]", NT_ULONG, true, false},
    {"number_can_fail", "1", NT_ULONG, false, false},
    {"minimum_of_0_can_never_fail", "{min: 0}", NT_ULONG, false, true},
    {"minimum_of_1_can_fail", "{min: 1}", NT_ULONG, false, false},
    {"minimum_of_0_by_its_name", "{min: PASSIVE_LEVEL}", NT_KIRQL, false, true},
    {"range_can_fail", "{min: 0, max: 3}", NT_ULONG, false, false},
    {"range_that_spans_its_type", "{min: 0, max: 0xFFFFFFFF}", NT_ULONG, false,
        true},
    {"range_that_ends_one_before_that_of_its_type", "{min: 0, max: 0xFFFFFFFE}",
        NT_ULONG, false, false},
    {"the_same_range_of_a_wider_type", "{max: 0xFFFFFFFF}", NT_ULONG64, false,
        false},
    {"maximum_of_all", "{max: 0xFFFFFFFFFFFFFFFF}", NT_ULONG64, false, true},
    {"all_but_a_level_that_there_is_not", "{not: 16}", NT_KIRQL, false, true},
    {"all_but_the_highest_level", "{not: HIGH_LEVEL}", NT_KIRQL, false, false},
    {"all_but_a_level_that_there_is", "{not: 7}", NT_KIRQL, false, false},
    {"all_but_a_range_of_such_levels", "{not: {min: 16, max: 99}}", NT_KIRQL,
        false, true},
    {"all_but_a_range_that_begins_with_a_level", "{not: {min: 15, max: 99}}",
        NT_KIRQL, false, false},
    {"up_to_the_highest_level", "{max: HIGH_LEVEL}", NT_KIRQL, false, true},
    {"up_to_the_one_below", "{max: 14}", NT_KIRQL, false, false},
    {"not_not_any", "{not: {not: any}}", NT_ULONG, false, true},
    {"all_but_any_always_fails", "{not: any}", NT_ULONG, false, false},
    {"one_of_with_any_can_never_fail", "{one_of: [1, any]}", NT_ULONG, false,
        true},
    {"one_of_values_can_fail", "{one_of: [1, 2]}", NT_ULONG, false, false},
    {"one_of_both", "{one_of: [true, false]}", NT_BOOLEAN, false, true},
    {"one_of_one", "{one_of: [true]}", NT_BOOLEAN, false, false},
    {"one_of_all_levels", "{one_of: [0, 1, 2, 3, {min: 4, max: 14}, 15]}",
        NT_KIRQL, false, true},
    {"one_of_all_levels_but_one", "{one_of: [0, 1, 3, {min: 4, max: 14}, 15]}",
        NT_KIRQL, false, false},
    {"one_of_two_ranges_that_meet", "{one_of: [{max: 7}, {min: 8}]}", NT_ULONG,
        false, true},
    {"one_of_two_ranges_with_one_between", "{one_of: [{max: 7}, {min: 9}]}",
        NT_ULONG, false, false},
    {"one_of_a_value_and_all_others_can_never_fail", "{one_of: [1, {not: 1}]}",
        NT_ULONG, false, true},
    {"one_of_all_others_and_a_value_can_never_fail",
        "{one_of: [{not: none}, 5, none]}", NT_VOID, false, true},
    {"one_of_a_value_and_all_but_another_can_fail", "{one_of: [1, {not: 2}]}",
        NT_ULONG, false, false},
    {"one_of_all_but_two", "{one_of: [{not: 1}, {not: 2}]}", NT_ULONG, false,
        true},
    {"all_but_one_of_what_there_is_not", "{not: {one_of: [16, 17]}}", NT_KIRQL,
        false, true},
    {"no_bits_can_never_fail", "{bits: {set: 0x0}}", NT_ULONG, false, true},
    {"bits_can_fail", "{bits: {clear: 0x1}}", NT_ULONG, false, false},
    {"bits_that_no_level_has", "{bits: {clear: 0x80}}", NT_KIRQL, false, true},
    {"bits_that_a_level_would_need", "{bits: {set: 0x80}}", NT_KIRQL, false,
        false},
    {"one_of_bits_is_not_seen_through",
        "{one_of: [{bits: {set: 0x1}}, {bits: {set: 0x2}}]}", NT_ULONG, false,
        false},
    {"any_length_can_never_fail", "{len: any}", NT_ULONG, true, true},
    {"length_from_0_on", "{len: {min: 0}}", NT_ULONG, true, true},
    {"length_of_1", "{len: 1}", NT_ULONG, true, false},
    {"all_but_a_length", "{not: {len: 1}}", NT_ULONG, true, false},
    {"unchanged_can_fail", "unchanged", NT_ULONG, false, false},
    {"one_of_unchanged_and_a_value", "{one_of: [unchanged, 5]}", NT_ULONG,
        false, false},
    {"members_of_which_none_can_fail", "{Type: any, Index: {min: 0}}",
        NT_HARDWARE_COUNTER, false, true},
    {"members_of_which_one_can", "{Type: any, Index: {min: 1}}",
        NT_HARDWARE_COUNTER, false, false},
    {"what_is_computed_is_not_known_before_the_run", "{min: $count}", NT_ULONG,
        false, false},
    {"one_of_all_and_something_computed", "{one_of: [$count, {min: 0}]}",
        NT_ULONG, false, true},
};

static void accepts_row(void **state)
{
    const struct accepts_row *row = *state;
    struct values_scope made;

    scope_init(&made, row->text);
    assert_int_equal(match_accepts_all(&made.scope, text_file_tree(&made.file),
                         match_domain_of(&made.scope, row->type, row->array)),
        row->want);
    text_file_assert_errors(&made.file, "");
    text_file_release(&made.file);
}

/* While it runs, count is 3. */
static struct computed_row {
    const char *name, *text;
    bool want;
} computed_rows[] = {
    {"computed_minimum_of_all", "{min: $(count - 3)}", true},
    {"computed_minimum_of_some", "{min: $(count - 2)}", false},
    {"computed_level_that_there_is_not", "{not: $(count + 13)}", true},
    {"computed_level_that_there_is", "{not: $count}", false},
};

static void computed_row(void **state)
{
    const struct computed_row *row = *state;
    struct values_scope made;

    scope_init(&made, row->text);
    scope_run(&made);
    assert_int_equal(match_accepts_all(&made.scope, text_file_tree(&made.file),
                         match_domain_of(&made.scope, NT_KIRQL, false)),
        row->want);
    text_file_release(&made.file);
}

/* Of so many numbers nothing is said, nor is time lost over them. */
static void with_very_many_numbers_it_can_fail(void **state)
{
    struct values_scope made;
    char *text = talloc_strdup(NULL, "{one_of: [{max: 5}");

    (void)state;
    for (unsigned i = 6; i < 256; i++) {
        text = talloc_asprintf_append_buffer(text, ", %u", i);
    }
    text = talloc_strdup_append_buffer(text, "]}");
    scope_init(&made, text);
    assert_false(match_accepts_all(&made.scope, text_file_tree(&made.file),
        match_domain_of(&made.scope, NT_UCHAR, false)));
    text_file_release(&made.file);
    talloc_free(text);
}

TEST_FILE(test_match_accepts)
{
    TEST_ADD_ROWS(list, accepts_row, accepts_rows);
    TEST_ADD_ROWS(list, computed_row, computed_rows);
    test_add(list, "with_very_many_numbers_it_can_fail",
        with_very_many_numbers_it_can_fail, NULL);
}
