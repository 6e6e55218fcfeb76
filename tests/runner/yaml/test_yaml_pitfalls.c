/* test_yaml_pitfalls.c - what libyaml accepts, says badly or says in the wrong
 * place, and what is said instead: all of it, as it is printed. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/text_file.h"

/* A text, and all that is printed. */
static struct pitfall_row {
    const char *name;
    const char *text;
    const char *want;
} pitfall_rows[] = {
    {"second_document",
        "a: 1\n"
        "---\n"
        "b: 2\n",
        "t.yaml:2:1: error[NTP0107]: a second document\n"
        "    2 | ---\n"
        "      | ^ a file is one plain document\n"},
    {"second_document_that_is_broken",
        "a: 1\n"
        "---\n"
        "[\n",
        "t.yaml:2:1: error[NTP0107]: a second document\n"
        "    2 | ---\n"
        "      | ^ a file is one plain document\n"},
    {"directive_behind_a_document",
        "a: 1\n"
        "...\n"
        "%TAG ! x\n",
        "t.yaml:3:1: error[NTP0107]: directives are not allowed\n"
        "    3 | %TAG ! x\n"
        "      | ^ a file is one plain document\n"},
    {"directive_behind_a_comment",
        "# c\n"
        "\n"
        "%YAML 1.2\n"
        "---\n"
        "a: 1\n",
        "t.yaml:3:1: error[NTP0107]: directives are not allowed\n"
        "    3 | %YAML 1.2\n"
        "      | ^ a file is one plain document\n"},
    {"nothing_but_comments_behind_a_document",
        "a: 1\n"
        "...\n"
        "# c\n",
        ""},
    {"same_key_in_quotes",
        "a: 1\n"
        "\"\\x61\": 2\n",
        "t.yaml:2:1: error[NTP0104]: duplicate key 'a'\n"
        "    2 | \"\\x61\": 2\n"
        "      | ^~~~~~\n"
        "t.yaml:1:1: note: first defined here\n"
        "    1 | a: 1\n"
        "      | ^\n"},
    {"accent_before_a_place", "\xC3\xA9: {\xC3\xA9\xC3\xA9: 1, b}\n",
        "t.yaml:1:12: error[NTP0108]: 'b' has no value\n"
        "    1 | \xC3\xA9: {\xC3\xA9\xC3\xA9: 1, b}\n"
        "      |            ^ write 'b: value', or what belongs to it "
        "below and further in; else leave it out\n"},
    {"wide_characters_before_a_place",
        "{\xE6\xBC\xA2\xE5\xAD\x97: 1, \xE6\xBC\xA2}\n",
        "t.yaml:1:9: error[NTP0108]: '\xE6\xBC\xA2' has no value\n"
        "    1 | {\xE6\xBC\xA2\xE5\xAD\x97: 1, \xE6\xBC\xA2}\n"
        "      |           ^~ write '\xE6\xBC\xA2: value', or what belongs to "
        "it "
        "below and further in; else leave it out\n"},
    {"tab_before_a_place", "{a:\t1,\tb}\n",
        "t.yaml:1:8: error[NTP0108]: 'b' has no value\n"
        "    1 | {a: 1, b}\n"
        "      |        ^ write 'b: value', or what belongs to it below "
        "and further in; else leave it out\n"},
    {"wide_characters_underlined",
        "\"\xE6\xBC\xA2\xE5\xAD\x97\": 1\n"
        "\xE6\xBC\xA2\xE5\xAD\x97: 2\n",
        "t.yaml:2:1: error[NTP0104]: duplicate key '\xE6\xBC\xA2\xE5\xAD\x97'\n"
        "    2 | \xE6\xBC\xA2\xE5\xAD\x97: 2\n"
        "      | ^~~~\n"
        "t.yaml:1:1: note: first defined here\n"
        "    1 | \"\xE6\xBC\xA2\xE5\xAD\x97\": 1\n"
        "      | ^~~~~~\n"},
    {"control_character_in_quotes", "a: \"x\\x1b\"\n",
        "t.yaml:1:4: error[NTP0111]: a control character in a value\n"
        "    1 | a: \"x\\x1b\"\n"
        "      |    ^~~~~~~ it is 0x1B; use printable text\n"},
    {"delete_in_quotes", "a: \"\\x7f\"\n",
        "t.yaml:1:4: error[NTP0111]: a control character in a value\n"
        "    1 | a: \"\\x7f\"\n"
        "      |    ^~~~~~ it is 0x7F; use printable text\n"},
    {"c1_in_quotes", "a: \"\\x9b\"\n",
        "t.yaml:1:4: error[NTP0111]: a control character in a value\n"
        "    1 | a: \"\\x9b\"\n"
        "      |    ^~~~~~ it is 0x9B; use printable text\n"},
    {"nul_in_quotes", "a: \"x\\0y\"\n",
        "t.yaml:1:4: error[NTP0111]: a control character in a value\n"
        "    1 | a: \"x\\0y\"\n"
        "      |    ^~~~~~ it is 0x00; use printable text\n"},
    {"empty_item",
        "- 1\n"
        "-\n",
        "t.yaml:2:2: error[NTP0108]: an item of a list has no value\n"
        "    2 | -\n"
        "      |  ^ write '- value'\n"},
    {"line_end_in_a_key",
        "\"a\\nb\": 1\n"
        "\"a\\nb\": 2\n",
        "t.yaml:2:1: error[NTP0104]: duplicate key 'a\\nb'\n"
        "    2 | \"a\\nb\": 2\n"
        "      | ^~~~~~\n"
        "t.yaml:1:1: note: first defined here\n"
        "    1 | \"a\\nb\": 1\n"
        "      | ^~~~~~\n"},
};

