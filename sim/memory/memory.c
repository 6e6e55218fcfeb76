/* memory.c - the guest's memory: blocks and their guard pages, all in one
 * mapping; a page changes its protection only when a block needs it otherwise
 * than the last one that lay there (pages.c). */
#define _GNU_SOURCE
#include "sim/memory/memory.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/base/private_map.h"
#include "sim/memory/pages.h"
#include "sim/memory/room.h"

enum {
    FRESH_PAGES = 16,  /* from here on the host zeroes faster */
    LEFT_PAGES = 1024, /* that may be left open, lest they fill the host */
};

bool memory_check(const struct memory *memory)
{
    assert(memory->base != NULL);
    assert((uintptr_t)memory->base % MEMORY_PAGE_BYTES == 0);
    assert(memory->used <= memory->page_count);
    assert(memory->block_count <= memory->used); /* each has its guard */
    assert(memory->held <= memory->held_most);
    assert(memory->live <= memory->live_most);
    assert(memory->held + memory->live <= memory->used);
    assert(memory->opened_count <= memory->used);
    assert(memory->used <= memory->handed);
    assert(memory->spare <= memory->block_count);
    assert(memory->user_used <= memory->user_pages);
    assert(memory->user_pages <= memory->used);
    assert(memory->late_page + memory->late_pages <= memory->page_count);
    if (memory->used > memory->user_pages) {
        const struct memory_block *last =
            room_block_of(memory, memory->used - 1);

        assert(room_block_check(memory, last));
        assert(room_block_end(last) == memory->used);
        assert(memory->next == memory->used ||
               room_block_of(memory, memory->next)->first_page == memory->next);
    }
    return true;
}

