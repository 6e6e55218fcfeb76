/* test_patch.c - which bytes of an image are replaced, and which are not. */
#include <string.h>

#include "api/image/patch.h"
#include "sim/base/splitmix.h"
#include "tests/api/image/patch_revert.h"
#include "tests/rows.h"

enum { IMAGE = 128, RANGES = 3, SITES = 4 };

/* The image is `bytes` from address 0 on, then zeros; all of it is code unless
 * `code` says otherwise. */
static struct scan_row {
    const char *name;
    uint8_t bytes[80];
    struct patch_range function[RANGES], code[RANGES], data[RANGES];
    uint32_t start[2];
    uint32_t want_site[SITES];
    size_t want_count;
    uint32_t want_functions, want_errors, want_doubtful;
} scan_rows[] = {
    {"cpuid_in_a_function", {0x53, 0x0F, 0xA2, 0x5B, 0xC3}, {{0, 5}},
        .want_site = {1}, .want_count = 1, .want_functions = 1},
    {"rdtsc_at_the_end_of_a_function", {0x90, 0x0F, 0x31}, {{0, 3}},
        .want_site = {1}, .want_count = 1, .want_functions = 1},
    {"trapping_ones_are_no_sites",
        {0x0F, 0x32, 0x0F, 0x30, 0x0F, 0x33, 0xFA, 0xFB, 0xF4, 0x44, 0x0F, 0x20,
            0xC0, 0xCC, 0xCD, 0x29},
        {{0, 16}}, .want_functions = 1},
    {"immediate_is_no_site",
        {0x48, 0xB8, 0x0F, 0xA2, 0x0F, 0x31, 0xF3, 0x90, 0x0F, 0xA2, 0x0F, 0xA2,
            0xC3},
        {{0, 13}}, .want_site = {10}, .want_count = 1, .want_functions = 1},
    {"displacement_is_no_site", {0x8B, 0x05, 0x0F, 0xA2, 0x00, 0x00, 0xC3},
        {{0, 7}}, .want_functions = 1},
    {"data_is_excluded", {0x0F, 0xA2, 0xC3, 0xCC, 0x0F, 0xA2, 0xC3},
        .data = {{4, 7}}, .want_site = {0}, .want_count = 1},
    {"data_in_a_function_is_excluded",
        {0x0F, 0xA2, 0xEB, 0x03, 0x0F, 0xA2, 0xC3, 0x0F, 0x31, 0xC3}, {{0, 10}},
        .data = {{4, 7}}, .want_site = {0, 7}, .want_count = 2,
        .want_functions = 1},
    {"instruction_into_data_is_none", {0x0F, 0xA2, 0xC3, 0x0F, 0xA2, 0xC3},
        .data = {{4, 5}}, .want_site = {0}, .want_count = 1, .want_errors = 1},
    {"what_is_no_code_is_no_site", {0x0F, 0xA2, 0xC3, 0x0F, 0xA2, 0xC3},
        {{3, 6}}, .code = {{0, 3}}, .want_site = {0}, .want_count = 1},
    {"leaf_between_functions",
        {0x90, 0xC3, 0xCC, 0xCC, 0x0F, 0x31, 0xC3, 0xCC, 0x0F, 0xA2, 0xC3},
        {{0, 2}, {8, 11}}, .want_site = {4, 8}, .want_count = 2,
        .want_functions = 2},
    {"leaf_before_the_first_function", {0xF3, 0x90, 0xEB, 0xFC, 0xCC, 0xC3},
        {{5, 6}}, .want_site = {0}, .want_count = 1, .want_functions = 1},
    {"padding_of_long_nops",
        {0xC3, 0x66, 0x2E, 0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0F,
            0x1F, 0x40, 0x00, 0x90, 0x0F, 0xA2, 0xC3},
        {{0, 1}}, .want_site = {16}, .want_count = 1, .want_functions = 1},
    {"padding_of_zeros", {0xC3, 0x00, 0x00, 0x00, 0x0F, 0xA2, 0xC3},
        .want_site = {4}, .want_count = 1},
    {"error_in_a_gap_ends_at_sixteen",
        {0x06, 0x0F, 0xA2, 0xC3, [16] = 0x0F, 0xA2, 0xC3}, .want_site = {16},
        .want_count = 1, .want_errors = 1},
    {"error_in_a_gap_leaves_what_came_before",
        {0x0F, 0xA2, 0x06, 0x90, [16] = 0x0F, 0x31, 0xC3}, .want_site = {16},
        .want_count = 1, .want_errors = 1, .want_doubtful = 1},
    {"export_in_a_gap_is_a_start", {0x06, 0x06, 0x06, 0x0F, 0xA2, 0xC3},
        .start = {3}, .want_site = {3}, .want_count = 1, .want_errors = 1},
    {"branch_target_in_a_gap_is_a_start",
        {0xE8, 0x02, 0x00, 0x00, 0x00, 0xC3, 0x06, 0x0F, 0xA2, 0xC3}, {{0, 6}},
        .want_site = {7}, .want_count = 1, .want_functions = 1,
        .want_errors = 1},
    {"instruction_over_a_start_is_none",
        {0x48, 0xB8, 0x0F, 0xA2, 0xC3, 0x06, 0x06, 0x06, 0x06, 0x06},
        .start = {2}, .want_site = {2}, .want_count = 1, .want_errors = 2},
    {"error_in_a_function_keeps_what_leads_to_it", {0x0F, 0xA2, 0x06, 0x90},
        {{0, 4}}, .want_site = {0}, .want_count = 1, .want_functions = 1,
        .want_errors = 1},
    {"error_behind_a_jump_in_a_function_leaves_it",
        {0xFF, 0xE0, 0x0F, 0xA2, 0x06, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
            0x90, 0x90, 0x90, 0x90, 0x0F, 0x31, 0xC3},
        {{0, 19}}, .want_site = {16}, .want_count = 1, .want_functions = 1,
        .want_errors = 1, .want_doubtful = 1},
    {"jump_table_behind_a_function",
        {0xFF, 0xE0, 0x0F, 0x31, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
            0x0F, 0xA2, 0xC3},
        {{0, 4}}, .want_site = {2, 12}, .want_count = 2, .want_functions = 1},
    {"jump_table_in_a_function",
        {0xFF, 0xE0, 0x66, 0x90, 0x0C, 0x00, 0x00, 0x00, 0x0C, 0x00, 0x00, 0x00,
            0x0F, 0xA2, 0xC3},
        {{0, 15}}, .want_site = {12}, .want_count = 1, .want_functions = 1},
    {"jump_table_that_is_no_code",
        {0xFF, 0xE0, 0x66, 0x90, 0x06, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00,
            0x0F, 0xA2, 0xC3},
        {{0, 15}}, .want_site = {12}, .want_count = 1, .want_functions = 1},
    {"jump_table_behind_a_long_nop",
        {0xC3, 0x0F, 0x1F, 0x00, 0x06, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00,
            0x0F, 0xA2, 0xC3},
        {{0, 15}}, .want_site = {12}, .want_count = 1, .want_functions = 1},
    {"jump_table_behind_int3",
        {0xFF, 0xE0, 0xCC, 0xCC, 0x06, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00,
            0x0F, 0xA2, 0xC3},
        {{0, 15}}, .want_site = {12}, .want_count = 1, .want_functions = 1},
    {"no_jump_table_over_an_instruction",
        {0xFF, 0xE0, 0x0F, 0xA2, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
            0xC3},
        {{0, 13}}, .want_site = {2}, .want_count = 1, .want_functions = 1},
    {"functions_that_overlap", {0x0F, 0xA2, 0x0F, 0x31, 0xC3}, {{0, 5}, {2, 5}},
        .want_site = {0, 2}, .want_count = 2, .want_functions = 1},
    {"function_that_cuts_an_instruction_leaves_both_parts",
        {0x90, 0x0F, 0xA2, 0xC3}, {{0, 2}}, .code = {{0, 4}},
        .want_functions = 1, .want_errors = 2},
    {"function_outside_of_the_image", {0x0F, 0xA2, 0xC3},
        {{0, 3}, {0xFFFFFF00, 0xFFFFFFFF}, {9, 5}}, .want_site = {0},
        .want_count = 1, .want_functions = 1},
    {"one_byte_and_with_prefixes",
        {0x9C, 0x48, 0x9D, 0x66, 0x9C, 0x48, 0x0F, 0xA2, 0xC3}, {{0, 9}},
        .want_site = {0, 1, 3, 5}, .want_count = 4, .want_functions = 1},
};

