/* test_json_out.c - values, commas and strings (RFC 8259), and what some
 * readers take for the end of a line. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/text/json_out.h"
#include "tests/runner/text_file.h"

static void print_text(const void *argument, FILE *out)
{
    struct json_out json = {.out = out};

    json_out_string(&json, NULL, argument);
}

static struct text_row {
    const char *name;
    const char *text;
    const char *want;
} text_rows[] = {
    {"empty", "", "\"\""},
    {"plain", "a, b: [c] {d} #e /f", "\"a, b: [c] {d} #e /f\""},
    {"command_of_a_workflow", "##[error]", "\"##\\u005berror]\""},
    {"number_sign_alone", "#[a]", "\"#[a]\""},
    {"quotes", "say \"no\"", "\"say \\\"no\\\"\""},
    {"backslash", "a\\n", "\"a\\\\n\""},
    {"line_break_and_tab", "a\nb\tc", "\"a\\nb\\tc\""},
    {"carriage_return", "a\r", "\"a\\u000d\""},
    {"control_characters", "\x01\x1B\x1F", "\"\\u0001\\u001b\\u001f\""},
    {"delete_and_c1", "\x7F\xC2\x80\xC2\x9F", "\"\\u007f\\u0080\\u009f\""},
    {"line_breaks_of_yaml", "\xC2\x85\xE2\x80\xA8\xE2\x80\xA9",
        "\"\\u0085\\u2028\\u2029\""},
    {"byte_order_mark", "\xEF\xBB\xBF", "\"\\ufeff\""},
    {"no_characters", "\xEF\xBF\xBE\xEF\xBF\xBF", "\"\\ufffe\\uffff\""},
    {"two_bytes", "\xC3\xA9", "\"\xC3\xA9\""},
    {"three_bytes", "\xE2\x82\xAC", "\"\xE2\x82\xAC\""},
    {"four_bytes", "\xF0\x9F\x98\x80", "\"\xF0\x9F\x98\x80\""},
    {"last_of_all", "\xF4\x8F\xBF\xBF", "\"\xF4\x8F\xBF\xBF\""},
    {"continuation_alone", "a\x80z", "\"a\xEF\xBF\xBDz\""},
    {"no_first_byte", "\xFFz", "\"\xEF\xBF\xBDz\""},
    {"cut_off", "\xE2\x82", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"cut_off_by_a_letter", "\xC3z", "\"\xEF\xBF\xBDz\""},
    {"too_long_slash", "\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"too_long_of_three", "\xE0\x80\xAF",
        "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"surrogate", "\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"above_the_last", "\xF4\x90\x80\x80",
        "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
};

static void text_row(void **state)
{
    const struct text_row *row = *state;
    void *memory = talloc_new(NULL);

    assert_string_equal(text_of(memory, print_text, row->text), row->want);
    talloc_free(memory);
}

static void print_document(const void *argument, FILE *out)
{
    struct json_out json = {.out = out};

    (void)argument;
    json_out_object(&json, NULL);
    json_out_array(&json, "empty");
    json_out_array_end(&json);
    json_out_object(&json, "object");
    json_out_object_end(&json);
    json_out_array(&json, "list");
    json_out_number(&json, NULL, 0);
    json_out_number(&json, NULL, UINT64_MAX);
    json_out_object(&json, NULL);
    json_out_bool(&json, "yes", true);
    json_out_bool(&json, "no", false);
    json_out_object_end(&json);
    json_out_string(&json, NULL, "x");
    json_out_array_end(&json);
    json_out_null(&json, "null");
    json_out_string_or_null(&json, "none", NULL);
    json_out_string_or_null(&json, "\"", "some");
    json_out_object_end(&json);
    json_out_array(&json, NULL);
    json_out_array_end(&json);
}

static void values_have_commas_between_them(void **state)
{
    void *memory = talloc_new(NULL);

    (void)state;
    assert_string_equal(text_of(memory, print_document, NULL),
        "{\"empty\":[],\"object\":{},\"list\":[0,18446744073709551615,"
        "{\"yes\":true,\"no\":false},\"x\"],\"null\":null,\"none\":null,"
        "\"\\\"\":\"some\"}\n[]\n");
    talloc_free(memory);
}

TEST_FILE(test_json_out)
{
    TEST_ADD_ROWS(list, text_row, text_rows);
    test_add(list, "values_have_commas_between_them",
        values_have_commas_between_them, NULL);
}
