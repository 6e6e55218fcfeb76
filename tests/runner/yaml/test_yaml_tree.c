/* test_yaml_tree.c - what of YAML is accepted, how it arrives, and the error
 * and place of what is not (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/text_file.h"

/* A text, and how its tree reads in flow style. */
static struct tree_row {
    const char *name;
    const char *text;
    const char *want;
} tree_rows[] = {
    {"block_mapping", "a: 1\nb: 2\n", "{a: 1, b: 2}"},
    {"flow_mapping", "{a: 1, b: 2}", "{a: 1, b: 2}"},
    {"keys_keep_their_order", "b: 1\na: 2\n", "{b: 1, a: 2}"},
    {"block_list", "- 1\n- 2\n", "[1, 2]"},
    {"flow_list", "[1, [2, 3]]", "[1, [2, 3]]"},
    {"empty_list", "a: []", "{a: []}"},
    {"empty_mapping", "a: {}", "{a: {}}"},
    {"nested_blocks", "a:\n  - b: 1\n    c: 2\n  - d\n",
        "{a: [{b: 1, c: 2}, d]}"},
    {"value_in_double_quotes_is_literal", "a: \"16\"", "{a: \"16\"}"},
    {"value_in_single_quotes_is_literal", "a: 'null'", "{a: \"null\"}"},
    {"empty_text_in_quotes_is_a_value", "a: \"\"", "{a: \"\"}"},
    {"block_text_is_literal", "a: |\n  x\n  y\n", "{a: \"x\ny\n\"}"},
    {"folded_text_is_literal", "a: >\n  x\n  y\n", "{a: \"x y\n\"}"},
    {"words_are_not_typed",
        "[yes, NO, on, 0755, 1_000, 12:30:45, ~, null, 0x1F]",
        "[yes, NO, on, 0755, 1_000, 12:30:45, ~, null, 0x1F]"},
    {"dollar_is_text", "a: $name", "{a: $name}"},
    {"expression_is_one_value", "{a: $(x + 1), b: 2}", "{a: $(x + 1), b: 2}"},
    {"comments_are_left_out", "a: 1 # one\n# two\nb: 2\n", "{a: 1, b: 2}"},
    {"document_may_start_with_its_marker", "---\na: 1\n", "{a: 1}"},
    {"text_may_have_tabs_and_line_ends", "a: \"x\\ty\\nz\"",
        "{a: \"x\ty\nz\"}"},
    {"text_may_be_in_any_language", "a: \xE6\xBC\xA2", "{a: \xE6\xBC\xA2}"},
    {"lone_value_is_a_tree", "hello", "hello"},
    {"lines_may_end_in_cr_lf", "a: 1\r\nb: 2\r\n", "{a: 1, b: 2}"},
    {"other_line_breaks_may_be_escapes", "a: \"x\\Ly\\Pz\"",
        "{a: \"x\xE2\x80\xA8y\xE2\x80\xA9z\"}"},
    {"depth_of_32_is_allowed",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"},
};

static void tree_row(void **state)
{
    const struct tree_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    assert_string_equal(
        node_show(file.memory, text_file_tree(&file)), row->want);
    text_file_release(&file);
}

/* The first error, and how many there are. */
static struct error_row {
    const char *name;
    const char *text;
    size_t want_errors;
    const char *want;
} error_rows[] = {
    {"duplicate_key_names_both_places", "a: 1\nb: 2\na: 3\n", 1,
        "t.yaml:3:1: error[NTP0104]: duplicate key 'a'\n    3 | a: 3\n      | "
        "^\n"
        "t.yaml:1:1: note: first defined here\n"},
    {"key_in_quotes_is_the_same_key", "a: 1\n\"a\": 2\n", 1,
        "t.yaml:2:1: error[NTP0104]: duplicate key 'a'\n"},
    {"duplicate_key_in_flow", "{a: 1, b: {c: 1, c: 2}}", 1,
        "t.yaml:1:18: error[NTP0104]: duplicate key 'c'\n"},
    {"third_of_the_same_key_is_an_error_too", "a: 1\na: 2\na: 3\n", 2,
        "t.yaml:2:1: error[NTP0104]"},
    {"anchor_on_a_value", "a: &x 1\n", 1,
        "t.yaml:1:4: error[NTP0105]: anchors are not allowed\n"},
    {"anchor_on_a_mapping", "a: &x {b: 1}\n", 1, "t.yaml:1:4: error[NTP0105]"},
    {"anchor_on_a_list", "a: &x [1]\n", 1, "t.yaml:1:4: error[NTP0105]"},
    {"alias", "a: *x\n", 1,
        "t.yaml:1:4: error[NTP0105]: aliases are not allowed\n"},
    {"anchor_that_holds_itself", "&a [*a]", 2, "t.yaml:1:1: error[NTP0105]"},
    {"tag_on_a_value", "a: !!str 1\n", 1,
        "t.yaml:1:4: error[NTP0106]: tags are not allowed\n"},
    {"own_tag", "a: !foo 1\n", 1, "t.yaml:1:4: error[NTP0106]"},
    {"tag_on_a_mapping", "a: !foo {b: 1}\n", 1, "t.yaml:1:4: error[NTP0106]"},
    {"merge_key", "a: 1\n<<: {b: 2}\n", 1,
        "t.yaml:2:1: error[NTP0106]: merge keys are not allowed\n"},
    {"version_directive", "%YAML 1.2\n---\na: 1\n", 1,
        "t.yaml:1:1: error[NTP0107]: directives are not allowed\n"},
    {"tag_directive", "%TAG ! tag:x,2000:\n---\na: 1\n", 1,
        "t.yaml:1:1: error[NTP0107]"},
    {"second_document", "a: 1\n---\nb: 2\n", 1,
        "t.yaml:2:1: error[NTP0107]: a second document\n"},
    {"second_document_that_is_broken", "a: 1\n---\n[\n", 1,
        "t.yaml:2:1: error[NTP0107]"},
    {"empty_value_in_a_block", "a:\nb: 2\n", 1,
        "t.yaml:1:1: error[NTP0108]: 'a' has no value\n"},
    {"empty_value_at_the_end", "a: 1\nb:\n", 1,
        "t.yaml:2:1: error[NTP0108]: 'b' has no value\n"},
    {"bare_name_in_flow", "{a, b: 1}", 1,
        "t.yaml:1:2: error[NTP0108]: 'a' has no value\n"},
    {"comma_in_an_expression", "{b: $(max(1, 2))}", 1,
        "t.yaml:1:14: error[NTP0108]: '2))' has no value\n"},
    {"empty_item_of_a_list", "- 1\n-\n", 1,
        "t.yaml:2:2: error[NTP0108]: an item of a list has no value\n"},
    {"key_that_is_a_list", "[a, b]: 1\n", 1,
        "t.yaml:1:1: error[NTP0110]: a key must be a name\n"},
    {"key_that_is_a_mapping", "{a: 1}: 1\n", 1, "t.yaml:1:1: error[NTP0110]"},
    {"empty_key", "\"\": 1\n", 1, "t.yaml:1:1: error[NTP0110]"},
    {"bell_in_quotes", "a: \"x\\a\"\n", 1,
        "t.yaml:1:4: error[NTP0111]: a control character in a value\n"},
    {"escape_in_quotes", "a: \"\\e[2J\"\n", 1, "t.yaml:1:4: error[NTP0111]"},
    {"nul_in_quotes", "a: \"x\\0y\"\n", 1, "t.yaml:1:4: error[NTP0111]"},
    {"nul_in_a_key", "\"a\\0b\": 1\n", 1, "t.yaml:1:1: error[NTP0111]"},
    {"depth_of_33", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1", 1,
        "t.yaml:1:33: error[NTP0109]: nested more than 32 deep\n"},
    {"list_that_is_not_closed", "a: [1,\nb: 2\n", 1,
        "t.yaml:3:1: error[NTP0103]"},
    {"mapping_that_is_not_closed", "{a: 1", 1, "t.yaml:1:6: error[NTP0103]"},
    {"tab_as_indentation", "a:\n\tb: 1\n", 1, "t.yaml:2:1: error[NTP0103]"},
    {"colon_in_a_plain_value", "a: b: c\n", 1,
        "t.yaml:1:5: error[NTP0103]: a ':' where no key can stand\n"},
    {"quote_that_is_not_closed", "a: \"x\n", 1, "t.yaml:1:4: error[NTP0103]"},
    {"bracket_where_none_is_open", "a: 1\n]\n", 1,
        "t.yaml:2:1: error[NTP0103]"},
};

static void error_row(void **state)
{
    const struct error_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    yaml_tree_read(file.memory, file.source, file.diagnostics);
    text_file_assert_errors(&file, row->want);
    assert_int_equal(diagnostics_errors(file.diagnostics), row->want_errors);
    text_file_release(&file);
}

/* Bytes that are no text. */
static struct bytes_row {
    const char *name;
    const char *bytes;
    size_t length;
    const char *want;
} bytes_rows[] = {
    {"byte_order_mark",
        "\xEF\xBB\xBF"
        "a: 1\n",
        8,
        "t.yaml:1:1: error[NTP0102]: the file begins with a byte order mark\n"},
    {"utf_16_is_not_detected",
        "\xFF\xFE"
        "a\0:\0 \0001\0",
        10, "t.yaml:1:1: error[NTP0102]"},
    {"byte_that_is_no_utf8", "a: 1\nb: \xFF\n", 10,
        "t.yaml:2:4: error[NTP0102]"},
    {"utf8_that_is_cut", "a: \xE2\x82", 5, "t.yaml:1:4: error[NTP0102]"},
    {"control_character_in_the_file", "a: 1\nb: x\x01\n", 11,
        "t.yaml:2:5: error[NTP0111]"},
    {"nul_in_the_file", "a: 1\nb: \0\n", 10, "t.yaml:2:4: error[NTP0111]"},
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

/* A list of 98 values, which are 100 events. */
#define ONES_14 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
#define ONES_98 "[" ONES_14 ONES_14 ONES_14 ONES_14 ONES_14 ONES_14 ONES_14 "],"

/* A text of many equal pieces between a beginning and an end. */
static struct limit_row {
    const char *name;
    const char *begin, *piece, *end;
    size_t pieces;
    const char *want; /* "": no error */
} limit_rows[] = {
    {"value_of_64_kib", "a: ", "x", "\n", 65536, ""},
    {"value_of_one_byte_more", "a: ", "x", "\n", 65537,
        "t.yaml:1:4: error[NTP0109]: a value of more than 64 KiB\n"},
    {"key_of_128_bytes", "", "k", ": 1\n", 128, ""},
    {"key_of_129_bytes", "", "k", ": 1\n", 129,
        "t.yaml:1:1: error[NTP0109]: a key of more than 128 bytes\n"},
    {"file_of_199_906_events", "[", ONES_98, "]", 1999, ""},
    {"file_of_200_006_events", "[", ONES_98, "]", 2000,
        "t.yaml:1:397996: error[NTP0109]: more than 200000 values, keys and "
        "brackets in one file\n"},
    {"half_a_megabyte_of_brackets", "", "[", "", 500000,
        "t.yaml:1:33: error[NTP0109]: nested more than 32 deep\n"},
};

static void limit_row(void **state)
{
    const struct limit_row *row = *state;
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
    yaml_tree_read(file.memory, file.source, file.diagnostics);
    text_file_assert_errors(&file, row->want);
    text_file_release(&file);
    free(text);
}

static void every_error_of_a_file_is_reported(void **state)
{
    struct text_file file;
    const char *errors;

    (void)state;
    text_file_init(&file, "a: &x 1\na: !t 2\nb:\nc: \"\\a\"\n");
    assert_non_null(yaml_tree_read(file.memory, file.source, file.diagnostics));
    errors = text_file_errors(&file);
    assert_int_equal(diagnostics_errors(file.diagnostics), 5);
    assert_non_null(strstr(errors, "t.yaml:1:4: error[NTP0105]"));
    assert_non_null(strstr(errors, "t.yaml:2:1: error[NTP0104]"));
    assert_non_null(strstr(errors, "t.yaml:2:4: error[NTP0106]"));
    assert_non_null(strstr(errors, "t.yaml:3:1: error[NTP0108]"));
    assert_non_null(strstr(errors, "t.yaml:4:4: error[NTP0111]"));
    text_file_release(&file);
}

static void opener_of_what_is_not_closed_is_named(void **state)
{
    struct text_file file;

    (void)state;
    text_file_init(&file, "a: 1\nb: [1, 2\n");
    yaml_tree_read(file.memory, file.source, file.diagnostics);
    assert_non_null(strstr(text_file_errors(&file), "t.yaml:2:4: note: "));
    text_file_release(&file);
}

static struct empty_row {
    const char *name;
    const char *text;
} empty_rows[] = {
    {"empty_file_has_no_tree", ""},
    {"file_of_comments_has_no_tree", "# nothing\n\n"},
};

static void empty_row(void **state)
{
    const struct empty_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    assert_null(yaml_tree_read(file.memory, file.source, file.diagnostics));
    text_file_assert_errors(&file, "");
    text_file_release(&file);
}

#define BREAK "error[NTP0111]: a line break other than LF or CR LF\n"

/* Line breaks that nobody but YAML knows. */
static struct break_row {
    const char *name;
    const char *text;
    const char *want;
} break_rows[] = {
    {"lone_cr", "a: 1\rb: 2\n", "t.yaml:1:5: " BREAK},
    {"lone_cr_at_the_end", "a: 1\r", "t.yaml:1:5: " BREAK},
    {"two_crs_before_a_lf", "a: 1\r\r\n", "t.yaml:1:5: " BREAK},
    {"lone_cr_after_cr_lf", "a: 1\r\nb: 2\rc: 3\r\n", "t.yaml:2:5: " BREAK},
    {"lone_cr_in_a_comment", "a: 1 # x\ry\n", "t.yaml:1:9: " BREAK},
    {"lone_cr_in_quotes", "a: \"x\ry\"\n", "t.yaml:1:6: " BREAK},
    {"nel",
        "a: 1\xC2\x85"
        "b: 2\n",
        "t.yaml:1:5: " BREAK},
    {"ls", "a: 1\nb: x\xE2\x80\xA8y\n", "t.yaml:2:5: " BREAK},
    {"ps", "a: 1\nb: x\xE2\x80\xA9y\n", "t.yaml:2:5: " BREAK},
    {"place_counts_characters", "\xC3\xA9: \xC3\xA9\xE2\x80\xA8\n",
        "t.yaml:1:5: " BREAK},
};

static void break_row(void **state)
{
    const struct break_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    assert_null(yaml_tree_read(file.memory, file.source, file.diagnostics));
    text_file_assert_errors(&file, row->want);
    assert_int_equal(diagnostics_errors(file.diagnostics), 1);
    text_file_release(&file);
}

/* A mapping with as many keys as the row says, one a line. */
static struct keys_row {
    const char *name;
    size_t keys;
    const char *want; /* "": none */
} keys_rows[] = {
    {"mapping_of_2000_keys", 2000, ""},
    {"mapping_of_2001_keys", 2001,
        "t.yaml:2001:1: error[NTP0109]: more than 2000 keys\n"},
    {"mapping_of_5000_keys", 5000,
        "t.yaml:2001:1: error[NTP0109]: more than 2000 keys\n"},
};

static void keys_row(void **state)
{
    const struct keys_row *row = *state;
    struct text_file file;
    size_t used = 0;
    char *text = calloc(row->keys, 12);

    assert_non_null(text);
    for (size_t i = 0; i < row->keys; i++) {
        used += (size_t)sprintf(text + used, "k%zu: 1\n", i);
    }
    text_file_init(&file, text);
    yaml_tree_read(file.memory, file.source, file.diagnostics);
    text_file_assert_errors(&file, row->want);
    assert_int_equal(
        diagnostics_errors(file.diagnostics), row->want[0] == '\0' ? 0 : 1);
    text_file_release(&file);
    free(text);
}

TEST_FILE(test_yaml_tree)
{
    TEST_ADD_ROWS(list, tree_row, tree_rows);
    TEST_ADD_ROWS(list, error_row, error_rows);
    TEST_ADD_ROWS(list, bytes_row, bytes_rows);
    TEST_ADD_ROWS(list, limit_row, limit_rows);
    TEST_ADD_ROWS(list, empty_row, empty_rows);
    test_add(list, "every_error_of_a_file_is_reported",
        every_error_of_a_file_is_reported, NULL);
    test_add(list, "opener_of_what_is_not_closed_is_named",
        opener_of_what_is_not_closed_is_named, NULL);
    TEST_ADD_ROWS(list, break_row, break_rows);
    TEST_ADD_ROWS(list, keys_row, keys_rows);
}