static size_t ranges_of(const struct patch_range *ranges)
{
    size_t count = 0;

    while (count < RANGES && (ranges[count].begin | ranges[count].end) != 0) {
        count++;
    }
    return count;
}

static void scan_row(void **state)
{
    const struct scan_row *row = *state;
    static const struct patch_range all = {0, IMAGE};
    uint8_t image[IMAGE] = {0};
    size_t code = ranges_of(row->code);
    struct patch patch;

    memcpy(image, row->bytes, sizeof(row->bytes));
    assert_true(
        patch_scan(&patch, &(struct patch_input){.image = image,
                               .image_size = IMAGE,
                               .code = code != 0 ? row->code : &all,
                               .code_count = code != 0 ? code : 1,
                               .data = row->data,
                               .data_count = ranges_of(row->data),
                               .function = row->function,
                               .function_count = ranges_of(row->function),
                               .start = row->start,
                               .start_count = row->start[0] != 0 ? 1 : 0}));
    assert_int_equal(patch.count, row->want_count);
    for (size_t i = 0; i < row->want_count; i++) {
        assert_int_equal(patch.site[i].rva, row->want_site[i]);
    }
    assert_int_equal(patch.counts.functions, row->want_functions);
    assert_int_equal(patch.counts.function_errors + patch.counts.gap_errors,
        row->want_errors);
    assert_int_equal(patch.counts.doubtful, row->want_doubtful);
    patch_release(&patch);
}

