/* epilogue.c - whether code is within an epilogue: a decoder for the few
 * instructions that one may have. */
#include "api/image/epilogue.h"

#include <assert.h>
#include <string.h>

enum {
    WINDOW_BYTES = 64, /* longer than the longest epilogue */
    LONGEST = 8,       /* bytes of an instruction that are looked at */
    PAGE_BYTES = 4096,
    REGISTER_SP = 4,
    REX = 0x40,
    REX_W = 0x08,
    REX_B = 0x01,
};

/* Code of which `used` bytes are decoded; more than `size` when the function
 * cuts an instruction off, and then nothing after it is taken. */
struct window {
    uint8_t byte[WINDOW_BYTES + 16];
    size_t size, used;
};

bool epilogue_check(const struct epilogue *epilogue)
{
    assert(epilogue->base < 16 && epilogue->pop_count <= EPILOGUE_POP_MAX);
    for (unsigned i = 0; i < epilogue->pop_count; i++) {
        assert(epilogue->pop[i] < 16 && epilogue->pop[i] != REGISTER_SP);
    }
    return true;
}

static bool window_read(const struct unwind_memory *memory, uint64_t rip,
    uint64_t end, struct window *window)
{
    uint64_t page_left = PAGE_BYTES - rip % PAGE_BYTES;
    uint64_t size = end - rip < WINDOW_BYTES ? end - rip : WINDOW_BYTES;

    assert(rip < end);
    memset(window, 0, sizeof(*window));
    window->size = size;
    if (memory->read(memory->context, rip, window->byte, size)) {
        return true;
    }
    window->size = page_left < size ? page_left : 0;
    return window->size > 0 &&
           memory->read(memory->context, rip, window->byte, window->size);
}

static const uint8_t *next(const struct window *window)
{
    assert(window->used + LONGEST <= sizeof(window->byte));
    return window->byte + window->used;
}

static bool take(struct window *window, size_t size)
{
    window->used += size;
    return window->used <= window->size;
}

static int32_t signed_at(const uint8_t *at, size_t size)
{
    int32_t value;

    if (size == 1) {
        return (int8_t)at[0];
    }
    memcpy(&value, at, sizeof(value));
    return value;
}

/* ADD RSP, imm8 or imm32. */
static bool decode_add(struct window *window, struct epilogue *epilogue)
{
    const uint8_t *at = next(window);
    size_t immediate = at[1] == 0x83 ? 1 : 4;

    if (at[0] != (REX | REX_W) || (at[1] != 0x83 && at[1] != 0x81) ||
        at[2] != 0xC4) {
        return false;
    }
    epilogue->offset = signed_at(at + 3, immediate);
    return take(window, 3 + immediate);
}

/* LEA RSP, [frame register + constant]. */
static bool decode_lea(
    struct window *window, uint8_t frame_register, struct epilogue *epilogue)
{
    const uint8_t *at = next(window);
    uint8_t mod = at[2] >> 6, rm = at[2] & 7;
    uint8_t base = (uint8_t)(rm | (at[0] & REX_B) << 3);
    size_t sib = rm == 4, size = mod == 0 ? 0 : mod == 1 ? 1 : 4;

    if (frame_register == 0 || (at[0] & ~REX_B) != (REX | REX_W) ||
        at[1] != 0x8D || (at[2] >> 3 & 7) != REGISTER_SP || mod == 3) {
        return false;
    }
    if ((sib == 1 && at[3] != 0x24) || (mod == 0 && rm == 5) ||
        base != frame_register) {
        return false; /* an index, or relative to the instruction */
    }
    epilogue->base = base;
    epilogue->offset = size == 0 ? 0 : signed_at(at + 3 + sib, size);
    return take(window, 3 + sib + size);
}

