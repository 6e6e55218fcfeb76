/* physical.c - physical addresses of a driver's memory. */
#include "api/mm/physical.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/mm/io_space.h"
#include "api/mm/user_memory.h"

/* Behind the pages of the region. */
#define STACK_PAGES (FRAMES_REGION * 2)

bool physical_is_stack(const struct kernel *kernel, uint64_t address)
{
    return stack_pool_holds(
        &kernel->machine->guest_stacks, (const void *)(uintptr_t)address, 1);
}

uint64_t physical_page(const struct kernel *kernel, uint64_t address)
{
    const struct memory *memory = &kernel->machine->memory;
    const void *at = (const void *)(uintptr_t)address;
    uint64_t physical;

    if (physical_is_stack(kernel, address)) {
        return STACK_PAGES +
               (address - (uintptr_t)kernel->machine->guest_stacks.base) /
                   MEMORY_PAGE_BYTES;
    }
    if (memory_allows(memory, at, 1, MEMORY_READ)) {
        return frames_number(memory, at);
    }
    return io_space_is_device(kernel, address, false, &physical)
               ? physical / MEMORY_PAGE_BYTES
               : PHYSICAL_NONE;
}

bool physical_is_user(const struct kernel *kernel, uint64_t address)
{
    return address < user_memory_probe_address(kernel);
}
