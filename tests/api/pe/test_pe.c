/* test_pe.c - what a driver's image is described as. */
#include "tests/api/pe/read_image.h"

static void headers_are_described(void **state)
{
    struct read_image read;

    (void)state;
    read_built(&read, image_build());
    assert_int_equal(read.pe.preferred_base, 0x140000000);
    assert_int_equal(read.pe.image_size, 0x9000);
    assert_int_equal(read.pe.headers_size, 0x400);
    assert_int_equal(read.pe.entry_rva, 0x7000);
    assert_int_equal(read.pe.checksum, 0x1A2B3);
    assert_int_equal(read.pe.section_count, 7);
    read_end(&read);
}

static struct section_row {
    const char *name;
    size_t index;
    struct pe_section want;
} section_rows[] = {
    {"code_is_executable_and_not_writable", 0,
        {".text", 0x1000, 0x40, 0x400, 0x200, true, false, true, false, false}},
    {"constants_are_readable_only", 1,
        {".rdata", 0x2000, 0x300, 0x600, 0x400, true, false, false, false,
            false}},
    {"data_is_longer_in_memory_than_in_the_file", 2,
        {".data", 0x3000, 0x1800, 0xA00, 0x200, true, true, false, false,
            false}},
    {"PAGE_is_pageable", 4,
        {"PAGE", 0x6000, 0x10, 0xE00, 0x200, true, false, true, false, true}},
    {"INIT_is_discardable", 5,
        {"INIT", 0x7000, 0x10, 0x1000, 0x200, true, false, true, true, false}},
};

static void section_row(void **state)
{
    const struct section_row *row = *state;
    struct read_image read;
    const struct pe_section *section;

    read_built(&read, image_build());
    section = &read.pe.section[row->index];
    assert_string_equal(section->name, row->want.name);
    assert_int_equal(section->rva, row->want.rva);
    assert_int_equal(section->size, row->want.size);
    assert_int_equal(section->raw, row->want.raw);
    assert_int_equal(section->raw_size, row->want.raw_size);
    assert_int_equal(section->readable, row->want.readable);
    assert_int_equal(section->writable, row->want.writable);
    assert_int_equal(section->executable, row->want.executable);
    assert_int_equal(section->discardable, row->want.discardable);
    assert_int_equal(section->pageable, row->want.pageable);
    read_end(&read);
}

static struct pageable_row {
    const char *name;
    const char *section; /* of 8 bytes */
    bool want;
} pageable_rows[] = {
    {"PAGEDATA_is_pageable", "PAGEDATA", true},
    {"PAGE_in_small_letters_is_not", "page\0\0\0\0", false},
    {"PAGE_further_on_is_not", ".PAGE\0\0\0", false},
};

static void pageable_row(void **state)
{
    const struct pageable_row *row = *state;
    struct pe_image file = image_build();
    struct read_image read;

    memcpy(file.bytes + AT_SECTIONS, row->section, 8);
    read_built(&read, file);
    assert_int_equal(read.pe.section[0].pageable, row->want);
    read_end(&read);
}

static struct import_row {
    const char *name;
    size_t index;
    const char *want_image, *want_name;
    uint32_t want_slot;
} import_rows[] = {
    {"first_import_has_the_first_slot", 0, "ntoskrnl.exe", "DbgPrint", 0x2068},
    {"second_import_has_the_second_slot", 1, "ntoskrnl.exe", "IoDeleteDevice",
        0x2070},
    {"another_image_has_slots_of_its_own", 2, "HAL.dll",
        "HalAllocateHardwareCounters", 0x2080},
};

static void import_row(void **state)
{
    const struct import_row *row = *state;
    struct read_image read;

    read_built(&read, image_build());
    assert_int_equal(read.pe.import_count, 3);
    assert_string_equal(read.pe.import[row->index].image, row->want_image);
    assert_string_equal(read.pe.import[row->index].name, row->want_name);
    assert_int_equal(read.pe.import[row->index].slot_rva, row->want_slot);
    read_end(&read);
}

static void imports_without_a_lookup_table_are_in_their_slots(void **state)
{
    struct pe_image file = image_build();
    struct read_image read;

    (void)state;
    image_put(&file, AT_IMPORTS, 4, 0);
    image_put(&file, AT_LOOKUP, 8, 0);
    read_built(&read, file);
    assert_int_equal(read.pe.import_count, 3);
    assert_string_equal(read.pe.import[0].name, "DbgPrint");
    read_end(&read);
}