/* POP of a register of 8 bytes. */
static bool decode_pop(struct window *window, struct epilogue *epilogue)
{
    const uint8_t *at = next(window);
    size_t rex = (at[0] & 0xF0) == REX;
    uint8_t extended = rex == 1 && (at[0] & REX_B) != 0 ? 8 : 0;
    uint8_t popped = (uint8_t)((at[rex] & 7) | extended);

    if ((at[rex] & 0xF8) != 0x58 || popped == REGISTER_SP ||
        epilogue->pop_count == EPILOGUE_POP_MAX) {
        return false;
    }
    epilogue->pop[epilogue->pop_count++] = popped;
    return take(window, rex + 1);
}

/* RET, also with a REP or BND prefix, and RET imm16. */
static bool decode_return(struct window *window, struct epilogue *epilogue)
{
    const uint8_t *at = next(window);
    size_t prefix = at[0] == 0xF3 || at[0] == 0xF2;

    if (at[prefix] == 0xC3) {
        return take(window, prefix + 1);
    }
    if (at[0] != 0xC2) {
        return false;
    }
    memcpy(&epilogue->release, at + 1, sizeof(epilogue->release));
    return take(window, 3);
}

/* JMP through memory without a displacement, which is a tail call. Compilers
 * mark tail calls through registers, unlike jumps to a case, with REX.W. */
static bool decode_jump_through(struct window *window)
{
    const uint8_t *at = next(window);
    size_t rex = (at[0] & 0xF0) == REX;
    bool marked = rex == 1 && (at[0] & REX_W) != 0;
    uint8_t mod = at[rex + 1] >> 6;

    if (at[rex] != 0xFF || (at[rex + 1] >> 3 & 7) != 4) {
        return false;
    }
    return (mod == 0 || (mod == 3 && marked)) && take(window, rex + 2);
}

/* The row that pieces of a function are chained to. */
static bool primary_row(const struct unwind_memory *memory, uint64_t base,
    const struct unwind_info *info, struct image_function *primary)
{
    struct unwind_info at = *info;

    for (unsigned depth = 0; depth < UNWIND_CHAIN_MAX; depth++) {
        if ((at.flags & UNWIND_CHAINED) == 0) {
            return true;
        }
        if (!unwind_info_parent(memory, &at, primary) ||
            !unwind_info_read(memory, base, primary, &at)) {
            return false;
        }
    }
    return false;
}

static bool inside(const struct image_function *function, uint64_t rva)
{
    return rva >= function->begin && rva < function->end;
}

/* JMP rel8 or rel32 that leaves the function, or calls it anew. */
static bool decode_jump(struct window *window,
    const struct unwind_memory *memory, uint64_t base,
    const struct image_function *function, const struct unwind_info *info,
    uint64_t rip)
{
    const uint8_t *at = next(window);
    size_t size = at[0] == 0xEB ? 1 : 4;
    struct image_function primary = *function;
    uint64_t target;

    if ((at[0] != 0xEB && at[0] != 0xE9) || !take(window, 1 + size)) {
        return false;
    }
    target = rip + window->used - base + (uint64_t)signed_at(at + 1, size);
    if (!primary_row(memory, base, info, &primary)) {
        return false;
    }
    if (target == primary.begin) {
        return true;
    }
    return !inside(function, target) && !inside(&primary, target);
}

bool epilogue_decode(const struct unwind_memory *memory, uint64_t base,
    const struct image_function *function, const struct unwind_info *info,
    uint64_t rip, struct epilogue *epilogue)
{
    struct window window;

    *epilogue = (struct epilogue){.base = REGISTER_SP};
    if (!window_read(memory, rip, base + function->end, &window)) {
        return false;
    }
    if (!decode_add(&window, epilogue)) {
        decode_lea(&window, info->frame_register, epilogue);
    }
    while (decode_pop(&window, epilogue)) {
    }
    return decode_return(&window, epilogue) || decode_jump_through(&window) ||
           decode_jump(&window, memory, base, function, info, rip);
}
