/* test_pe_tables.c - images that are refused for what their tables say. */
#include "tests/api/pe/pe_refusal.h"

enum {
    SECOND = AT_FUNCTIONS + 12, /* row of the function table */
};

static struct refusal_row import_rows[] = {
    {"routine_name_outside_of_the_image", {{AT_LOOKUP, 8, 0x7FFFFFF0}},
        AT_LOOKUP,
        "the name of a routine of ntoskrnl.exe, at 0x7ffffff0, is not a text "
        "that ends in its section"},
    {"routine_name_of_more_than_31_bits",
        {{AT_LOOKUP, 8, UINT64_C(0x4000000000002000)}}, AT_LOOKUP,
        "the name of a routine of ntoskrnl.exe, at 0x4000000000002000, is not "
        "a text that ends in its section"},
    {"routine_name_that_does_not_end",
        {{AT_LOOKUP, 8, 0x23F8}, {AT_RDATA + 0x3FA, 6, 0x414141414141}},
        AT_LOOKUP,
        "the name of a routine of ntoskrnl.exe, at 0x23f8, is not a text that "
        "ends in its section"},
    {"routine_name_that_is_empty", {{AT_RDATA + 0xB2, 1, 0}}, AT_LOOKUP,
        "the name of a routine of ntoskrnl.exe, at 0x20b0, is not a text that "
        "ends in its section"},
    {"routine_name_with_an_escape", {{AT_RDATA + 0xB3, 1, 0x1B}}, AT_LOOKUP,
        "the name of a routine of ntoskrnl.exe, at 0x20b0, is not a text that "
        "ends in its section"},
    {"routine_name_with_a_blank", {{AT_RDATA + 0xB3, 1, 0x20}}, AT_LOOKUP,
        "the name of a routine of ntoskrnl.exe, at 0x20b0, is not a text that "
        "ends in its section"},
    {"routine_name_with_a_delete", {{AT_RDATA + 0xB3, 1, 0x7F}}, AT_LOOKUP,
        "the name of a routine of ntoskrnl.exe, at 0x20b0, is not a text that "
        "ends in its section"},
    {"image_name_outside_of_the_image", {{AT_IMPORTS + 12, 4, 0xFFFFFFF0}},
        AT_IMPORTS + 12,
        "the name of an imported image, at 0xfffffff0, is not a text that ends "
        "in its section"},
    {"slots_in_no_section", {{AT_IMPORTS + 36, 4, 0xFFFFFFFC}}, AT_IMPORTS + 36,
        "the slot of HalAllocateHardwareCounters, at 0xfffffffc, is in no "
        "section"},
    {"imports_that_do_not_end",
        {{AT_IMPORTS, 4, 0x23F8}, {AT_RDATA + 0x3F8, 8, 0x20B0}}, AT_IMPORTS,
        "the list of imports of ntoskrnl.exe does not end in its section"},
    {"import_table_that_does_not_end", {{AT_DIRECTORIES + 8, 4, 0x23F0}},
        AT_DIRECTORIES + 8,
        "the import table at 0x23f0 does not end in its section"},
    {"bound_imports_without_names",
        {{AT_IMPORTS, 8, UINT64_C(0xFFFFFFFF00000000)}}, AT_IMPORTS,
        "the imports of ntoskrnl.exe are bound and their names are gone: link "
        "without /bind"},
    {"KMDF_import",
        {{AT_IMAGE_NAME, 8, UINT64_C(0x532E72644C666457)},
            {AT_IMAGE_NAME + 8, 4, 0x7379}},
        AT_IMPORTS + 12,
        "KMDF is not modelled: the driver imports WdfLdr.Sys, and would need "
        "all that WdfVersionBind gives it; only WDM drivers run here"},
};

