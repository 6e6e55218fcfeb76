/* test_node.c - looking into a tree, and a node as text. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/text_file.h"

static struct get_row {
    const char *name;
    const char *key;
    const char *want; /* the value; NULL: none */
} get_rows[] = {
    {"first_key_is_found", "a", "1"},
    {"last_key_is_found", "c", "{d: 4}"},
    {"key_in_quotes_is_found_by_its_text", "b b", "two"},
    {"key_of_an_inner_mapping_is_not_found", "d", NULL},
    {"value_is_no_key", "1", NULL},
    {"part_of_a_key_is_no_key", "b", NULL},
    {"key_in_other_case_is_no_key", "A", NULL},
};

static void get_row(void **state)
{
    const struct get_row *row = *state;
    struct text_file file;
    const struct node *root, *value, *key;

    text_file_init(&file, "{a: 1, \"b b\": two, c: {d: 4}}");
    root = text_file_tree(&file);
    value = node_get(root, row->key);
    key = node_key(root, row->key);
    if (row->want == NULL) {
        assert_null(value);
        assert_null(key);
    } else {
        assert_string_equal(node_show(file.memory, value), row->want);
        assert_string_equal(key->text, row->key);
    }
    text_file_release(&file);
}

static struct word_row {
    const char *name;
    const char *text;
    bool want;
} word_rows[] = {
    {"plain_text_is_a_word", "null", true},
    {"text_in_double_quotes_is_no_word", "\"null\"", false},
    {"text_in_single_quotes_is_no_word", "'null'", false},
    {"block_of_text_is_no_word", "|\n  null", false},
    {"other_text_is_another_word", "nul", false},
    {"longer_text_is_another_word", "nulls", false},
    {"text_in_other_case_is_another_word", "Null", false},
    {"list_is_no_word", "[null]", false},
    {"mapping_is_no_word", "{none: null}", false},
};

static void word_row(void **state)
{
    const struct word_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    assert_int_equal(node_is_word(text_file_tree(&file), "null"), row->want);
    text_file_release(&file);
}

/* Where the value of `a` begins, and how much of it is underlined. */
static struct mark_row {
    const char *name;
    const char *text;
    size_t want_line, want_column, want_width;
} mark_rows[] = {
    {"plain_value", "a: value", 1, 4, 5},
    {"value_in_quotes_with_them", "a: \"value\"", 1, 4, 7},
    {"value_after_wide_characters_counts_characters", "{\xE6\xBC\xA2: 1, a: x}",
        1, 11, 1},
    {"value_of_wide_characters_counts_characters",
        "a: \xE6\xBC\xA2\xE5\xAD\x97", 1, 4, 2},
    {"value_on_a_later_line", "b: 1\n\na:\n  value", 4, 3, 5},
    {"list_is_its_bracket", "a: [1, 2, 3]", 1, 4, 1},
    {"mapping_is_its_brace", "a: {b: 1}", 1, 4, 1},
    {"block_mapping_is_its_first_character", "a:\n  b: 1\n\n# end\n", 2, 3, 1},
    {"value_of_two_lines_is_one_character", "a: one\n  two\n", 1, 4, 1},
};

static void mark_row(void **state)
{
    const struct mark_row *row = *state;
    struct text_file file;
    const struct node *node;

    text_file_init(&file, row->text);
    node = node_get(text_file_tree(&file), "a");
    assert_int_equal(node->mark.line, row->want_line);
    assert_int_equal(node->mark.column, row->want_column);
    assert_int_equal(node->width, row->want_width);
    text_file_release(&file);
}

static struct show_row {
    const char *name;
    const char *text;
    const char *want;
} show_rows[] = {
    {"plain_value_is_shown_as_it_is", "0x1F", "0x1F"},
    {"quoted_value_is_shown_in_quotes", "'a b'", "\"a b\""},
    {"list_is_shown_in_flow", "- a\n- b\n", "[a, b]"},
    {"mapping_is_shown_in_flow", "a: 1\nb: [2]\n", "{a: 1, b: [2]}"},
    {"empty_list_is_shown", "[]", "[]"},
    {"empty_mapping_is_shown", "{}", "{}"},
};

static void show_row(void **state)
{
    const struct show_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    assert_string_equal(
        node_show(file.memory, text_file_tree(&file)), row->want);
    text_file_release(&file);
}

/* Two texts, and whether they say the same. */
static struct equal_row {
    const char *name;
    const char *one, *other;
    bool want;
} equal_rows[] = {
    {"layout_and_comments_say_nothing", "a: [1, {b: c}] # d\n",
        "a:\n- 1\n- b: c\n", true},
    {"one_kind_of_quotes_is_as_good", "a: \"b\"\n", "a: 'b'\n", true},
    {"quotes_make_text", "a: b\n", "a: 'b'\n", false},
    {"other_text", "a: [b, c]\n", "a: [b, d]\n", false},
    {"other_key", "a: 1\n", "b: 1\n", false},
    {"other_order", "{a: 1, b: 1}\n", "{b: 1, a: 1}\n", false},
    {"one_more", "[a]\n", "[a, a]\n", false},
    {"other_kind", "a: [[]]\n", "a: [{}]\n", false},
};

static void equal_row(void **state)
{
    const struct equal_row *row = *state;
    struct text_file one, other;

    text_file_init(&one, row->one);
    text_file_init(&other, row->other);
    assert_int_equal(
        node_equal(text_file_tree(&one), text_file_tree(&other)), row->want);
    text_file_release(&other);
    text_file_release(&one);
}

TEST_FILE(test_node)
{
    TEST_ADD_ROWS(list, get_row, get_rows);
    TEST_ADD_ROWS(list, word_row, word_rows);
    TEST_ADD_ROWS(list, mark_row, mark_rows);
    TEST_ADD_ROWS(list, show_row, show_rows);
    TEST_ADD_ROWS(list, equal_row, equal_rows);
}
