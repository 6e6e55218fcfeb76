/* frames.c - physical pages that more than one address of the guest's may show:
 * pages of one piece of the host's shared memory, mapped where they show. */
#define _GNU_SOURCE
#include "sim/memory/frames.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/private_map.h"
#include "sim/memory/memory.h"
#include "sim/memory/pages.h"

enum {
    WINDOW_BYTES = FRAMES_MOST * MEMORY_PAGE_BYTES,
    NUMBER_BYTES = FRAMES_MOST * sizeof(uint64_t),
    SLOT_BYTES = FRAMES_SLOTS * sizeof(uint32_t),
};

static bool frames_check(const struct frames *frames)
{
    assert(frames->used <= FRAMES_MOST);
    assert(frames->used == 0 || frames->base != NULL);
    return true;
}

bool frames_own(struct frames *frames)
{
    assert(frames_check(frames));
    if (frames->base != NULL) {
        munmap(frames->base, WINDOW_BYTES);
    }
    frames->base = shared_map(WINDOW_BYTES);
    if (frames->number == NULL) {
        frames->number = private_map(NUMBER_BYTES, true);
    }
    if (frames->slot == NULL) {
        frames->slot = private_map(SLOT_BYTES, true);
    }
    frames->owner = getpid();
    if (frames->base != NULL && frames->number != NULL &&
        frames->slot != NULL) {
        return true;
    }
    frames_release(frames);
    return false;
}

void frames_release(struct frames *frames)
{
    if (frames->base != NULL) {
        munmap(frames->base, WINDOW_BYTES);
    }
    if (frames->number != NULL) {
        munmap(frames->number, NUMBER_BYTES);
    }
    if (frames->slot != NULL) {
        munmap(frames->slot, SLOT_BYTES);
    }
    *frames = (struct frames){0};
}

/* Where the frame of the physical page is noted, or would be. */
static uint32_t *slot_of(const struct frames *frames, uint64_t number)
{
    uint64_t at = number * UINT64_C(0x9E3779B97F4A7C15) >> 32;

    for (;; at++) {
        uint32_t *slot = &frames->slot[at % FRAMES_SLOTS];

        if (*slot == 0 || frames->number[*slot - 1] == number) {
            return slot;
        }
    }
}

static uint8_t *bytes_of(const struct frames *frames, uint32_t frame)
{
    assert(frame > 0 && frame <= frames->used);
    return frames->base + (size_t)(frame - 1) * MEMORY_PAGE_BYTES;
}

/* A frame that holds zeroes and is nobody's; 0: there is none. */
static uint32_t take(struct frames *frames, uint64_t number)
{
    uint32_t *slot;

    if (frames->used == 0 &&
        (frames->base == NULL || frames->owner != getpid()) &&
        !frames_own(frames)) {
        return 0;
    }
    if (frames->used == FRAMES_MOST) {
        return 0;
    }
    slot = slot_of(frames, number);
    frames->number[frames->used++] = number;
    *slot = frames->used;
    memset(bytes_of(frames, *slot), 0, MEMORY_PAGE_BYTES);
    return *slot;
}

/* The page of the region shows the frame from now on. */
static bool show(struct memory *memory, size_t page, uint32_t frame)
{
    void *at = memory->base + page * MEMORY_PAGE_BYTES;

    if (mremap(bytes_of(&memory->frames, frame), 0, MEMORY_PAGE_BYTES,
            MREMAP_MAYMOVE | MREMAP_FIXED, at) != at) {
        return false;
    }
    memory->shown[page] = frame;
    if (memory->frames_end <= page) {
        memory->frames_end = page + 1;
    }
    pages_replaced(memory, page, MEMORY_READ | MEMORY_WRITE);
    return pages_apply(memory, page, 1);
}

uint64_t frames_number(const struct memory *memory, const void *address)
{
    size_t page =
        ((uintptr_t)address - (uintptr_t)memory->base) / MEMORY_PAGE_BYTES;

    assert(memory_is_region(memory, (uintptr_t)address));
    return memory->shown[page] == 0
               ? FRAMES_REGION + page
               : memory->frames.number[memory->shown[page] - 1];
}

/* The live page of the region that has this number and shows nothing yet;
 * page_count: there is none. */
static size_t own_page(const struct memory *memory, uint64_t number)
{
    uint64_t page = number - FRAMES_REGION;
    const struct memory_block *block;

    if (number < FRAMES_REGION || page >= memory->page_count ||
        memory->shown[page] != 0) {
        return memory->page_count;
    }
    block = memory_near(memory, memory->base + page * MEMORY_PAGE_BYTES);
    return block != NULL && !block->freed &&
                   page < block->first_page + block->pages
               ? page
               : memory->page_count;
}

/* The frame of a physical page; 0: the host has no more. */
static uint32_t frame_of(struct memory *memory, uint64_t number)
{
    struct frames *frames = &memory->frames;
    size_t page = own_page(memory, number);
    uint32_t *slot = frames->used == 0 ? NULL : slot_of(frames, number);
    uint32_t frame;

    if (slot != NULL && *slot != 0 && page == memory->page_count) {
        return *slot;
    }
    if (slot != NULL && *slot != 0) {
        frames->number[*slot - 1] = UINT64_MAX; /* of a block that is freed */
    }
    frame = take(frames, number);
    if (frame == 0 || page == memory->page_count) {
        return frame;
    }
    if (!pages_readable(memory, page)) {
        return 0;
    }
    memcpy(bytes_of(frames, frame), memory->base + page * MEMORY_PAGE_BYTES,
        MEMORY_PAGE_BYTES);
    return show(memory, page, frame) ? frame : 0;
}

uint8_t *frames_bytes(struct memory *memory, uint64_t number)
{
    uint32_t frame = frame_of(memory, number);

    assert(frames_check(&memory->frames));
    return frame == 0 ? NULL : bytes_of(&memory->frames, frame);
}

bool frames_show(struct memory *memory, void *page, uint64_t number)
{
    uint32_t frame = frame_of(memory, number);

    assert((uintptr_t)page % MEMORY_PAGE_BYTES == 0);
    assert(memory_find(memory, page) != NULL);
    return frame != 0 &&
           show(memory,
               ((uintptr_t)page - (uintptr_t)memory->base) / MEMORY_PAGE_BYTES,
               frame);
}

void frames_leave(struct memory *memory, size_t first, size_t count)
{
    size_t end =
        first + count < memory->frames_end ? first + count : memory->frames_end;

    for (size_t page = first; page < end; page++) {
        void *at = memory->base + page * MEMORY_PAGE_BYTES;

        if (memory->shown[page] != 0) {
            /* Refused only where mappings are used up, of which this is one. */
            mmap(at, MEMORY_PAGE_BYTES, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
            memory->shown[page] = 0;
            pages_replaced(memory, page, MEMORY_NONE);
        }
    }
}

void frames_reset(struct memory *memory)
{
    struct frames *frames = &memory->frames;

    assert(frames_check(frames));
    if (frames->used == 0) {
        return;
    }
    frames_leave(memory, 0, memory->frames_end);
    memory->frames_end = 0;
    memset(frames->slot, 0, SLOT_BYTES);
    madvise(
        frames->base, (size_t)frames->used * MEMORY_PAGE_BYTES, MADV_REMOVE);
    frames->used = 0;
}
