/* test_shell_word.c - a shell reads one word, which is the text. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/text/shell_word.h"
#include "tests/runner/text_file.h"

static struct row {
    const char *name;
    const char *text;
    const char *want;
} word_rows[] = {
    {"plain_word", "a/b-c_d.yaml", "a/b-c_d.yaml"},
    {"nothing", "", "''"},
    {"blank", "a b", "'a b'"},
    {"quote", "a'b", "'a'\\''b'"},
    {"escape", "a\x1B[2J", "$'a\\033[2J'"},
    {"quote_beside_an_end_of_line", "'\n1\\", "$'\\'\\0121\\\\'"},
    {"byte_that_is_no_utf8",
        "\xFF"
        "7",
        "$'\\3777'"},
    {"turned_direction", "\xE2\x80\xAE", "$'\\342\\200\\256'"},
    {"command_of_a_log", "##[error]", "$'#\\043[error]'"},
};

static void print_word(const void *argument, FILE *out)
{
    shell_word_print(argument, out);
}

static void word_row(void **state)
{
    const struct row *row = *state;
    void *memory = talloc_new(NULL);

    assert_string_equal(text_of(memory, print_word, row->text), row->want);
    talloc_free(memory);
}

TEST_FILE(test_shell_word)
{
    TEST_ADD_ROWS(list, word_row, word_rows);
}
