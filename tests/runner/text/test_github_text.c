/* test_github_text.c - a command of GitHub's workflows ends where it should. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/text/github_text.h"
#include "tests/runner/text_file.h"

static struct row {
    const char *name;
    const char *text;
    const char *want;
} data_rows[] =
    {
        {"data_keeps_colons_and_commas", "a: b, c::d", "a: b, c::d"},
        {"data_has_no_ends_of_lines", "a\nb\rc", "a%0Ab\\u000dc"},
        {"data_has_no_percent", "100%0A", "100%250A"},
        {"line_of_data_is_no_command", "a\n::error::b", "a%0A\\u003a:error::b"},
        {"data_that_is_no_utf8", "\xFF", "\xEF\xBF\xBD"},
},
  property_rows[] = {
      {"property_has_no_colons_and_commas", "a:b,c", "a%3Ab%2Cc"},
      {"property_has_no_ends_of_lines", "a\nb", "a\\nb"},
      {"property_has_no_percent", "%2C", "%252C"},
      {"property_turns_nothing", "a\xE2\x80\xAEz", "a\\u202ez"},
};

static void print_data(const void *argument, FILE *out)
{
    github_text_data(argument, out);
}

static void data_row(void **state)
{
    const struct row *row = *state;
    void *memory = talloc_new(NULL);

    assert_string_equal(text_of(memory, print_data, row->text), row->want);
    talloc_free(memory);
}

static void print_property(const void *argument, FILE *out)
{
    github_text_property(argument, out);
}

static void property_row(void **state)
{
    const struct row *row = *state;
    void *memory = talloc_new(NULL);

    assert_string_equal(text_of(memory, print_property, row->text), row->want);
    talloc_free(memory);
}

TEST_FILE(test_github_text)
{
    TEST_ADD_ROWS(list, data_row, data_rows);
    TEST_ADD_ROWS(list, property_row, property_rows);
}