static void tables_are_described(void **state)
{
    static const uint32_t relocations[] = {
        0x2198, 0x21B0, 0x21B8, 0x3008, 0x3010};
    static const struct image_function functions[] = {{0x1000, 0x1010, 0x2100},
        {0x1010, 0x1020, 0x2110}, {0x6000, 0x6010, 0x2108},
        {0x7000, 0x7010, 0x2100}};
    struct read_image read;

    (void)state;
    read_built(&read, image_build());
    assert_int_equal(read.pe.relocation_count, 5);
    assert_memory_equal(read.pe.relocation, relocations, sizeof(relocations));
    assert_int_equal(read.pe.function_count, 4);
    assert_memory_equal(read.pe.function, functions, sizeof(functions));
    assert_int_equal(read.pe.export_count, 1);
    assert_int_equal(read.pe.export_rva[0], 0x1020);
    assert_int_equal(read.pe.cookie_rva, 0x3000);
    assert_int_equal(read.pe.guard_check_rva, 0x2280);
    assert_int_equal(read.pe.guard_dispatch_rva, 0x2288);
    read_end(&read);
}

/* Imports and their names, unwind information, load configuration, exports,
 * function table, relocations. */
static void data_is_what_the_tables_occupy(void **state)
{
    static const struct pe_range ranges[] = {{0x2000, 0x203C}, {0x2040, 0x209D},
        {0x20A0, 0x20A8}, {0x20B0, 0x20BB}, {0x20C0, 0x20D1}, {0x20E0, 0x20FE},
        {0x2100, 0x2104}, {0x2108, 0x2120}, {0x2140, 0x21D4}, {0x2290, 0x2300},
        {0x5000, 0x5030}, {0x8000, 0x801C}};
    struct read_image read;

    (void)state;
    read_built(&read, image_build());
    assert_int_equal(read.pe.data_count, sizeof(ranges) / sizeof(ranges[0]));
    assert_memory_equal(read.pe.data, ranges, sizeof(ranges));
    read_end(&read);
}

static void debug_information_is_data(void **state)
{
    struct pe_image file = image_build();
    struct read_image read;

    (void)state;
    image_put(&file, AT_DIRECTORIES + 8 * 6, 8, UINT64_C(0x1C00002240));
    image_put(&file, AT_RDATA + 0x250, 4, 8);
    image_put(&file, AT_RDATA + 0x254, 4, 0x1038);
    read_built(&read, file);
    assert_int_equal(read.pe.data[0].begin, 0x1038);
    assert_int_equal(read.pe.data[0].end, 0x1040);
    read_end(&read);
}

static struct symbol_row {
    const char *name;
    uint32_t rva;
    const char *want; /* NULL: none */
    uint32_t want_offset;
} symbol_rows[] = {
    {"function_begins_at_its_name", 0x1000, "first", 0},
    {"label_amid_a_function_is_no_function", 0x1009, "first", 9},
    {"later_part_of_a_function_has_its_name", 0x1018, "first", 0x18},
    {"external_name_wins_over_a_static_and_an_export", 0x1020, "z_global", 0},
    {"code_in_assembly_is_a_function", 0x1034, "assembly", 4},
    {"reference_of_the_linker_is_none", 0x1039, "assembly", 9},
    {"name_does_not_reach_into_the_next_section", 0x2000, NULL, 0},
    {"headers_have_no_names", 0x10, NULL, 0},
    {"function_without_a_name_is_its_address", 0x6004, "function_6000", 4},
    {"long_name_is_in_the_strings", 0x7003, "DriverEntry", 3},
    {"end_of_memory_has_no_name", 0xFFFFFFFF, NULL, 0},
};

static void symbol_row(void **state)
{
    const struct symbol_row *row = *state;
    struct read_image read;
    const char *name;
    uint32_t offset = 0;

    read_built(&read, image_build());
    name = symbols_at(pe_symbols(&read.pe), row->rva, &offset);
    if (row->want == NULL) {
        assert_null(name);
    } else {
        assert_non_null(name);
        assert_string_equal(name, row->want);
        assert_int_equal(offset, row->want_offset);
    }
    read_end(&read);
}

static struct find_row {
    const char *name, *symbol;
    uint32_t want; /* 0: none */
} find_rows[] = {
    {"finds_an_external_function", "DriverEntry", 0x7000},
    {"finds_a_static_function", "static_helper", 0x1020},
    {"finds_an_export", "Exported", 0x1020},
    {"finds_no_variable", "Variable", 0},
    {"finds_no_import_slot", "__imp_DbgPrint", 0},
    {"finds_no_section", ".text", 0},
    {"finds_no_beginning_of_a_name", "Driver", 0},
    {"finds_a_function_without_a_name", "function_6000", 0x6000},
    {"finds_no_second_name_for_one_that_has_one", "function_1000", 0},
    {"finds_no_second_name_for_a_later_one", "function_7000", 0},
    {"finds_no_name_for_a_later_part", "function_1010", 0},
};

