/* test_unwind.c - each unwind code, undone whole and in the middle of the
 * prologue ("x64 exception handling", struct UNWIND_CODE). Bytes of a code are
 * offset, info << 4 | op. */
#include "tests/api/image/unwind_scene.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R12 = 12, R15 = 15 };

struct want {
    uint8_t number;
    uint64_t value;
};

static struct code_row {
    const char *name;
    uint8_t info[40];
    uint32_t at;
    uint64_t rbp; /* 0: 0x105 */
    uint64_t want_rip, want_rsp, want_frame;
    struct want want[3]; /* value 0: no more */
} code_rows[] = {
    {"no_codes_pop_the_return_address", {0x01, 0, 0, 0}, 0x20, 0, 0xAB00,
        0x70008, 0x70000, {{RBX, 0x103}, {RBP, 0x105}}},
    {"push_nonvol_restores_the_register", {0x01, 1, 1, 0, 1, 0x30}, 0x20, 0,
        0xAB01, 0x70010, 0x70000, {{RBX, 0xAB00}}},
    {"push_nonvol_of_an_extended_register", {0x01, 2, 1, 0, 2, 0xF0}, 0x20, 0,
        0xAB01, 0x70010, 0x70000, {{R15, 0xAB00}}},
    {"pushes_are_undone_from_the_last", {0x01, 2, 2, 0, 2, 0x70, 1, 0x30}, 0x20,
        0, 0xAB02, 0x70018, 0x70000, {{RDI, 0xAB00}, {RBX, 0xAB01}}},
    {"alloc_small_of_8_bytes", {0x01, 4, 1, 0, 4, 0x02}, 0x20, 0, 0xAB01,
        0x70010, 0x70000, {{0}}},
    {"alloc_small_of_128_bytes", {0x01, 4, 1, 0, 4, 0xF2}, 0x20, 0, 0xAB10,
        0x70088, 0x70000, {{0}}},
    {"alloc_large_scaled_by_8", {0x01, 7, 2, 0, 7, 0x01, 0x20, 0x00}, 0x20, 0,
        0xAB20, 0x70108, 0x70000, {{0}}},
    {"alloc_large_scaled_beyond_a_page", {0x01, 7, 2, 0, 7, 0x01, 0x80, 0x02},
        0x20, 0, 0xAD80, 0x71408, 0x70000, {{0}}},
    {"alloc_large_of_32_bits", {0x01, 7, 3, 0, 7, 0x11, 0x00, 0x10, 0x00, 0x00},
        0x20, 0, 0xAD00, 0x71008, 0x70000, {{0}}},
    {"set_fpreg_takes_the_frame_register",
        {0x01, 9, 3, 0x25, 9, 0x03, 5, 0x02, 1, 0x50}, 0x20, 0x70120, 0xAB22,
        0x70118, 0x70100, {{RBP, 0xAB21}}},
    {"save_nonvol_is_scaled_by_8", {0x01, 9, 3, 0, 9, 0x34, 3, 0x00, 4, 0x32},
        0x20, 0, 0xAB04, 0x70028, 0x70000, {{RBX, 0xAB03}}},
    {"save_nonvol_far_is_not_scaled",
        {0x01, 9, 4, 0, 9, 0x65, 0x10, 0x00, 0x00, 0x00, 4, 0x32}, 0x20, 0,
        0xAB04, 0x70028, 0x70000, {{RSI, 0xAB02}}},
    {"save_nonvol_far_uses_its_high_half",
        {0x01, 9, 7, 0, 9, 0x65, 0x08, 0x00, 0x00, 0x00, 9, 0x75, 0x00, 0x10,
            0x00, 0x00, 4, 0x32},
        0x20, 0, 0xAB04, 0x70028, 0x70000, {{RSI, 0xAB01}, {RDI, 0xAD00}}},
    {"save_is_relative_to_the_frame_register",
        {0x01, 9, 5, 0x25, 12, 0x34, 4, 0x00, 9, 0x03, 5, 0x52, 1, 0x50}, 0x20,
        0x70120, 0xAB27, 0x70140, 0x70100, {{RBX, 0xAB24}, {RBP, 0xAB26}}},
    {"machine_frame_has_no_return_address", {0x01, 0, 1, 0, 0, 0x0A}, 0x20, 0,
        0xAB00, 0xAB03, 0x70000, {{0}}},
    {"machine_frame_with_an_error_code", {0x01, 0, 1, 0, 0, 0x1A}, 0x20, 0,
        0xAB01, 0xAB04, 0x70000, {{0}}},
    {"machine_frame_below_pushes", {0x01, 5, 3, 0, 5, 0x02, 1, 0x30, 0, 0x1A},
        0x20, 0, 0xAB03, 0xAB06, 0x70000, {{RBX, 0xAB01}}},
    {"version_2_epilogue_codes_are_skipped",
        {0x02, 5, 4, 0, 0x02, 0x16, 0x00, 0x06, 5, 0x02, 1, 0x30}, 0x20, 0,
        0xAB02, 0x70018, 0x70000, {{RBX, 0xAB01}}},
    {"version_2_padding_of_zeros_is_skipped",
        {0x02, 5, 4, 0, 0x02, 0x16, 0x00, 0x00, 5, 0x02, 1, 0x30}, 0x20, 0,
        0xAB02, 0x70018, 0x70000, {{RBX, 0xAB01}}},
    {"prologue_not_begun_has_done_nothing", {0x01, 5, 2, 0, 5, 0x32, 1, 0x50},
        0, 0, 0xAB00, 0x70008, 0x70000, {{RBP, 0x105}}},
    {"prologue_past_the_push_only", {0x01, 5, 2, 0, 5, 0x32, 1, 0x50}, 1, 0,
        0xAB01, 0x70010, 0x70000, {{RBP, 0xAB00}}},
    {"prologue_within_the_allocation_has_not_allocated",
        {0x01, 5, 2, 0, 5, 0x32, 1, 0x50}, 4, 0, 0xAB01, 0x70010, 0x70000,
        {{RBP, 0xAB00}}},
    {"prologue_that_is_over_has_done_all", {0x01, 5, 2, 0, 5, 0x32, 1, 0x50}, 5,
        0, 0xAB05, 0x70030, 0x70000, {{RBP, 0xAB04}}},
    {"prologue_before_the_frame_register_uses_the_stack_pointer",
        {0x01, 10, 3, 0x25, 10, 0x03, 5, 0x32, 1, 0x50}, 5, 0x7777, 0xAB05,
        0x70030, 0x70000, {{RBP, 0xAB04}}},
    {"prologue_after_the_frame_register_uses_it",
        {0x01, 20, 3, 0x25, 10, 0x03, 5, 0x32, 1, 0x50}, 10, 0x70120, 0xAB25,
        0x70130, 0x70100, {{RBP, 0xAB24}}},
};

