/* test_diagnostics.c - errors as they are printed: place, code, line, caret,
 * hint, and their order. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/text_file.h"

/* One error with a hint, in a file of one line. */
static struct caret_row {
    const char *name;
    const char *text;
    size_t column, width;
    const char *want;
} caret_rows[] = {
    {"caret_stands_below_the_first_character", "status: X", 1, 1,
        "t.yaml:1:1: error[NTP0203]: wrong\n"
        "    1 | status: X\n"
        "      | ^ right\n"},
    {"caret_is_followed_by_a_line_as_wide_as_the_value", "status: STATUS_X", 9,
        8,
        "t.yaml:1:9: error[NTP0203]: wrong\n"
        "    1 | status: STATUS_X\n"
        "      |         ^~~~~~~~ right\n"},
    {"width_0_is_one_character", "status: X", 9, 0,
        "t.yaml:1:9: error[NTP0203]: wrong\n"
        "    1 | status: X\n"
        "      |         ^ right\n"},
    {"letter_of_two_bytes_is_one_column", "\xC3\xA9\xC3\xA9: X", 5, 1,
        "t.yaml:1:5: error[NTP0203]: wrong\n"
        "    1 | \xC3\xA9\xC3\xA9: X\n"
        "      |     ^ right\n"},
    {"wide_character_is_two_columns", "\xE6\xBC\xA2: XY", 4, 2,
        "t.yaml:1:4: error[NTP0203]: wrong\n"
        "    1 | \xE6\xBC\xA2: XY\n"
        "      |     ^~ right\n"},
    {"line_below_wide_characters_is_as_wide_as_they",
        "a: \xE6\xBC\xA2\xE5\xAD\x97", 4, 2,
        "t.yaml:1:4: error[NTP0203]: wrong\n"
        "    1 | a: \xE6\xBC\xA2\xE5\xAD\x97\n"
        "      |    ^~~~ right\n"},
    {"tab_is_one_column_and_printed_as_a_space", "a:\tX", 4, 1,
        "t.yaml:1:4: error[NTP0203]: wrong\n"
        "    1 | a: X\n"
        "      |    ^ right\n"},
    {"value_longer_than_its_line_ends_with_it", "a: XY", 4, 80,
        "t.yaml:1:4: error[NTP0203]: wrong\n"
        "    1 | a: XY\n"
        "      |    ^~ right\n"},
    {"place_behind_the_line_has_its_caret_there", "a:", 3, 1,
        "t.yaml:1:3: error[NTP0203]: wrong\n"
        "    1 | a:\n"
        "      |   ^ right\n"},
    {"empty_file_has_an_empty_line", "", 1, 1,
        "t.yaml:1:1: error[NTP0203]: wrong\n"
        "    1 | \n"
        "      | ^ right\n"},
};

static void caret_row(void **state)
{
    const struct caret_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    diagnostics_add(file.diagnostics, DIAGNOSTIC_UNKNOWN_NAME, file.source,
        (struct mark){1, row->column}, row->width, "%s", "wrong");
    diagnostics_hint(file.diagnostics, "%s", "right");
    assert_string_equal(text_file_errors(&file), row->want);
    text_file_release(&file);
}

