/* test_utf8.c - UTF-8 character by character, also where it is none (RFC 3629).
 */
#include "api/text/utf8.h"

#include <string.h>

#include "tests/rows.h"

static struct decode_row {
    const char *name;
    const char *text;
    size_t size;
    size_t want_bytes;
    uint32_t want;
} decode_rows[] = {
    {"letter", "ab", 2, 1, 'a'},
    {"nul", "\0", 1, 1, 0},
    {"two_bytes", "\xC3\xA9", 2, 2, 0xE9},
    {"three_bytes", "\xE2\x82\xACz", 4, 3, 0x20AC},
    {"four_bytes", "\xF0\x9F\x98\x80", 4, 4, 0x1F600},
    {"last_there_is", "\xF4\x8F\xBF\xBF", 4, 4, 0x10FFFF},
    {"behind_the_last", "\xF4\x90\x80\x80", 4, 1, 0xFFFD},
    {"byte_that_begins_nothing", "\xFF", 1, 1, 0xFFFD},
    {"byte_that_goes_on", "\x80z", 2, 1, 0xFFFD},
    {"cut_by_the_end", "\xE2\x82", 2, 1, 0xFFFD},
    {"cut_by_the_size", "\xE2\x82\xAC", 2, 1, 0xFFFD},
    {"cut_by_a_letter", "\xE2\x82z", 3, 1, 0xFFFD},
    {"surrogate", "\xED\xA0\x80", 3, 1, 0xFFFD},
    {"too_long_a_form", "\xC0\xAF", 2, 1, 0xFFFD},
    {"replacement_itself", "\xEF\xBF\xBD", 3, 3, 0xFFFD},
};

static void decode_row(void **state)
{
    const struct decode_row *row = *state;
    uint32_t code;

    assert_int_equal(utf8_decode(row->text, row->size, &code), row->want_bytes);
    assert_int_equal(code, row->want);
}

static struct valid_row {
    const char *name;
    const char *text;
    size_t want_characters;
    bool want;
} valid_rows[] = {
    {"nothing", "", 0, true},
    {"characters_of_every_length", "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 4,
        true},
    {"accent_that_combines_is_one_more", "e\xCC\x81", 2, true},
    {"replacement_is_one", "\xEF\xBF\xBD", 1, true},
    {"bytes_that_are_none_are_one_each", "a\xFF\xE2\x82z", 5, false},
};

/* Bytes that are none become U+FFFD, and all others stay. */
static void what_is_repaired_is_valid(void **state)
{
    char text[] = "a\xFF\xE2\x82\xC3\xA9z";
    char repaired[UTF8_REPAIRED_BYTES * sizeof(text) + 1];

    (void)state;
    utf8_repair(text, strlen(text), repaired);
    assert_string_equal(
        repaired, "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xC3\xA9z");
}

static void valid_row(void **state)
{
    const struct valid_row *row = *state;

    assert_int_equal(utf8_is_valid(row->text, strlen(row->text)), row->want);
    assert_int_equal(
        utf8_characters(row->text, strlen(row->text)), row->want_characters);
}

static struct bytes_row {
    const char *name;
    const char *line;
    size_t characters;
    size_t want;
} bytes_rows[] = {
    {"no_characters_are_no_bytes", "abc", 0, 0},
    {"letters_are_a_byte_each", "abc", 2, 2},
    {"all_of_the_line", "abc", 3, 3},
    {"more_than_the_line_is_the_line", "abc", 9, 3},
    {"empty_line_has_no_bytes", "", 4, 0},
    {"character_of_two_bytes_is_taken_whole", "\xC3\xA9z", 1, 2},
    {"character_of_three_bytes_is_taken_whole", "\xE2\x82\xACz", 1, 3},
    {"character_of_four_bytes_is_taken_whole", "\xF0\x9F\x98\x80z", 1, 4},
    {"letters_between_wide_characters", "a\xE6\xBC\xA2z\xE5\xAD\x97", 3, 5},
    {"accent_is_a_character_of_its_own", "e\xCC\x81z", 1, 1},
};

static void bytes_row(void **state)
{
    const struct bytes_row *row = *state;

    assert_int_equal(
        utf8_bytes(row->line, strlen(row->line), row->characters), row->want);
}

static struct cut_row {
    const char *name;
    const char *text;
    size_t most;
    size_t want;
} cut_rows[] = {
    {"nothing_of_nothing", "", 4, 0},
    {"nothing_when_none_may_be", "abc", 0, 0},
    {"as_many_as_may_be", "abc", 2, 2},
    {"all_when_more_may_be", "abc", 9, 3},
    {"all_when_just_as_many_may_be", "abc", 3, 3},
    {"no_part_of_a_character", "a\xE2\x82\xACz", 3, 1},
    {"whole_character_that_fits", "a\xE2\x82\xACz", 4, 4},
    {"bytes_that_are_none_are_cut_anywhere", "\xE2\x82", 1, 1},
};

static void cut_row(void **state)
{
    const struct cut_row *row = *state;

    assert_int_equal(
        utf8_cut(row->text, strlen(row->text), row->most), row->want);
}

TEST_FILE(test_utf8)
{
    TEST_ADD_ROWS(list, decode_row, decode_rows);
    TEST_ADD_ROWS(list, valid_row, valid_rows);
    test_add(
        list, "what_is_repaired_is_valid", what_is_repaired_is_valid, NULL);
    TEST_ADD_ROWS(list, bytes_row, bytes_rows);
    TEST_ADD_ROWS(list, cut_row, cut_rows);
}
