/* given_memory.c - physical memory that a machine is given: where it can lie,
 * and what it holds. */
#include "api/mm/given_memory.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/mm/physical_room.h"

#define FIRMWARE_BASE UINT64_C(0xA0000) /* and up to the first MiB */
#define LOW_RAM_END (PHYSICAL_ROOM_END * MEMORY_PAGE_BYTES)
#define FIRST_MIB (PHYSICAL_ROOM_FIRST * MEMORY_PAGE_BYTES)
#define REGION_BASE (FRAMES_REGION * MEMORY_PAGE_BYTES)
/* Up to here the model numbers pages of its own: guest memory, and stacks. */
#define REGION_END (UINT64_C(64) << 30)
#define ADDRESS_END (UINT64_C(1) << 46)

enum { NOTHING = 0xFF };

static bool overlaps(
    uint64_t base, uint64_t bytes, uint64_t first, uint64_t behind)
{
    return base < behind && first < base + bytes;
}

const char *given_memory_problem(
    enum given_kind kind, uint64_t base, uint64_t bytes)
{
    assert(bytes > 0);
    if (base >= ADDRESS_END || bytes > ADDRESS_END - base) {
        return "physical addresses end at 0x400000000000";
    }
    if (overlaps(base, bytes, 0, FIRMWARE_BASE) ||
        overlaps(base, bytes, FIRST_MIB, LOW_RAM_END) ||
        overlaps(base, bytes, REGION_BASE, REGION_END)) {
        return "the machine has RAM of its own there, up to 0xA0000, from "
               "0x100000 to 0x80000000 and from 0x100000000 to 0x1000000000";
    }
    if (kind != GIVEN_REGISTERS &&
        (base % MEMORY_PAGE_BYTES != 0 || bytes % MEMORY_PAGE_BYTES != 0)) {
        return "RAM and ROM are whole pages, multiples of 0x1000";
    }
    return NULL;
}

void given_memory_start(struct kernel *kernel, const struct given_memory *given)
{
    struct given_state *state = kernel->given_memory;
    struct arena *arena = &kernel->machine->arena;

    state->given = *given;
    state->range = arena_alloc(arena, given->count * sizeof(*state->range));
    assert(given->count > 0 && state->range != NULL);
    for (size_t i = 0; i < given->count; i++) {
        const struct given_range *range = &given->range[i];
        struct register_state *reg = NULL;

        assert(given_memory_problem(range->kind, range->base, range->bytes) ==
               NULL);
        if (range->register_count > 0) {
            reg = arena_alloc(arena, range->register_count * sizeof(*reg));
            assert(reg != NULL);
        }
        for (size_t n = 0; n < range->register_count; n++) {
            reg[n] = (struct register_state){.value = range->reg[n].reset};
        }
        state->range[i] = (struct range_state){.reg = reg};
    }
}

const struct given_range *given_memory_at(
    const struct kernel *kernel, uint64_t address)
{
    const struct given_memory *given = &kernel->given_memory->given;

    for (size_t i = 0; i < given->count; i++) {
        if (address - given->range[i].base < given->range[i].bytes) {
            return &given->range[i];
        }
    }
    return NULL;
}

const struct given_range *given_memory_in(
    const struct kernel *kernel, uint64_t page)
{
    const struct given_memory *given = &kernel->given_memory->given;

    for (size_t i = 0; i < given->count; i++) {
        const struct given_range *range = &given->range[i];

        if (page >= range->base / MEMORY_PAGE_BYTES &&
            page <= (range->base + range->bytes - 1) / MEMORY_PAGE_BYTES) {
            return range;
        }
    }
    return NULL;
}

struct range_state *given_memory_state(
    const struct kernel *kernel, const struct given_range *range)
{
    size_t n = (size_t)(range - kernel->given_memory->given.range);

    assert(n < kernel->given_memory->given.count);
    return &kernel->given_memory->range[n];
}

/* The part of the content that is in the page, and what is behind it. */
static void fill_page(
    uint8_t *bytes, const struct given_range *range, uint64_t page)
{
    uint64_t at = page * MEMORY_PAGE_BYTES - range->base;
    uint64_t left = at < range->content_bytes ? range->content_bytes - at : 0;
    size_t size =
        left < MEMORY_PAGE_BYTES ? (size_t)left : (size_t)MEMORY_PAGE_BYTES;

    memset(bytes, range->kind == GIVEN_ROM ? NOTHING : 0, MEMORY_PAGE_BYTES);
    if (size > 0) {
        memcpy(bytes, range->content + at, size);
    }
}

/* RAM has its content before anybody looks. */
static bool fill_content(struct kernel *kernel, const struct given_range *range)
{
    struct range_state *state = given_memory_state(kernel, range);
    uint64_t first = range->base / MEMORY_PAGE_BYTES;
    uint64_t pages =
        (range->content_bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;

    for (uint64_t i = 0; !state->filled && i < pages; i++) {
        uint8_t *bytes = frames_bytes(&kernel->machine->memory, first + i);

        if (bytes == NULL) {
            return false;
        }
        fill_page(bytes, range, first + i);
    }
    state->filled = true;
    return true;
}

uint8_t *given_memory_bytes(
    struct kernel *kernel, const struct given_range *range, uint64_t page)
{
    uint8_t *bytes;

    assert(range->kind != GIVEN_REGISTERS);
    assert(page - range->base / MEMORY_PAGE_BYTES <
           range->bytes / MEMORY_PAGE_BYTES);
    if (range->kind == GIVEN_RAM && !fill_content(kernel, range)) {
        return NULL;
    }
    bytes = frames_bytes(&kernel->machine->memory, page);
    if (bytes != NULL && range->kind == GIVEN_ROM) {
        fill_page(bytes, range, page); /* what was stored there was dropped */
    }
    return bytes;
}
