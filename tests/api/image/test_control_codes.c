/* test_control_codes.c - control codes that machine code compares with, as
 * compilers write that. */
#include "api/image/control_codes.h"

#include <stdio.h>

#include "tests/api/pe/pe_builder.h"
#include "tests/rows.h"

enum { AT_TEXT = 0x400, TEXT_BYTES = 0x40 };

static struct code_row {
    const char *name;
    uint8_t code[32];
    const char *want;
} code_rows[] = {
    {"equal_to_a_code", {0x3D, 0x00, 0xE0, 0x22, 0x00, 0x74, 0x00}, "22E000 "},
    {"equal_in_another_register",
        {0x81, 0xF9, 0x84, 0x20, 0x40, 0x9C, 0x75, 0x00}, "9C402084 "},
    {"above_a_bound_is_no_code", {0x3D, 0x03, 0xE0, 0x22, 0x00, 0x77, 0x00},
        ""},
    {"above_and_then_equal",
        {0x3D, 0x04, 0xE0, 0x22, 0x00, 0x77, 0x00, 0x74, 0}, "22E004 "},
    {"subtracted_one_after_another",
        {0x2D, 0x00, 0xE0, 0x22, 0x00, 0x74, 0x00, 0x83, 0xE8, 0x04, 0x74, 0x00,
            0x83, 0xE8, 0x08, 0x74, 0x00},
        "22E000 22E004 22E00C "},
    {"table_of_jumps_behind_a_subtraction",
        {0x8D, 0x88, 0x00, 0x20, 0xDD, 0xFF, 0x83, 0xF9, 0x08, 0x77, 0x00},
        "22E000 22E004 22E008 "},
    {"table_of_jumps_behind_a_rotation",
        {0x05, 0x00, 0x20, 0xDD, 0xFF, 0xC1, 0xC8, 0x02, 0x83, 0xF8, 0x01, 0x77,
            0x00},
        "22E000 22E004 "},
    {"table_of_jumps_behind_the_other_rotation",
        {0x05, 0x00, 0x20, 0xDD, 0xFF, 0xC1, 0xC0, 0x1E, 0x83, 0xF8, 0x01, 0x77,
            0x00},
        "22E000 22E004 "},
    {"table_of_jumps_behind_a_shift",
        {0x05, 0x00, 0x20, 0xDD, 0xFF, 0xC1, 0xE8, 0x03, 0x83, 0xF8, 0x01, 0x77,
            0x00},
        "22E000 22E004 22E008 "},
    {"table_of_jumps_after_a_return_is_of_nothing",
        {0x2D, 0x00, 0xE0, 0x22, 0x00, 0xC3, 0x83, 0xF8, 0x08, 0x77, 0x00}, ""},
    {"a_branch_behind_a_subtraction_has_no_table",
        {0x2D, 0x00, 0xE0, 0x22, 0x00, 0x83, 0xF8, 0x08, 0x83, 0xE8, 0x04, 0x77,
            0x00},
        ""},
    {"table_of_jumps_after_no_instruction_is_of_nothing",
        {0x2D, 0x00, 0xE0, 0x22, 0x00, 0x06, 0x83, 0xF8, 0x08, 0x77, 0x00}, ""},
    {"equal_after_no_instruction_is_no_code",
        {0x3D, 0x00, 0xE0, 0x22, 0x00, 0x06, 0x74, 0x00}, ""},
    {"equal_after_a_return_is_no_code",
        {0x3D, 0x00, 0xE0, 0x22, 0x00, 0xC3, 0x74, 0x00}, ""},
    {"first_functions_of_a_vendor", {0x3D, 0x04, 0x20, 0x22, 0x00, 0x74, 0x00},
        "222004 "},
    {"function_below_a_vendors", {0x3D, 0xFC, 0x1F, 0x22, 0x00, 0x74, 0x00},
        ""},
    {"status", {0x3D, 0x05, 0x00, 0x00, 0xC0, 0x74, 0x00}, ""},
    {"device_that_is_none", {0x3D, 0x00, 0xE0, 0x61, 0x00, 0x74, 0x00}, ""},
    {"small_negative_number", {0x3D, 0xE0, 0xFF, 0xFF, 0xFF, 0x74, 0x00}, ""},
    {"same_code_once",
        {0x3D, 0x00, 0xE0, 0x22, 0x00, 0x74, 0x00, 0x3D, 0x00, 0xE0, 0x22, 0x00,
            0x75, 0x00},
        "22E000 "},
    {"bytes_that_are_no_instruction",
        {0x06, 0x06, 0x3D, 0x00, 0xE0, 0x22, 0x00, 0x74, 0x00}, "22E000 "},
};

static void code_row(void **state)
{
    static struct control_code code[CONTROL_CODES_MAX];
    const struct code_row *row = *state;
    struct pe_image file = image_build();
    char text[100] = "";
    size_t count, length = 0;

    memset(file.bytes + AT_TEXT, 0xC3, TEXT_BYTES);
    memcpy(file.bytes + AT_TEXT, row->code, sizeof(row->code));
    count = control_codes_find(file.bytes, file.size, code);
    for (size_t i = 0; i < count; i++) {
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%X ",
            (unsigned)code[i].code);
    }
    assert_string_equal(text, row->want);
    free(file.bytes);
}

static void what_is_no_image_has_none(void **state)
{
    static struct control_code code[CONTROL_CODES_MAX];

    (void)state;
    assert_int_equal(control_codes_find((const uint8_t *)"MZ", 2, code), 0);
}

static void code_is_in_a_function(void **state)
{
    static struct control_code code[CONTROL_CODES_MAX];
    static const uint8_t bytes[] = {
        0x90, 0x3D, 0x00, 0xE0, 0x22, 0x00, 0x74, 0};
    struct pe_image file = image_build_stripped();

    (void)state;
    memset(file.bytes + AT_TEXT, 0xC3, TEXT_BYTES);
    memcpy(file.bytes + AT_TEXT, bytes, sizeof(bytes));
    assert_int_equal(control_codes_find(file.bytes, file.size, code), 1);
    assert_string_equal(code[0].function, "0x1006");
    free(file.bytes);
}

TEST_FILE(test_control_codes)
{
    TEST_ADD_ROWS(list, code_row, code_rows);
    test_add(
        list, "what_is_no_image_has_none", what_is_no_image_has_none, NULL);
    test_add(list, "code_is_in_a_function", code_is_in_a_function, NULL);
}