static struct code_row {
    const char *name;
    enum diagnostic_code code;
    const char *want;
} code_rows[] = {
    {"unreadable_is_0101", DIAGNOSTIC_UNREADABLE, "NTP0101"},
    {"encoding_is_0102", DIAGNOSTIC_ENCODING, "NTP0102"},
    {"syntax_is_0103", DIAGNOSTIC_SYNTAX, "NTP0103"},
    {"duplicate_key_is_0104", DIAGNOSTIC_DUPLICATE_KEY, "NTP0104"},
    {"anchor_is_0105", DIAGNOSTIC_ANCHOR, "NTP0105"},
    {"tag_is_0106", DIAGNOSTIC_TAG, "NTP0106"},
    {"document_is_0107", DIAGNOSTIC_DOCUMENT, "NTP0107"},
    {"empty_value_is_0108", DIAGNOSTIC_EMPTY_VALUE, "NTP0108"},
    {"limit_is_0109", DIAGNOSTIC_LIMIT, "NTP0109"},
    {"bad_key_is_0110", DIAGNOSTIC_BAD_KEY, "NTP0110"},
    {"control_is_0111", DIAGNOSTIC_CONTROL, "NTP0111"},
    {"not_a_scenario_is_0201", DIAGNOSTIC_NOT_A_SCENARIO, "NTP0201"},
    {"unknown_key_is_0202", DIAGNOSTIC_UNKNOWN_KEY, "NTP0202"},
    {"unknown_name_is_0203", DIAGNOSTIC_UNKNOWN_NAME, "NTP0203"},
    {"missing_key_is_0204", DIAGNOSTIC_MISSING_KEY, "NTP0204"},
    {"wrong_type_is_0205", DIAGNOSTIC_WRONG_TYPE, "NTP0205"},
    {"out_of_range_is_0206", DIAGNOSTIC_OUT_OF_RANGE, "NTP0206"},
    {"not_modelled_is_0207", DIAGNOSTIC_NOT_MODELLED, "NTP0207"},
    {"unknown_variable_is_0208", DIAGNOSTIC_UNKNOWN_VARIABLE, "NTP0208"},
    {"unused_is_0209", DIAGNOSTIC_UNUSED, "NTP0209"},
    {"no_expectation_is_0210", DIAGNOSTIC_NO_EXPECTATION, "NTP0210"},
    {"duplicate_id_is_0211", DIAGNOSTIC_DUPLICATE_ID, "NTP0211"},
    {"requirement_is_0212", DIAGNOSTIC_REQUIREMENT, "NTP0212"},
    {"impossible_is_0213", DIAGNOSTIC_IMPOSSIBLE, "NTP0213"},
    {"conflict_is_0214", DIAGNOSTIC_CONFLICT, "NTP0214"},
    {"no_effect_is_0215", DIAGNOSTIC_NO_EFFECT, "NTP0215"},
};

static void code_row(void **state)
{
    const struct code_row *row = *state;
    struct text_file file;
    char want[40];

    text_file_init(&file, "a");
    diagnostics_add(file.diagnostics, row->code, file.source,
        (struct mark){1, 1}, 1, "%s", "wrong");
    snprintf(want, sizeof(want), "t.yaml:1:1: error[%s]: wrong\n", row->want);
    text_file_assert_errors(&file, want);
    text_file_release(&file);
}

static void error_without_a_hint_ends_at_its_line(void **state)
{
    struct text_file file;

    (void)state;
    text_file_init(&file, "one\ntwo\n");
    diagnostics_add(file.diagnostics, DIAGNOSTIC_LIMIT, file.source,
        (struct mark){2, 1}, 3, "more than %d", 32);
    assert_string_equal(text_file_errors(&file),
        "t.yaml:2:1: error[NTP0109]: more than 32\n"
        "    2 | two\n"
        "      | ^~~\n");
    text_file_release(&file);
}

static void line_numbers_take_five_columns(void **state)
{
    struct text_file file;
    char *text;

    (void)state;
    text_file_init(&file, "");
    text = talloc_array(file.memory, char, 12345);
    memset(text, '\n', 12344);
    text[12344] = 'x';
    file.source = source_from_text(file.memory, "t.yaml", text, 12345);
    diagnostics_add(file.diagnostics, DIAGNOSTIC_TAG, file.source,
        (struct mark){12345, 1}, 1, "wrong");
    assert_string_equal(text_file_errors(&file),
        "t.yaml:12345:1: error[NTP0106]: wrong\n"
        "12345 | x\n"
        "      | ^\n");
    text_file_release(&file);
}

static void error_about_a_file_has_no_line(void **state)
{
    struct text_file file;

    (void)state;
    text_file_init(&file, "");
    diagnostics_add_file(file.diagnostics, DIAGNOSTIC_UNREADABLE,
        "some/where.yaml", "is not a %s file", "regular");
    assert_string_equal(text_file_errors(&file),
        "some/where.yaml: error[NTP0101]: is not a regular file\n");
    text_file_release(&file);
}