static void code_row(void **state)
{
    const struct code_row *row = *state;
    struct scene scene;

    scene_init(&scene, row->at);
    scene_put(&scene, SCENE_INFO, row->info, sizeof(row->info));
    if (row->rbp != 0) {
        scene.context.Rbp = row->rbp;
    }
    assert_true(scene_unwind(&scene));
    assert_int_equal(scene.context.Rip, row->want_rip);
    assert_int_equal(scene.context.Rsp, row->want_rsp);
    assert_int_equal(scene.step.establisher_frame, row->want_frame);
    assert_int_equal(scene.step.handler, 0);
    for (unsigned i = 0; i < 3 && row->want[i].value != 0; i++) {
        assert_int_equal(
            scene.context.Integer[row->want[i].number], row->want[i].value);
    }
    assert_int_equal(scene.context.R12, 0x10C);
}

static struct xmm_row {
    const char *name;
    uint8_t info[16];
    uint64_t want_low, want_high;
} xmm_rows[] = {
    {"save_xmm128_is_scaled_by_16", {0x01, 9, 3, 0, 9, 0x68, 2, 0x00, 4, 0x72},
        0xAB04, 0xAB05},
    {"save_xmm128_far_is_not_scaled",
        {0x01, 9, 4, 0, 9, 0x69, 0x20, 0x10, 0x00, 0x00, 4, 0x72}, 0xAD04,
        0xAD05},
    {"xmm_that_was_not_saved_stays", {0x01, 9, 1, 0, 4, 0x72}, 0x206, 0},
};