static struct apply_row {
    const char *name;
    uint8_t bytes[8], length;
    enum instruction_kind want;
    uint8_t want_bytes[8];
} apply_rows[] = {
    {"cpuid", {0x0F, 0xA2}, 2, INSTRUCTION_CPUID, {0xCD, 0x40}},
    {"rdtsc", {0x0F, 0x31}, 2, INSTRUCTION_RDTSC, {0xCD, 0x41}},
    {"pause", {0xF3, 0x90}, 2, INSTRUCTION_PAUSE, {0xCD, 0x42}},
    {"rdtscp", {0x0F, 0x01, 0xF9}, 3, INSTRUCTION_RDTSCP, {0xCD, 0x43, 0x90}},
    {"xgetbv", {0x0F, 0x01, 0xD0}, 3, INSTRUCTION_XGETBV, {0xCD, 0x44, 0x90}},
    {"rdrand_r11", {0x49, 0x0F, 0xC7, 0xF3}, 4, INSTRUCTION_RDRAND,
        {0xCD, 0x45, 0x90, 0x90}},
    {"rdseed_eax", {0x0F, 0xC7, 0xF8}, 3, INSTRUCTION_RDSEED,
        {0xCD, 0x46, 0x90}},
    {"rdpid", {0xF3, 0x0F, 0xC7, 0xF8}, 4, INSTRUCTION_RDPID,
        {0xCD, 0x47, 0x90, 0x90}},
    {"rdpmc", {0x0F, 0x33}, 2, INSTRUCTION_RDPMC, {0xCD, 0x48}},
    {"pushfq", {0x9C}, 1, INSTRUCTION_PUSHFQ, {0xCC}},
    {"popfq", {0x9D}, 1, INSTRUCTION_POPFQ, {0xCC}},
    {"pushf", {0x66, 0x9C}, 2, INSTRUCTION_PUSHF, {0xCD, 0x49}},
    {"popfq_with_rex", {0x48, 0x9D}, 2, INSTRUCTION_POPFQ, {0xCD, 0x4C}},
    {"cpuid_with_rex", {0x48, 0x0F, 0xA2}, 3, INSTRUCTION_CPUID,
        {0xCD, 0x40, 0x90}},
    {"pause_with_66", {0x66, 0xF3, 0x90}, 3, INSTRUCTION_PAUSE,
        {0xCD, 0x42, 0x90}},
    {"sidt", {0x0F, 0x01, 0x4C, 0x24, 0x20}, 5, INSTRUCTION_SIDT,
        {0xCD, 0x4E, 0x90, 0x90, 0x90}},
    {"mov_eax_cs", {0x8C, 0xC8}, 2, INSTRUCTION_MOV_FROM_SEGMENT, {0xCD, 0x56}},
    {"int_80", {0xCD, 0x80}, 2, INSTRUCTION_INT_80, {0xCD, 0x60}},
    {"syscall", {0x0F, 0x05}, 2, INSTRUCTION_SYSCALL, {0xCD, 0x5E}},
    {"vmcall", {0x0F, 0x01, 0xC1}, 3, INSTRUCTION_VMCALL, {0xCD, 0x61, 0x90}},
};

