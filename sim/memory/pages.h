/* pages.h - what pages allow the guest and the host, for the files of this
 * room; who asks about bytes has memory.h. Knows nothing of blocks. */
#ifndef SIM_MEMORY_PAGES_H
#define SIM_MEMORY_PAGES_H

#include "sim/memory/memory.h"

/* The page that holds the byte at `address`, of those that were handed out;
 * page_count: none does. */
size_t page_of(const struct memory *memory, const void *address);

/* What the guest may do with the page (memory_access); the host's part stays
 * as it is until pages_apply(). */
void page_set(
    struct memory *memory, size_t page, unsigned access, bool pageable);

/* The page has other memory, of which the host allows this (memory_access). */
void pages_replaced(struct memory *memory, size_t page, unsigned host);

/* Brings the host in line with what the tables say. False: it refuses. */
bool pages_apply(struct memory *memory, size_t first, size_t count);

/* The host may read the page, whatever the guest may. False: it refuses. */
bool pages_readable(struct memory *memory, size_t page);

/* Whether the host allows nothing of the page. */
bool pages_are_closed(const struct memory *memory, size_t page);

#endif
