/* test_image_scan.c - what is found in a file holds for the image that is
 * mapped of it, and no longer once something is written into its code. */
#include "tests/api/image/native_scene.h"

#include <string.h>

#include "api/image/image_scan.h"

/* Where it is mapped, which no driver is linked for. */
static const uint64_t base = UINT64_C(0x180200002000);

struct mapped {
    struct native_scene scene; /* its bytes */
    struct pe pe;
    uint8_t *image;
};

static void map_file(struct mapped *mapped, const char *name)
{
    struct pe_problems problems;
    char path[512];

    snprintf(path, sizeof(path), "%s/%s", NATIVE_DRIVERS, name);
    native_read_file(&mapped->scene, path);
    assert_true(pe_read(
        &mapped->pe, mapped->scene.bytes, mapped->scene.size, &problems));
    mapped->image = calloc(mapped->pe.image_size, 1);
    assert_non_null(mapped->image);
    pe_place(&mapped->pe, mapped->image, base);
}

static void unmap_file(struct mapped *mapped)
{
    free(mapped->image);
    pe_release(&mapped->pe);
    free(mapped->scene.bytes);
}

static void assert_same(const struct patch *left, const struct patch *right)
{
    assert_memory_equal(&left->counts, &right->counts, sizeof(left->counts));
    assert_int_equal(left->count, right->count);
    for (size_t i = 0; i < left->count; i++) {
        assert_int_equal(left->site[i].rva, right->site[i].rva);
        assert_int_equal(left->site[i].kind, right->site[i].kind);
        assert_int_equal(left->site[i].length, right->site[i].length);
        assert_memory_equal(
            left->site[i].bytes, right->site[i].bytes, left->site[i].length);
    }
}

static struct file_row {
    const char *name, *file;
    bool want_sites;
} file_rows[] = {
    {"clang", "native.sys", true},
    {"mingw", "native_mingw.sys", true},
    {"gaps", "gaps.sys", false},
    {"registers", "registers.sys", false},
    {"structured_exceptions", "hello_seh.sys", false},
};

static void file_row(void **state)
{
    const struct file_row *row = *state;
    struct mapped mapped;
    struct patch of_file, of_image, known;

    map_file(&mapped, row->file);
    assert_true(
        image_scan_file(mapped.scene.bytes, mapped.scene.size, &of_file));
    assert_true(image_scan(&mapped.pe, mapped.image, &of_image));
    assert_same(&of_file, &of_image);
    assert_int_equal(of_image.count > 0, row->want_sites);
    assert_true(image_scan_known(&mapped.pe, mapped.image, &of_file, &known));
    assert_same(&known, &of_image);
    patch_release(&of_file);
    patch_release(&of_image);
    patch_release(&known);
    unmap_file(&mapped);
}

enum change { NOTHING, CODE, BEHIND_CODE, ZEROS_BEHIND_CODE, DATA };

static struct change_row {
    const char *name;
    enum change change;
    bool want_known;
} change_rows[] = {
    {"code_is_as_in_the_file", NOTHING, true},
    {"byte_of_code_is_another", CODE, false},
    {"byte_behind_the_files_code_is_no_zero", BEHIND_CODE, false},
    {"bytes_behind_the_files_code_are_zeros", ZEROS_BEHIND_CODE, true},
    {"byte_of_data_is_another", DATA, true},
};

/* The last byte of the first section that is code, or is not. */
static uint8_t *last_byte(const struct mapped *mapped, bool code)
{
    const struct pe_section *section = mapped->pe.section;

    while (section->executable != code) {
        section++;
    }
    return mapped->image + section->rva + section->raw_size - 1;
}

/* What is known is that there is nothing, so that it tells itself from what is
 * found. */
static void change_row(void **state)
{
    const struct change_row *row = *state;
    const struct patch nothing = {.count = 0};
    struct mapped mapped;
    struct patch got;

    map_file(&mapped, "native.sys");
    if (row->change == CODE || row->change == DATA) {
        *last_byte(&mapped, row->change == CODE) ^= 1;
    }
    if (row->change == BEHIND_CODE || row->change == ZEROS_BEHIND_CODE) {
        struct pe_section *section = mapped.pe.section;

        while (!section->executable) {
            section++;
        }
        section->size = section->raw_size + 2;
        last_byte(&mapped, true)[2] = row->change == BEHIND_CODE;
    }
    assert_true(image_scan_known(&mapped.pe, mapped.image, &nothing, &got));
    assert_int_equal(got.count == 0, row->want_known);
    patch_release(&got);
    unmap_file(&mapped);
}

static void no_image_is_refused(void **state)
{
    struct patch patch;

    (void)state;
    assert_false(image_scan_file((const uint8_t *)"MZ", 2, &patch));
}

TEST_FILE(test_image_scan)
{
    TEST_ADD_ROWS(list, file_row, file_rows);
    TEST_ADD_ROWS(list, change_row, change_rows);
    test_add(list, "no_image_is_refused", no_image_is_refused, NULL);
}
