/* test_pe_variants.c - images that differ from the built one and are fine, or
 * are read differently. */
#include "tests/api/pe/read_image.h"

/* Up to three edits of the file, then a name is asked for. */
static struct variant_row {
    const char *name;
    struct {
        uint32_t offset;
        unsigned width;
        uint64_t value;
    } edit[3];
    uint32_t rva;
    const char *want;
    uint32_t want_offset;
} variant_rows[] = {
    {"label_in_data_is_no_function",
        {{AT_DIRECTORIES + 16, 8, UINT64_C(0x1000001030)}}, 0x1034, "z_global",
        0x14},
    {"label_in_data_of_a_later_section_is_none",
        {{AT_DIRECTORIES + 16, 8, UINT64_C(0x1000006020)},
            {AT_SYMBOLS + 18 * 8 + 8, 8, UINT64_C(0x500000020)}},
        0x6024, "function_6000", 0x24},
    {"label_behind_data_is_a_function",
        {{AT_DIRECTORIES + 16, 8, UINT64_C(0x1000006010)},
            {AT_SYMBOLS + 18 * 8 + 8, 8, UINT64_C(0x500000020)}},
        0x6024, "assembly", 4},
    {"label_before_data_is_a_function",
        {{AT_DIRECTORIES + 16, 8, UINT64_C(0x1000006021)},
            {AT_SYMBOLS + 18 * 8 + 8, 8, UINT64_C(0x500000020)}},
        0x6024, "assembly", 4},
    {"label_where_a_function_begins_is_one",
        {{AT_SYMBOLS + 18 * 8 + 8, 8, UINT64_C(0x500000000)}}, 0x6004,
        "assembly", 4},
    {"label_where_a_function_ends_is_one",
        {{AT_SYMBOLS + 18 * 8 + 8, 8, UINT64_C(0x500000010)}}, 0x6014,
        "assembly", 4},
    {"label_at_a_function_s_last_byte_is_none",
        {{AT_SYMBOLS + 18 * 8 + 8, 8, UINT64_C(0x50000000F)}}, 0x6014,
        "function_6000", 0x14},
    {"label_may_be_in_the_last_section",
        {{AT_SECTIONS + 240 + 36, 4, 0x60000020},
            {AT_SYMBOLS + 18 * 8 + 8, 8, UINT64_C(0x700000020)}},
        0x8024, "assembly", 4},
    {"weak_function_is_one", {{AT_SYMBOLS + 18 * 8 + 16, 1, 105}}, 0x1034,
        "assembly", 4},
    {"static_label_is_no_function",
        {{AT_SYMBOLS + 18 * 7 + 8, 8, UINT64_C(0x100000038)},
            {AT_SYMBOLS + 18 * 7 + 16, 1, 3}},
        0x1039, "assembly", 9},
    {"auxiliary_record_is_no_symbol",
        {{AT_SYMBOLS + 18 * 3, 8, UINT64_C(0x7375676F62)},
            {AT_SYMBOLS + 18 * 3 + 8, 8, UINT64_C(0x20000100000010)},
            {AT_SYMBOLS + 18 * 3 + 16, 1, 2}},
        0x1018, "first", 0x18},
    {"debugger_symbol_is_no_function", {{AT_SYMBOLS + 18 * 8 + 12, 2, 0xFFFE}},
        0x1034, "z_global", 0x14},
    {"debugger_symbol_is_not_where_the_one_before_it_is",
        {{AT_SYMBOLS + 18 * 8 + 12, 2, 0xFFFE}}, 0x1009, "first", 9},
    {"symbol_past_its_section_is_no_function",
        {{AT_SYMBOLS + 18 * 8 + 8, 4, 0xFFFFFFFF}}, 0x1034, "z_global", 0x14},
    {"without_symbols_an_export_names_code", {{AT_FILE_HEADER + 8, 8, 0}},
        0x1024, "Exported", 4},
    {"export_may_be_its_section_s_last_byte", {{AT_EXPORTS + 0x2C, 4, 0x7FFF}},
        0x7FFF, "Variable", 0},
    {"unwind_information_may_be_of_version_2", {{AT_UNWIND, 1, 2}}, 0x1000,
        "first", 0},
    {"more_than_16_directories_have_no_meaning",
        {{AT_OPTIONAL_HEADER + 108, 4, 0xFFFFFFFF}}, 0x1000, "first", 0},
    {"directory_nowhere_may_have_any_size",
        {{AT_DIRECTORIES + 16, 8, UINT64_C(0xFFFFFFFF00000000)}}, 0x1000,
        "first", 0},
    {"names_have_all_characters_that_can_be_seen",
        {{AT_RDATA + 0xB3, 2, 0x7E21}}, 0x1000, "first", 0},
    {"symbols_have_blanks_as_well", {{AT_SYMBOLS + 18 * 4 + 1, 2, 0x7E20}},
        0x1000, "f ~st", 0},
    {"bound_imports_are_ignored",
        {{AT_DIRECTORIES + 88, 8, UINT64_C(0x20000002C0)},
            {AT_IMPORTS + 4, 4, 0xFFFFFFFF}},
        0x1000, "first", 0},
    {"image_that_exports_is_a_DLL", {{AT_FILE_HEADER + 18, 2, 0x2022}}, 0x1000,
        "first", 0},
};

