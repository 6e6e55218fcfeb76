/* test_yaml_out.c - values that are written and read again. */
#define _GNU_SOURCE
#include "scenarios/runner/yaml/yaml_out.h"
#include "tests/runner/text_file.h"

/* A text, and how it is written as a key's value. */
static struct text_row {
    const char *name, *text, *want;
} text_rows[] = {
    {"word", "any", "any"},
    {"words", "What it does", "What it does"},
    {"expression", "$(a == 'x' or b < 2)", "$(a == 'x' or b < 2)"},
    {"negative_number", "-1", "-1"},
    {"comma", "a, b", "\"a, b\""},
    {"bracket", "[a]", "\"[a]\""},
    {"colon_inside", "a: b", "\"a: b\""},
    {"colon_at_the_end", "a:", "\"a:\""},
    {"colon_in_a_word", "page:line", "page:line"},
    {"comment", "a # b", "\"a # b\""},
    {"number_sign_in_a_word", "a#b", "a#b"},
    {"indicator", "*", "\"*\""},
    {"dash", "- a", "\"- a\""},
    {"nothing", "", "\"\""},
    {"line_break", "a\nb", "\"a\\nb\""},
    {"quotation_mark", "\"a\"", "\"\\\"a\\\"\""},
    {"blank_at_the_end", "a ", "\"a \""},
    {"percent_sign_first", "% Dropped", "\"% Dropped\""},
    {"percent_sign_inside", "5 % of it", "5 % of it"},
    {"apostrophe", "a driver's", "a driver's"},
    {"backslash", "\\Device\\A", "\\Device\\A"},
    {"tab", "a\tb", "\"a\\tb\""},
    {"question_marks", "$(a == '?')", "$(a == '?')"},
    {"dash_alone", "-", "\"-\""},
    {"tag", "!a b", "\"!a b\""},
    {"accent", "caf\xC3\xA9", "caf\xC3\xA9"},
    {"beyond_the_first_plane", "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
};

static void write_text(const void *text, FILE *out)
{
    yaml_out_text(text, out);
}

static void text_row(void **state)
{
    const struct text_row *row = *state;
    void *memory = talloc_new(NULL);
    char *made = text_of(memory, write_text, row->text);
    struct text_file file;

    assert_string_equal(made, row->want);
    text_file_init(&file, talloc_asprintf(memory, "a: [%s]\n", made));
    assert_string_equal(
        node_get(text_file_tree(&file), "a")->item[0]->text, row->text);
    text_file_release(&file);
    talloc_free(memory);
}

static void bytes_that_are_no_utf8_are_replaced(void **state)
{
    void *memory = talloc_new(NULL);

    (void)state;
    assert_string_equal(
        text_of(memory, write_text, "a\xFFz"), "a\xEF\xBF\xBDz");
    talloc_free(memory);
}

static void write_quoted(const void *text, FILE *out)
{
    yaml_out_quoted(text, out);
}

static void quotes_stand_where_they_are_asked_for(void **state)
{
    void *memory = talloc_new(NULL);

    (void)state;
    assert_string_equal(text_of(memory, write_quoted, "a"), "\"a\"");
    talloc_free(memory);
}

/* A value, and the same in flow style. */
static struct node_row {
    const char *name, *text, *want;
} node_rows[] = {
    {"mapping_of_lists", "a:\n  - 1\n  - {b: c}\nd: []\n",
        "{a: [1, {b: c}], d: []}"},
    {"quotes_stay", "a: \"16\"\nb: 'x'\n", "{a: \"16\", b: \"x\"}"},
    {"text_of_several_lines", "a: one\n  two, three\n",
        "{a: \"one two, three\"}"},
    {"keys_that_need_quotes", "\"% of a\": 1\n'b, c': {'- d': 2}\n",
        "{\"% of a\": 1, \"b, c\": {\"- d\": 2}}"},
};

static void write_node(const void *node, FILE *out)
{
    const struct yaml_out yaml = {.out = out};

    yaml_out_flow(&yaml, node);
}

static void node_row(void **state)
{
    const struct node_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    assert_string_equal(
        text_of(file.memory, write_node, text_file_tree(&file)), row->want);
    text_file_release(&file);
}

TEST_FILE(test_yaml_out)
{
    TEST_ADD_ROWS(list, text_row, text_rows);
    test_add(list, "bytes_that_are_no_utf8_are_replaced",
        bytes_that_are_no_utf8_are_replaced, NULL);
    test_add(list, "quotes_stand_where_they_are_asked_for",
        quotes_stand_where_they_are_asked_for, NULL);
    TEST_ADD_ROWS(list, node_row, node_rows);
}
