/* test_visible_text.c - what people are shown of names that others made. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/text/visible_text.h"
#include "tests/runner/text_file.h"

static struct text_row {
    const char *name;
    const char *text;
    const char *want;
} text_rows[] = {
    {"nothing", "", ""},
    {"letters_stay", "a \xC3\xA9 \xE6\xB9\x96 \xF0\x9F\x91\x8D \\ \xEF\xBF\xBD",
        "a \xC3\xA9 \xE6\xB9\x96 \xF0\x9F\x91\x8D \\ \xEF\xBF\xBD"},
    {"accent_that_combines_stays", "e\xCC\x81", "e\xCC\x81"},
    {"line_end_and_tab", "a\nb\tc", "a\\nb\\tc"},
    {"escape", "\x1B[2J", "\\u001b[2J"},
    {"many_controls", "\x01\x02\x03\x04\x05\x7F",
        "\\u0001\\u0002\\u0003\\u0004\\u0005\\u007f"},
    {"c1", "\xC2\x9B", "\\u009b"},
    {"line_and_paragraph_separator", "\xE2\x80\xA8\xE2\x80\xA9",
        "\\u2028\\u2029"},
    {"right_to_left_override", "a\xE2\x80\xAEz", "a\\u202ez"},
    {"isolate", "\xE2\x81\xA6", "\\u2066"},
    {"space_of_no_width", "\xE2\x80\x8B", "\\u200b"},
    {"tag_beyond_the_first_plane", "\xF3\xA0\x80\x81", "\\U000e0001"},
    {"bytes_that_are_no_utf8", "\xFFz\xE2\x82",
        "\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD"},
    {"command_of_a_log", "::set-output name=a::b",
        "\\u003a:set-output name=a::b"},
    {"command_behind_blanks", "  ::error::x", "  \\u003a:error::x"},
    {"colons_of_a_name_stay", "std::move x: :: y", "std::move x: :: y"},
    {"older_command_anywhere", "a ##[error]b", "a #\\u0023[error]b"},
    {"signs_of_no_command_stay", "# [a] #[b] ##", "# [a] #[b] ##"},
    {"what_is_escaped_stays", "\\u001b \\n", "\\u001b \\n"},
};

static void text_row(void **state)
{
    const struct text_row *row = *state;
    char *text = visible_text(NULL, row->text);

    assert_string_equal(text, row->want);
    talloc_free(text);
}

/* The same pointer where there is nothing to escape. */
static void plain_name_is_no_copy(void **state)
{
    const char *plain = "a/b-c_d.yaml";
    const char *first;

    (void)state;
    assert_ptr_equal(visible_name(plain), plain);
    first = visible_name("a\nb");
    for (int i = 0; i < 15; i++) {
        assert_string_equal(visible_name("c\nd"), "c\\nd");
    }
    assert_string_equal(first, "a\\nb");
}

static void print_as_lines(const void *argument, FILE *out)
{
    visible_text_lines(argument, strlen(argument), out);
}

static void lines_stay_lines(void **state)
{
    void *memory = talloc_new(NULL);

    (void)state;
    assert_string_equal(text_of(memory, print_as_lines,
                            "a\n::b\n\n\x1B"
                            "c"),
        "a\n\\u003a:b\n\n\\u001bc");
    talloc_free(memory);
}

static void print_as_message(const void *argument, FILE *out)
{
    visible_text_print(argument, out);
}

static struct message_row {
    const char *name;
    const char *message;
    const char *want;
} message_rows[] = {
    {"message_is_printed_as_it_is", "a \xC3\xA9", "a \xC3\xA9"},
    {"line_end_in_a_message_is_an_escape", "a\nb\tc", "a\\nb\\tc"},
    {"control_character_in_a_message_is_an_escape", "\x1B[2J", "\\u001b[2J"},
    {"c1_in_a_message_is_an_escape", "\xC2\x9B", "\\u009b"},
};

static void message_row(void **state)
{
    const struct message_row *row = *state;
    void *memory = talloc_new(NULL);

    assert_string_equal(
        text_of(memory, print_as_message, row->message), row->want);
    talloc_free(memory);
}

/* The last of 400 characters is shown, the next one is not. */
static void long_message_is_cut(void **state)
{
    void *memory = talloc_new(NULL);
    char message[403] = "", want[405] = "";

    (void)state;
    memset(message, 'x', 402);
    memset(want, 'x', 400);
    strcpy(want + 400, "...");
    assert_string_equal(text_of(memory, print_as_message, message), want);
    message[400] = '\0';
    assert_string_equal(text_of(memory, print_as_message, message), message);
    talloc_free(memory);
}

TEST_FILE(test_visible_text)
{
    test_add(list, "plain_name_is_no_copy", plain_name_is_no_copy, NULL);
    test_add(list, "lines_stay_lines", lines_stay_lines, NULL);
    TEST_ADD_ROWS(list, text_row, text_rows);
    TEST_ADD_ROWS(list, message_row, message_rows);
    test_add(list, "long_message_is_cut", long_message_is_cut, NULL);
}
