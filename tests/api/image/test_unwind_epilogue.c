/* test_unwind_epilogue.c - each form of an epilogue's end, and code that only
 * looks like one ("x64 prolog and epilog"). */
#include "tests/api/image/unwind_scene.h"

/* Two pushes (rbp, rbx) and 0x20 bytes; with the handler at 0x1234. A body that
 * is taken for no epilogue gives 0xAB06 at 0x70038. */
static const uint8_t plain_info[] = {
    0x19, 6, 3, 0, 6, 0x32, 2, 0x30, 1, 0x50, 0, 0, 0x34, 0x12, 0, 0};
/* The same, and rbp = rsp + 0x20 at the prologue's end. */
static const uint8_t framed_info[] = {
    0x19, 11, 4, 0x25, 11, 0x03, 6, 0x32, 2, 0x30, 1, 0x50, 0x34, 0x12, 0, 0};
/* And with r12 for it. */
static const uint8_t r12_info[] = {
    0x19, 11, 4, 0x2C, 11, 0x03, 6, 0x32, 2, 0x30, 2, 0xC0, 0x34, 0x12, 0, 0};

static struct epilogue_row {
    const char *name;
    const uint8_t *info;
    uint8_t code[20];
    uint64_t want_rip, want_rsp, want_rbp, want_rbx;
} epilogue_rows[] = {
    {"return", plain_info, {0xC3}, 0xAB00, 0x70008, 0x70120, 0x103},
    {"return_with_rep", plain_info, {0xF3, 0xC3}, 0xAB00, 0x70008, 0x70120,
        0x103},
    {"return_with_bnd", plain_info, {0xF2, 0xC3}, 0xAB00, 0x70008, 0x70120,
        0x103},
    {"return_that_releases", plain_info, {0xC2, 0x10, 0x00}, 0xAB00, 0x70018,
        0x70120, 0x103},
    {"pop_and_return", plain_info, {0x5D, 0xC3}, 0xAB01, 0x70010, 0xAB00,
        0x103},
    {"two_pops_and_return", plain_info, {0x5B, 0x5D, 0xC3}, 0xAB02, 0x70018,
        0xAB01, 0xAB00},
    {"pop_of_an_extended_register", plain_info, {0x41, 0x5F, 0x5D, 0xC3},
        0xAB02, 0x70018, 0xAB01, 0x103},
    {"add_of_8_bits", plain_info, {0x48, 0x83, 0xC4, 0x20, 0x5B, 0x5D, 0xC3},
        0xAB06, 0x70038, 0xAB05, 0xAB04},
    {"add_of_a_negative_number", plain_info,
        {0x48, 0x83, 0xC4, 0x80, 0x5B, 0x5D, 0xC3}, 0, 0, 0, 0},
    {"add_of_32_bits", plain_info,
        {0x48, 0x81, 0xC4, 0x00, 0x01, 0x00, 0x00, 0x5B, 0x5D, 0xC3}, 0xAB22,
        0x70118, 0xAB21, 0xAB20},
    {"add_in_a_function_with_a_frame_register", framed_info,
        {0x48, 0x83, 0xC4, 0x20, 0x5B, 0x5D, 0xC3}, 0xAB06, 0x70038, 0xAB05,
        0xAB04},
    {"lea_with_8_bits", framed_info, {0x48, 0x8D, 0x65, 0x10, 0x5B, 0x5D, 0xC3},
        0xAB28, 0x70148, 0xAB27, 0xAB26},
    {"lea_with_32_bits", framed_info,
        {0x48, 0x8D, 0xA5, 0x00, 0x01, 0x00, 0x00, 0x5B, 0x5D, 0xC3}, 0xAB46,
        0x70238, 0xAB45, 0xAB44},
    {"lea_from_r12", r12_info, {0x49, 0x8D, 0x64, 0x24, 0x08, 0x5B, 0x5D, 0xC3},
        0xAB0B, 0x70060, 0xAB0A, 0xAB09},
    {"jump_out_of_the_function", plain_info,
        {0x5B, 0x5D, 0xE9, 0x00, 0x01, 0x00, 0x00}, 0xAB02, 0x70018, 0xAB01,
        0xAB00},
    {"jump_back_out_of_the_function", plain_info,
        {0x5D, 0xE9, 0x00, 0xFF, 0xFF, 0xFF}, 0xAB01, 0x70010, 0xAB00, 0x103},
    {"short_jump_out_of_the_function", plain_info, {0x5D, 0xEB, 0x90}, 0xAB01,
        0x70010, 0xAB00, 0x103},
    {"jump_to_the_functions_begin", plain_info, {0x5D, 0xEB, 0xBD}, 0xAB01,
        0x70010, 0xAB00, 0x103},
    {"jump_through_an_import", plain_info,
        {0x5D, 0xFF, 0x25, 0x00, 0x01, 0x00, 0x00}, 0xAB01, 0x70010, 0xAB00,
        0x103},
    {"marked_jump_through_an_import", plain_info,
        {0x5D, 0x48, 0xFF, 0x25, 0x00, 0x01, 0x00, 0x00}, 0xAB01, 0x70010,
        0xAB00, 0x103},
    {"jump_through_a_pointer", plain_info, {0x5D, 0x48, 0xFF, 0x20}, 0xAB01,
        0x70010, 0xAB00, 0x103},
    {"marked_jump_to_a_register", plain_info, {0x5D, 0x48, 0xFF, 0xE0}, 0xAB01,
        0x70010, 0xAB00, 0x103},
};