/* The instruction alone between returns. */
static void apply_row(void **state)
{
    const struct apply_row *row = *state;
    const struct patch_range all = {0, 16};
    uint8_t image[16], before[16], want[16];
    struct patch patch;

    memset(image, 0xC3, sizeof(image));
    memcpy(image + 1, row->bytes, row->length);
    memcpy(before, image, sizeof(image));
    memcpy(want, image, sizeof(image));
    memcpy(want + 1, row->want_bytes, row->length);
    assert_true(patch_scan(&patch, &(struct patch_input){.image = image,
                                       .image_size = sizeof(image),
                                       .code = &all,
                                       .code_count = 1,
                                       .with_may_trap = true}));
    assert_memory_equal(image, before, sizeof(image));
    assert_int_equal(patch.count, 1);
    assert_int_equal(patch.site[0].rva, 1);
    assert_int_equal(patch.site[0].kind, row->want);
    assert_int_equal(patch.site[0].length, row->length);
    assert_memory_equal(patch.site[0].bytes, row->bytes, row->length);
    assert_int_equal(patch.counts.sites[row->want], 1);
    patch_apply(&patch, image);
    assert_memory_equal(image, want, sizeof(image));
    patch_revert(&patch, image);
    assert_memory_equal(image, before, sizeof(image));
    patch_release(&patch);
}

static void rdpmc_is_left_where_it_traps(void **state)
{
    static const uint8_t image[] = {0x0F, 0x33, 0xC3};
    const struct patch_range all = {0, 3};
    struct patch patch;

    (void)state;
    assert_true(patch_scan(&patch, &(struct patch_input){.image = image,
                                       .image_size = sizeof(image),
                                       .code = &all,
                                       .code_count = 1}));
    assert_int_equal(patch.count, 0);
    patch_release(&patch);
}

static void sites_are_found_by_their_begin(void **state)
{
    static const uint8_t image[] = {
        0x0F, 0xA2, 0x90, 0x0F, 0x31, 0x0F, 0x01, 0xF9, 0xC3};
    const struct patch_range all = {0, 9};
    struct patch patch;

    (void)state;
    assert_true(patch_scan(&patch, &(struct patch_input){.image = image,
                                       .image_size = sizeof(image),
                                       .code = &all,
                                       .code_count = 1}));
    assert_int_equal(patch_find(&patch, 0)->kind, INSTRUCTION_CPUID);
    assert_null(patch_find(&patch, 1));
    assert_null(patch_find(&patch, 2));
    assert_int_equal(patch_find(&patch, 3)->kind, INSTRUCTION_RDTSC);
    assert_int_equal(patch_find(&patch, 5)->kind, INSTRUCTION_RDTSCP);
    assert_null(patch_find(&patch, 6));
    assert_null(patch_find(&patch, UINT32_MAX));
    patch_release(&patch);
    assert_null(patch_find(&patch, 0));
}

