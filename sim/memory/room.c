/* room.c - where in the region blocks lie. At its end it is gone round: what
 * was freed long ago is handed out again, in order of address. */
#include "sim/memory/room.h"

#include <assert.h>

/* This part of the region is handed out before a block that was freed comes
 * again. */
enum { QUARANTINE = 4 };

bool room_block_check(
    const struct memory *memory, const struct memory_block *block)
{
    uintptr_t base = (uintptr_t)memory->base;
    size_t guard = block->first_page + block->pages;

    assert(guard < memory->used);
    assert((uintptr_t)block->start + block->size ==
           base + guard * MEMORY_PAGE_BYTES);
    assert(block->size <= block->pages * MEMORY_PAGE_BYTES);
    assert(block->freed_at <= memory->handed);
    return true;
}

size_t room_block_end(const struct memory_block *block)
{
    return block->first_page + block->pages + 1;
}

struct memory_block *room_block_of(const struct memory *memory, size_t page)
{
    struct memory_block *block;

    assert(page < memory->used);
    block = &memory->block[memory->owner[page]];
    assert(block->first_page <= page && page < room_block_end(block));
    return block;
}

/* Whether the block was freed so long ago that a driver that used it still
 * would have been found. */
static bool may_come_again(
    const struct memory *memory, const struct memory_block *block)
{
    return block->freed &&
           memory->handed - block->freed_at >= memory->page_count / QUARANTINE;
}

/* The first of `count` pages in a row that may come again, from where the last
 * such search has ended on, once round; page_count: there are none. */
static size_t room_again(const struct memory *memory, size_t count)
{
    size_t first = memory->next, end = first, passed = 0;

    if (count > memory->used) {
        return memory->page_count;
    }
    while (passed < memory->used + count) {
        const struct memory_block *block;

        if (end == memory->used) {
            first = end = memory->user_pages;
        }
        block = room_block_of(memory, end);
        passed += room_block_end(block) - end;
        end = room_block_end(block);
        if (!may_come_again(memory, block)) {
            first = end;
        } else if (end - first >= count) {
            return first;
        }
    }
    return memory->page_count;
}

size_t room_find(const struct memory *memory, size_t count)
{
    return count <= memory->page_count - memory->used
               ? memory->used
               : room_again(memory, count);
}

/* What is left of a freed block begins there. */
static void trim(struct memory *memory, struct memory_block *block, size_t page)
{
    uint8_t *lowest = memory->base + page * MEMORY_PAGE_BYTES;

    assert(block->freed && block->first_page < page);
    assert(block->start < lowest); /* in its first page, which is no more */
    block->pages -= page - block->first_page;
    block->first_page = page;
    block->start = lowest;
    block->size = block->usable = block->pages * MEMORY_PAGE_BYTES;
    block->context = NULL;
    assert(room_block_check(memory, block));
}

/* Freed blocks end that lie there. */
static void forget(struct memory *memory, size_t first, size_t end)
{
    while (first < end && first < memory->used) {
        struct memory_block *block = room_block_of(memory, first);

        first = room_block_end(block);
        if (first > end) {
            trim(memory, block, end);
            continue;
        }
        block->first_page = memory->spare;
        memory->spare = (size_t)(block - memory->block) + 1;
    }
}

/* A record that is nobody's; there is one for each page. */
static struct memory_block *take_record(struct memory *memory)
{
    size_t spare = memory->spare;

    if (spare == 0) {
        assert(memory->block_count < memory->page_count);
        return &memory->block[memory->block_count++];
    }
    memory->spare = memory->block[spare - 1].first_page;
    return &memory->block[spare - 1];
}

/* A record of its own for pages that are no block's. */
static struct memory_block *make(
    struct memory *memory, size_t first, size_t guard)
{
    struct memory_block *block = take_record(memory);

    *block = (struct memory_block){
        .first_page = first, .pages = guard - first, .freed = false};
    for (size_t page = first; page <= guard; page++) {
        memory->owner[page] = (uint32_t)(block - memory->block);
    }
    memory->held += block->pages;
    memory->live++;
    return block;
}

struct memory_block *room_enter_user(
    struct memory *memory, size_t first, size_t guard)
{
    assert(first == memory->user_used && guard < memory->user_pages);
    memory->user_used = guard + 1;
    return make(memory, first, guard);
}

struct memory_block *room_enter(
    struct memory *memory, size_t first, size_t guard)
{
    struct memory_block *block;

    forget(memory, first, guard + 1);
    block = make(memory, first, guard);
    if (first == memory->used) {
        memory->used = guard + 1;
    } else {
        memory->next = guard + 1;
    }
    memory->handed += guard + 1 - first;
    return block;
}
