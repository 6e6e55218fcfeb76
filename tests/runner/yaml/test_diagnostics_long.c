/* test_diagnostics_long.c - what is shown of long lines, and of many errors. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/text_file.h"

#define X20 "xxxxxxxxxxxxxxxxxxxx"
#define X100 X20 X20 X20 X20 X20
#define B20 "                    " /* blanks */
#define B120 B20 B20 B20 B20 B20 B20
#define T20 "~~~~~~~~~~~~~~~~~~~~"
#define E20                                                                    \
    "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9" \
    "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9" \
    "\xC3\xA9\xC3\xA9"
#define E100 E20 E20 E20 E20 E20

/* One error in a file of one line; what follows the line with its message. */
static struct cut_row {
    const char *name;
    const char *text;
    size_t column, width;
    const char *want;
} cut_rows[] = {
    {"line_of_320_characters_is_whole", X100 X100 X100 X20, 1, 1,
        "    1 | " X100 X100 X100 X20 "\n"
        "      | ^\n"},
    {"line_of_321_characters_is_cut_behind_320", X100 X100 X100 X20 "y", 1, 1,
        "    1 | " X100 X100 X100 X20 "...\n"
        "      | ^\n"},
    {"place_behind_180_characters_is_shown_with_them_all",
        X100 X20 X20 X20 X20 "Y", 181, 1,
        "    1 | " X100 X20 X20 X20 X20 "Y\n"
        "      | " B120 B20 B20 B20 "^\n"},
    {"place_behind_181_characters_is_shown_with_120", X100 X20 X20 X20 X20 "xY",
        182, 1,
        "    1 | ..." X100 X20 "Y\n"
        "      |    " B120 "^\n"},
    {"line_is_cut_on_both_sides_of_the_place", X100 X100 "Y" X100 X100, 201, 1,
        "    1 | ..." X100 X20 "Y" X100 X20 X20 X20 X20 "xxxxxxxxxxxxxxxxxxx"
        "...\n"
        "      |    " B120 "^\n"},
    {"rest_of_the_line_fits_to_the_character",
        X100 X100 "Y" X100 X20 X20 X20 X20 "xxxxxxxxxxxxxxxxxxx", 201, 1,
        "    1 | ..." X100 X20 "Y" X100 X20 X20 X20 X20 "xxxxxxxxxxxxxxxxxxx"
        "\n"
        "      |    " B120 "^\n"},
    {"underline_ends_where_the_line_is_cut", X100 X100 X100 X100 X100, 201, 300,
        "    1 | ..." X100 X100 X100 X20 "...\n"
        "      |    " B120 "^" T20 T20 T20 T20 T20 T20 T20 T20
        "~~~~~~~~~~~~~~~~~~~" T20 "\n"},
    {"characters_are_cut_not_bytes", E100 E100 "Y", 201, 1,
        "    1 | ..." E100 E20 "Y\n"
        "      |    " B120 "^\n"},
    {"long_line_of_characters_is_cut_between_them", "Y" E100 E100 E100 E20 E20,
        1, 1,
        "    1 | Y" E100 E100 E100
        "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
        "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
        "\xC3\xA9\xC3\xA9\xC3\xA9...\n"
        "      | ^\n"},
};

static void cut_row(void **state)
{
    const struct cut_row *row = *state;
    struct text_file file;
    const char *errors;

    text_file_init(&file, row->text);
    diagnostics_add(file.diagnostics, DIAGNOSTIC_UNKNOWN_NAME, file.source,
        (struct mark){1, row->column}, row->width, "wrong");
    errors = strchr(text_file_errors(&file), '\n') + 1;
    assert_string_equal(errors, row->want);
    text_file_release(&file);
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = strstr(text, part); at != NULL;
         at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* So many errors in one file, each with a note; the last ones of its lines are
 * found first. */
static struct many_row {
    const char *name;
    size_t errors;
    size_t want_printed;
    const char *want_end; /* of what is printed */
} many_rows[] = {
    {"two_hundred_errors_are_printed", 200, 200, "      | ^\n"},
    {"one_more_is_summed_up", 201, 200, "      | ^\nand 1 error more\n"},
    {"thousands_are_summed_up", 5000, 200, "      | ^\nand 4800 errors more\n"},
};

static void many_row(void **state)
{
    const struct many_row *row = *state;
    struct text_file file;
    const char *errors;
    char *text = malloc(row->errors + 1);

    assert_non_null(text);
    memset(text, '\n', row->errors);
    text[row->errors] = '\0';
    text_file_init(&file, text);
    for (size_t i = row->errors; i > 0; i--) {
        diagnostics_add(file.diagnostics, DIAGNOSTIC_TAG, file.source,
            (struct mark){i, 1}, 1, "wrong");
        diagnostics_add(file.diagnostics, DIAGNOSTIC_NOTE, file.source,
            (struct mark){1, 1}, 1, "more about it");
    }
    errors = text_file_errors(&file);
    assert_int_equal(diagnostics_errors(file.diagnostics), row->errors);
    assert_int_equal(occurrences(errors, "error[NTP0106]"), row->want_printed);
    assert_int_equal(occurrences(errors, "note: "), row->want_printed);
    assert_true(text_begins(errors, "t.yaml:1:1: error[NTP0106]: wrong\n"));
    assert_non_null(strstr(errors, "t.yaml:200:1: error[NTP0106]"));
    assert_null(strstr(errors, "t.yaml:201:1: error[NTP0106]"));
    assert_string_equal(
        errors + strlen(errors) - strlen(row->want_end), row->want_end);
    text_file_release(&file);
    free(text);
}

TEST_FILE(test_diagnostics_long)
{
    TEST_ADD_ROWS(list, cut_row, cut_rows);
    TEST_ADD_ROWS(list, many_row, many_rows);
}
