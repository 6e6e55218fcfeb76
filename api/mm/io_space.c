/* io_space.c - physical memory shown at system addresses. */
#include "api/mm/io_space.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/mm/claim.h"
#include "api/mm/physical_room.h"

#define FIRMWARE_FIRST UINT64_C(0xA0) /* and up to the first MiB */

enum { NOTHING = 0xFF };

bool io_space_is_ram(const struct kernel *kernel, uint64_t page)
{
    return page < FIRMWARE_FIRST ||
           (page >= PHYSICAL_ROOM_FIRST && page <= PHYSICAL_ROOM_LAST) ||
           (page >= FRAMES_REGION &&
               page - FRAMES_REGION < kernel->machine->memory.page_count);
}

/* One page, of RAM or not. */
static bool show_page(
    struct kernel *kernel, uint8_t *at, uint64_t page, unsigned access)
{
    struct memory *memory = &kernel->machine->memory;
    uint8_t *bytes = frames_bytes(memory, page);
    bool ram = io_space_is_ram(kernel, page);

    if (bytes == NULL || !frames_show(memory, at, page)) {
        return false;
    }
    if (!ram) {
        memset(bytes, NOTHING, MEMORY_PAGE_BYTES);
    }
    return memory_set(memory, at, 1, ram ? access : MEMORY_READ, false);
}

bool io_space_show(struct kernel *kernel, uint8_t *block, uint64_t first,
    uint32_t count, unsigned access)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!show_page(kernel, block + (size_t)i * MEMORY_PAGE_BYTES, first + i,
                access)) {
            return false;
        }
    }
    return true;
}

static uint8_t *page_of(uint64_t address)
{
    return (
        uint8_t *)(uintptr_t)(address / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES);
}

bool io_space_is_hole(const struct kernel *kernel, uint64_t address)
{
    const struct memory *memory = &kernel->machine->memory;
    const struct claim *claim = claim_around(kernel, address);

    return claim != NULL && claim->writable &&
           !io_space_is_ram(kernel, frames_number(memory, page_of(address)));
}

void io_space_begin(struct kernel *kernel, uint64_t address)
{
    assert(io_space_is_hole(kernel, address));
    memory_set(&kernel->machine->memory, page_of(address), 1,
        MEMORY_READ | MEMORY_WRITE, false);
}

void io_space_end(struct kernel *kernel, uint64_t address)
{
    memset(page_of(address), NOTHING, MEMORY_PAGE_BYTES);
    memory_set(
        &kernel->machine->memory, page_of(address), 1, MEMORY_READ, false);
}