static struct refusal_row function_rows[] = {
    {"function_table_of_half_a_row", {{AT_DIRECTORIES + 28, 4, 0x2A}},
        AT_DIRECTORIES + 24,
        "the function table (0x2a bytes at 0x5000) is not in the file or not "
        "made of rows of 12 bytes"},
    {"function_table_past_the_file", {{AT_DIRECTORIES + 28, 4, 0x204}},
        AT_DIRECTORIES + 24,
        "the function table (0x204 bytes at 0x5000) is not in the file or not "
        "made of rows of 12 bytes"},
    {"functions_out_of_order", {{SECOND, 4, 0x1008}}, SECOND,
        "the function table is not sorted: 0x1008 follows one that ends at "
        "0x1010"},
    {"function_that_ends_before_it_begins", {{SECOND + 4, 4, 0x1010}}, SECOND,
        "the function table has 0x1010 to 0x1010, which is not in an "
        "executable section"},
    {"function_in_data", {{SECOND, 8, UINT64_C(0x201000002000)}}, SECOND,
        "the function table has 0x2000 to 0x2010, which is not in an "
        "executable section"},
    {"function_into_the_next_section", {{SECOND + 4, 4, 0x2004}}, SECOND,
        "the function table has 0x1010 to 0x2004, which is not in an "
        "executable section"},
    {"unwind_information_off_its_alignment", {{SECOND + 8, 4, 0x2102}},
        SECOND + 8,
        "the unwind information of 0x1010, at 0x2102, is not aligned to 4 or "
        "not in the file"},
    {"unwind_information_outside_of_the_image", {{SECOND + 8, 4, 0xFFFFFFFC}},
        SECOND + 8,
        "the unwind information of 0x1010, at 0xfffffffc, is not aligned to 4 "
        "or not in the file"},
    {"unwind_information_of_three_bytes",
        {{AT_SECTIONS + 40 + 16, 4, 0x3FF}, {SECOND + 8, 4, 0x23FC}},
        SECOND + 8,
        "the unwind information of 0x1010, at 0x23fc, is not aligned to 4 or "
        "not in the file"},
    {"unwind_information_of_version_3", {{AT_UNWIND + 16, 1, 0x23}}, SECOND + 8,
        "the unwind information of 0x1010, at 0x2110, is of an unknown "
        "version"},
    {"unwind_information_past_its_section",
        {{SECOND + 8, 4, 0x23F8}, {AT_RDATA + 0x3F8, 4, 0x030001}}, SECOND + 8,
        "the unwind information of 0x1010, at 0x23f8, goes beyond its "
        "section"},
    {"unwind_information_chained_and_with_a_handler",
        {{AT_UNWIND + 16, 1, 0x29}}, SECOND + 8,
        "the unwind information of 0x1010, at 0x2110, has flags that exclude "
        "each other or are unknown"},
    {"unwind_information_chained_to_itself", {{AT_UNWIND + 28, 4, 0x2110}},
        SECOND + 8,
        "the unwind information of 0x1010, at 0x2110, is chained more than 32 "
        "times"},
    {"unwind_information_chained_to_data", {{AT_UNWIND + 20, 4, 0x3000}},
        SECOND + 8,
        "the unwind information of 0x1010, at 0x2110, is chained to something "
        "outside of code"},
    {"unwind_information_chained_to_nothing", {{AT_UNWIND + 20, 4, 0x1010}},
        SECOND + 8,
        "the unwind information of 0x1010, at 0x2110, is chained to something "
        "outside of code"},
    {"handler_in_data", {{AT_UNWIND + 12, 4, 0x3000}}, AT_FUNCTIONS + 32,
        "the unwind information of 0x6000, at 0x2108, has a handler outside of "
        "code"},
};

