/* memory.h - the guest's memory: blocks that drivers and scenarios own. Each
 * ends where an inaccessible page begins, so one byte too far is seen.
 * Knows nothing of pools or IRQL. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMORY_PAGE_BYTES = 4096 };

struct memory_block {
    uint8_t *start;
    size_t size; /* bytes */
};

struct memory {
    uint8_t *base;
    size_t page_count;
    size_t used;                /* pages handed out */
    bool *open;                 /* by page: what the host's protection is now */
    struct memory_block *block; /* in order of address */
    size_t block_count;
};

/* Reserves `size` bytes at `address`, or elsewhere when that is taken.
 * Returns false when the host refuses. */
bool memory_reserve(struct memory *memory, uintptr_t address, size_t size);

void memory_release(struct memory *memory);

/* A block of `size` bytes, 0 included, every byte of it `fill`. The block ends
 * at a guard page. NULL when the region is full. */
void *memory_alloc(struct memory *memory, size_t size, uint8_t fill);

/* Whether a guest access to these bytes succeeds. */
bool memory_is_open(
    const struct memory *memory, const void *start, size_t size);

/* The block that holds the byte at `address`, or that starts there when it is
 * empty; NULL when there is none. */
const struct memory_block *memory_find(
    const struct memory *memory, const void *address);

/* Frees every block. */
void memory_reset(struct memory *memory);

#endif
