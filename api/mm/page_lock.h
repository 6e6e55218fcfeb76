/* page_lock.h - pages that are locked: they stay where they are, and pageable
 * ones are there at every level until the last lock goes (MDL-06b). */
#ifndef API_MM_PAGE_LOCK_H
#define API_MM_PAGE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "api/mm/storage_table.h"
#include "sim/base/record_pool.h"

struct kernel;
struct memory_block;

struct page_lock;

struct page_locks {
    struct storage_table table; /* of struct page_lock, by the page's address */
    struct record_pool pool;
    uint32_t count; /* pages that are locked */
};

/* Locks the page at the address, which is a page's first byte, once more. */
void page_lock_add(struct kernel *kernel, uint64_t page);

/* Takes one of the page's locks away. */
void page_lock_drop(struct kernel *kernel, uint64_t page);

/* How many locks the page has. */
uint32_t page_lock_count(const struct kernel *kernel, uint64_t page);

/* The first page of the block that is locked; 0: none is. */
uint64_t page_lock_in(
    const struct kernel *kernel, const struct memory_block *block);

#endif