static void variant_row(void **state)
{
    const struct variant_row *row = *state;
    struct pe_image file = image_build();
    struct read_image read;
    const char *name;
    uint32_t offset = 0;

    for (size_t i = 0; i < 3; i++) {
        image_put(
            &file, row->edit[i].offset, row->edit[i].width, row->edit[i].value);
    }
    read_built(&read, file);
    name = symbols_at(pe_symbols(&read.pe), row->rva, &offset);
    assert_non_null(name);
    assert_string_equal(name, row->want);
    assert_int_equal(offset, row->want_offset);
    read_end(&read);
}

/* Imports up to the descriptor that ends the table, after an edit. */
static struct end_row {
    const char *name;
    uint32_t offset;
    unsigned width;
    uint64_t value;
    size_t want;
} end_rows[] = {
    {"first_descriptor_without_slots_is_the_end", AT_IMPORTS + 16, 4, 0, 0},
    {"first_descriptor_without_a_name_is_the_end", AT_IMPORTS + 12, 4, 0, 0},
    {"second_descriptor_without_slots_is_the_end", AT_IMPORTS + 36, 4, 0, 2},
    {"second_descriptor_without_a_name_is_the_end", AT_IMPORTS + 32, 4, 0, 2},
    {"forwarders_are_no_name", AT_IMPORTS + 8, 8, 0xFFFFFFFF, 0},
};

static void end_row(void **state)
{
    const struct end_row *row = *state;
    struct pe_image file = image_build();
    struct read_image read;

    image_put(&file, row->offset, row->width, row->value);
    read_built(&read, file);
    assert_int_equal(read.pe.import_count, row->want);
    read_end(&read);
}

/* An odd code is followed by two bytes that pad it. */
static void unwind_codes_are_padded_to_pairs(void **state)
{
    static const uint32_t chained[] = {
        0x00010021, 0x3201, 0x1000, 0x1010, 0x2100};
    struct pe_image file = image_build();
    struct read_image read;

    (void)state;
    image_put_list(&file, AT_UNWIND + 16, chained, 5);
    read_built(&read, file);
    assert_int_equal(read.pe.data[7].begin, 0x2108);
    assert_int_equal(read.pe.data[7].end, 0x2124);
    read_end(&read);
}

/* The flag says that relocations were stripped; other edits bring something
 * that has to move. */
static struct moved_row {
    const char *name;
    uint32_t offset;
    uint64_t value;
    uint64_t base;
} moved_rows[] = {
    {"address_of_64_bits_cannot_move", AT_DATA + 3, UINT64_C(0x140008FFF),
        BUILT_BASE},
    {"address_of_32_bits_cannot_move", AT_DATA + 3,
        UINT64_C(0xFFFFFFFF7FF08FFF), 0x7FF00000},
    {"relocations_cannot_be_there", AT_DIRECTORIES + 40, UINT64_C(0x1C00008000),
        BUILT_BASE},
};

static void moved_row(void **state)
{
    const struct moved_row *row = *state;
    struct pe_image file = image_build_stripped();
    struct pe_problems problems;
    struct pe pe;

    image_put(&file, AT_FILE_HEADER + 18, 2, 0x23);
    image_put(&file, AT_OPTIONAL_HEADER + 24, 8, row->base);
    image_put(&file, row->offset, 8, row->value);
    assert_false(pe_read(&pe, file.bytes, file.size, &problems));
    assert_int_equal(problems.count, 1);
    assert_string_equal(problems.item[0].text,
        "the relocations were stripped, and the image is not loaded at its "
        "preferred base: link with /dynamicbase or --dynamicbase");
    pe_problems_release(&problems);
    free(file.bytes);
}

TEST_FILE(test_pe_variants)
{
    TEST_ADD_ROWS(list, variant_row, variant_rows);
    TEST_ADD_ROWS(list, end_row, end_rows);
    test_add(list, "unwind_codes_are_padded_to_pairs",
        unwind_codes_are_padded_to_pairs, NULL);
    TEST_ADD_ROWS(list, moved_row, moved_rows);
}
