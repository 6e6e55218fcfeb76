/* test_literal.c - values as a scenario writes them, and what is noted of the
 * comparisons with one. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/language/match.h"
#include "scenarios/runner/language/value.h"
#include "tests/runner/language/values_scope.h"

static struct text_row {
    const char *name;
    enum nt_type type;
    uint64_t number;
    const char *replaced;
    const char *want; /* NULL: it has no text */
} text_rows[] = {
    {"number", NT_ULONG, 17, "4", "17"},
    {"number_in_place_of_hexadecimal", NT_ULONG64, 0x5100C0, "0x1", "0x5100C0"},
    {"number_in_place_of_a_name", NT_ULONG, 4, "MAX_HW_COUNTERS", "4"},
    {"highest_number", NT_ULONG64, UINT64_MAX, "1", "18446744073709551615"},
    {"number_with_a_sign", NT_LONG, 0xFFFFFFFF, "1", "4294967295"},
    {"bits", NT_KAFFINITY, 10, "1", "0xA"},
    {"no_bits", NT_ULONG_PTR, 0, "1", "0x0"},
    {"false", NT_BOOLEAN, 0, "true", "false"},
    {"true", NT_BOOLEAN, 1, "false", "true"},
    {"boolean_that_is_neither", NT_BOOLEAN, 0xA5, "true", "0xA5"},
    {"level", NT_KIRQL, 2, "0", "DISPATCH_LEVEL"},
    {"level_of_two_names", NT_KIRQL, 15, "0", "PROFILE_LEVEL"},
    {"level_without_a_name", NT_KIRQL, 3, "PASSIVE_LEVEL", "0x3"},
    {"status", NT_NTSTATUS, 0xC000000D, "0x0", "STATUS_INVALID_PARAMETER"},
    {"status_without_a_name", NT_NTSTATUS, 0xC0FFEE01, "STATUS_SUCCESS",
        "0xC0FFEE01"},
    {"enumerator", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 3, "1",
        "ResourceTypeOverflow"},
    {"enumeration_without_a_name", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE,
        77, "1", "0x4D"},
    {"no_handle", NT_HANDLE, 0, "0x10", "null"},
    {"handle", NT_HANDLE, 0x1004, "null", NULL},
    {"no_pointer", NT_PVOID, 0, "0x10", "null"},
    {"pointer", NT_PVOID, 0x1000, "null", NULL},
    {"callback", NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER, 0x1234, "null", NULL},
    {"flags", NT_POOL_FLAGS, 0x40, "1", "0x40"},
};

/* What is written is read as the same value again. */
static void text_row(void **state)
{
    const struct text_row *row = *state;
    struct values_scope made;
    struct node node = {.kind = NODE_SCALAR, .mark = {1, 1}, .width = 1};
    uint64_t value;
    const char *text;

    scope_init(&made, "x");
    node.source = made.file.source;
    node.text = row->replaced;
    text =
        literal_text(made.file.memory, row->type, ARCH_X64, row->number, &node);
    if (row->want == NULL) {
        assert_null(text);
    } else {
        assert_non_null(text);
        assert_string_equal(text, row->want);
        assert_true(literal_is_text(text));
        node.text = text;
        assert_true(value_scalar(&made.scope, &node, row->type, &value));
        assert_true(value == row->number);
    }
    scope_release(&made);
}

static struct is_text_row {
    const char *name;
    const char *text;
    bool want;
} is_text_rows[] = {
    {"word", "STATUS_SUCCESS", true},
    {"number", "0x1F", true},
    {"empty_list", "[]", true},
    {"list_of_one", "[drvA]", true},
    {"list_of_two", "[1, 2]", true},
    {"figure", "12.5", true},
    {"figure_below_0", "-0.000001", true},
    {"figure_without_decimals", "12.", false},
    {"figure_without_a_whole", ".5", false},
    {"figure_with_two_points", "1.2.3", false},
    {"minus_alone", "-", false},
    {"nothing", "", false},
    {"two_words", "a b", false},
    {"mapping", "{a: 1}", false},
    {"comment", "1 #", false},
    {"next_line", "1\n", false},
    {"variable", "$x", false},
    {"quoted", "\"x\"", false},
    {"list_that_does_not_end", "[1, 2", false},
    {"bracket_alone", "[", false},
    {"list_with_more_behind_it", "[1] ", false},
    {"list_in_a_list", "[[1]]", false},
    {"list_with_an_empty_element", "[1, , 2]", false},
    {"list_that_ends_in_a_comma", "[1, ]", false},
    {"list_without_a_blank", "[1,2]", false},
};