static void error_about_a_file_may_have_a_hint(void **state)
{
    struct text_file file;

    (void)state;
    text_file_init(&file, "");
    diagnostics_add_file(file.diagnostics, DIAGNOSTIC_NOT_A_SCENARIO, "x.yaml",
        "the file is not a scenario");
    diagnostics_hint(file.diagnostics, "its first key must be ntpmu: 1");
    assert_string_equal(text_file_errors(&file),
        "x.yaml: error[NTP0201]: the file is not a scenario\n"
        "      = its first key must be ntpmu: 1\n");
    text_file_release(&file);
}

static void note_follows_its_error_wherever_it_points(void **state)
{
    struct text_file file;

    (void)state;
    text_file_init(&file, "a: 1\nb: 2\na: 3\n");
    diagnostics_add(file.diagnostics, DIAGNOSTIC_DUPLICATE_KEY, file.source,
        (struct mark){3, 1}, 1, "duplicate key '%s'", "a");
    diagnostics_add(file.diagnostics, DIAGNOSTIC_NOTE, file.source,
        (struct mark){1, 1}, 1, "first defined here");
    diagnostics_add(file.diagnostics, DIAGNOSTIC_UNKNOWN_KEY, file.source,
        (struct mark){2, 1}, 1, "unknown key '%s'", "b");
    assert_string_equal(text_file_errors(&file),
        "t.yaml:2:1: error[NTP0202]: unknown key 'b'\n"
        "    2 | b: 2\n"
        "      | ^\n"
        "t.yaml:3:1: error[NTP0104]: duplicate key 'a'\n"
        "    3 | a: 3\n"
        "      | ^\n"
        "t.yaml:1:1: note: first defined here\n"
        "    1 | a: 1\n"
        "      | ^\n");
    text_file_release(&file);
}

static void add_at(
    struct text_file *file, size_t line, size_t column, const char *message)
{
    diagnostics_add(file->diagnostics, DIAGNOSTIC_TAG, file->source,
        (struct mark){line, column}, 1, "%s", message);
}

static void errors_are_in_order_of_their_place(void **state)
{
    struct text_file file;
    const char *errors;

    (void)state;
    text_file_init(&file, "abc\nabc\n");
    add_at(&file, 2, 1, "fourth");
    add_at(&file, 1, 3, "second");
    add_at(&file, 1, 3, "third");
    add_at(&file, 1, 1, "first");
    diagnostics_add_file(
        file.diagnostics, DIAGNOSTIC_UNREADABLE, "a.yaml", "before");
    errors = text_file_errors(&file);
    assert_true(text_begins(errors, "a.yaml: error[NTP0101]: before\n"));
    assert_true(strstr(errors, "before") < strstr(errors, "first"));
    assert_true(strstr(errors, "first") < strstr(errors, "second"));
    assert_true(strstr(errors, "second") < strstr(errors, "third"));
    assert_true(strstr(errors, "third") < strstr(errors, "fourth"));
    text_file_release(&file);
}

static void notes_are_no_errors(void **state)
{
    struct text_file file;

    (void)state;
    text_file_init(&file, "abc\n");
    assert_int_equal(diagnostics_errors(file.diagnostics), 0);
    add_at(&file, 1, 1, "wrong");
    diagnostics_add(file.diagnostics, DIAGNOSTIC_NOTE, file.source,
        (struct mark){1, 2}, 1, "more about it");
    assert_int_equal(diagnostics_errors(file.diagnostics), 1);
    assert_int_equal(file.diagnostics->count, 2);
    text_file_release(&file);
}

TEST_FILE(test_diagnostics)
{
    TEST_ADD_ROWS(list, caret_row, caret_rows);
    TEST_ADD_ROWS(list, code_row, code_rows);
    test_add(list, "error_without_a_hint_ends_at_its_line",
        error_without_a_hint_ends_at_its_line, NULL);
    test_add(list, "line_numbers_take_five_columns",
        line_numbers_take_five_columns, NULL);
    test_add(list, "error_about_a_file_has_no_line",
        error_about_a_file_has_no_line, NULL);
    test_add(list, "error_about_a_file_may_have_a_hint",
        error_about_a_file_may_have_a_hint, NULL);
    test_add(list, "note_follows_its_error_wherever_it_points",
        note_follows_its_error_wherever_it_points, NULL);
    test_add(list, "errors_are_in_order_of_their_place",
        errors_are_in_order_of_their_place, NULL);
    test_add(list, "notes_are_no_errors", notes_are_no_errors, NULL);
}
