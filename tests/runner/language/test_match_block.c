/* test_match_block.c - structures and output blocks against what is expected:
 * only the named members, and bytes that nobody wrote. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/match.h"
#include "tests/api/booted_kernel.h"
#include "tests/runner/language/values_scope.h"

enum { COUNTERS = 2, BLOCK = 32 };

/* An output of two counters: {0, 0, 5} and {0, 1, 6}, or untouched. */
static struct block_row {
    const char *name;
    const char *text;
    int written; /* byte that is not A5H any more; -1: none; -2: both counters
                    are there */
    const char *want; /* the difference; NULL: as expected */
} block_rows[] = {
    {"equal_structures",
        "[{Type: PMCCounter, Reserved: 0, Index: 5}, {Type: 0, Reserved: 1, "
        "Index: 6}]",
        -2, NULL},
    {"only_named_members_are_compared", "[{Index: 5}, {Index: 6}]", -2, NULL},
    {"structure_without_names_is_any", "[{}, {Index: 6}]", -2, NULL},
    {"member_that_differs", "[{Index: 5}, {Index: 7}]", -2,
        "expected 7, actual 6"},
    {"first_member_that_differs_is_reported", "[{Index: 4}, {Index: 7}]", -2,
        "expected 4, actual 5"},
    {"member_with_a_matcher", "[{Index: {min: 5}}, any]", -2, NULL},
    {"member_with_a_matcher_that_is_not_met", "[any, {Reserved: {not: 1}}]", -2,
        "expected {not: 1}, actual 1"},
    {"list_of_another_length", "[{Index: 5}]", -2,
        "expected [{Index: 5}], actual [{Type=PMCCounter, Reserved=0, "
        "Index=5}, "
        "{Type=PMCCounter, Reserved=1, Index=6}]"},
    {"repeated_structure",
        "{repeat: 2, item: {Type: PMCCounter, Reserved: $i}}", -2, NULL},
    {"nothing_was_written", "unchanged", -1, NULL},
    {"first_byte_was_written", "unchanged", 0,
        "byte 0 of 32 was written, actual [{Type=0xa5a5a500, "
        "Reserved=2779096485, Index=11936128518282651045}, "
        "{Type=0xa5a5a5a5, Reserved=2779096485, Index=11936128518282651045}]"},
    {"last_byte_was_written", "unchanged", 31,
        "byte 31 of 32 was written, actual [{Type=0xa5a5a5a5, "
        "Reserved=2779096485, Index=11936128518282651045}, "
        "{Type=0xa5a5a5a5, Reserved=2779096485, Index=46625502024541605}]"},
    {"written_and_unchanged_elements", "[{Type: any}, unchanged]", 0, NULL},
    {"element_that_was_written", "[unchanged, unchanged]", 16,
        "byte 0 of 16 was written, actual {Type=0xa5a5a500, "
        "Reserved=2779096485, Index=11936128518282651045}"},
    {"length_of_the_block", "{len: 2}", -1, NULL},
    {"changed_is_not_unchanged", "{not: unchanged}", 5, NULL},
    {"unchanged_is_not_changed", "{not: unchanged}", -1,
        "expected {not: unchanged}, actual [{Type=0xa5a5a5a5, "
        "Reserved=2779096485, Index=11936128518282651045}, "
        "{Type=0xa5a5a5a5, Reserved=2779096485, Index=11936128518282651045}]"},
};

static void block_row(void **state)
{
    const struct block_row *row = *state;
    static const HARDWARE_COUNTER counters[COUNTERS] = {
        {.Index = 5}, {.Reserved = 1, .Index = 6}};
    uint8_t bytes[BLOCK];
    uint8_t before[BLOCK];
    struct booted_kernel booted;
    struct values_scope made;
    struct match match = {.scope = &made.scope};
    const struct actual actual = {.type = NT_HARDWARE_COUNTER,
        .at = bytes,
        .count = COUNTERS,
        .array = true,
        .block = true,
        .block_size = BLOCK,
        .before = before};

    memset(bytes, 0xA5, sizeof(bytes));
    memset(before, 0xA5, sizeof(before));
    if (row->written == -2) {
        memcpy(bytes, counters, sizeof(counters));
    } else if (row->written >= 0) {
        bytes[row->written] = 0;
    }
    booted_init_usual(&booted);
    scope_init(&made, row->text);
    match.context = made.file.memory;
    scope_run(&made);
    assert_int_equal(match_values(&match, text_file_tree(&made.file), &actual),
        row->want == NULL);
    if (row->want == NULL) {
        assert_null(match.report);
    } else {
        assert_string_equal(match.report, row->want);
    }
    scope_release(&made);
    booted_release(&booted);
}

/* Behind a repeat inside of another one $i is the outer one's again. */
static void index_of_the_outer_repeat_comes_back(void **state)
{
    static const GROUP_AFFINITY affinities[] = {
        {.Group = 0, .Reserved = {0, 1, 2}},
        {.Group = 1, .Reserved = {0, 1, 2}}};
    struct booted_kernel booted;
    struct values_scope made;
    struct match match = {.scope = &made.scope};
    const struct actual actual = {.type = NT_GROUP_AFFINITY,
        .at = (const uint8_t *)affinities,
        .count = 2,
        .array = true};

    (void)state;
    booted_init_usual(&booted);
    scope_init(&made, "{repeat: 2, item: {Reserved: {repeat: 3, item: $i}, "
                      "Group: $i}}");
    match.context = made.file.memory;
    scope_run(&made);
    assert_true(match_values(&match, text_file_tree(&made.file), &actual));
    assert_null(match.report);
    scope_release(&made);
    booted_release(&booted);
}

