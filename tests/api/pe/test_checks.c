/* test_checks.c - images with one thing wrong do not pass their check: the
 * process ends there. */
#include "api/pe/pe_reader.h"
#include "tests/api/pe/read_image.h"
#include "tests/spoilt.h"

static struct read_image image;
static struct pe *pe;
static struct pe_reader reader;

/* As the reader is when everything was read. */
static void make(void)
{
    read_built(&image, image_build());
    pe = &image.pe;
    pe_symbols(pe);
    reader = (struct pe_reader){.pe = pe,
        .problems = &image.problems,
        .file_header = 0x84,
        .optional_header = 0x98,
        .section_table = 0x188,
        .layout_known = true,
        .data_capacity = pe->data_count,
        .export_capacity = pe->export_count,
        .exported_capacity = pe->exported_count,
        .relocation_capacity = pe->relocation_count,
        .import_capacity = pe->import_count,
        .import_slots = pe->import_count};
}

static bool check_all(void)
{
    return pe_check(pe) && pe_reader_check(&reader) &&
           symbols_check(pe_symbols(pe));
}

/* `part` becomes `value`. */
#define SPOILS(row, part, value)                                               \
    static void spoil_##row(void)                                              \
    {                                                                          \
        (part) = (value);                                                      \
    }
#include "tests/api/pe/spoilt_parts.def"

static struct spoil_row spoil_rows[] = {
#define SPOILS(row, part, value) {#row, spoil_##row},
#include "tests/api/pe/spoilt_parts.def"
};

static void spoil_row(void **state)
{
    make();
    assert_spoilt_is_found(*state, check_all);
    read_end(&image);
}

TEST_FILE(test_checks)
{
    TEST_ADD_ROWS(list, spoil_row, spoil_rows);
}
