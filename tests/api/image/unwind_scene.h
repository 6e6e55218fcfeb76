/* unwind_scene.h - an image with one function and a stack whose words say where
 * they are, for tests of unwinding. */
#ifndef TESTS_API_IMAGE_UNWIND_SCENE_H
#define TESTS_API_IMAGE_UNWIND_SCENE_H

#include <string.h>

#include "api/image/unwind.h"
#include "tests/rows.h"

#define SCENE_BASE UINT64_C(0x140000000)

enum {
    SCENE_FUNCTION = 0x1000, /* rva, 0x100 bytes */
    SCENE_INFO = 0x2000,
    SCENE_PARENT_INFO = 0x2080, /* of the function at 0x800, 0x100 bytes */
    SCENE_IMAGE_BYTES = 0x3000,
    SCENE_STACK = 0x70000, /* the word at 0x70000 + 8 n is 0xAB00 + n */
    SCENE_STACK_BYTES = 0x2000,
};

struct scene {
    uint8_t image[SCENE_IMAGE_BYTES];
    CONTEXT context;
    struct unwind_step step;
    uint64_t hole; /* an address that cannot be read; 0: none */
};

static inline bool scene_read(
    void *scene_, uint64_t address, void *to, size_t size)
{
    const struct scene *scene = scene_;

    if (scene->hole != 0 && address <= scene->hole &&
        scene->hole - address < size) {
        return false;
    }
    if (address >= SCENE_BASE && size <= SCENE_IMAGE_BYTES &&
        address - SCENE_BASE <= SCENE_IMAGE_BYTES - size) {
        memcpy(to, scene->image + (address - SCENE_BASE), size);
        return true;
    }
    if (address < SCENE_STACK || address % 8 != 0 || size % 8 != 0 ||
        address - SCENE_STACK > SCENE_STACK_BYTES - size) {
        return false;
    }
    for (size_t i = 0; i < size / 8; i++) {
        uint64_t word = 0xAB00 + (address - SCENE_STACK) / 8 + i;

        memcpy((uint8_t *)to + i * 8, &word, sizeof(word));
    }
    return true;
}

/* Code that is no epilogue everywhere, the stack pointer at 0x70000, the
 * registers 0x100 + their number; it runs `at` bytes into the function. */
static inline void scene_init(struct scene *scene, uint32_t at)
{
    memset(scene, 0, sizeof(*scene));
    memset(scene->image, 0x90, sizeof(scene->image));
    for (unsigned i = 0; i < 16; i++) {
        scene->context.Integer[i] = 0x100 + i;
        scene->context.FltSave.XmmRegisters[i].Low = 0x200 + i;
    }
    scene->context.Rsp = SCENE_STACK;
    scene->context.Rip = SCENE_BASE + SCENE_FUNCTION + at;
}

static inline void scene_put(
    struct scene *scene, uint32_t rva, const uint8_t *byte, size_t size)
{
    memcpy(scene->image + rva, byte, size);
}

static inline bool scene_unwind(struct scene *scene)
{
    const struct unwind_memory memory = {scene, scene_read};
    const struct image_function function = {
        SCENE_FUNCTION, SCENE_FUNCTION + 0x100, SCENE_INFO};

    return unwind_virtual(
        &memory, SCENE_BASE, &function, &scene->context, &scene->step);
}

#endif