/* At 0x40 in the function; rbp is 0x70120 and r12 0x70040. */
static void place(
    struct scene *scene, const uint8_t *info, const uint8_t *code, size_t size)
{
    scene_init(scene, 0x40);
    scene->context.Rbp = 0x70120;
    scene->context.R12 = 0x70040;
    scene_put(scene, SCENE_INFO, info, 16);
    scene_put(scene, SCENE_FUNCTION + 0x40, code, size);
}

static void epilogue_row(void **state)
{
    const struct epilogue_row *row = *state;
    struct scene scene;

    place(&scene, row->info, row->code, sizeof(row->code));
    if (row->want_rip == 0) { /* below the stack: followed, and unreadable */
        assert_false(scene_unwind(&scene));
        return;
    }
    assert_true(scene_unwind(&scene));
    assert_int_equal(scene.context.Rip, row->want_rip);
    assert_int_equal(scene.context.Rsp, row->want_rsp);
    assert_int_equal(scene.context.Rbp, row->want_rbp);
    assert_int_equal(scene.context.Rbx, row->want_rbx);
    assert_int_equal(scene.step.handler, 0);
}

static struct body_row {
    const char *name;
    const uint8_t *info;
    uint8_t code[20];
} body_rows[] = {
    {"add_that_is_followed_by_other_code", plain_info,
        {0x48, 0x83, 0xC4, 0x20, 0x90, 0xC3}},
    {"pops_that_are_followed_by_other_code", plain_info,
        {0x5B, 0x5D, 0x90, 0xC3}},
    {"add_after_a_pop", plain_info, {0x5B, 0x48, 0x83, 0xC4, 0x20, 0xC3}},
    {"second_add", plain_info,
        {0x48, 0x83, 0xC4, 0x20, 0x48, 0x83, 0xC4, 0x20, 0xC3}},
    {"add_to_another_register", plain_info, {0x48, 0x83, 0xC0, 0x20, 0xC3}},
    {"add_of_32_bits_without_rex", plain_info, {0x83, 0xC4, 0x20, 0xC3}},
    {"lea_without_a_frame_register", plain_info,
        {0x48, 0x8D, 0x65, 0x10, 0xC3}},
    {"lea_from_another_register", framed_info, {0x48, 0x8D, 0x63, 0x10, 0xC3}},
    {"lea_to_another_register", framed_info, {0x48, 0x8D, 0x5D, 0x10, 0xC3}},
    {"lea_with_an_index", r12_info, {0x49, 0x8D, 0x64, 0x04, 0x10, 0xC3}},
    {"lea_relative_to_the_instruction", framed_info,
        {0x48, 0x8D, 0x25, 0x5B, 0x5D, 0xC3, 0x00}},
    {"pop_of_the_stack_pointer", plain_info, {0x5C, 0xC3}},
    {"pop_of_more_registers_than_there_are", plain_info,
        {0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58,
            0x58, 0x58, 0x58, 0x58, 0xC3}},
    {"jump_within_the_function", plain_info, {0xE9, 0x40, 0x00, 0x00, 0x00}},
    {"short_jump_within_the_function", plain_info, {0xEB, 0x10}},
    {"jump_to_the_last_byte_of_the_function", plain_info,
        {0xE9, 0xBA, 0x00, 0x00, 0x00}},
    {"jump_to_a_case", plain_info, {0xFF, 0xE0}},
    {"jump_through_memory_with_a_displacement", plain_info,
        {0x48, 0xFF, 0x60, 0x08}},
    {"call_through_an_import", plain_info,
        {0xFF, 0x15, 0x00, 0x01, 0x00, 0x00}},
    {"conditional_jump_out_of_the_function", plain_info,
        {0x0F, 0x84, 0x00, 0x01, 0x00, 0x00}},
};