static void pitfall_row(void **state)
{
    const struct pitfall_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    yaml_tree_read(file.memory, file.source, file.diagnostics);
    assert_string_equal(text_file_errors(&file), row->want);
    text_file_release(&file);
}

/* Bytes that are no text, and how what is printed begins. */
static struct bytes_row {
    const char *name;
    const char *bytes;
    size_t length;
    const char *want;
} bytes_rows[] = {
    {"utf_16_with_its_mark",
        "\xFF\xFE"
        "a\x00:\x00 \x00"
        "1\x00\n"
        "\x00",
        12, "t.yaml:1:1: error[NTP0102]: the file is UTF-16\n"},
    {"utf_16_of_the_other_order",
        "\xFE\xFF\x00"
        "a\x00:\x00 \x00"
        "1\x00\n",
        12, "t.yaml:1:1: error[NTP0102]: the file is UTF-16\n"},
    {"utf_16_without_mark",
        "a\x00:\x00 \x00"
        "1\x00\n"
        "\x00",
        10, "t.yaml:1:1: error[NTP0102]: the file is UTF-16\n"},
    {"utf_16_of_the_other_order_without_mark",
        "\x00"
        "a\x00:\x00 \x00"
        "1\x00\n",
        10, "t.yaml:1:1: error[NTP0102]: the file is UTF-16\n"},
    {"utf_32",
        "\xFF\xFE\x00\x00"
        "a\x00\x00\x00:\x00\x00\x00 \x00\x00\x00"
        "1\x00\x00\x00\n"
        "\x00\x00\x00",
        24, "t.yaml:1:1: error[NTP0102]: the file is UTF-32\n"},
    {"utf_32_without_mark",
        "\x00\x00\x00"
        "a\x00\x00\x00:\x00\x00\x00 \x00\x00\x00"
        "1\x00\x00\x00\n",
        20, "t.yaml:1:1: error[NTP0102]: the file is UTF-32\n"},
    {"byte_order_mark",
        "\xEF\xBB\xBF"
        "a: 1\n",
        8,
        "t.yaml:1:1: error[NTP0102]: the file begins with a byte order mark\n"
        "    1 | a: 1\n"
        "      | ^ save it as UTF-8 without one\n"},
    {"leading_byte_that_is_none",
        "a: 1\n"
        "b: \xFF\n",
        10,
        "t.yaml:2:4: error[NTP0102]: a byte that is not UTF-8\n"
        "    2 | b: \xFF\n"
        "      |    ^ it is 0xFF; save the file as UTF-8 text\n"},
    {"trailing_byte_that_is_none", "a: \xE2(\xA1\n", 7,
        "t.yaml:1:5: error[NTP0102]: a byte that is not UTF-8\n"
        "    1 | a: \xE2(\xA1\n"
        "      |     ^ it is 0x28; save the file as UTF-8 text\n"},
    {"character_that_is_cut", "a: \xE2\x82", 5,
        "t.yaml:1:4: error[NTP0102]: the file ends inside of a UTF-8 "
        "character\n"
        "    1 | a: \xE2\x82\n"
        "      |    ^ it is 0xE2; save the file as UTF-8 text\n"},
    {"character_in_too_many_bytes", "a: \xC0\xAF\n", 6,
        "t.yaml:1:4: error[NTP0102]: a character in more bytes than UTF-8 "
        "needs\n"
        "    1 | a: \xC0\xAF\n"
        "      |    ^ it is 0xC0; save the file as UTF-8 text\n"},
    {"surrogate", "a: \xED\xA0\x80\n", 7,
        "t.yaml:1:4: error[NTP0102]: a character that Unicode does not have\n"
        "    1 | a: \xED\xA0\x80\n"
        "      |    ^ it is 0xD800; save the file as UTF-8 text\n"},
    {"control_character",
        "a: 1\n"
        "b: x\x01\n",
        11,
        "t.yaml:2:5: error[NTP0111]: a control character in the file\n"
        "    2 | b: x \n"
        "      |     ^ it is 0x01; use printable text\n"},
    {"nul",
        "a: 1\n"
        "b: \x00\n",
        10,
        "t.yaml:2:4: error[NTP0111]: a control character in the file\n"
        "    2 | b:  \n"
        "      |    ^ it is 0x00; use printable text\n"},
    {"delete", "a: x\x7F\n", 6,
        "t.yaml:1:5: error[NTP0111]: a control character in the file\n"
        "    1 | a: x \n"
        "      |     ^ it is 0x7F; use printable text\n"},
    {"c1", "a: \xC2\x9B\n", 6,
        "t.yaml:1:4: error[NTP0111]: a control character in the file\n"
        "    1 | a:  \n"
        "      |    ^ it is 0x9B; use printable text\n"},
};

