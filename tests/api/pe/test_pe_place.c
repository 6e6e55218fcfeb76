/* test_pe_place.c - an image as it is at its base, and what lies where. */
#include "tests/api/pe/read_image.h"

/* 8 bytes of an image that was placed. */
static struct place_row {
    const char *name;
    uint64_t base;
    uint32_t rva;
    uint64_t want;
} place_rows[] = {
    {"placed_higher_addresses_rise", 0x180000000000, 0x3008, 0x180000001010},
    {"placed_lower_addresses_fall", 0x10000, 0x3010, 0x13800},
    {"placed_where_it_prefers_they_stay", 0x140000000, 0x3008, 0x140001010},
    {"load_configuration_is_relocated", 0x180000000000, 0x2198, 0x180000003000},
    {"other_data_is_not", 0x180000000000, 0x3000, 0x2B992DDFA232},
    {"code_is_copied", 0x180000000000, 0x1000, 0xC3C3C3C3C3C3C3C3},
    {"rest_of_data_is_zero", 0x180000000000, 0x3200, 0},
    {"headers_are_copied", 0x180000000000, 0, 0x5A4D},
    {"import_slots_are_as_in_the_file", 0x180000000000, 0x2068, 0x20B0},
};

static void place_row(void **state)
{
    const struct place_row *row = *state;
    struct read_image read;
    uint8_t *image = calloc(1, 0x9000);
    uint64_t value;

    assert_non_null(image);
    read_built(&read, image_build());
    pe_place(&read.pe, image, row->base);
    memcpy(&value, image + row->rva, sizeof(value));
    assert_int_equal(value, row->want);
    free(image);
    read_end(&read);
}

static struct section_at_row {
    const char *name;
    uint32_t rva, size;
    uint32_t want; /* the section's rva; 0: none */
} section_at_rows[] = {
    {"section_has_its_first_byte", 0x3000, 1, 0x3000},
    {"section_has_the_rest_of_its_last_page", 0x1FFF, 1, 0x1000},
    {"headers_are_in_no_section", 0xFFF, 1, 0},
    {"bytes_across_two_sections_are_in_none", 0x1FFF, 2, 0},
    {"past_the_last_section_is_none", 0x9000, 1, 0},
    {"no_size_makes_the_sum_overflow", 0x8FFF, 0xFFFFFFFF, 0},
};

static void section_at_row(void **state)
{
    const struct section_at_row *row = *state;
    struct read_image read;
    const struct pe_section *section;

    read_built(&read, image_build());
    section = pe_section_at(&read.pe, row->rva, row->size);
    assert_int_equal(section == NULL ? 0 : section->rva, row->want);
    read_end(&read);
}

/* A section of the file and of memory, after edits of its header. */
static struct extent_row {
    const char *name;
    uint32_t size, raw_size, raw;
    uint32_t want_size, want_raw_size;
} extent_rows[] = {
    {"what_is_past_the_last_page_is_not_mapped", 0x40, 0x1100, 0x400, 0x40,
        0x1000},
    {"without_a_size_in_memory_it_is_that_in_the_file", 0, 0x200, 0x400, 0x200,
        0x200},
    {"without_an_offset_nothing_is_in_the_file", 0x40, 0x200, 0, 0x40, 0},
};

static void extent_row(void **state)
{
    const struct extent_row *row = *state;
    struct pe_image file = image_build();
    struct read_image read;
    uint8_t *image = calloc(1, 0x9000);

    assert_non_null(image);
    image_put(&file, AT_SECTIONS + 8, 4, row->size);
    image_put(&file, AT_SECTIONS + 16, 4, row->raw_size);
    image_put(&file, AT_SECTIONS + 20, 4, row->raw);
    read_built(&read, file);
    assert_int_equal(read.pe.section[0].size, row->want_size);
    assert_int_equal(read.pe.section[0].raw_size, row->want_raw_size);
    pe_place(&read.pe, image, BUILT_BASE);
    assert_int_equal(image[0x1000], row->want_raw_size == 0 ? 0 : 0xC3);
    assert_int_equal(image[0x2000], 0x40);
    free(image);
    read_end(&read);
}

TEST_FILE(test_pe_place)
{
    TEST_ADD_ROWS(list, place_row, place_rows);
    TEST_ADD_ROWS(list, section_at_row, section_at_rows);
    TEST_ADD_ROWS(list, extent_row, extent_rows);
}
