/* test_drive_request.c - requests as a command line has them. */
#include "scenarios/runner/command_line/drive_request.h"

#include <stdio.h>
#include <string.h>

#include "tests/rows.h"

static struct request_row {
    const char *name, *text, *want;
} request_rows[] = {
    {"code_alone", "0x22E000", "22E000 '' 256"},
    {"decimal_code", "2285568", "22E000 '' 256"},
    {"largest_code", "0xFFFFFFFF", "FFFFFFFF '' 256"},
    {"with_input", "0x22E000:01fF", "22E000 '01fF' 256"},
    {"with_no_input", "0x22E000:", "22E000 '' 256"},
    {"with_output", "0x22E000:00:16", "22E000 '00' 16"},
    {"with_output_alone", "0x22E000::0", "22E000 '' 0"},
    {"largest_output", "1::1048576", "1 '' 1048576"},
    {"word", "IOCTL_X", "a control code is"},
    {"nothing", "", "a control code is"},
    {"negative_code", "-1", "a control code is"},
    {"code_of_33_bits", "0x100000000", "a control code is"},
    {"half_a_byte", "0x22E000:123", "the input behind"},
    {"blank_in_the_input", "0x22E000:12 34", "the input behind"},
    {"output_that_is_no_number", "0x22E000:12:x", "the size of"},
    {"output_of_nothing", "0x22E000:12:", "the size of"},
    {"output_too_large", "0x22E000::1048577", "the size of"},
    {"more_behind_it", "0x22E000::1:2", "the size of"},
};

static void request_row(void **state)
{
    const struct request_row *row = *state;
    struct drive_request request;
    const char *why = "";
    char text[60];

    if (drive_request_read(row->text, &request, &why)) {
        snprintf(text, sizeof(text), "%X '%.*s' %u", (unsigned)request.code,
            (int)request.digits, request.hex, (unsigned)request.output);
    } else {
        snprintf(text, sizeof(text), "%.*s", (int)strlen(row->want), why);
    }
    assert_string_equal(text, row->want);
}

static void more_input_than_can_be_given(void **state)
{
    static char text[9000] = "1:";
    struct drive_request request;
    const char *why = "";

    (void)state;
    memset(text + 2, 'a', 8192);
    assert_true(drive_request_read(text, &request, &why));
    memset(text + 2, 'a', 8194);
    assert_false(drive_request_read(text, &request, &why));
    assert_non_null(strstr(why, "4096 bytes"));
}

TEST_FILE(test_drive_request)
{
    TEST_ADD_ROWS(list, request_row, request_rows);
    test_add(list, "more_input_than_can_be_given", more_input_than_can_be_given,
        NULL);
}
