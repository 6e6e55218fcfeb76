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
    SLOT_BYTES = FRAMES_SLOTS * sizeof(uint32_t),
};

/* The number of what is no physical page any more. */
#define NOBODY UINT64_MAX

struct frame {
    uint64_t number; /* of the physical page */
    uint32_t shows;  /* pages of the region that show it */
    uint32_t next;   /* of a spare one: another one, plus 1; 0: none */
    bool loose;      /* what it holds is nobody's: it ends with the last show */
};

enum { FRAME_BYTES = FRAMES_MOST * sizeof(struct frame) };

static bool frames_check(const struct frames *frames)
{
    assert(frames->used <= FRAMES_MOST);
    assert(frames->used == 0 || frames->base != NULL);
    assert(frames->spare <= frames->used);
    return true;
}

bool frames_own(struct frames *frames)
{
    assert(frames_check(frames));
    if (frames->base != NULL) {
        munmap(frames->base, WINDOW_BYTES);
    }
    frames->base = shared_map(WINDOW_BYTES);
    if (frames->frame == NULL) {
        frames->frame = private_map(FRAME_BYTES, true);
    }
    if (frames->slot == NULL) {
        frames->slot = private_map(SLOT_BYTES, true);
    }
    frames->owner = getpid();
    if (frames->base != NULL && frames->frame != NULL && frames->slot != NULL) {
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
    if (frames->frame != NULL) {
        munmap(frames->frame, FRAME_BYTES);
    }
    if (frames->slot != NULL) {
        munmap(frames->slot, SLOT_BYTES);
    }
    *frames = (struct frames){0};
}

static struct frame *record_of(const struct frames *frames, uint32_t frame)
{
    assert(frame > 0 && frame <= frames->used);
    return &frames->frame[frame - 1];
}

static uint8_t *bytes_of(const struct frames *frames, uint32_t frame)
{
    assert(frame > 0 && frame <= frames->used);
    return frames->base + (size_t)(frame - 1) * MEMORY_PAGE_BYTES;
}

/* The slot from which on the number is looked for. */
static uint32_t home_of(uint64_t number)
{
    return (uint32_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 32) %
           FRAMES_SLOTS;
}

/* Where the frame of the physical page is noted, or would be. */
static uint32_t *slot_of(const struct frames *frames, uint64_t number)
{
    for (uint32_t at = home_of(number);; at = (at + 1) % FRAMES_SLOTS) {
        uint32_t *slot = &frames->slot[at];

        if (*slot == 0 || record_of(frames, *slot)->number == number) {
            return slot;
        }
    }
}

/* The slot becomes free; those behind it which are looked for past it move up,
 * so that no search ends too early. */
static void clear_slot(struct frames *frames, uint32_t *slot)
{
    uint32_t hole = (uint32_t)(slot - frames->slot);

    for (uint32_t at = (hole + 1) % FRAMES_SLOTS; frames->slot[at] != 0;
         at = (at + 1) % FRAMES_SLOTS) {
        uint32_t frame = frames->slot[at];
        uint32_t home = home_of(record_of(frames, frame)->number);

        if ((at - home) % FRAMES_SLOTS >= (at - hole) % FRAMES_SLOTS) {
            frames->slot[hole] = frame;
            hole = at;
        }
    }
    frames->slot[hole] = 0;
}

/* The frame's number is another one's from now on, or nobody's. */
static void lose_number(struct frames *frames, uint32_t frame)
{
    struct frame *record = record_of(frames, frame);
    uint32_t *slot = slot_of(frames, record->number);

    assert(*slot == frame);
    clear_slot(frames, slot);
    record->number = NOBODY;
    record->loose = true;
}

/* A frame that nobody needs is spare from now on. */
static void settle(struct frames *frames, uint32_t frame)
{
    struct frame *record = record_of(frames, frame);

    if (!record->loose || record->shows > 0) {
        return;
    }
    if (record->number != NOBODY) {
        lose_number(frames, frame);
    }
    record->next = frames->spare;
    frames->spare = frame;
}

/* A frame that holds zeroes and is nobody's; 0: there is none. */
static uint32_t take(struct frames *frames, uint64_t number)
{
    uint32_t frame;

    if (frames->used == 0 &&
        (frames->base == NULL || frames->owner != getpid()) &&
        !frames_own(frames)) {
        return 0;
    }
    frame = frames->spare;
    if (frame == 0 && frames->used == FRAMES_MOST) {
        return 0;
    }
    if (frame != 0) {
        frames->spare = record_of(frames, frame)->next;
    } else {
        frame = ++frames->used;
    }
    *slot_of(frames, number) = frame;
    *record_of(frames, frame) = (struct frame){.number = number};
    memset(bytes_of(frames, frame), 0, MEMORY_PAGE_BYTES);
    return frame;
}

/* The page shows its frame no more. With the page whose number it has, what it
 * holds is nobody's. */
static void unshow(struct memory *memory, size_t page)
{
    struct frames *frames = &memory->frames;
    uint32_t frame = memory->shown[page];
    struct frame *record = record_of(frames, frame);

    assert(record->shows > 0);
    memory->shown[page] = 0;
    record->shows--;
    record->loose |= record->number == FRAMES_REGION + page;
    settle(frames, frame);
}

/* The page of the region, which shows none yet or another one, shows the frame
 * from now on. */
static bool show(struct memory *memory, size_t page, uint32_t frame)
{
    void *at = memory->base + page * MEMORY_PAGE_BYTES;

    if (mremap(bytes_of(&memory->frames, frame), 0, MEMORY_PAGE_BYTES,
            MREMAP_MAYMOVE | MREMAP_FIXED, at) != at) {
        return false;
    }
    if (memory->shown[page] != frame) {
        record_of(&memory->frames, frame)->shows++;
        if (memory->shown[page] != 0) {
            unshow(memory, page);
        }
        memory->shown[page] = frame;
    }
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
               : record_of(&memory->frames, memory->shown[page])->number;
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

/* The live page's bytes are in a frame of its own from now on; 0: the host
 * refuses. */
static uint32_t move_page(struct memory *memory, size_t page, uint64_t number)
{
    struct frames *frames = &memory->frames;
    uint32_t frame = take(frames, number);

    if (frame == 0) {
        return 0;
    }
    if (pages_readable(memory, page)) {
        memcpy(bytes_of(frames, frame), memory->base + page * MEMORY_PAGE_BYTES,
            MEMORY_PAGE_BYTES);
        if (show(memory, page, frame)) {
            return frame;
        }
    }
    record_of(frames, frame)->loose = true;
    settle(frames, frame);
    return 0;
}

/* The frame of a physical page; 0: the host has no more. */
static uint32_t frame_of(struct memory *memory, uint64_t number)
{
    struct frames *frames = &memory->frames;
    size_t page = own_page(memory, number);
    uint32_t frame = frames->used == 0 ? 0 : *slot_of(frames, number);

    if (page == memory->page_count) {
        if (frame == 0) {
            return take(frames, number);
        }
        record_of(frames, frame)->loose = false; /* somebody's again */
        return frame;
    }
    if (frame != 0) { /* of a block that is freed */
        lose_number(frames, frame);
        settle(frames, frame);
    }
    return move_page(memory, page, number);
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

void frames_forget(struct memory *memory, uint64_t number)
{
    struct frames *frames = &memory->frames;
    uint32_t frame = frames->used == 0 ? 0 : *slot_of(frames, number);

    assert(number < FRAMES_REGION);
    if (frame != 0) {
        record_of(frames, frame)->loose = true;
        settle(frames, frame);
    }
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
            unshow(memory, page);
            pages_replaced(memory, page, MEMORY_NONE);
        }
    }
}

void frames_hide(struct memory *memory, void *start, size_t pages)
{
    size_t first =
        ((uintptr_t)start - (uintptr_t)memory->base) / MEMORY_PAGE_BYTES;

    memory_set(memory, start, pages, MEMORY_NONE, false); /* takes away */
    frames_leave(memory, first, pages);
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
    frames->used = frames->spare = 0;
}