static void body_row(void **state)
{
    const struct body_row *row = *state;
    struct scene scene;

    place(&scene, row->info, row->code, sizeof(row->code));
    assert_true(scene_unwind(&scene));
    assert_int_equal(scene.step.handler, 0x140001234);
    if (row->info == plain_info) {
        assert_int_equal(scene.context.Rip, 0xAB06);
        assert_int_equal(scene.context.Rsp, 0x70038);
    }
}

static struct end_row {
    const char *name;
    uint32_t at;
    uint8_t code[4];
    uint64_t hole;
    uint64_t want_rip;
} end_rows[] = {
    {"return_as_the_last_byte_of_the_function", 0xFF, {0xC3}, 0, 0xAB00},
    {"pop_and_return_at_the_end", 0xFE, {0x5D, 0xC3}, 0, 0xAB01},
    {"instruction_that_the_function_cuts_off", 0xFF, {0x5D, 0xC3}, 0, 0xAB06},
    {"unreadable_code_is_no_epilogue", 0xFE, {0x5D, 0xC3}, 0x1400010FE, 0xAB06},
};

static void end_row(void **state)
{
    const struct end_row *row = *state;
    struct scene scene;

    scene_init(&scene, row->at);
    scene_put(&scene, SCENE_INFO, plain_info, sizeof(plain_info));
    scene_put(&scene, SCENE_FUNCTION + row->at, row->code, sizeof(row->code));
    scene.hole = row->hole;
    assert_true(scene_unwind(&scene));
    assert_int_equal(scene.context.Rip, row->want_rip);
}

static void code_is_read_up_to_a_page_that_is_unreadable(void **state)
{
    const uint8_t code[] = {0x5D, 0xC3};
    const struct image_function function = {0xF80, 0x1080, SCENE_INFO};
    struct scene scene;
    const struct unwind_memory memory = {&scene, scene_read};

    (void)state;
    scene_init(&scene, 0);
    scene_put(&scene, SCENE_INFO, plain_info, sizeof(plain_info));
    scene_put(&scene, 0xFFE, code, sizeof(code));
    scene.context.Rip = 0x140000FFE;
    scene.hole = 0x140001000;
    assert_true(unwind_virtual(
        &memory, SCENE_BASE, &function, &scene.context, &scene.step));
    assert_int_equal(scene.context.Rip, 0xAB01);
}

/* A piece of the function at 0x800, which has pushed rbx. */
static const uint8_t piece_info[] = {
    0x21, 0, 0, 0, 0x00, 0x08, 0, 0, 0x00, 0x09, 0, 0, 0x80, 0x20, 0, 0};
static const uint8_t parent_info[] = {0x01, 1, 1, 0, 1, 0x30, 0, 0};

static struct piece_row {
    const char *name;
    uint8_t code[5];
    uint64_t want_rip;
} piece_rows[] = {
    {"piece_that_jumps_back_to_its_parent_goes_on",
        {0xE9, 0xCB, 0xF7, 0xFF, 0xFF}, 0xAB01},
    {"piece_that_jumps_to_its_own_begin_goes_on",
        {0xE9, 0xBB, 0xFF, 0xFF, 0xFF}, 0xAB01},
    {"piece_that_jumps_to_its_functions_begin_calls_it",
        {0xE9, 0xBB, 0xF7, 0xFF, 0xFF}, 0xAB00},
    {"piece_that_jumps_elsewhere_leaves", {0xE9, 0x00, 0x01, 0x00, 0x00},
        0xAB00},
};

static void piece_row(void **state)
{
    const struct piece_row *row = *state;
    struct scene scene;

    place(&scene, piece_info, row->code, sizeof(row->code));
    scene_put(&scene, SCENE_PARENT_INFO, parent_info, sizeof(parent_info));
    assert_true(scene_unwind(&scene));
    assert_int_equal(scene.context.Rip, row->want_rip);
}

TEST_FILE(test_unwind_epilogue)
{
    TEST_ADD_ROWS(list, epilogue_row, epilogue_rows);
    TEST_ADD_ROWS(list, body_row, body_rows);
    TEST_ADD_ROWS(list, end_row, end_rows);
    TEST_ADD_ROWS(list, piece_row, piece_rows);
    test_add(list, "code_is_read_up_to_a_page_that_is_unreadable",
        code_is_read_up_to_a_page_that_is_unreadable, NULL);
}
