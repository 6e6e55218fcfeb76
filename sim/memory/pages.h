/* pages.h - what the host allows of pages, for the files of this room that give
 * them other memory. Knows nothing of blocks. */
#ifndef SIM_MEMORY_PAGES_H
#define SIM_MEMORY_PAGES_H

#include "sim/memory/memory.h"

/* The page has other memory, of which the host allows this (memory_access). */
void pages_replaced(struct memory *memory, size_t page, unsigned host);

/* Brings the host in line with what the tables say. False: it refuses. */
bool pages_apply(struct memory *memory, size_t first, size_t count);

/* The host may read the page, whatever the guest may. False: it refuses. */
bool pages_readable(struct memory *memory, size_t page);

/* Whether the host allows nothing of the page. */
bool pages_are_closed(const struct memory *memory, size_t page);

#endif