static void xmm_row(void **state)
{
    const struct xmm_row *row = *state;
    struct scene scene;

    scene_init(&scene, 0x20);
    scene_put(&scene, SCENE_INFO, row->info, sizeof(row->info));
    assert_true(scene_unwind(&scene));
    assert_int_equal(scene.context.Xmm6.Low, row->want_low);
    assert_int_equal(scene.context.Xmm6.High, row->want_high);
    assert_int_equal(scene.context.Xmm7.Low, 0x207);
    assert_int_equal(scene.context.Rip, 0xAB08);
    assert_int_equal(scene.context.Rsp, 0x70048);
}

/* Chained: the row 0x800, 0x900, 0x2080 follows the codes. */
#define PARENT_ROW 0x00, 0x08, 0, 0, 0x00, 0x09, 0, 0, 0x80, 0x20, 0, 0

static struct chain_row {
    const char *name;
    uint8_t info[40], parent[40];
    uint32_t at;
    uint64_t want_rip, want_rsp, want_rbx, want_rdi, want_handler;
} chain_rows[] = {
    {"chained_piece_undoes_its_own_and_the_parents_codes",
        {0x21, 5, 2, 0, 5, 0x34, 1, 0x00, PARENT_ROW},
        {0x01, 6, 2, 0, 6, 0x12, 2, 0x70}, 0x20, 0xAB03, 0x70020, 0xAB01,
        0xAB02, 0},
    {"chained_row_follows_an_even_number_of_slots",
        {0x21, 1, 1, 0, 1, 0x30, 0, 0, PARENT_ROW},
        {0x01, 6, 2, 0, 6, 0x12, 2, 0x70}, 0x20, 0xAB04, 0x70028, 0xAB00,
        0xAB03, 0},
    {"chained_piece_in_its_prologue_undoes_the_whole_parent",
        {0x21, 5, 2, 0, 5, 0x34, 1, 0x00, PARENT_ROW},
        {0x01, 6, 2, 0, 6, 0x12, 2, 0x70}, 0x2, 0xAB03, 0x70020, 0x103, 0xAB02,
        0},
    {"chained_piece_has_the_parents_handler", {0x21, 0, 0, 0, PARENT_ROW},
        {0x09, 6, 2, 0, 6, 0x12, 2, 0x70, 0x00, 0x11, 0, 0}, 0x20, 0xAB03,
        0x70020, 0x103, 0xAB02, 0x140001100},
    {"chained_piece_in_its_prologue_has_no_handler",
        {0x21, 5, 2, 0, 5, 0x34, 1, 0x00, PARENT_ROW},
        {0x09, 6, 2, 0, 6, 0x12, 2, 0x70, 0x00, 0x11, 0, 0}, 0x2, 0xAB03,
        0x70020, 0x103, 0xAB02, 0},
};

static void chain_row(void **state)
{
    const struct chain_row *row = *state;
    struct scene scene;

    scene_init(&scene, row->at);
    scene_put(&scene, SCENE_INFO, row->info, sizeof(row->info));
    scene_put(&scene, SCENE_PARENT_INFO, row->parent, sizeof(row->parent));
    assert_true(scene_unwind(&scene));
    assert_int_equal(scene.context.Rip, row->want_rip);
    assert_int_equal(scene.context.Rsp, row->want_rsp);
    assert_int_equal(scene.context.Rbx, row->want_rbx);
    assert_int_equal(scene.context.Rdi, row->want_rdi);
    assert_int_equal(scene.step.handler, row->want_handler);
}

