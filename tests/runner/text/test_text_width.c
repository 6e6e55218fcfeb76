/* test_text_width.c - columns of UTF-8 text on a terminal. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/text/text_width.h"
#include "tests/runner/text_file.h"

static struct columns_row {
    const char *name;
    const char *line;
    size_t characters;
    size_t want;
} columns_rows[] = {
    {"no_characters_take_no_columns", "abc", 0, 0},
    {"each_letter_takes_one", "abc", 2, 2},
    {"end_of_the_line_is_the_end", "abc", 9, 3},
    {"letter_of_two_bytes_takes_one", "\xC3\xA9z", 2, 2},
    {"letter_of_three_bytes_takes_one", "\xE2\x82\xACz", 2, 2},
    {"wide_character_takes_two", "\xE6\xBC\xA2z", 2, 3},
    {"two_wide_characters_take_four", "\xE6\xBC\xA2\xE5\xAD\x97", 2, 4},
    {"combining_accent_takes_none", "e\xCC\x81z", 3, 2},
    {"tab_takes_one", "\tz", 2, 2},
    {"byte_that_is_no_utf8_takes_one", "\xFFz", 2, 2},
    {"cut_character_takes_one_a_byte", "\xE2\x82", 2, 2},
};

static void columns_row(void **state)
{
    const struct columns_row *row = *state;

    assert_int_equal(
        text_width_columns(row->line, strlen(row->line), row->characters),
        row->want);
}

static struct range_row {
    const char *name;
    const char *line;
    size_t first, count;
    size_t want;
} range_rows[] = {
    {"range_of_letters", "abcdef", 2, 3, 3},
    {"range_of_wide_characters",
        "a\xE6\xBC\xA2\xE5\xAD\x97"
        "b",
        1, 2, 4},
    {"range_stops_at_the_end_of_the_line", "abc", 1, 9, 2},
    {"range_behind_the_line_is_one", "abc", 3, 5, 1},
    {"range_of_nothing_is_one", "abc", 0, 0, 1},
    {"range_of_an_accent_is_one", "e\xCC\x81", 1, 1, 1},
    {"range_of_an_empty_line_is_one", "", 0, 4, 1},
};

static void range_row(void **state)
{
    const struct range_row *row = *state;

    assert_int_equal(
        text_width_range(row->line, strlen(row->line), row->first, row->count),
        row->want);
}

struct line {
    const char *text;
    size_t length;
};

static void print_line(const void *argument, FILE *out)
{
    const struct line *line = argument;

    text_width_print(line->text, line->length, out);
}

static struct print_row {
    const char *name;
    struct line line;
    const char *want;
} print_rows[] = {
    {"letters_are_printed_as_they_are", {"a\xC3\xA9\xE6\xBC\xA2", 6},
        "a\xC3\xA9\xE6\xBC\xA2"},
    {"tab_is_printed_as_one_space", {"a\tb", 3}, "a b"},
    {"nul_is_printed_as_a_space", {"a\0b", 3}, "a b"},
    {"escape_is_printed_as_a_space", {"\x1B[2J", 4}, " [2J"},
    {"delete_is_printed_as_a_space", {"a\x7F", 2}, "a "},
    {"c1_is_printed_as_a_space", {"a\xC2\x9Bz", 4}, "a z"},
    {"only_the_length_is_printed", {"abcdef", 3}, "abc"},
};

static void print_row(void **state)
{
    const struct print_row *row = *state;
    void *memory = talloc_new(NULL);

    assert_string_equal(text_of(memory, print_line, &row->line), row->want);
    talloc_free(memory);
}

TEST_FILE(test_text_width)
{
    TEST_ADD_ROWS(list, columns_row, columns_rows);
    TEST_ADD_ROWS(list, range_row, range_rows);
    TEST_ADD_ROWS(list, print_row, print_rows);
}
