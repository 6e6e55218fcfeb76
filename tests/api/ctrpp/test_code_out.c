/* test_code_out.c - names as literals: what a compiler reads is what the
 * manifest says, whatever is in it. */
#include "tests/rows.h"

#include <talloc.h>

#include "api/ctrpp/code_out.h"

static struct row {
    const char *name;
    const char *text;
    const char *wide, *message, *resource, *comment;
} rows[] = {
    {"empty", "", "L\"\"", "", "L\"\"", ""},
    {"plain", "Reads/sec 100%", "L\"Reads/sec 100%\"", "Reads/sec 100%",
        "L\"Reads/sec 100%\"", "Reads/sec 100%"},
    {"quotes", "a\"b", "L\"a\\\"b\"", "a\\\"b", "L\"a\"\"b\"", "a\"b"},
    {"backslash", "a\\n", "L\"a\\\\n\"", "a\\\\n", "L\"a\\\\n\"", "a_n"},
    {"tab", "a\tb", "L\"a\\011b\"", "a b", "L\"a\\x0009b\"", "a_b"},
    {"line", "a\nb", "L\"a\\012b\"", "a b", "L\"a\\x000Ab\"", "a_b"},
    {"delete",
        "a\x7F"
        "b",
        "L\"a\\177b\"", "a b", "L\"a\\x007Fb\"", "a_b"},
    {"one_question", "a?b", "L\"a?b\"", "a?b", "L\"a?b\"", "a_b"},
    {"trigraph", "\?\?/", "L\"?\\?/\"", "?\\?/", "L\"?\\x003F/\"", "__/"},
    {"control",
        "\xC2\x85"
        "1",
        "L\"\\2051\"", " 1", "L\"\\x00851\"", "_1"},
    {"first_universal", "\xC2\xA0", "L\"\\u00A0\"", "\\u00A0", "L\"\\x00A0\"",
        "_"},
    {"bmp",
        "\xE2\x82\xAC"
        "f",
        "L\"\\u20ACf\"", "\\u20ACf", "L\"\\x20ACf\"", "_f"},
    {"last_of_bmp", "\xEF\xBF\xBF", "L\"\\uFFFF\"", "\\uFFFF", "L\"\\xFFFF\"",
        "_"},
    {"first_above", "\xF0\x90\x80\x80", "L\"\\U00010000\"", "\\U00010000",
        "L\"\\xD800\\xDC00\"", "_"},
    {"last", "\xF4\x8F\xBF\xBF", "L\"\\U0010FFFF\"", "\\U0010FFFF",
        "L\"\\xDBFF\\xDFFF\"", "_"},
    {"end_of_comment", "a*/b", "L\"a*/b\"", "a*/b", "L\"a*/b\"", "a*_b"},
    {"start_of_comment", "/*/", "L\"/*/\"", "/*/", "L\"/*/\"", "/__"},
};

static void literals_of_row(void **state)
{
    const struct row *row = *state;
    void *context = talloc_new(NULL);
    struct code_out wide = code_out_new(context),
                    message = code_out_new(context);
    struct code_out resource = code_out_new(context),
                    comment = code_out_new(context);

    code_out_add_wide(&wide, row->text);
    code_out_add_message(&message, row->text);
    code_out_add_resource(&resource, row->text);
    code_out_add_comment(&comment, row->text);

    assert_string_equal(wide.text, row->wide);
    assert_string_equal(message.text, row->message);
    assert_string_equal(resource.text, row->resource);
    assert_string_equal(comment.text, row->comment);
    talloc_free(context);
}

/* A file's name need not be text. */
static void a_comment_takes_any_bytes(void **state)
{
    struct code_out output = code_out_new(NULL);

    (void)state;
    code_out_add_comment(&output, "a\xFF\x80.man");
    assert_string_equal(output.text, "a_.man");
    talloc_free(output.text);
}

TEST_FILE(test_code_out)
{
    TEST_ADD_ROWS(list, literals_of_row, rows);
    test_add(
        list, "a_comment_takes_any_bytes", a_comment_takes_any_bytes, NULL);
}
