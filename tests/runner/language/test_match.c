/* test_match.c - each matcher, met and not met, what the difference reads like,
 * and matchers that are wrong (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/match.h"
#include "tests/api/booted_kernel.h"
#include "tests/runner/language/values_scope.h"

/* Values of a scalar type, one after another. */
static struct match_row {
    const char *name;
    const char *text;
    enum nt_type type;
    bool array;
    size_t count;
    uint64_t value[3];
    const char *want; /* the difference; NULL: as expected */
} match_rows[] = {
    {"equal_number", "7", NT_ULONG, false, 1, {7}, NULL},
    {"other_number", "7", NT_ULONG, false, 1, {8}, "expected 7, actual 8"},
    {"number_that_differs_in_its_highest_byte", "7", NT_ULONG, false, 1,
        {0x01000007}, "expected 7, actual 16777223"},
    {"equal_status", "STATUS_SUCCESS", NT_NTSTATUS, false, 1, {0}, NULL},
    {"other_status_is_shown_by_name", "STATUS_SUCCESS", NT_NTSTATUS, false, 1,
        {0xC000000D},
        "expected STATUS_SUCCESS, actual STATUS_INVALID_PARAMETER"},
    {"equal_level", "PROFILE_LEVEL", NT_KIRQL, false, 1, {15}, NULL},
    {"other_level_is_shown_by_name", "PROFILE_LEVEL", NT_KIRQL, false, 1, {2},
        "expected PROFILE_LEVEL, actual DISPATCH_LEVEL"},
    {"null_handle", "null", NT_HANDLE, false, 1, {0}, NULL},
    {"handle_that_is_not_null", "null", NT_HANDLE, false, 1, {0x7},
        "expected null, actual 0x7"},
    {"variable", "$count", NT_ULONG, false, 1, {3}, NULL},
    {"other_than_the_variable", "$count", NT_ULONG, false, 1, {4},
        "expected $count (3), actual 4"},
    {"any_value", "any", NT_ULONG, false, 1, {12345}, NULL},
    {"not_equal", "{not: 7}", NT_ULONG, false, 1, {8}, NULL},
    {"not_and_equal", "{not: 7}", NT_ULONG, false, 1, {7},
        "expected {not: 7}, actual 7"},
    {"not_null", "{not: null}", NT_HANDLE, false, 1, {0x10}, NULL},
    {"not_null_and_null", "{not: null}", NT_HANDLE, false, 1, {0},
        "expected {not: null}, actual null"},
    {"not_of_a_matcher", "{not: {min: 5}}", NT_ULONG, false, 1, {4}, NULL},
    {"not_of_a_matcher_that_is_met", "{not: {min: 5}}", NT_ULONG, false, 1, {5},
        "expected {not: {min: 5}}, actual 5"},
    {"first_of_several", "{one_of: [1, 2, 3]}", NT_ULONG, false, 1, {1}, NULL},
    {"last_of_several", "{one_of: [1, 2, 3]}", NT_ULONG, false, 1, {3}, NULL},
    {"none_of_several", "{one_of: [1, 2, 3]}", NT_ULONG, false, 1, {4},
        "expected {one_of: [1, 2, 3]}, actual 4"},
    {"at_least", "{min: 5}", NT_ULONG, false, 1, {5}, NULL},
    {"below_at_least", "{min: 5}", NT_ULONG, false, 1, {4},
        "expected {min: 5}, actual 4"},
    {"at_most", "{max: 5}", NT_ULONG, false, 1, {5}, NULL},
    {"above_at_most", "{max: 5}", NT_ULONG, false, 1, {6},
        "expected {max: 5}, actual 6"},
    {"in_a_range", "{min: 5, max: 6}", NT_ULONG, false, 1, {6}, NULL},
    {"below_a_range", "{max: 6, min: 5}", NT_ULONG, false, 1, {4},
        "expected {max: 6, min: 5}, actual 4"},
    {"above_a_range", "{max: 6, min: 5}", NT_ULONG, false, 1, {7},
        "expected {max: 6, min: 5}, actual 7"},
    {"high_number_is_not_negative", "{min: 5}", NT_ULONG64, false, 1,
        {0xFFFFFFFFFFFFFFFF}, NULL},
    {"bits_that_are_set", "{bits: {set: 0x5}}", NT_ULONG64, false, 1, {0x7},
        NULL},
    {"bit_that_is_not_set", "{bits: {set: 0x5}}", NT_ULONG64, false, 1, {0x6},
        "expected {bits: {set: 0x5}}, actual 0x6, they differ in bit 0"},
    {"bits_that_are_clear", "{bits: {clear: 0x5}}", NT_ULONG64, false, 1, {0x2},
        NULL},
    {"bit_that_is_not_clear", "{bits: {clear: 0x5}}", NT_ULONG64, false, 1,
        {0x4},
        "expected {bits: {clear: 0x5}}, actual 0x4, they differ in bit 2"},
    {"bits_set_and_clear", "{bits: {set: 0x1, clear: 0x2}}", NT_ULONG64, false,
        1, {0x5}, NULL},
    {"bits_set_and_one_not_clear", "{bits: {set: 0x1, clear: 0x2}}", NT_ULONG64,
        false, 1, {0x3},
        "expected {bits: {set: 0x1, clear: 0x2}}, actual 0x3, they differ in "
        "bit 1"},
    {"equal_list", "[1, 2, 3]", NT_ULONG64, true, 3, {1, 2, 3}, NULL},
    {"list_with_another_element", "[1, 2, 3]", NT_ULONG64, true, 3, {1, 5, 3},
        "expected 2, actual 5"},
    {"list_that_is_longer", "[1, 2]", NT_ULONG64, true, 3, {1, 2, 3},
        "expected [1, 2], actual [1, 2, 3]"},
    {"list_that_is_shorter", "[1, 2]", NT_ULONG64, true, 1, {1},
        "expected [1, 2], actual [1]"},
    {"empty_list", "[]", NT_ULONG64, true, 0, {0}, NULL},
    {"list_that_is_not_empty", "[]", NT_ULONG64, true, 1, {9},
        "expected [], actual [9]"},
    {"list_of_matchers", "[any, {min: 2}]", NT_ULONG64, true, 2, {1, 2}, NULL},
    {"list_of_matchers_one_of_which_is_not_met", "[any, {min: 2}]", NT_ULONG64,
        true, 2, {1, 1}, "expected {min: 2}, actual 1"},
    {"repeated_list", "{repeat: 3, item: $i}", NT_ULONG64, true, 3, {0, 1, 2},
        NULL},
    {"repeated_list_with_another_element", "{repeat: 3, item: $i}", NT_ULONG64,
        true, 3, {0, 1, 3}, "expected $i (2), actual 3"},
    {"length", "{len: 2}", NT_ULONG64, true, 2, {8, 9}, NULL},
    {"other_length", "{len: 2}", NT_ULONG64, true, 3, {7, 8, 9},
        "expected {len: 2}, actual [7, 8, 9]"},
    {"length_in_a_range", "{len: {max: 2}}", NT_ULONG64, true, 2, {8, 9}, NULL},
    {"length_out_of_a_range", "{len: {max: 2}}", NT_ULONG64, true, 3, {7, 8, 9},
        "expected {len: {max: 2}}, actual [7, 8, 9]"},
    {"not_an_equal_list", "{not: [1]}", NT_ULONG64, true, 1, {2}, NULL},
    {"any_list", "any", NT_ULONG64, true, 3, {1, 2, 3}, NULL},
};

