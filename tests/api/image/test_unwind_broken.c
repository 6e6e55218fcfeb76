/* test_unwind_broken.c - unwind data and stacks that are not sound: refused,
 * and the context stays. */
#include "tests/api/image/unwind_scene.h"

/* Chained: the row 0x1000, 0x1100, 0x2000, which is the function itself. */
#define OWN_ROW 0x00, 0x10, 0, 0, 0x00, 0x11, 0, 0, 0x00, 0x20, 0, 0

static struct broken_row {
    const char *name;
    uint8_t info[24];
    uint64_t hole;
    uint64_t rsp; /* 0: 0x70000 */
} broken_rows[] = {
    {"version_0", {0x00, 0, 0, 0}, 0, 0},
    {"version_3", {0x03, 0, 0, 0}, 0, 0},
    {"unknown_flag", {0x41, 0, 0, 0}, 0, 0},
    {"chained_with_a_handler_of_its_own", {0x29, 0, 0, 0, OWN_ROW}, 0, 0},
    {"chained_to_itself", {0x21, 0, 0, 0, OWN_ROW}, 0, 0},
    {"chained_to_a_function_without_bytes",
        {0x21, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x10, 0, 0, 0x10, 0x20, 0, 0, 0x01, 0,
            0, 0},
        0, 0},
    {"chained_to_unaligned_information",
        {0x21, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x11, 0, 0, 0x82, 0x20, 0, 0}, 0, 0},
    {"chained_to_outside_of_the_image",
        {0x21, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x11, 0, 0, 0x80, 0x20, 0x10, 0}, 0,
        0},
    {"chained_row_unreadable", {0x21, 0, 0, 0, OWN_ROW}, 0x140002004, 0},
    {"code_7", {0x01, 4, 1, 0, 4, 0x07}, 0, 0},
    {"code_11", {0x01, 4, 1, 0, 4, 0x0B}, 0, 0},
    {"code_15", {0x01, 4, 1, 0, 4, 0x0F}, 0, 0},
    {"epilogue_code_in_version_1", {0x01, 4, 2, 0, 4, 0x16, 0, 0x06}, 0, 0},
    {"alloc_large_of_a_third_kind", {0x01, 4, 3, 0, 4, 0x21, 1, 0, 0, 0}, 0, 0},
    {"alloc_large_cut_off", {0x01, 4, 1, 0, 4, 0x01, 4, 0}, 0, 0},
    {"alloc_large_of_32_bits_cut_off", {0x01, 4, 2, 0, 4, 0x11, 4, 0}, 0, 0},
    {"save_cut_off", {0x01, 4, 1, 0, 4, 0x34, 1, 0}, 0, 0},
    {"save_far_cut_off", {0x01, 4, 2, 0, 4, 0x35, 8, 0}, 0, 0},
    {"save_xmm_cut_off", {0x01, 4, 1, 0, 4, 0x68, 1, 0}, 0, 0},
    {"push_of_the_stack_pointer", {0x01, 4, 1, 0, 4, 0x40}, 0, 0},
    {"save_of_the_stack_pointer", {0x01, 4, 2, 0, 4, 0x44, 0, 0}, 0, 0},
    {"set_fpreg_without_a_frame_register", {0x01, 4, 1, 0, 4, 0x03}, 0, 0},
    {"machine_frame_of_a_third_kind", {0x01, 4, 1, 0, 4, 0x2A}, 0, 0},
    {"machine_frame_that_is_not_the_first", {0x01, 4, 2, 0, 4, 0x0A, 1, 0x02},
        0, 0},
    {"header_unreadable", {0x01, 0, 0, 0}, 0x140002003, 0},
    {"codes_unreadable", {0x01, 1, 1, 0, 1, 0x50}, 0x140002005, 0},
    {"handler_unreadable", {0x09, 0, 0, 0}, 0x140002007, 0},
    {"return_address_unreadable", {0x01, 0, 0, 0}, 0x70000, 0},
    {"pushed_register_unreadable", {0x01, 1, 1, 0, 1, 0x50}, 0x70000, 0},
    {"saved_register_unreadable", {0x01, 4, 2, 0, 4, 0x34, 2, 0}, 0x70010, 0},
    {"saved_xmm_unreadable", {0x01, 4, 2, 0, 4, 0x68, 1, 0}, 0x7001F, 0},
    {"machine_frame_unreadable", {0x01, 0, 1, 0, 0, 0x0A}, 0x70018, 0},
    {"stack_pointer_nowhere", {0x01, 0, 0, 0}, 0, 0x10000},
    {"stack_pointer_at_the_last_byte", {0x01, 1, 1, 0, 1, 0x50}, 0,
        0xFFFFFFFFFFFFFFF8},
};

static void broken_row(void **state)
{
    const struct broken_row *row = *state;
    struct scene scene;
    CONTEXT before;

    scene_init(&scene, 0x20);
    scene_put(&scene, SCENE_INFO, row->info, sizeof(row->info));
    scene.hole = row->hole;
    if (row->rsp != 0) {
        scene.context.Rsp = row->rsp;
    }
    before = scene.context;
    assert_false(scene_unwind(&scene));
    assert_memory_equal(&scene.context, &before, sizeof(before));
}

static struct place_row {
    const char *name;
    struct image_function function;
    bool want;
} place_rows[] = {
    {"within_the_function", {0x1000, 0x1100, 0x2000}, true},
    {"before_the_function", {0x1021, 0x1100, 0x2000}, false},
    {"after_the_function", {0x1000, 0x1020, 0x2000}, false},
    {"function_without_bytes", {0x1020, 0x1020, 0x2000}, false},
    {"function_that_ends_before_it_begins", {0x1000, 0x0FFF, 0x2000}, false},
    {"information_not_aligned", {0x1000, 0x1100, 0x2001}, false},
    {"information_outside_of_the_image", {0x1000, 0x1100, 0xFFFFFFFC}, false},
};

static void place_row(void **state)
{
    const struct place_row *row = *state;
    const uint8_t info[] = {0x01, 0, 0, 0, 0x01, 0, 0, 0};
    struct scene scene;
    const struct unwind_memory memory = {&scene, scene_read};

    scene_init(&scene, 0x20);
    scene_put(&scene, SCENE_INFO, info, sizeof(info));
    assert_int_equal(unwind_virtual(&memory, SCENE_BASE, &row->function,
                         &scene.context, &scene.step),
        row->want);
}

TEST_FILE(test_unwind_broken)
{
    TEST_ADD_ROWS(list, broken_row, broken_rows);
    TEST_ADD_ROWS(list, place_row, place_rows);
}