static void bytes_row(void **state)
{
    const struct bytes_row *row = *state;
    struct text_file file;

    text_file_init_bytes(&file, row->bytes, row->length);
    assert_null(yaml_tree_read(file.memory, file.source, file.diagnostics));
    text_file_assert_errors(&file, row->want);
    assert_int_equal(diagnostics_errors(file.diagnostics), 1);
    text_file_release(&file);
}

/* Beginning, piece, end and how often the piece stands between them. */
static struct long_row {
    const char *name;
    const char *begin, *piece, *end;
    size_t pieces;
    size_t want_errors;
    const char *want; /* how what is printed begins */
} long_rows[] = {
    {"megabyte_of_brackets", "", "[", "", 1 << 20, 1,
        "t.yaml:1:33: error[NTP0109]: nested more than 32 deep\n"},
    {"megabyte_of_braces", "", "{a: ", "", 1 << 18, 1,
        "t.yaml:1:126: error[NTP0109]: nested more than 32 deep\n"},
    {"megabyte_of_dashes", "", "- ", "", 1 << 19, 1,
        "t.yaml:1:65: error[NTP0109]: nested more than 32 deep\n"},
    {"eighty_thousand_tag_directives", "", "%TAG !a! b\n", "--- 1\n", 80000, 1,
        "t.yaml:1:1: error[NTP0107]: directives are not allowed\n"},
    {"tag_directives_of_a_second_document", "a: 1\n...\n", "%TAG !a! b\n",
        "--- 1\n", 80000, 1,
        "t.yaml:3:1: error[NTP0107]: directives are not allowed\n"},
    {"key_that_libyaml_takes_for_none", "", "k", ": 1\n", 1025, 1,
        "t.yaml:1:1: error[NTP0109]: a key of more than 128 bytes\n"},
    {"key_in_flow_that_libyaml_takes_for_none", "{", "k", ": 1}\n", 1025, 1,
        "t.yaml:1:2: error[NTP0109]: a key of more than 128 bytes\n"},
    {"bad_byte_far_behind", "", "# x\n", "b: \xFF\n", 9000, 1,
        "t.yaml:9001:4: error[NTP0102]: a byte that is not UTF-8\n"},
};

static void long_row(void **state)
{
    const struct long_row *row = *state;
    struct text_file file;
    size_t begin = strlen(row->begin), piece = strlen(row->piece);
    size_t length = begin + row->pieces * piece + strlen(row->end);
    char *text = malloc(length + 1);

    assert_non_null(text);
    strcpy(text, row->begin);
    for (size_t i = 0; i < row->pieces; i++) {
        memcpy(text + begin + i * piece, row->piece, piece);
    }
    strcpy(text + begin + row->pieces * piece, row->end);
    text_file_init_bytes(&file, text, length);
    assert_null(yaml_tree_read(file.memory, file.source, file.diagnostics));
    text_file_assert_errors(&file, row->want);
    assert_int_equal(diagnostics_errors(file.diagnostics), row->want_errors);
    text_file_release(&file);
    free(text);
}

/* One mapping that only has a key. */
static struct key_row {
    const char *name;
    const char *text;
    bool want; /* refused */
} key_rows[] = {
    {"key_y", "y: 1", true},
    {"key_n", "n: 1", true},
    {"key_yes", "yes: 1", true},
    {"key_no", "no: 1", true},
    {"key_on", "on: 1", true},
    {"key_off", "off: 1", true},
    {"key_true", "true: 1", true},
    {"key_false", "False: 1", true},
    {"key_null", "a: {null: 1}", true},
    {"key_that_begins_with_null", "nullable: 1", false},
    {"key_in_large_letters", "NO: 1", true},
    {"key_in_quotes", "\"on\": 1", true},
    {"key_in_a_mapping_inside", "a: [{b: {off: 1}}]", true},
    {"key_that_begins_so", "online: 1", false},
    {"key_that_ends_so", "upon: 1", false},
    {"value_that_is_such_a_word", "a: on", false},
};

static void key_row(void **state)
{
    const struct key_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    yaml_tree_read(file.memory, file.source, file.diagnostics);
    assert_int_equal(diagnostics_errors(file.diagnostics), row->want);
    if (row->want) {
        assert_non_null(strstr(text_file_errors(&file),
            "error[NTP0110]: a key that other readers of YAML do not take for "
            "a text\n"));
    }
    text_file_release(&file);
}

TEST_FILE(test_yaml_pitfalls)
{
    TEST_ADD_ROWS(list, pitfall_row, pitfall_rows);
    TEST_ADD_ROWS(list, bytes_row, bytes_rows);
    TEST_ADD_ROWS(list, long_row, long_rows);
    TEST_ADD_ROWS(list, key_row, key_rows);
}
