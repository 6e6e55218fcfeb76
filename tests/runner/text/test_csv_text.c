/* test_csv_text.c - a field of a CSV file ends where it should. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/text/csv_text.h"
#include "tests/runner/text_file.h"

static struct row {
    const char *name;
    const char *text;
    const char *want;
    const char *quoted;
} rows[] = {
    {"plain", "sea water", "sea water", "\"sea water\""},
    {"empty", "", "", "\"\""},
    {"comma", "a,b", "\"a,b\"", "\"a,b\""},
    {"quotes", "a \"b\"", "\"a \"\"b\"\"\"", "\"a \"\"b\"\"\""},
    {"end_of_line", "a\nb", "\"a\nb\"", "\"a\nb\""},
    {"carriage_return", "a\rb", "\"a\rb\"", "\"a\rb\""},
};

static void print(const void *argument, FILE *out)
{
    csv_text_print(argument, out);
}

static void print_quoted(const void *argument, FILE *out)
{
    csv_text_print_quoted(argument, out);
}

static void row(void **state)
{
    const struct row *row = *state;
    void *memory = talloc_new(NULL);

    assert_string_equal(text_of(memory, print, row->text), row->want);
    assert_string_equal(text_of(memory, print_quoted, row->text), row->quoted);
    talloc_free(memory);
}

TEST_FILE(test_csv_text)
{
    TEST_ADD_ROWS(list, row, rows);
}