static struct handler_row {
    const char *name;
    uint8_t info[16];
    uint32_t at;
    uint64_t want_handler, want_data;
    uint8_t want_kind;
} handler_rows[] = {
    {"exception_handler_is_found_in_the_body",
        {0x09, 4, 1, 0, 4, 0x42, 0, 0, 0x34, 0x12, 0, 0}, 0x20, 0x140001234,
        0x14000200C, 1},
    {"termination_handler_is_found_in_the_body",
        {0x11, 4, 1, 0, 4, 0x42, 0, 0, 0x34, 0x12, 0, 0}, 0x20, 0x140001234,
        0x14000200C, 2},
    {"handler_of_both_kinds", {0x19, 4, 2, 0, 4, 0x01, 5, 0, 0x34, 0x12, 0, 0},
        0x20, 0x140001234, 0x14000200C, 3},
    {"handler_guards_the_first_instruction_after_the_prologue",
        {0x09, 4, 1, 0, 4, 0x42, 0, 0, 0x34, 0x12, 0, 0}, 4, 0x140001234,
        0x14000200C, 1},
    {"handler_does_not_guard_the_prologue",
        {0x09, 4, 1, 0, 4, 0x42, 0, 0, 0x34, 0x12, 0, 0}, 3, 0, 0, 0},
    {"without_codes_the_handler_follows_the_header",
        {0x19, 0, 0, 0, 0x34, 0x12, 0, 0}, 0, 0x140001234, 0x140002008, 3},
};

static void handler_row(void **state)
{
    const struct handler_row *row = *state;
    struct scene scene;

    scene_init(&scene, row->at);
    scene_put(&scene, SCENE_INFO, row->info, sizeof(row->info));
    assert_true(scene_unwind(&scene));
    assert_int_equal(scene.step.handler, row->want_handler);
    assert_int_equal(scene.step.handler_data, row->want_data);
    assert_int_equal(scene.step.handler_kind, row->want_kind);
}

/* The frame is the parent's: 0x70100, with 0x20 bytes and rbp above. */
static void chained_piece_in_its_prologue_has_the_frame_register(void **state)
{
    const uint8_t info[] = {0x21, 5, 2, 0x25, 5, 0x34, 1, 0x00, PARENT_ROW};
    const uint8_t parent[] = {0x01, 10, 3, 0x25, 10, 0x03, 5, 0x32, 1, 0x50};
    struct scene scene;

    (void)state;
    scene_init(&scene, 0x2);
    scene.context.Rbp = 0x70120;
    scene_put(&scene, SCENE_INFO, info, sizeof(info));
    scene_put(&scene, SCENE_PARENT_INFO, parent, sizeof(parent));
    assert_true(scene_unwind(&scene));
    assert_int_equal(scene.step.establisher_frame, 0x70100);
    assert_int_equal(scene.context.Rip, 0xAB25);
    assert_int_equal(scene.context.Rsp, 0x70130);
    assert_int_equal(scene.context.Rbp, 0xAB24);
}

static void leaf_pops_the_return_address(void **state)
{
    struct scene scene;
    const struct unwind_memory memory = {&scene, scene_read};

    (void)state;
    scene_init(&scene, 0);
    assert_true(
        unwind_virtual(&memory, SCENE_BASE, NULL, &scene.context, &scene.step));
    assert_int_equal(scene.context.Rip, 0xAB00);
    assert_int_equal(scene.context.Rsp, 0x70008);
    assert_int_equal(scene.context.Rbx, 0x103);
    assert_int_equal(scene.step.establisher_frame, 0x70000);
    assert_int_equal(scene.step.handler, 0);
}

TEST_FILE(test_unwind)
{
    TEST_ADD_ROWS(list, code_row, code_rows);
    TEST_ADD_ROWS(list, xmm_row, xmm_rows);
    TEST_ADD_ROWS(list, chain_row, chain_rows);
    TEST_ADD_ROWS(list, handler_row, handler_rows);
    test_add(list, "chained_piece_in_its_prologue_has_the_frame_register",
        chained_piece_in_its_prologue_has_the_frame_register, NULL);
    test_add(list, "leaf_pops_the_return_address", leaf_pops_the_return_address,
        NULL);
}