static struct refusal_row export_rows[] = {
    {"export_table_past_the_file", {{AT_DIRECTORIES, 4, 0x3F00}},
        AT_DIRECTORIES, "the export table at 0x3f00 is not in the file"},
    {"too_many_exports", {{AT_EXPORTS + 20, 4, 0x10001}}, AT_EXPORTS + 20,
        "the export table has 65537 functions and 2 names, more than 65536"},
    {"65536_exports_are_not_too_many", {{AT_EXPORTS + 20, 4, 0x10000}},
        AT_EXPORTS + 28,
        "the lists of the export table go beyond their section"},
    {"65536_export_names_are_not_too_many", {{AT_EXPORTS + 24, 4, 0x10000}},
        AT_EXPORTS + 28,
        "the lists of the export table go beyond their section"},
    {"too_many_export_names", {{AT_EXPORTS + 24, 4, 0x10001}}, AT_EXPORTS + 20,
        "the export table has 2 functions and 65537 names, more than 65536"},
    {"export_list_past_its_section", {{AT_EXPORTS + 28, 4, 0x23F9}},
        AT_EXPORTS + 28,
        "the lists of the export table go beyond their section"},
    {"export_names_past_their_section", {{AT_EXPORTS + 32, 4, 0x23F9}},
        AT_EXPORTS + 28,
        "the lists of the export table go beyond their section"},
    {"export_ordinals_past_their_section", {{AT_EXPORTS + 36, 4, 0x23FD}},
        AT_EXPORTS + 28,
        "the lists of the export table go beyond their section"},
    {"one_export_nowhere",
        {{AT_EXPORTS + 20, 4, 0x1}, {AT_EXPORTS + 28, 4, 0x0}}, AT_EXPORTS + 28,
        "the lists of the export table go beyond their section"},
    {"one_export_name_nowhere",
        {{AT_EXPORTS + 24, 4, 0x1}, {AT_EXPORTS + 32, 4, 0x0}}, AT_EXPORTS + 28,
        "the lists of the export table go beyond their section"},
    {"export_outside_of_the_image", {{AT_EXPORTS + 0x2C, 4, 0x9000}},
        AT_EXPORTS + 0x2C, "export 1, at 0x9000, is outside of the image"},
    {"export_name_that_does_not_end",
        {{AT_EXPORTS + 0x30, 4, 0x23FF}, {AT_RDATA + 0x3FF, 1, 0x41}},
        AT_EXPORTS + 0x30,
        "name 0 of the export table is not a text that ends in its section, or "
        "has no function"},
    {"export_name_without_a_function", {{AT_EXPORTS + 0x3A, 2, 2}},
        AT_EXPORTS + 0x34,
        "name 1 of the export table is not a text that ends in its section, or "
        "has no function"},
};

static struct refusal_row address_rows[] = {
    {"load_configuration_past_the_file", {{AT_DIRECTORIES + 80, 4, 0x3F00}},
        AT_DIRECTORIES + 80,
        "the load configuration at 0x3f00 is not in the file"},
    {"cookie_outside_of_the_image",
        {{AT_LOAD_CONFIG + 0x58, 8, UINT64_C(0x140009000)}},
        AT_LOAD_CONFIG + 0x58,
        "the load configuration has the security cookie at 0x140009000, which "
        "is in no section"},
    {"cookie_below_the_base", {{AT_LOAD_CONFIG + 0x58, 8, 0x3000}},
        AT_LOAD_CONFIG + 0x58,
        "the load configuration has the security cookie at 0x3000, which is in "
        "no section"},
    {"cookie_4_GiB_above_a_section",
        {{AT_LOAD_CONFIG + 0x58, 8, UINT64_C(0x240003000)}},
        AT_LOAD_CONFIG + 0x58,
        "the load configuration has the security cookie at 0x240003000, which "
        "is in no section"},
    {"guard_slot_outside_of_the_image",
        {{AT_LOAD_CONFIG + 0x78, 8, UINT64_C(0x140000FFC)}},
        AT_LOAD_CONFIG + 0x78,
        "the load configuration has the guard dispatch pointer at 0x140000ffc, "
        "which is in no section"},
    {"relocation_of_32_bits", {{AT_RELOCATIONS + 8, 2, 0x3198}},
        AT_RELOCATIONS + 8,
        "a relocation of type 3 at 0x2198: x64 images have only type 10 "
        "(DIR64)"},
    {"relocation_of_the_headers", {{AT_RELOCATIONS, 4, 0}}, AT_RELOCATIONS + 8,
        "a relocation at 0x198, which is in no section"},
    {"relocation_past_the_image", {{AT_RELOCATIONS + 16, 4, 0xFFFFFFF8}},
        AT_RELOCATIONS + 24,
        "a relocation at 0x100000000, which is in no section"},
    {"relocation_across_the_end",
        {{AT_RELOCATIONS + 24, 2, 0xAFF9}, {AT_RELOCATIONS + 16, 4, 0x8000}},
        AT_RELOCATIONS + 24, "a relocation at 0x8ff9, which is in no section"},
    {"relocation_block_of_0_bytes", {{AT_RELOCATIONS + 20, 4, 0}},
        AT_RELOCATIONS + 16,
        "a block of 0x0 bytes in the relocation table, which has 0xc left"},
    {"relocation_block_past_the_table", {{AT_RELOCATIONS + 20, 4, 14}},
        AT_RELOCATIONS + 16,
        "a block of 0xe bytes in the relocation table, which has 0xc left"},
    {"relocation_table_with_a_rest", {{AT_DIRECTORIES + 44, 4, 0x20}},
        AT_RELOCATIONS + 28,
        "a block of 0x0 bytes in the relocation table, which has 0x4 left"},
    {"relocation_table_past_the_file", {{AT_DIRECTORIES + 44, 4, 0x202}},
        AT_DIRECTORIES + 40,
        "the relocation table (0x202 bytes at 0x8000) is not in the file"},
};

