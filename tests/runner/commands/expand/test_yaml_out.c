/* test_yaml_out.c - values that are written and read again. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/expand/yaml_out.h"
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

/* A value, and the same in flow style. */
static struct node_row {
    const char *name, *text, *want;
} node_rows[] = {
    {"mapping_of_lists", "a:\n  - 1\n  - {b: c}\nd: []\n",
        "{a: [1, {b: c}], d: []}"},
    {"quotes_stay", "a: \"16\"\nb: 'x'\n", "{a: \"16\", b: \"x\"}"},
    {"text_of_several_lines", "a: one\n  two, three\n",
        "{a: \"one two, three\"}"},
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

int main(void)
{
    struct test_list tests = {.count = 0};

    TEST_ADD_ROWS(&tests, text_row, text_rows);
    TEST_ADD_ROWS(&tests, node_row, node_rows);
    return test_run("yaml_out", &tests);
}