static void is_text_row(void **state)
{
    const struct is_text_row *row = *state;

    assert_int_equal(literal_is_text(row->text), row->want);
}

/* A list of ULONGs is 1, 2, 3. */
static struct list_row {
    const char *name;
    const char *text; /* of the expected one */
    bool want_one;    /* it is written anew as a whole */
    const char *want;
} list_rows[] = {
    {"longer", "[1]", true, "[1, 2, 3]"},
    {"shorter", "[4, 5, 6, 7]", true, "[1, 2, 3]"},
    {"empty", "[]", true, "[1, 2, 3]"},
    {"each_as_it_is_written", "[0x1, 5]", true, "[0x1, 2, 3]"},
    {"new_ones_as_the_last_is", "[0x9]", true, "[0x1, 0x2, 0x3]"},
    {"with_a_variable", "[$count]", false, NULL},
    {"with_a_matcher", "[any, 2]", false, NULL},
    {"with_a_matcher_in_braces", "[{not: 1}]", false, NULL},
};

static void list_row(void **state)
{
    const struct list_row *row = *state;
    static const uint32_t values[] = {1, 2, 3};
    const struct actual actual = {.type = NT_ULONG,
        .at = (const uint8_t *)values,
        .count = 3,
        .array = true};
    struct text_file file;
    struct literals *literals;
    struct node *node;

    text_file_init(&file, row->text);
    node = yaml_tree_read(file.memory, file.source, file.diagnostics);
    literals = talloc_zero(file.memory, struct literals);
    assert_non_null(node);
    assert_int_equal(literal_is_list(node, &actual), row->want_one);
    if (row->want_one) {
        literals_note_list(literals, node, &actual, ARCH_X64, false);
        assert_int_equal(literals->count, 1);
        assert_string_equal(literals->item[0].actual, row->want);
        assert_true(literal_is_text(row->want));
    }
    text_file_release(&file);
}

/* A comparison a letter: = met, a, b or - (none) what it would have to be. */
static struct note_row {
    const char *name;
    const char *comparisons;
    bool want_met, want_differs, want_several;
    const char *want_actual;
} note_rows[] = {
    {"met", "=", true, false, false, NULL},
    {"met_always", "==", true, false, false, NULL},
    {"not_met", "a", false, true, false, "a"},
    {"not_met_twice", "aa", false, true, false, "a"},
    {"met_once", "=a=", true, true, false, "a"},
    {"two_values", "aba", false, true, true, "a"},
    {"no_value", "-", false, true, false, NULL},
    {"never_a_value", "--", false, true, false, NULL},
    {"a_value_once", "-a", false, true, true, NULL},
};

static void note_row(void **state)
{
    const struct note_row *row = *state;
    struct literals *literals = talloc_zero(NULL, struct literals);
    const struct node place = {.kind = NODE_SCALAR, .text = "x"};

    for (const char *c = row->comparisons; *c != '\0'; c++) {
        const char text[] = {*c, '\0'};

        literals_note(literals, &place, *c == '=', *c == '-' ? NULL : text);
    }
    assert_int_equal(literals->count, 1);
    assert_ptr_equal(literals->item[0].place, &place);
    assert_int_equal(literals->item[0].met, row->want_met);
    assert_int_equal(literals->item[0].differs, row->want_differs);
    assert_int_equal(literals->item[0].several, row->want_several);
    if (row->want_actual == NULL) {
        assert_null(literals->item[0].actual);
    } else {
        assert_string_equal(literals->item[0].actual, row->want_actual);
    }
    talloc_free(literals);
}

static void places_are_kept_apart(void **state)
{
    struct literals *literals = talloc_zero(NULL, struct literals);
    const struct node places[2] = {{.text = "x"}, {.text = "x"}};

    (void)state;
    literals_note(literals, &places[0], false, "a");
    literals_note(literals, &places[1], false, "b");
    literals_note(literals, &places[0], true, NULL);
    assert_int_equal(literals->count, 2);
    assert_true(literals->item[0].met);
    assert_false(literals->item[1].met);
    assert_string_equal(literals->item[1].actual, "b");
    talloc_free(literals);
}

TEST_FILE(test_literal)
{
    TEST_ADD_GROUP(list, "text", text_row, text_rows);
    TEST_ADD_GROUP(list, "is_text", is_text_row, is_text_rows);
    TEST_ADD_GROUP(list, "list", list_row, list_rows);
    TEST_ADD_GROUP(list, "note", note_row, note_rows);
    test_add(list, "places_are_kept_apart", places_are_kept_apart, NULL);
}
