/* test_pe_limits.c - how much an image may have, and that it may have so much.
 * The built image gets one more section, filled by each test. */
#include "tests/api/pe/read_image.h"

enum {
    BIG_RVA = 0x9000,
    BIG_OFFSET = 0x1600,
    BIG_SIZE = 0xA000,
    BIG_HEADER = AT_SECTIONS + 280,
};

static struct pe_image build_big(void)
{
    static const uint32_t place[] = {BIG_SIZE, BIG_RVA, BIG_SIZE, BIG_OFFSET};
    struct pe_image small = image_build();
    struct pe_image big = {
        calloc(1, BIG_OFFSET + BIG_SIZE), BIG_OFFSET + BIG_SIZE};

    assert_non_null(big.bytes);
    memcpy(big.bytes, small.bytes, small.size);
    free(small.bytes);
    image_put(&big, AT_FILE_HEADER + 2, 2, 8);
    image_put(&big, AT_OPTIONAL_HEADER + 56, 4, BIG_RVA + BIG_SIZE);
    image_put_text(&big, BIG_HEADER, ".big");
    image_put_list(&big, BIG_HEADER + 8, place, 4);
    image_put(&big, BIG_HEADER + 36, 4, 0x40000040);
    return big;
}

/* Reads and frees the file; `want` is what is wrong, NULL: nothing. */
static void check_problem(struct pe_image file, const char *want)
{
    struct pe_problems problems;
    struct pe pe;

    assert_int_equal(
        pe_read(&pe, file.bytes, file.size, &problems), want == NULL);
    if (want != NULL) {
        assert_string_equal(problems.item[0].text, want);
    }
    assert_int_equal(problems.count, want == NULL ? 0 : 1);
    pe_problems_release(&problems);
    pe_release(&pe);
    free(file.bytes);
}

static struct limit_row {
    const char *name;
    uint32_t count;
    const char *want; /* NULL: none */
} import_rows[] = {
    {"4096_imports_are_fine", 4095, NULL},
    {"one_import_more_is_not", 4096, "more than 4096 imports"},
    {"no_other_image_s_are_read_then", 4097, "more than 4096 imports"},
};

/* The import of HAL.dll makes one more. */
static void import_row(void **state)
{
    const struct limit_row *row = *state;
    struct pe_image file = build_big();

    image_put(&file, AT_IMPORTS, 4, BIG_RVA);
    image_put(&file, AT_IMPORTS + 16, 4, BIG_RVA);
    for (uint32_t i = 0; i < row->count; i++) {
        image_put(&file, BIG_OFFSET + 8 * (size_t)i, 8, 0x20B0);
    }
    check_problem(file, row->want);
}

static struct limit_row name_rows[] = {
    {"name_of_4096_characters_is_fine", 4096, NULL},
    {"name_of_one_more_is_not", 4097,
        "the name of a routine of ntoskrnl.exe, at 0x9000, is not a text that "
        "ends in its section"},
};

static void name_row(void **state)
{
    const struct limit_row *row = *state;
    struct pe_image file = build_big();

    image_put(&file, AT_LOOKUP, 8, BIG_RVA);
    memset(file.bytes + BIG_OFFSET + 2, 'A', row->count);
    check_problem(file, row->want);
}

static struct limit_row symbol_name_rows[] = {
    {"symbol_of_4096_characters_is_fine", 4096, NULL},
    {"symbol_of_one_more_is_not", 4097,
        "the name of the symbol for 0x7000 is not a text that ends in the "
        "string table"},
};

/* The strings are at the end, behind the added section, and go on behind the
 * name. */
static void symbol_name_row(void **state)
{
    const struct limit_row *row = *state;
    struct pe_image file = build_big();
    size_t table = BIG_OFFSET + 0x1000, strings = table + 18;

    memcpy(file.bytes + table, file.bytes + AT_SYMBOLS + 18 * 11, 18);
    image_put(&file, table + 4, 4, 4);
    image_put(&file, strings, 4, 4 + (uint64_t)row->count + 2);
    memset(file.bytes + strings + 4, 'A', row->count);
    image_put(&file, AT_FILE_HEADER + 8, 4, table);
    image_put(&file, AT_FILE_HEADER + 12, 4, 1);
    check_problem(file, row->want);
}

TEST_FILE(test_pe_limits)
{
    TEST_ADD_ROWS(list, import_row, import_rows);
    TEST_ADD_ROWS(list, name_row, name_rows);
    TEST_ADD_ROWS(list, symbol_name_row, symbol_name_rows);
}
