/* memory.c - blocks in one mapping; a page changes its protection only when a
 * block needs it otherwise than the last one that lay there. */
#define _GNU_SOURCE
#include "sim/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *memory_map(uintptr_t address, size_t size, int extra)
{
    return mmap((void *)address, size, PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | extra, -1, 0);
}

bool memory_reserve(struct memory *memory, uintptr_t address, size_t size)
{
    size_t pages = size / MEMORY_PAGE_BYTES;

    *memory = (struct memory){.page_count = pages};
    memory->open = calloc(pages, sizeof(*memory->open));
    memory->block = calloc(pages, sizeof(*memory->block));
    memory->base = memory_map(address, size, MAP_FIXED_NOREPLACE);
    if (memory->base == MAP_FAILED) {
        memory->base = memory_map(0, size, 0);
    }
    if (memory->base == MAP_FAILED) {
        memory->base = NULL;
    }
    if (memory->base == NULL || memory->open == NULL || memory->block == NULL) {
        memory_release(memory);
        return false;
    }
    return true;
}

void memory_release(struct memory *memory)
{
    if (memory->base != NULL) {
        munmap(memory->base, memory->page_count * MEMORY_PAGE_BYTES);
    }
    free(memory->open);
    free(memory->block);
    *memory = (struct memory){0};
}

static bool memory_protect(struct memory *memory, size_t page, bool open)
{
    int protection = open ? PROT_READ | PROT_WRITE : PROT_NONE;
    uint8_t *start = memory->base + page * MEMORY_PAGE_BYTES;

    if (memory->open[page] == open) {
        return true;
    }
    if (mprotect(start, MEMORY_PAGE_BYTES, protection) != 0) {
        return false;
    }
    memory->open[page] = open;
    return true;
}

void *memory_alloc(struct memory *memory, size_t size, uint8_t fill)
{
    size_t first = memory->used;
    size_t guard;
    uint8_t *start;

    if (size > (memory->page_count - first) * MEMORY_PAGE_BYTES) {
        return NULL;
    }
    guard = first + (size + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;
    if (guard >= memory->page_count) {
        return NULL;
    }
    for (size_t page = first; page <= guard; page++) {
        if (!memory_protect(memory, page, page < guard)) {
            return NULL;
        }
    }
    start = memory->base + guard * MEMORY_PAGE_BYTES - size;
    /* What lay here in another machine is not to be seen. */
    memset(memory->base + first * MEMORY_PAGE_BYTES, 0,
        (size_t)(start - memory->base) - first * MEMORY_PAGE_BYTES);
    memset(start, fill, size);
    memory->used = guard + 1;
    memory->block[memory->block_count++] =
        (struct memory_block){.start = start, .size = size};
    return start;
}

bool memory_is_open(const struct memory *memory, const void *start, size_t size)
{
    uintptr_t offset = (uintptr_t)start - (uintptr_t)memory->base;
    size_t bytes = memory->used * MEMORY_PAGE_BYTES;

    if (size == 0) {
        return true;
    }
    if ((uintptr_t)start < (uintptr_t)memory->base || offset >= bytes ||
        size > bytes - offset) {
        return false;
    }
    for (size_t page = offset / MEMORY_PAGE_BYTES;
         page <= (offset + size - 1) / MEMORY_PAGE_BYTES; page++) {
        if (!memory->open[page]) {
            return false;
        }
    }
    return true;
}

const struct memory_block *memory_find(
    const struct memory *memory, const void *address)
{
    uintptr_t at = (uintptr_t)address;

    for (size_t i = 0; i < memory->block_count; i++) {
        const struct memory_block *block = &memory->block[i];
        uintptr_t start = (uintptr_t)block->start;

        if (at == start || (at > start && at - start < block->size)) {
            return block;
        }
    }
    return NULL;
}

void memory_reset(struct memory *memory)
{
    assert(memory->base != NULL);
    memory->used = 0;
    memory->block_count = 0;
}
