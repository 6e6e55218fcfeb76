/* test_checks.c - images and calls into them with one thing wrong do not pass
 * their check: the process ends there. */
#include "api/image/deliver.h"
#include "api/image/epilogue.h"
#include "api/image/unwind_info.h"
#include "tests/api/image/native_scene.h"
#include "tests/spoilt.h"

static struct native_scene scene;
static struct image *image;
static struct native *native;
static struct guest_frame outer, frame;
static struct instruction instruction;
static struct unwind_info info;
static struct epilogue epilogue;

/* A call that a driver's code made, of a routine that called its code again. */
static void make_frames(void)
{
    outer = (struct guest_frame){.kernel = &scene.booted.kernel,
        .host_sp = 0x8000,
        .entry_sp = 0x7000,
        .exception = {.deliver = deliver_exception}};
    frame = outer;
    frame.outer = &outer;
    frame.host_sp = 0x6000;
    frame.stepping = true;
    frame.shared.memory.way = INSTRUCTION_MOVES;
}

static void make(void)
{
    static const uint8_t mov_cr8[] = {0x44, 0x0F, 0x20, 0xC0};

    native_init(&scene, "native.sys");
    image = scene.image;
    native = scene.booted.kernel.native;
    assert_true(image->patch.count > 1);
    make_frames();
    assert_true(instruction_decode(mov_cr8, sizeof(mov_cr8), &instruction));
    info = (struct unwind_info){.version = 1};
    epilogue = (struct epilogue){.base = 4, .pop = {3}, .pop_count = 1};
}

static bool check_all(void)
{
    return image_check(image) && native_check(native) &&
           guest_frame_check(&frame) && guest_frame_check(&outer) &&
           instruction_check(&instruction) && unwind_info_check(&info) &&
           epilogue_check(&epilogue);
}

/* `part` becomes `value`. */
#define SPOILS(row, part, value)                                               \
    static void spoil_##row(void)                                              \
    {                                                                          \
        (part) = (value);                                                      \
    }
#include "tests/api/image/spoilt_parts.def"

static struct spoil_row spoil_rows[] = {
#define SPOILS(row, part, value) {#row, spoil_##row},
#include "tests/api/image/spoilt_parts.def"
};

static void spoil_row(void **state)
{
    make();
    assert_spoilt_is_found(*state, check_all);
    native_release(&scene);
}

TEST_FILE(test_checks)
{
    TEST_ADD_ROWS(list, spoil_row, spoil_rows);
}
