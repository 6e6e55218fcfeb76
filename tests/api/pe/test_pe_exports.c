/* test_pe_exports.c - what an image exports, by name and by ordinal, what is
 * the text of a forwarder, and lists that end where their section does. */
#include "tests/api/pe/read_image.h"

/* What is exported, by whatever it is asked for. */
static struct export_row {
    const char *name, *asked; /* NULL: by the ordinal */
    uint16_t ordinal;
    uint32_t want; /* 0: nothing */
} exported_rows[] = {
    {"code_by_its_name", "Exported", 0, 0x1020},
    {"data_by_its_name", "Variable", 0, 0x3008},
    {"name_in_another_case", "exported", 0, 0},
    {"name_that_it_has_not", "Export", 0, 0},
    {"first_ordinal", NULL, 1, 0x1020},
    {"second_ordinal", NULL, 2, 0x3008},
    {"ordinal_before_the_first", NULL, 0, 0},
    {"ordinal_behind_the_last", NULL, 3, 0},
};

static void exported_row(void **state)
{
    const struct export_row *row = *state;
    const struct pe_import import = {.name = row->asked,
        .by_ordinal = row->asked == NULL,
        .ordinal = row->ordinal};
    const struct pe_export *exported;
    struct read_image read;

    read_built(&read, image_build());
    exported = pe_export_of(&read.pe, &import);
    assert_int_equal(exported == NULL, row->want == 0);
    if (exported != NULL) {
        assert_int_equal(exported->rva, row->want);
        assert_false(exported->forwarded);
    }
    read_end(&read);
}

/* An entry of the table without a function. */
static void unused_ordinal_is_nothing(void **state)
{
    const struct pe_import import = {.by_ordinal = true, .ordinal = 1};
    struct pe_image file = image_build();
    struct read_image read;

    (void)state;
    image_put(&file, AT_EXPORTS + 0x28, 4, 0);
    read_built(&read, file);
    assert_null(pe_export_of(&read.pe, &import));
    read_end(&read);
}

/* The text of a forwarder lies in the export table. */
static void forwarder_is_no_code(void **state)
{
    struct pe_image file = image_build();
    struct read_image read;
    uint32_t rva;

    (void)state;
    image_put(&file, AT_DIRECTORIES, 8, UINT64_C(0x3000001000));
    memcpy(file.bytes + 0x400, file.bytes + AT_EXPORTS, 40);
    read_built(&read, file);
    assert_int_equal(read.pe.export_count, 0);
    assert_true(read.pe.exported_count > 0 && read.pe.exported[0].forwarded);
    assert_false(symbols_find(pe_symbols(&read.pe), "Exported", &rva));
    read_end(&read);
}

/* The first function's rva, beside the table's 0x2290 to 0x2300. */
static struct forwarder_row {
    const char *name;
    uint32_t rva;
    bool want;
} forwarder_rows[] = {
    {"before_the_table_is_no_forwarder", 0x228F, false},
    {"first_byte_of_the_table_is_one", 0x2290, true},
    {"last_byte_of_the_table_is_one", 0x22FF, true},
    {"behind_the_table_is_no_forwarder", 0x2300, false},
};

static void forwarder_row(void **state)
{
    const struct forwarder_row *row = *state;
    const struct pe_import import = {.by_ordinal = true, .ordinal = 1};
    struct pe_image file = image_build();
    struct read_image read;

    image_put(&file, AT_EXPORTS + 0x28, 4, row->rva);
    read_built(&read, file);
    assert_int_equal(pe_export_of(&read.pe, &import)->forwarded, row->want);
    read_end(&read);
}

/* A list moved to the last bytes of its section's 0x400. */
static struct list_row {
    const char *name;
    uint32_t field, from, bytes;
} list_rows[] = {
    {"functions_may_end_where_the_section_does", 28, 0x28, 8},
    {"names_may_end_where_the_section_does", 32, 0x30, 8},
    {"ordinals_may_end_where_the_section_does", 36, 0x38, 4},
};

static void list_row(void **state)
{
    const struct list_row *row = *state;
    const struct pe_import import = {.name = "Variable"};
    struct pe_image file = image_build();
    uint32_t at = 0x400 - row->bytes;
    struct read_image read;

    memcpy(file.bytes + AT_RDATA + at, file.bytes + AT_EXPORTS + row->from,
        row->bytes);
    memset(file.bytes + AT_EXPORTS + row->from, 0, row->bytes);
    image_put(&file, AT_EXPORTS + row->field, 4, 0x2000 + at);
    read_built(&read, file);
    assert_int_equal(pe_export_of(&read.pe, &import)->rva, 0x3008);
    read_end(&read);
}

static void nothing_exported_has_no_lists(void **state)
{
    struct pe_image file = image_build();
    struct read_image read;

    (void)state;
    memset(file.bytes + AT_EXPORTS + 20, 0, 20);
    read_built(&read, file);
    assert_int_equal(read.pe.exported_count, 0);
    read_end(&read);
}

static void function_without_a_name_has_its_ordinal(void **state)
{
    const struct pe_import import = {.by_ordinal = true, .ordinal = 2};
    struct pe_image file = image_build();
    struct read_image read;

    (void)state;
    image_put(&file, AT_EXPORTS + 24, 4, 1);
    read_built(&read, file);
    assert_int_equal(pe_export_of(&read.pe, &import)->rva, 0x3008);
    read_end(&read);
}

/* The second function's rva, where the last section is code and the image goes
 * on behind it. */
static struct code_row {
    const char *name;
    uint32_t rva;
    size_t want;
} code_rows[] = {
    {"last_byte_of_code_is_where_code_begins", 0x8FFF, 2},
    {"behind_code_none_begins", 0x9000, 1},
};

static void code_row(void **state)
{
    const struct code_row *row = *state;
    struct pe_image file = image_build();
    struct read_image read;

    image_put(&file, AT_SECTIONS + 6 * 40 + 36, 4, 0x60000020);
    image_put(&file, AT_OPTIONAL_HEADER + 56, 4, 0xA000);
    image_put(&file, AT_EXPORTS + 0x2C, 4, row->rva);
    read_built(&read, file);
    assert_int_equal(read.pe.export_count, row->want);
    read_end(&read);
}

TEST_FILE(test_pe_exports)
{
    TEST_ADD_ROWS(list, exported_row, exported_rows);
    test_add(
        list, "unused_ordinal_is_nothing", unused_ordinal_is_nothing, NULL);
    test_add(list, "forwarder_is_no_code", forwarder_is_no_code, NULL);
    TEST_ADD_ROWS(list, forwarder_row, forwarder_rows);
    TEST_ADD_ROWS(list, list_row, list_rows);
    test_add(list, "nothing_exported_has_no_lists",
        nothing_exported_has_no_lists, NULL);
    test_add(list, "function_without_a_name_has_its_ordinal",
        function_without_a_name_has_its_ordinal, NULL);
    TEST_ADD_ROWS(list, code_row, code_rows);
}