static void match_row(void **state)
{
    const struct match_row *row = *state;
    size_t size = nt_type_row(row->type)->size;
    uint8_t bytes[8 * 3];
    struct booted_kernel booted;
    struct values_scope made;
    struct match match = {.scope = &made.scope};
    const struct node *node;
    struct actual actual = {.type = row->type, .count = 1, .array = row->array};

    booted_init_usual(&booted);
    scope_init(&made, row->text);
    match.context = made.file.memory;
    node = text_file_tree(&made.file);
    assert_true(match_values(&match, node, &actual)); /* the file is right */
    text_file_assert_errors(&made.file, "");

    scope_run(&made);
    for (size_t i = 0; i < row->count; i++) {
        nt_store(bytes + i * size, size, row->value[i]);
    }
    actual.at = bytes;
    actual.count = row->count;
    assert_int_equal(match_values(&match, node, &actual), row->want == NULL);
    if (row->want == NULL) {
        assert_null(match.report);
    } else {
        assert_non_null(match.report);
        assert_string_equal(match.report, row->want);
        assert_non_null(match.place);
    }
    assert_null(made.scope.failure);
    scope_release(&made);
    booted_release(&booted);
}

/* Structures and what is wrong with matchers are test_match_block.c's. */
static struct error_row {
    const char *name;
    const char *text;
    bool array;
    const char *want;
} error_rows[] = {
    {"list_for_one_number", "[1]", false,
        "t.yaml:1:1: error[NTP0205]: expected one value, not a list\n"},
    {"number_for_a_list", "1", true,
        "t.yaml:1:1: error[NTP0205]: expected a list, [a, b], or a matcher\n"},
    {"one_of_a_number", "{one_of: 1}", false,
        "t.yaml:1:10: error[NTP0205]: one_of wants a list, [a, b]\n"},
    {"one_of_nothing", "{one_of: []}", false, "t.yaml:1:10: error[NTP0205]"},
    {"one_of_with_a_wrong_value", "{one_of: [1, many]}", false,
        "t.yaml:1:14: error[NTP0203]"},
    {"not_of_a_wrong_value", "{not: many}", false,
        "t.yaml:1:7: error[NTP0203]"},
    {"range_of_a_list", "{min: 1}", true,
        "t.yaml:1:1: error[NTP0205]: min and max are for numbers\n"},
    {"range_that_is_empty", "{min: 2, max: 1}", false,
        "t.yaml:1:1: error[NTP0205]: min is above max\n"},
    {"range_of_words", "{min: few}", false, "t.yaml:1:7: error[NTP0203]"},
    {"bits_of_a_list", "{bits: {set: 1}}", true,
        "t.yaml:1:1: error[NTP0205]: bits is written as {set: 0x1, clear: "
        "0x2}\n"},
    {"bits_without_names", "{bits: 1}", false, "t.yaml:1:1: error[NTP0205]"},
    {"bits_with_another_name", "{bits: {st: 1}}", false,
        "t.yaml:1:9: error[NTP0205]: expected set or clear\n"},
    {"length_of_a_number", "{len: 1}", false,
        "t.yaml:1:1: error[NTP0205]: len is for lists\n"},
    {"length_that_is_a_word", "{len: long}", true,
        "t.yaml:1:7: error[NTP0203]"},
    {"unchanged_number", "unchanged", false,
        "t.yaml:1:1: error[NTP0205]: only an output can be unchanged\n"},
    {"matcher_that_is_not_known", "{re: \"^cpu\"}", false,
        "t.yaml:1:2: error[NTP0202]: no matcher 're' for this value"},
    {"not_beside_something_else", "{not: 1, typo: 2}", false,
        "t.yaml:1:10: error[NTP0202]: 'typo' has no place beside 'not'\n"},
    {"misspelt_max_beside_min", "{min: 1, mxa: 2}", false,
        "t.yaml:1:10: error[NTP0202]: 'mxa' has no place beside 'min'\n"},
    {"length_beside_not", "{len: 1, not: []}", true,
        "t.yaml:1:10: error[NTP0202]"},
};

static void error_row(void **state)
{
    const struct error_row *row = *state;
    struct values_scope made;
    struct match match = {.scope = &made.scope};
    const struct actual actual = {
        .type = NT_ULONG64, .count = 1, .array = row->array};

    scope_init(&made, row->text);
    match.context = made.file.memory;
    assert_false(match_values(&match, text_file_tree(&made.file), &actual));
    text_file_assert_errors(&made.file, row->want);
    assert_int_equal(diagnostics_errors(made.file.diagnostics), 1);
    scope_release(&made);
}

TEST_FILE(test_match)
{
    TEST_ADD_ROWS(list, match_row, match_rows);
    TEST_ADD_ROWS(list, error_row, error_rows);
}