static struct refusal_row symbol_rows[] = {
    {"symbols_past_the_file", {{AT_FILE_HEADER + 8, 4, 0x1500}},
        AT_FILE_HEADER + 8,
        "the symbol table (12 symbols at 0x1500 of the file) or its strings go "
        "beyond the end of the file: was it cut off?"},
    {"strings_past_the_file", {{AT_STRINGS, 4, 0x2E}}, AT_FILE_HEADER + 8,
        "the symbol table (12 symbols at 0x1400 of the file) or its strings go "
        "beyond the end of the file: was it cut off?"},
    {"too_many_symbols", {{AT_FILE_HEADER + 12, 4, 0x40001}},
        AT_FILE_HEADER + 12, "262145 symbols, more than 262144: strip some"},
    {"symbol_name_past_the_strings", {{AT_SYMBOLS + 18 * 11 + 4, 4, 0x2D}},
        AT_SYMBOLS + 18 * 11,
        "the name of the symbol for 0x7000 is not a text that ends in the "
        "string table"},
    {"symbol_name_in_the_size_of_the_strings",
        {{AT_SYMBOLS + 18 * 11 + 4, 4, 3}}, AT_SYMBOLS + 18 * 11,
        "the name of the symbol for 0x7000 is not a text that ends in the "
        "string table"},
    {"symbol_name_that_is_empty", {{AT_SYMBOLS + 18 * 11 + 4, 4, 17}},
        AT_SYMBOLS + 18 * 11,
        "the name of the symbol for 0x7000 is not a text that ends in the "
        "string table"},
    {"symbol_name_that_does_not_end", {{BUILT_SIZE - 1, 1, 0x41}},
        AT_SYMBOLS + 18 * 11,
        "the name of the symbol for 0x7000 is not a text that ends in the "
        "string table"},
    {"symbol_name_with_an_escape", {{AT_SYMBOLS + 18 * 4 + 1, 1, 0x1B}},
        AT_SYMBOLS + 18 * 4,
        "the name of the symbol for 0x1000 is not a text that ends in the "
        "string table"},
    {"symbol_name_with_a_delete", {{AT_SYMBOLS + 18 * 4 + 1, 1, 0x7F}},
        AT_SYMBOLS + 18 * 4,
        "the name of the symbol for 0x1000 is not a text that ends in the "
        "string table"},
    {"KMDF_symbol",
        {{AT_STRINGS + 4, 8, UINT64_C(0x7265766972447846)},
            {AT_STRINGS + 12, 6, UINT64_C(0x7972746E45)}},
        AT_SYMBOLS,
        "KMDF is not modelled: FxDriverEntry is its library's; only WDM "
        "drivers run here"},
};

TEST_FILE(test_pe_tables)
{
    TEST_ADD_ROWS(list, refusal_row, import_rows);
    TEST_ADD_ROWS(list, refusal_row, function_rows);
    TEST_ADD_ROWS(list, refusal_row, export_rows);
    TEST_ADD_ROWS(list, refusal_row, address_rows);
    TEST_ADD_ROWS(list, refusal_row, symbol_rows);
}
