/* user_pages.c - pages of programs' blocks closed to the host, and opened. */
#define _GNU_SOURCE
#include "sim/memory/user_pages.h"

#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>

#include "sim/memory/memory.h"
#include "sim/memory/pages.h"

/* From the first to behind the last one that is open. */
void user_pages_close(struct memory *memory)
{
    size_t first = 0, end = memory->user_used;

    while (first < end && pages_are_closed(memory, first)) {
        first++;
    }
    while (end > first && pages_are_closed(memory, end - 1)) {
        end--;
    }
    if (first == end ||
        mprotect(memory->base + first * MEMORY_PAGE_BYTES,
            (end - first) * MEMORY_PAGE_BYTES, PROT_NONE) != 0) {
        return;
    }
    for (size_t page = first; page < end; page++) {
        pages_replaced(memory, page, MEMORY_NONE);
    }
}

bool user_pages_open(struct memory *memory, const void *start, size_t size)
{
    uintptr_t at = (uintptr_t)start;
    size_t first, end;
    bool closed = false;

    if (size == 0 || !memory_is_user(memory, at)) {
        return false;
    }
    first = (at - (uintptr_t)memory->base) / MEMORY_PAGE_BYTES;
    end = (at - (uintptr_t)memory->base + size - 1) / MEMORY_PAGE_BYTES + 1;
    end = end < memory->user_used ? end : memory->user_used;
    for (size_t page = first; page < end; page++) {
        closed |= pages_are_closed(memory, page) &&
                  memory_allows(memory, memory->base + page * MEMORY_PAGE_BYTES,
                      1, MEMORY_READ);
    }
    return closed && pages_apply(memory, first, end - first);
}

void user_pages_open_all(struct memory *memory)
{
    assert(memory->user_used <= memory->user_pages);
    pages_apply(memory, 0, memory->user_used);
}