/* Matchers of an output block, while the file is read. */
static struct error_row {
    const char *name;
    const char *text;
    const char *want; /* "": none */
} error_rows[] = {
    {"unchanged_may_be_asked_of_a_block", "unchanged", ""},
    {"unchanged_may_be_asked_of_an_element", "[unchanged]", ""},
    {"unchanged_may_not_be_asked_of_a_member", "[{Index: unchanged}]",
        "t.yaml:1:10: error[NTP0205]: only an output can be unchanged\n"},
    {"unknown_member", "[{Indx: 5}]",
        "t.yaml:1:3: error[NTP0202]: no member 'Indx' in HARDWARE_COUNTER\n"},
    {"number_for_a_structure", "[5]",
        "t.yaml:1:2: error[NTP0205]: expected members, {Member: value}\n"},
    {"members_for_a_list", "{Index: 5}",
        "t.yaml:1:1: error[NTP0205]: expected a list, [a, b], or a matcher\n"},
    {"wrong_value_of_a_member", "[{Index: five}]",
        "t.yaml:1:10: error[NTP0203]: 'five' is not a ULONG64\n"},
};

static void error_row(void **state)
{
    const struct error_row *row = *state;
    struct values_scope made;
    struct match match = {.scope = &made.scope};
    const struct actual actual = {
        .type = NT_HARDWARE_COUNTER, .count = 1, .array = true, .block = true};

    scope_init(&made, row->text);
    match.context = made.file.memory;
    assert_int_equal(match_values(&match, text_file_tree(&made.file), &actual),
        row->want[0] == '\0');
    text_file_assert_errors(&made.file, row->want);
    scope_release(&made);
}

/* A value that cannot be computed is neither equal nor different. */
static struct unset_row {
    const char *name;
    const char *text;
} unset_rows[] = {
    {"unset_variable_is_not_equal", "$count"},
    {"unset_variable_is_not_different", "{not: $count}"},
    {"unset_variable_is_none_of_several", "{one_of: [$count, 4]}"},
    {"unset_variable_is_no_bound", "{min: $count}"},
    {"unset_variable_is_no_bit", "{bits: {set: $count}}"},
};

static void unset_row(void **state)
{
    const struct unset_row *row = *state;
    struct booted_kernel booted;
    struct values_scope made;
    struct match match = {.scope = &made.scope};

    booted_init_usual(&booted);
    scope_init(&made, row->text);
    match.context = made.file.memory;
    scope_run(&made);
    made.binding[0].set = false;
    assert_false(match_number(&match, text_file_tree(&made.file), NT_ULONG, 4));
    assert_string_equal(
        made.scope.failure, "$count is read before a step has set it");
    scope_release(&made);
    booted_release(&booted);
}

/* A block that was given with 01H to 20H in its bytes, of which one was
 * written. */
static struct given_row {
    const char *name;
    const char *text;
    int at; /* -1: none */
    uint8_t byte;
    const char *want; /* how the difference begins; NULL: as expected */
} given_rows[] = {
    {"given_content_is_unchanged", "unchanged", -1, 0, NULL},
    {"given_byte_written_again_is_unchanged", "unchanged", 4, 0x05, NULL},
    {"given_byte_that_was_written", "unchanged", 4, 0x06,
        "byte 4 of 32 was written, actual "},
    {"given_byte_written_as_the_filling", "unchanged", 31, 0xA5,
        "byte 31 of 32 was written, actual "},
    {"given_elements_are_unchanged", "[unchanged, unchanged]", -1, 0, NULL},
    {"given_second_element_was_written", "[unchanged, unchanged]", 17, 0,
        "byte 1 of 16 was written, actual "},
    {"given_first_element_alone_was_written", "[any, unchanged]", 15, 0, NULL},
    {"given_content_that_must_change", "{not: unchanged}", 0, 0xA5, NULL},
    {"given_content_that_must_change_and_did_not", "{not: unchanged}", -1, 0,
        "expected {not: unchanged}, actual "},
};

static void given_row(void **state)
{
    const struct given_row *row = *state;
    uint8_t before[BLOCK], bytes[BLOCK];
    struct booted_kernel booted;
    struct values_scope made;
    struct match match = {.scope = &made.scope};
    const struct actual actual = {.type = NT_HARDWARE_COUNTER,
        .at = bytes,
        .count = COUNTERS,
        .array = true,
        .block = true,
        .block_size = BLOCK,
        .before = before};

    for (uint8_t i = 0; i < BLOCK; i++) {
        before[i] = (uint8_t)(i + 1);
    }
    memcpy(bytes, before, sizeof(bytes));
    if (row->at >= 0) {
        bytes[row->at] = row->byte;
    }
    booted_init_usual(&booted);
    scope_init(&made, row->text);
    match.context = made.file.memory;
    scope_run(&made);
    assert_int_equal(match_values(&match, text_file_tree(&made.file), &actual),
        row->want == NULL);
    if (row->want == NULL) {
        assert_null(match.report);
    } else {
        assert_non_null(match.report);
        assert_true(text_begins(match.report, row->want));
    }
    scope_release(&made);
    booted_release(&booted);
}

TEST_FILE(test_match_block)
{
    TEST_ADD_ROWS(list, block_row, block_rows);
    test_add(list, "index_of_the_outer_repeat_comes_back",
        index_of_the_outer_repeat_comes_back, NULL);
    TEST_ADD_ROWS(list, error_row, error_rows);
    TEST_ADD_ROWS(list, unset_row, unset_rows);
    TEST_ADD_ROWS(list, given_row, given_rows);
}
