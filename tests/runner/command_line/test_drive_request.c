/* test_drive_request.c - requests as a command line has them. */
#include "scenarios/runner/command_line/drive_request.h"

#include <stdio.h>
#include <string.h>

#include "tests/rows.h"

static struct request_row {
    const char *name, *text, *want;
    enum drive_request_kind kind;
} request_rows[] = {
    {"code_alone", "0x22E000", "22E000 '' 256@0", DRIVE_CONTROL},
    {"decimal_code", "2285568", "22E000 '' 256@0", DRIVE_CONTROL},
    {"largest_code", "0xFFFFFFFF", "FFFFFFFF '' 256@0", DRIVE_CONTROL},
    {"with_input", "0x22E000:01fF", "22E000 '01fF' 256@0", DRIVE_CONTROL},
    {"with_no_input", "0x22E000:", "22E000 '' 256@0", DRIVE_CONTROL},
    {"with_output", "0x22E000:00:16", "22E000 '00' 16@0", DRIVE_CONTROL},
    {"with_output_alone", "0x22E000::0", "22E000 '' 0@0", DRIVE_CONTROL},
    {"largest_output", "1::1048576", "1 '' 1048576@0", DRIVE_CONTROL},
    {"word", "IOCTL_X", "a control code is", DRIVE_CONTROL},
    {"nothing", "", "a control code is", DRIVE_CONTROL},
    {"negative_code", "-1", "a control code is", DRIVE_CONTROL},
    {"code_of_33_bits", "0x100000000", "a control code is", DRIVE_CONTROL},
    {"half_a_byte", "0x22E000:123", "the input behind", DRIVE_CONTROL},
    {"blank_in_the_input", "0x22E000:12 34", "the input behind", DRIVE_CONTROL},
    {"output_that_is_no_number", "0x22E000:12:x", "the size of", DRIVE_CONTROL},
    {"output_of_nothing", "0x22E000:12:", "the size of", DRIVE_CONTROL},
    {"output_too_large", "0x22E000::1048577", "the size of", DRIVE_CONTROL},
    {"more_behind_it", "0x22E000::1:2", "the size of", DRIVE_CONTROL},
    {"read", "16", "0 '' 16@0", DRIVE_READ},
    {"read_at_an_offset", "0x10:0x1000", "0 '' 16@1000", DRIVE_READ},
    {"read_of_nothing", "0", "0 '' 0@0", DRIVE_READ},
    {"largest_read", "1048576:0x7FFFFFFFFFFFFFFF",
        "0 '' 1048576@7FFFFFFFFFFFFFFF", DRIVE_READ},
    {"read_too_large", "1048577", "how much is read", DRIVE_READ},
    {"read_of_a_word", "all", "how much is read", DRIVE_READ},
    {"read_at_no_offset", "16:", "behind the colon", DRIVE_READ},
    {"read_at_a_word", "16:end", "behind the colon", DRIVE_READ},
    {"read_too_far", "16:0x8000000000000000", "behind the colon", DRIVE_READ},
    {"read_of_more", "16:1:2", "behind the colon", DRIVE_READ},
    {"write", "0aFF", "0 '0aFF' 0@0", DRIVE_WRITE},
    {"write_at_an_offset", "01:512", "0 '01' 0@200", DRIVE_WRITE},
    {"write_of_nothing", "", "what is written has", DRIVE_WRITE},
    {"write_of_nothing_anywhere", ":4", "what is written has", DRIVE_WRITE},
    {"write_of_half_a_byte", "012", "what is written is", DRIVE_WRITE},
    {"write_of_a_word", "text", "what is written is", DRIVE_WRITE},
    {"write_at_no_offset", "01:", "behind the colon", DRIVE_WRITE},
    {"write_at_a_word", "01:x", "behind the colon", DRIVE_WRITE},
};

static void request_row(void **state)
{
    const struct request_row *row = *state;
    struct drive_request request;
    const char *why = "";
    char text[60];

    if (drive_request_read(row->kind, row->text, &request, &why)) {
        assert_int_equal(request.kind, row->kind);
        snprintf(text, sizeof(text), "%X '%.*s' %u@%llX",
            (unsigned)request.code, (int)request.digits, request.hex,
            (unsigned)request.output, (unsigned long long)request.offset);
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
    assert_true(drive_request_read(DRIVE_CONTROL, text, &request, &why));
    memset(text + 2, 'a', 8194);
    assert_false(drive_request_read(DRIVE_CONTROL, text, &request, &why));
    assert_non_null(strstr(why, "4096 bytes"));
}

TEST_FILE(test_drive_request)
{
    TEST_ADD_ROWS(list, request_row, request_rows);
    test_add(list, "more_input_than_can_be_given", more_input_than_can_be_given,
        NULL);
}
