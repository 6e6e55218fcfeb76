/* test_yaml_problems.c - what libyaml stumbles on, in our words: all that is
 * printed, with the bracket that is open and the expression that is cut. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/text_file.h"

/* A text, and all that is printed. */
static struct problem_row {
    const char *name;
    const char *text;
    const char *want;
} problem_rows[] = {
    {"colon_in_a_value", "a: b: c\n",
        "t.yaml:1:5: error[NTP0103]: a ':' where no key can stand\n"
        "    1 | a: b: c\n"
        "      |     ^ write 'key: value' on a line of its own; put a text "
        "with ': ' in quotes\n"},
    {"key_deeper_than_its_neighbours",
        "a: 1\n"
        "  b: 2\n",
        "t.yaml:2:3: error[NTP0103]: a key further in than the one above it, "
        "which has its value already\n"
        "    2 |   b: 2\n"
        "      |   ^ begin it in column 1, as 'a'\n"},
    {"key_deeper_than_a_key_of_an_item",
        "- a: 1\n"
        "# between\n"
        "    b: 2\n",
        "t.yaml:3:5: error[NTP0103]: a key further in than the one above it, "
        "which has its value already\n"
        "    3 |     b: 2\n"
        "      |     ^ begin it in column 3, as 'a'\n"},
    {"key_between_an_item_and_its_keys",
        "- a: 1\n"
        " b: 2\n",
        "t.yaml:2:2: error[NTP0103]: a line further in than the items of the "
        "list, but not as far as the keys of the item above it\n"
        "    2 |  b: 2\n"
        "      |  ^ begin it in column 3, as 'a', or write '- ' in column 1 "
        "for "
        "another item\n"},
    {"braces_without_a_dash",
        "- {a: 1}\n"
        "{a: 2}\n",
        "t.yaml:2:1: error[NTP0103]: a line in the column of a list's items "
        "that is none: it has no '- '\n"
        "    2 | {a: 2}\n"
        "      | ^ write '- ' before it\n"},
    {"dash_without_a_blank",
        "a:\n"
        "  -{b: 1, c: 2}\n",
        "t.yaml:2:3: error[NTP0103]: a '-' without a blank behind it begins no "
        "item of a list\n"
        "    2 |   -{b: 1, c: 2}\n"
        "      |   ^ write '- '\n"},
    {"colon_behind_a_value", "a: b: c\n",
        "t.yaml:1:5: error[NTP0103]: a ':' where no key can stand\n"
        "    1 | a: b: c\n"
        "      |     ^ write 'key: value' on a line of its own; put a text "
        "with "
        "': ' in quotes\n"},
    {"list_that_is_not_closed",
        "a: [1,\n"
        "b: 2\n",
        "t.yaml:3:1: error[NTP0103]: a list in [ ] that is not closed, or a "
        "',' is missing\n"
        "    3 | \n"
        "      | ^ write [a, b]\n"
        "t.yaml:1:4: note: opened here\n"
        "    1 | a: [1,\n"
        "      |    ^\n"},
    {"mapping_that_is_not_closed", "{a: 1",
        "t.yaml:1:6: error[NTP0103]: a mapping in { } that is not closed, or a "
        "',' is missing\n"
        "    1 | {a: 1\n"
        "      |      ^ write {a: 1, b: 2}\n"
        "t.yaml:1:1: note: opened here\n"
        "    1 | {a: 1\n"
        "      | ^\n"},
    {"key_among_items",
        "- 1\n"
        "b: 2\n",
        "t.yaml:2:1: error[NTP0103]: a line in the column of a list's items "
        "that is none: it has no '- '\n"
        "    2 | b: 2\n"
        "      | ^ write '- ' before it\n"},
    {"item_list_above_a_key",
        "a:\n"
        "  - b\n"
        "  c: d\n",
        "t.yaml:3:3: error[NTP0103]: a line in the column of a list's items "
        "that is none: it has no '- '\n"
        "    3 |   c: d\n"
        "      |   ^ write '- ' before it\n"},
    {"bracket_where_none_is_open",
        "a: 1\n"
        "]\n",
        "t.yaml:2:1: error[NTP0103]: a line that does not belong to the "
        "mapping before it\n"
        "    2 | ]\n"
        "      | ^ begin every key in the same column; a value with ' or \" "
        "ends where its quote ends\n"
        "t.yaml:1:1: note: the mapping begins here\n"
        "    1 | a: 1\n"
        "      | ^\n"},
    {"quote_in_a_quoted_value", "a: 'it's'\n",
        "t.yaml:1:8: error[NTP0103]: a line that does not belong to the "
        "mapping before it\n"
        "    1 | a: 'it's'\n"
        "      |        ^ begin every key in the same column; a value with ' "
        "or \" ends where its quote ends\n"
        "t.yaml:1:1: note: the mapping begins here\n"
        "    1 | a: 'it's'\n"
        "      | ^\n"},
    {"key_without_colon",
        "a: 1\n"
        "b\n"
        "c: 2\n",
        "t.yaml:2:1: error[NTP0103]: a key without ':'\n"
        "    2 | b\n"
        "      | ^ write 'key: value', with a space behind the colon\n"},
    {"tab_as_indentation",
        "a:\n"
        "\tb: 1\n",
        "t.yaml:2:1: error[NTP0103]: a tab where the line is indented\n"
        "    2 |  b: 1\n"
        "      | ^ indent with spaces\n"},
    {"tab_in_a_block_text",
        "a: |\n"
        "\tx\n",
        "t.yaml:2:1: error[NTP0103]: a tab where the line is indented\n"
        "    2 |  x\n"
        "      | ^ indent with spaces\n"},
    {"value_that_begins_with_at", "a: @x\n",
        "t.yaml:1:4: error[NTP0103]: a character that no value begins with\n"
        "    1 | a: @x\n"
        "      |    ^ put the text in quotes\n"},
    {"value_that_begins_with_percent", "a: %x\n",
        "t.yaml:1:4: error[NTP0103]: a character that no value begins with\n"
        "    1 | a: %x\n"
        "      |    ^ put the text in quotes\n"},
    {"line_that_begins_with_percent",
        "a: 1\n"
        "%x: 2\n",
        "t.yaml:2:3: error[NTP0107]: directives are not allowed\n"
        "    2 | %x: 2\n"
        "      |   ^ put a text that begins with % in quotes\n"},
    {"quote_that_is_not_closed", "a: \"x\n",
        "t.yaml:1:4: error[NTP0103]: a quote that is not closed before the "
        "file ends\n"
        "    1 | a: \"x\n"
        "      |    ^ close the quote, or leave both out\n"},
    {"marker_inside_of_quotes",
        "a: \"x\n"
        "---\n"
        "y\"\n",
        "t.yaml:2:1: error[NTP0103]: a '---' or '...' inside of quotes\n"
        "    2 | ---\n"
        "      | ^ close the quote, or indent the line\n"
        "t.yaml:1:4: note: opened here\n"
        "    1 | a: \"x\n"
        "      |    ^\n"},
    {"escape_that_is_none", "a: \"\\q\"\n",
        "t.yaml:1:5: error[NTP0103]: an escape that YAML does not have\n"
        "    1 | a: \"\\q\"\n"
        "      |     ^ write \\\\ for a backslash, or use '...' for quotes\n"},
    {"escape_that_is_too_short", "a: \"\\xZZ\"\n",
        "t.yaml:1:7: error[NTP0103]: an escape with too few hexadecimal "
        "digits\n"
        "    1 | a: \"\\xZZ\"\n"
        "      |       ^ write \\x and 2, \\u and 4, \\U and 8 digits\n"},
    {"escape_of_no_character", "a: \"\\UFFFFFFFF\"\n",
        "t.yaml:1:7: error[NTP0103]: an escape for a character that does not "
        "exist\n"
        "    1 | a: \"\\UFFFFFFFF\"\n"
        "      |       ^ characters end at \\U0010FFFF\n"},
    {"comma_without_a_value", "a: [,1]\n",
        "t.yaml:1:5: error[NTP0103]: a value is missing\n"
        "    1 | a: [,1]\n"
        "      |     ^ write [a, b] or {a: 1}\n"},
    {"star_alone", "a: *\n",
        "t.yaml:1:4: error[NTP0103]: a '*' or '&' that begins no name\n"
        "    1 | a: *\n"
        "      |    ^ put the text in quotes\n"},
    {"ampersand_alone", "a: & x\n",
        "t.yaml:1:4: error[NTP0103]: a '*' or '&' that begins no name\n"
        "    1 | a: & x\n"
        "      |    ^ put the text in quotes\n"},
    {"colon_before_a_comma", "{set:, clear: 1}\n",
        "t.yaml:1:5: error[NTP0103]: a ':' without a value behind it\n"
        "    1 | {set:, clear: 1}\n"
        "      |     ^ write 'key: value', with a space behind the colon\n"},
    {"item_behind_a_key", "a: - 1\n",
        "t.yaml:1:4: error[NTP0103]: a '- ' where no list can begin\n"
        "    1 | a: - 1\n"
        "      |    ^ begin the list on a line of its own, or put the text in "
        "quotes\n"},
    {"question_mark_as_a_value", "a: ? b\n",
        "t.yaml:1:4: error[NTP0103]: a '? ' where no key can stand\n"
        "    1 | a: ? b\n"
        "      |    ^ put the text in quotes\n"},
    {"text_behind_the_document", "{a: 1} b\n",
        "t.yaml:1:8: error[NTP0107]: text behind the end of the document\n"
        "    1 | {a: 1} b\n"
        "      |        ^ a file is one plain document\n"},
    {"tag_with_a_handle", "a: !x!y 1\n",
        "t.yaml:1:4: error[NTP0106]: tags are not allowed\n"
        "    1 | a: !x!y 1\n"
        "      |    ^ a value's type comes from the field it stands in\n"},
    {"tag_that_is_cut", "a: !<x 1\n",
        "t.yaml:1:7: error[NTP0106]: tags are not allowed\n"
        "    1 | a: !<x 1\n"
        "      |       ^ a value's type comes from the field it stands in\n"},
    {"merge_key",
        "a: 1\n"
        "<<: {b: 2}\n",
        "t.yaml:2:1: error[NTP0106]: merge keys are not allowed\n"
        "    2 | <<: {b: 2}\n"
        "      | ^~ write the keys out, or share steps with use: "
        "file#fragment\n"},
    {"bracket_in_an_expression", "a: {b: $(x[0])}\n",
        "t.yaml:1:11: error[NTP0103]: a mapping in { } that is not closed, or "
        "a ',' is missing\n"
        "    1 | a: {b: $(x[0])}\n"
        "      |           ^ write {a: 1, b: 2}\n"
        "t.yaml:1:4: note: opened here\n"
        "    1 | a: {b: $(x[0])}\n"
        "      |    ^\n"
        "t.yaml:1:11: note: '[' ends an expression\n"
        "    1 | a: {b: $(x[0])}\n"
        "      |           ^ an expression must not contain [ ] { } , : ? #\n"},
    {"question_mark_in_an_expression", "a: {b: $(a ? b : c)}\n",
        "t.yaml:1:16: error[NTP0103]: a mapping in { } that is not closed, or "
        "a ',' is missing\n"
        "    1 | a: {b: $(a ? b : c)}\n"
        "      |                ^ write {a: 1, b: 2}\n"
        "t.yaml:1:4: note: opened here\n"
        "    1 | a: {b: $(a ? b : c)}\n"
        "      |    ^\n"
        "t.yaml:1:12: note: '?' ends an expression\n"
        "    1 | a: {b: $(a ? b : c)}\n"
        "      |            ^ an expression must not contain [ ] { } , : ? "
        "#\n"},
    {"hash_in_an_expression", "a: {b: $(a #b)}\n",
        "t.yaml:2:1: error[NTP0103]: a mapping in { } that is not closed, or a "
        "',' is missing\n"
        "    2 | \n"
        "      | ^ write {a: 1, b: 2}\n"
        "t.yaml:1:4: note: opened here\n"
        "    1 | a: {b: $(a #b)}\n"
        "      |    ^\n"
        "t.yaml:1:12: note: '#' ends an expression\n"
        "    1 | a: {b: $(a #b)}\n"
        "      |            ^ an expression must not contain [ ] { } , : ? "
        "#\n"},
    {"colon_in_an_expression_of_a_block", "a: $(a ? b : c)\n",
        "t.yaml:1:12: error[NTP0103]: a ':' where no key can stand\n"
        "    1 | a: $(a ? b : c)\n"
        "      |            ^ write 'key: value' on a line of its own; put a "
        "text with ': ' in quotes\n"
        "t.yaml:1:8: note: '?' ends an expression\n"
        "    1 | a: $(a ? b : c)\n"
        "      |        ^ an expression must not contain [ ] { } , : ? #\n"},
    {"comma_in_an_expression", "a: {b: $(max(1, 2))}\n",
        "t.yaml:1:17: error[NTP0108]: '2))' has no value\n"
        "    1 | a: {b: $(max(1, 2))}\n"
        "      |                 ^~~ write 'key: value'; an expression must "
        "not contain [ ] { } , : ? #\n"},
    {"right_expression_beside_an_error", "a: {b: $(x + (1)), c: [}\n",
        "t.yaml:1:24: error[NTP0103]: a value is missing\n"
        "    1 | a: {b: $(x + (1)), c: [}\n"
        "      |                        ^ write [a, b] or {a: 1}\n"},
    {"bare_name_in_flow", "{a, b: 1}",
        "t.yaml:1:2: error[NTP0108]: 'a' has no value\n"
        "    1 | {a, b: 1}\n"
        "      |  ^ write 'a: value', or what belongs to it below and further "
        "in; else leave it out\n"},
};

static void problem_row(void **state)
{
    const struct problem_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    yaml_tree_read(file.memory, file.source, file.diagnostics);
    assert_string_equal(text_file_errors(&file), row->want);
    text_file_release(&file);
}

/* A NUL is no blank, behind which directives would be looked for. */
static void nul_before_a_directive(void **state)
{
    static const char text[] = "# a\n\0\n%YAML 1.1\n---\na: 1\n";
    struct text_file file;

    (void)state;
    text_file_init_bytes(&file, text, sizeof(text) - 1);
    assert_null(yaml_tree_read(file.memory, file.source, file.diagnostics));
    text_file_assert_errors(
        &file, "t.yaml:2:1: error[NTP0111]: a control character in the file\n");
    text_file_release(&file);
}

TEST_FILE(test_yaml_problems)
{
    TEST_ADD_ROWS(list, problem_row, problem_rows);
    test_add(list, "nul_before_a_directive", nul_before_a_directive, NULL);
}
