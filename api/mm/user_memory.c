/* user_memory.c - memory of programs. */
#include "api/mm/user_memory.h"

#include "api/core/kernel.h"

enum { NO_MANS_LAND = 0x10000 }; /* below the system's addresses */

uint64_t user_memory_system_start(const struct kernel *kernel)
{
    const struct memory *memory = &kernel->machine->memory;

    return (uintptr_t)memory->base + memory->user_pages * MEMORY_PAGE_BYTES;
}

uint64_t user_memory_probe_address(const struct kernel *kernel)
{
    return user_memory_system_start(kernel) - NO_MANS_LAND;
}

uint64_t user_memory_highest(const struct kernel *kernel)
{
    return user_memory_probe_address(kernel) - 1;
}

void *user_memory_allocate(struct kernel *kernel, size_t size, uint8_t fill)
{
    return memory_user_alloc(&kernel->machine->memory, size, fill);
}

void user_memory_free(struct kernel *kernel, void *address)
{
    memory_free(&kernel->machine->memory, address);
}
