/* io_space.c - physical memory shown at system addresses. */
#include "api/mm/io_space.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/mm/claim.h"
#include "api/mm/given_memory.h"
#include "api/mm/physical_room.h"

#define FIRMWARE_FIRST UINT64_C(0xA0) /* and up to the first MiB */

enum { NOTHING = 0xFF };

bool io_space_is_ram(const struct kernel *kernel, uint64_t page)
{
    return page < FIRMWARE_FIRST ||
           (page >= PHYSICAL_ROOM_FIRST && page < PHYSICAL_ROOM_END) ||
           (page >= FRAMES_REGION &&
               page - FRAMES_REGION < kernel->machine->memory.page_count);
}

enum page_kind { PAGE_RAM, PAGE_ROM, PAGE_REGISTERS, PAGE_NOBODYS };

static enum page_kind kind_of(const struct kernel *kernel, uint64_t page)
{
    static const enum page_kind kinds[GIVEN_KINDS] = {
        [GIVEN_RAM] = PAGE_RAM,
        [GIVEN_ROM] = PAGE_ROM,
        [GIVEN_REGISTERS] = PAGE_REGISTERS,
    };
    const struct given_range *range = given_memory_in(kernel, page);

    if (range != NULL) {
        return kinds[range->kind];
    }
    return io_space_is_ram(kernel, page) ? PAGE_RAM : PAGE_NOBODYS;
}

/* The page's bytes as they are when nobody's code stores there; NULL: the host
 * refuses. */
static uint8_t *fill_page(struct kernel *kernel, uint64_t page)
{
    const struct given_range *range = given_memory_in(kernel, page);
    uint8_t *bytes;

    if (range != NULL && range->kind != GIVEN_REGISTERS) {
        return given_memory_bytes(kernel, range, page);
    }
    bytes = frames_bytes(&kernel->machine->memory, page);
    if (bytes != NULL && kind_of(kernel, page) == PAGE_NOBODYS) {
        memset(bytes, NOTHING, MEMORY_PAGE_BYTES);
    }
    return bytes;
}

static unsigned access_of(
    const struct kernel *kernel, uint64_t page, unsigned access)
{
    switch (kind_of(kernel, page)) {
    case PAGE_RAM:
        return access;
    case PAGE_REGISTERS:
        return MEMORY_NONE;
    case PAGE_ROM:
    case PAGE_NOBODYS:
        break;
    }
    return MEMORY_READ;
}

static bool show_page(
    struct kernel *kernel, uint8_t *at, uint64_t page, unsigned access)
{
    struct memory *memory = &kernel->machine->memory;

    return fill_page(kernel, page) != NULL && frames_show(memory, at, page) &&
           memory_set(memory, at, 1, access_of(kernel, page, access), false);
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
    enum page_kind kind;

    if (claim == NULL || !claim->writable) {
        return false;
    }
    kind = kind_of(kernel, frames_number(memory, page_of(address)));
    return kind == PAGE_ROM || kind == PAGE_NOBODYS;
}

void io_space_begin(struct kernel *kernel, uint64_t address)
{
    assert(io_space_is_hole(kernel, address));
    memory_set(&kernel->machine->memory, page_of(address), 1,
        MEMORY_READ | MEMORY_WRITE, false);
}

void io_space_end(struct kernel *kernel, uint64_t address)
{
    struct memory *memory = &kernel->machine->memory;

    fill_page(kernel, frames_number(memory, page_of(address)));
    memory_set(memory, page_of(address), 1, MEMORY_READ, false);
}

bool io_space_is_device(const struct kernel *kernel, uint64_t address,
    bool write, uint64_t *physical)
{
    const struct claim *claim = kernel->given_memory->given.count == 0
                                    ? NULL
                                    : claim_around(kernel, address);
    uint64_t page;

    if (claim == NULL || (write && !claim->writable)) {
        return false;
    }
    page = frames_number(&kernel->machine->memory, page_of(address));
    *physical = page * MEMORY_PAGE_BYTES + address % MEMORY_PAGE_BYTES;
    return kind_of(kernel, page) == PAGE_REGISTERS;
}

void io_space_stop_across(struct kernel *kernel, uint64_t address, bool write)
{
    uint64_t physical;

    if (io_space_is_device(kernel, address, write, &physical)) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "the step %s memory and, from physical address 0x%llX on, "
            "registers of a device at once: make two steps of it",
            write ? "writes to" : "reads", (unsigned long long)physical);
    }
}

void io_space_open_device(
    struct kernel *kernel, uint64_t address, uint64_t value, uint32_t bytes)
{
    memory_set(&kernel->machine->memory, page_of(address), 1,
        MEMORY_READ | MEMORY_WRITE, false);
    assert(bytes <= sizeof(value));
    memset(page_of(address), NOTHING, MEMORY_PAGE_BYTES);
    memcpy((void *)(uintptr_t)address, &value, bytes);
}

void io_space_close_device(struct kernel *kernel, uint64_t address)
{
    memory_set(
        &kernel->machine->memory, page_of(address), 1, MEMORY_NONE, false);
}
