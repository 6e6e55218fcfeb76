/* room.h - where in the region blocks lie: they follow each other without a
 * gap, and which one a page belongs to is known by page. From the end of the
 * region on freed ones make room for others. Knows nothing of what pages allow,
 * and is for memory.c alone. */
#ifndef SIM_MEMORY_ROOM_H
#define SIM_MEMORY_ROOM_H

#include "sim/memory/memory.h"

/* Is true: ends the process where the block does not end where its guard
 * begins. */
bool room_block_check(
    const struct memory *memory, const struct memory_block *block);

/* The page behind the block's guard, where the next one begins. */
size_t room_block_end(const struct memory_block *block);

/* The block in whose pages or guard the page lies, which was handed out. */
struct memory_block *room_block_of(const struct memory *memory, size_t page);

/* Where `count` pages may go; page_count: nowhere. */
size_t room_find(const struct memory *memory, size_t count);

/* Takes what was found from `first` to the guard for a new block, which is live
 * and has neither start nor size yet. */
struct memory_block *room_enter(
    struct memory *memory, size_t first, size_t guard);

/* The same for a block of a program's. */
struct memory_block *room_enter_user(
    struct memory *memory, size_t first, size_t guard);

#endif