/* At the address if it is free: the host takes it as a hint. */
static void *memory_map(uintptr_t address, size_t size)
{
    void *at = mmap((void *)address, size, PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

/* What describes the pages is large and hardly ever touched. */
static void *memory_table(size_t size)
{
    return private_map(size, true);
}

static void memory_unmap(void *at, size_t size)
{
    if (at != NULL) {
        munmap(at, size);
    }
}

bool memory_reserve(struct memory *memory, uintptr_t address, size_t size)
{
    size_t pages = size / MEMORY_PAGE_BYTES;

    *memory = (struct memory){
        .page_count = pages, .held_most = pages, .live_most = pages};
    memory->page = memory_table(pages);
    memory->block = memory_table(pages * sizeof(*memory->block));
    memory->owner = memory_table(pages * sizeof(*memory->owner));
    memory->opened = memory_table(pages * sizeof(*memory->opened));
    memory->shown = memory_table(pages * sizeof(*memory->shown));
    memory->base = memory_map(address, size);
    if (memory->base == NULL || memory->page == NULL || memory->block == NULL ||
        memory->owner == NULL || memory->opened == NULL ||
        memory->shown == NULL || pages > UINT32_MAX) {
        memory_release(memory);
        return false;
    }
    assert(memory_check(memory));
    return true;
}

static void forget_blocks(struct memory *memory)
{
    memory->used = memory->next = memory->user_pages;
    memory->handed = memory->user_pages;
    memory->held = memory->live = memory->user_used = 0;
    memory->block_count = memory->spare = 0;
    memory->opened_count = 0;
}

void memory_give_user(struct memory *memory, size_t pages)
{
    assert(memory_check(memory) && memory->live == 0);
    assert(pages < memory->page_count);
    memory->user_pages = pages;
    forget_blocks(memory);
}

void memory_bound(struct memory *memory, size_t bytes, size_t blocks)
{
    assert(memory_check(memory) && memory->live == 0);
    memory->held_most = bytes / MEMORY_PAGE_BYTES;
    memory->live_most = blocks;
}

void memory_leave_open(struct memory *memory, bool leaves_open)
{
    memory->leaves_open = leaves_open;
}

void memory_release(struct memory *memory)
{
    size_t pages = memory->page_count;

    memory_unmap(memory->base, pages * MEMORY_PAGE_BYTES);
    memory_unmap(memory->page, pages);
    memory_unmap(memory->block, pages * sizeof(*memory->block));
    memory_unmap(memory->owner, pages * sizeof(*memory->owner));
    memory_unmap(memory->opened, pages * sizeof(*memory->opened));
    memory_unmap(memory->shown, pages * sizeof(*memory->shown));
    frames_release(&memory->frames);
    *memory = (struct memory){0};
}

/* Zeroes of a large block need not be written: the host gives fresh pages. */
static void memory_fill(
    struct memory *memory, size_t first, size_t guard, uint8_t *start, int fill)
{
    uint8_t *base = memory->base + first * MEMORY_PAGE_BYTES;
    uint8_t *end = memory->base + guard * MEMORY_PAGE_BYTES;

    assert(first <= guard);
    assert(base <= start && start <= end);
    if (fill == 0 && guard - first >= FRESH_PAGES &&
        madvise(base, (size_t)(end - base), MADV_DONTNEED) == 0) {
        return;
    }
    /* What lay here in another machine is not to be seen. */
    memset(base, 0, (size_t)(start - base));
    memset(start, fill, (size_t)(end - start));
}

/* Makes the pages a block's, the last one its guard. False: the host refuses,
 * and they are nobody's. */
static bool open_pages(struct memory *memory, size_t first, size_t guard)
{
    for (size_t page = first; page < guard; page++) {
        page_set(memory, page, MEMORY_READ | MEMORY_WRITE, false);
    }
    page_set(memory, guard, MEMORY_NONE, false);
    if (pages_apply(memory, first, guard - first + 1)) {
        return true;
    }
    for (size_t page = first; page < guard; page++) {
        page_set(memory, page, MEMORY_NONE, false);
    }
    /* Only takes away. */
    pages_apply(memory, first, guard - first);
    return false;
}

static size_t pages_of(size_t size)
{
    return size / MEMORY_PAGE_BYTES + (size % MEMORY_PAGE_BYTES != 0);
}

static bool is_too_much(const struct memory *memory, size_t pages)
{
    return pages >= memory->page_count ||
           pages > memory->held_most - memory->held ||
           memory->live == memory->live_most;
}

/* The block ends where its guard begins. */
static void *begin_block(struct memory *memory, struct memory_block *block,
    size_t size, uint8_t fill)
{
    size_t first = block->first_page, guard = first + block->pages;

    block->start = memory->base + guard * MEMORY_PAGE_BYTES - size;
    block->size = block->usable = size;
    memory_fill(memory, first, guard, block->start, fill);
    assert(memory_check(memory));
    return block->start;
}

void *memory_alloc(struct memory *memory, size_t size, uint8_t fill)
{
    size_t pages = pages_of(size);
    size_t first;

    assert(memory_check(memory));
    if (is_too_much(memory, pages)) {
        return NULL;
    }
    first = room_find(memory, pages + 1);
    if (first == memory->page_count ||
        !open_pages(memory, first, first + pages)) {
        return NULL;
    }
    return begin_block(
        memory, room_enter(memory, first, first + pages), size, fill);
}

void *memory_user_alloc(struct memory *memory, size_t size, uint8_t fill)
{
    size_t pages = pages_of(size), first = memory->user_used;

    assert(memory_check(memory));
    if (is_too_much(memory, pages) || pages >= memory->user_pages - first ||
        !open_pages(memory, first, first + pages)) {
        return NULL;
    }
    return begin_block(
        memory, room_enter_user(memory, first, first + pages), size, fill);
}

/* The number of the page that holds the byte; page_count: it is outside. */
const struct memory_block *memory_near(
    const struct memory *memory, const void *address)
{
    size_t page = page_of(memory, address);

    return page == memory->page_count ? NULL : room_block_of(memory, page);
}

const struct memory_block *memory_find(
    const struct memory *memory, const void *address)
{
    const struct memory_block *block = memory_near(memory, address);
    const uint8_t *at = address;

    assert(block == NULL || room_block_check(memory, block));
    if (block == NULL || block->freed || at < block->start) {
        return NULL;
    }
    return at == block->start || (size_t)(at - block->start) < block->size
               ? block
               : NULL;
}

/* The live block that starts there, which is one. */
static struct memory_block *block_at(
    const struct memory *memory, const void *start)
{
    size_t page = page_of(memory, start);
    struct memory_block *block;

    assert(page < memory->page_count);
    block = room_block_of(memory, page);
    assert(block->start == start && !block->freed);
    assert(room_block_check(memory, block));
    return block;
}

void memory_attach(
    struct memory *memory, void *start, void *context, size_t usable)
{
    struct memory_block *block = block_at(memory, start);

    assert(usable <= block->size);
    block->context = context;
    block->usable = usable;
}

bool memory_count_user(struct memory *memory, const void *address, bool more)
{
    const struct memory_block *found = memory_find(memory, address);

    if (found == NULL) {
        return false;
    }
    if (more || found->users > 0) {
        memory->block[found - memory->block].users += more ? 1u : -1u;
    }
    return true;
}

/* The next run is likely to need the same pages as they are. */
static bool is_left_open(
    const struct memory *memory, const struct memory_block *block)
{
    return memory->leaves_open && !block->apart &&
           block->first_page >= memory->user_pages &&
           room_block_end(block) <= memory->user_pages + LEFT_PAGES;
}

void memory_free(struct memory *memory, void *start)
{
    struct memory_block *block = block_at(memory, start);
    uint8_t *first = memory->base + block->first_page * MEMORY_PAGE_BYTES;

    block->freed = true;
    block->freed_at = memory->handed;
    memory->held -= block->pages;
    memory->live--;
    for (size_t i = 0; i < block->pages; i++) {
        page_set(memory, block->first_page + i, MEMORY_NONE, false);
    }
    if (block->pages > 0) {
        frames_leave(memory, block->first_page, block->pages);
    }
    if (block->pages == 0 || is_left_open(memory, block)) {
        return;
    }
    /* The host gets the memory back. None can fail: they only take away. */
    madvise(first, block->pages * MEMORY_PAGE_BYTES, MADV_DONTNEED);
    if (block->apart) {
        madvise(first, block->pages * MEMORY_PAGE_BYTES, MADV_DODUMP);
    }
    pages_apply(memory, block->first_page, block->pages);
}

/* The number of the first of these whole pages of a live block. */
static size_t pages_at(
    const struct memory *memory, const void *start, size_t pages)
{
    size_t first = page_of(memory, start);
    const struct memory_block *block;

    assert(memory_check(memory));
    assert((uintptr_t)start % MEMORY_PAGE_BYTES == 0);
    assert(first < memory->page_count);
    block = room_block_of(memory, first);
    assert(!block->freed);
    assert(first + pages <= block->first_page + block->pages);
    return first;
}

bool memory_set(struct memory *memory, void *start, size_t pages,
    unsigned access, bool pageable)
{
    size_t first = pages_at(memory, start, pages);

    /* A page is opened at most once, so that the list of them has room. */
    memory_page_out(memory);
    for (size_t page = first; page < first + pages; page++) {
        page_set(memory, page, access, pageable);
    }
    return pages_apply(memory, first, pages);
}

void memory_close_late(struct memory *memory, void *start, size_t pages)
{
    size_t first = pages_at(memory, start, pages);

    if (first != memory->late_page || pages != memory->late_pages) {
        memory_settle(memory);
    }
    for (size_t page = first; page < first + pages; page++) {
        page_set(memory, page, MEMORY_NONE, false);
    }
    memory->late_page = first;
    memory->late_pages = pages;
}

/* Opened anew meanwhile, they stay so. */
void memory_close_now(struct memory *memory)
{
    pages_apply(memory, memory->late_page, memory->late_pages);
    memory->late_pages = 0;
}

void memory_fetch(struct memory *memory, void *start)
{
    const struct memory_block *block = block_at(memory, start);

    /* Refused, as by older hosts, it is only slower. */
    madvise(memory->base + block->first_page * MEMORY_PAGE_BYTES,
        block->pages * MEMORY_PAGE_BYTES, MADV_POPULATE_WRITE);
}

void memory_keep_apart(struct memory *memory, void *start)
{
    struct memory_block *block = block_at(memory, start);

    assert(block->size == block->pages * MEMORY_PAGE_BYTES);
    /* A mapping is joined with its neighbours where both are alike, and a core
     * dump does not have this one. Refused, it is only slower. */
    block->apart = madvise(start, block->size, MADV_DONTDUMP) == 0;
}

void memory_reset(struct memory *memory)
{
    assert(memory_check(memory));
    memory_settle(memory);
    frames_reset(memory);
    forget_blocks(memory);
}

void memory_discard(struct memory *memory)
{
    memory_reset(memory);
    /* Less protection only; a failure would leave what was there before. */
    mprotect(memory->base, memory->page_count * MEMORY_PAGE_BYTES, PROT_NONE);
    madvise(memory->page, memory->page_count, MADV_DONTNEED);
}