static void bytes_are_counted(void **state)
{
    static const uint8_t image[] = {
        0x0F, 0xA2, 0xC3, 0xCC, 0x0F, 0x31, 0x0F, 0x31, 0xC3};
    const struct patch_range all = {0, 9}, function = {0, 3};
    struct patch patch;

    (void)state;
    assert_true(patch_scan(&patch, &(struct patch_input){.image = image,
                                       .image_size = sizeof(image),
                                       .code = &all,
                                       .code_count = 1,
                                       .function = &function,
                                       .function_count = 1}));
    assert_int_equal(patch.counts.function_bytes, 3);
    assert_int_equal(patch.counts.gap_bytes, 5);
    assert_int_equal(patch.counts.sites[INSTRUCTION_CPUID], 1);
    assert_int_equal(patch.counts.sites[INSTRUCTION_RDTSC], 2);
    patch_release(&patch);
}

static void empty_and_too_large_images(void **state)
{
    struct patch patch;

    (void)state;
    assert_true(patch_scan(&patch, &(struct patch_input){.image_size = 0}));
    assert_int_equal(patch.count, 0);
    patch_release(&patch);
    assert_false(
        patch_scan(&patch, &(struct patch_input){.image_size = 0x80000000}));
}

enum { NOISE = 512 };

static struct patch_range noise_range(struct splitmix *stream)
{
    return (struct patch_range){
        (uint32_t)splitmix_below(stream, NOISE + 32),
        (uint32_t)splitmix_below(stream, NOISE + 32),
    };
}

/* Bytes that are sites unusually often, and ranges that fit nothing. */
static void noise_is_scanned_within_its_bounds(void **state)
{
    struct splitmix stream = {.state = 1};
    static const uint8_t likely[] = {0x0F, 0xA2, 0x31, 0x9C, 0xC3, 0xF3, 0x90};
    size_t sites = 0;

    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        uint8_t *image = test_malloc(NOISE), before[NOISE];
        struct patch_range range[9];
        uint32_t start[2] = {
            noise_range(&stream).begin, (uint32_t)splitmix_next(&stream)};
        struct patch patch;

        for (unsigned i = 0; i < NOISE; i++) {
            uint64_t drawn = splitmix_next(&stream);

            image[i] = (uint8_t)drawn;
            if (drawn >> 62 != 0) {
                image[i] = likely[(drawn >> 8) % sizeof(likely)];
            }
        }
        for (unsigned i = 0; i < 9; i++) {
            range[i] = noise_range(&stream);
        }
        range[0] = (struct patch_range){0, UINT32_MAX};
        memcpy(before, image, NOISE);
        assert_true(patch_scan(
            &patch, &(struct patch_input){image, NOISE, range, 2, range + 2, 1,
                        range + 3, 6, start, 2, true}));
        for (size_t i = 0; i < patch.count; i++) {
            const struct patch_site *site = &patch.site[i];

            assert_true(site->rva + site->length <= NOISE);
            assert_true(site->rva >= range[2].end ||
                        site->rva + site->length <= range[2].begin);
            assert_true(i == 0 || site[-1].rva + site[-1].length <= site->rva);
        }
        patch_apply(&patch, image);
        patch_revert(&patch, image);
        assert_memory_equal(image, before, NOISE);
        sites += patch.count;
        patch_release(&patch);
        test_free(image);
    }
    assert_true(sites > 10000);
}

TEST_FILE(test_patch)
{
    TEST_ADD_ROWS(list, scan_row, scan_rows);
    TEST_ADD_ROWS(list, apply_row, apply_rows);
    test_add(list, "rdpmc_is_left_where_it_traps", rdpmc_is_left_where_it_traps,
        NULL);
    test_add(list, "sites_are_found_by_their_begin",
        sites_are_found_by_their_begin, NULL);
    test_add(list, "bytes_are_counted", bytes_are_counted, NULL);
    test_add(
        list, "empty_and_too_large_images", empty_and_too_large_images, NULL);
    test_add(list, "noise_is_scanned_within_its_bounds",
        noise_is_scanned_within_its_bounds, NULL);
}