static void find_row(void **state)
{
    const struct find_row *row = *state;
    struct read_image read;
    uint32_t rva = 0;

    read_built(&read, image_build());
    assert_int_equal(
        symbols_find(pe_symbols(&read.pe), row->symbol, &rva), row->want != 0);
    assert_int_equal(rva, row->want);
    read_end(&read);
}

static void stripped_image_is_described(void **state)
{
    struct read_image read;

    (void)state;
    read_built(&read, image_build_stripped());
    assert_int_equal(read.pe.relocation_count, 0);
    assert_int_equal(read.pe.function_count, 0);
    assert_int_equal(pe_symbols(&read.pe)->count, 0);
    assert_int_equal(read.pe.cookie_rva, 0);
    assert_int_equal(read.pe.import_count, 3);
    read_end(&read);
}

/* One number is put in, and a field is read. */
static struct config_row {
    const char *name;
    uint32_t offset;
    unsigned width;
    uint64_t value;
    uint32_t want_cookie, want_check;
} config_rows[] = {
    {"load_configuration_without_the_fields_has_no_cookie", AT_LOAD_CONFIG, 4,
        0x58, 0, 0},
    {"cookie_fits_in_exactly_60h_bytes", AT_LOAD_CONFIG, 4, 0x60, 0x3000, 0},
    {"guard_slots_need_the_flag", AT_OPTIONAL_HEADER + 70, 2, 0x0160, 0x3000,
        0},
    {"no_cookie_address_is_no_cookie", AT_LOAD_CONFIG + 0x58, 8, 0, 0, 0x2280},
};

static void config_row(void **state)
{
    const struct config_row *row = *state;
    struct pe_image file = image_build();
    struct read_image read;

    image_put(&file, row->offset, row->width, row->value);
    read_built(&read, file);
    assert_int_equal(read.pe.cookie_rva, row->want_cookie);
    assert_int_equal(read.pe.guard_check_rva, row->want_check);
    read_end(&read);
}

static void import_by_ordinal_is_called_by_its_number(void **state)
{
    struct pe_image file = image_build();
    struct read_image read;

    (void)state;
    image_put(&file, AT_LOOKUP, 8, UINT64_C(0x800000000000FFFF));
    image_put(&file, AT_LOOKUP + 0x18, 8, UINT64_C(0x8000000000000001));
    read_built(&read, file);
    assert_int_equal(read.pe.import_count, 3);
    assert_true(read.pe.import[0].by_ordinal);
    assert_int_equal(read.pe.import[0].ordinal, 65535);
    assert_string_equal(read.pe.import[0].name, "#65535");
    assert_string_equal(read.pe.import[0].image, "ntoskrnl.exe");
    assert_false(read.pe.import[1].by_ordinal);
    assert_string_equal(read.pe.import[1].name, "IoDeleteDevice");
    assert_string_equal(read.pe.import[2].name, "#1");
    read_end(&read);
}

static void stripped_relocations_are_fine_without_addresses(void **state)
{
    struct pe_image file = image_build_stripped();
    struct read_image read;

    (void)state;
    image_put(&file, AT_FILE_HEADER + 18, 2, 0x23);
    read_built(&read, file);
    read_end(&read);
}

TEST_FILE(test_pe)
{
    test_add(list, "headers_are_described", headers_are_described, NULL);
    TEST_ADD_ROWS(list, section_row, section_rows);
    TEST_ADD_ROWS(list, pageable_row, pageable_rows);
    TEST_ADD_ROWS(list, import_row, import_rows);
    test_add(list, "imports_without_a_lookup_table_are_in_their_slots",
        imports_without_a_lookup_table_are_in_their_slots, NULL);
    test_add(list, "tables_are_described", tables_are_described, NULL);
    test_add(list, "data_is_what_the_tables_occupy",
        data_is_what_the_tables_occupy, NULL);
    test_add(
        list, "debug_information_is_data", debug_information_is_data, NULL);
    TEST_ADD_ROWS(list, symbol_row, symbol_rows);
    TEST_ADD_ROWS(list, find_row, find_rows);
    test_add(
        list, "stripped_image_is_described", stripped_image_is_described, NULL);
    TEST_ADD_ROWS(list, config_row, config_rows);
    test_add(list, "import_by_ordinal_is_called_by_its_number",
        import_by_ordinal_is_called_by_its_number, NULL);
    test_add(list, "stripped_relocations_are_fine_without_addresses",
        stripped_relocations_are_fine_without_addresses, NULL);
}
