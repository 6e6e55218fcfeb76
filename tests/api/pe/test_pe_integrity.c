/* test_pe_integrity.c - what of an image memory integrity would have otherwise:
 * one number of a sound one is changed. CI-03 CI-05 CI-06 CI-07 */
#include "api/pe/pe_integrity.h"

#include <stdio.h>

#include "tests/api/pe/read_image.h"

/* Offsets in the file. */
enum {
    TEXT_FLAGS = AT_SECTIONS + 36,
    RDATA_FLAGS = AT_SECTIONS + 40 + 36,
    INIT_FLAGS = AT_SECTIONS + 5 * 40 + 36,
    DLL_FLAGS = AT_OPTIONAL_HEADER + 70,
    COOKIE_FIELD = AT_LOAD_CONFIG + 0x58,
    CHECK_FIELD = AT_LOAD_CONFIG + 0x70,
    TABLE_FIELD = AT_LOAD_CONFIG + 0x80,
    COUNT_FIELD = AT_LOAD_CONFIG + 0x88,
    LOAD_CONFIG_DIRECTORY = AT_DIRECTORIES + 80,
};

static struct integrity_row {
    const char *name;
    uint32_t offset;
    unsigned width;
    uint64_t value;
    const char *want; /* kind:section or why, each with a blank behind */
} integrity_rows[] = {
    {"nothing_of_a_sound_image", DLL_FLAGS, 2, 0x4160, ""},
    {"code_that_can_be_written", TEXT_FLAGS, 4, 0xE0000020, "0:.text "},
    {"code_of_init_that_can_be_written", INIT_FLAGS, 4, 0xE2000020, "0:INIT "},
    {"constants_with_the_import_slots_that_are_code", RDATA_FLAGS, 4,
        0x60000040, "1:.rdata "},
    {"import_slots_in_the_first_section", AT_IMPORTS + 16, 4, 0x1000,
        "1:.text "},
    {"first_import_slot_at_the_end_of_code", AT_IMPORTS + 16, 4, 0x6FF8,
        "1:PAGE 1:INIT "},
    {"both_of_one_section", RDATA_FLAGS, 4, 0xE0000040, "0:.rdata 1:.rdata "},
    {"no_load_configuration", LOAD_CONFIG_DIRECTORY, 4, 0,
        "2:it has no load configuration "
        "3:it has no load configuration "},
    {"no_cookie_field", COOKIE_FIELD, 8, 0,
        "2:its load configuration names none "},
    {"cookie_of_0", AT_DATA, 8, 0, "2:it is 0 in the file "},
    {"cookie_that_is_not_in_the_file", COOKIE_FIELD, 8, BUILT_BASE + 0x3800,
        "2:it is 0 in the file "},
    {"cookie_of_one_bit", AT_DATA, 8, UINT64_C(1) << 40, ""},
    {"header_without_the_flag", DLL_FLAGS, 2, 0x0160,
        "3:its header does not say that it has it "},
    {"no_check_function", CHECK_FIELD, 8, 0,
        "3:its load configuration names no check function "},
    {"no_table", TABLE_FIELD, 8, 0,
        "3:its load configuration has no table of functions "},
    {"empty_table", COUNT_FIELD, 8, 0,
        "3:its load configuration has no table of functions "},
};

static void integrity_row(void **state)
{
    const struct integrity_row *row = *state;
    struct pe_finding finding[PE_FINDINGS_MAX];
    struct pe_image file = image_build();
    struct read_image read;
    char text[200] = "";
    size_t count, length = 0;

    image_put(&file, AT_DATA, 8, UINT64_C(0x00002B992DDFA232));
    image_put(&file, TABLE_FIELD, 8, BUILT_BASE + 0x2240);
    image_put(&file, COUNT_FIELD, 8, 3);
    image_put(&file, row->offset, row->width, row->value);
    read_built(&read, file);
    count = pe_integrity(&read.pe, finding);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(finding[i].section == NULL,
            finding[i].kind == PE_COOKIE || finding[i].kind == PE_CONTROL_FLOW);
        length += (size_t)snprintf(text + length, sizeof(text) - length,
            "%u:%s ", (unsigned)finding[i].kind,
            finding[i].section == NULL ? finding[i].why
                                       : finding[i].section->name);
    }
    assert_string_equal(text, row->want);
    read_end(&read);
}

TEST_FILE(test_pe_integrity)
{
    TEST_ADD_ROWS(list, integrity_row, integrity_rows);
}
