/* memory.h - the guest's memory: blocks that drivers and scenarios own. Each
 * ends where an inaccessible page begins, so one byte too far is seen; freed
 * ones stay inaccessible until the region was gone round. Guest addresses are
 * the host's, and the host's own page protection is what the guest may do.
 * Knows nothing of pools or IRQL. */
#ifndef SIM_MEMORY_MEMORY_H
#define SIM_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/memory/frames.h"

enum { MEMORY_PAGE_BYTES = 4096 };

/* What a guest may do with a page. */
enum memory_access {
    MEMORY_NONE = 0,
    MEMORY_READ = 1,
    MEMORY_WRITE = 2,
    MEMORY_EXECUTE = 4,
};

struct memory_block {
    uint8_t *start;
    size_t size;       /* bytes */
    size_t usable;     /* of them: the rest is the layer above's own slack */
    size_t first_page; /* the page after its last one is its guard */
    size_t pages;      /* without the guard */
    bool freed;        /* inaccessible, until it is handed out anew */
    bool apart;        /* memory_keep_apart() */
    uint64_t freed_at; /* pages that had been handed out; 0: not freed */
    void *context;     /* the layer above's; NULL at first */
    uint32_t users;    /* the same; 0 at first */
};

struct memory {
    uint8_t *base;
    size_t page_count;
    size_t user_pages;          /* the first ones, which are programs' */
    size_t user_used;           /* of those: handed out, once each */
    size_t used;                /* pages handed out, of blocks side by side,
                                   which begin behind programs' */
    uint64_t handed;            /* the same, and again each time it happened */
    size_t next;                /* of them: where it is gone round from */
    size_t held, held_most;     /* of them: in blocks that are not freed */
    size_t live, live_most;     /* blocks that are not freed */
    uint8_t *page;              /* by page: access, what is open, pageable */
    struct memory_block *block; /* in no order that matters */
    size_t block_count;
    size_t spare;    /* the first of them that is nobody's, plus 1; the next one
                        is named by its first_page; 0: none */
    uint32_t *owner; /* by page: its block, freed ones included */
    size_t *opened;  /* pageable pages that are open */
    size_t opened_count;
    bool leaves_open;             /* memory_leave_open() */
    size_t late_page, late_pages; /* memory_close_late(); 0: none */
    struct frames frames;
    uint32_t *shown;   /* by page: the frame that it shows, plus 1; 0: none */
    size_t frames_end; /* behind the last page that shows one */
};

/* Reserves `size` bytes at `address`, or elsewhere when that is taken.
 * Returns false when the host refuses. */
bool memory_reserve(struct memory *memory, uintptr_t address, size_t size);

/* So many of the region's first pages are for programs: memory_user_alloc()
 * alone hands them out. No block is there yet. */
void memory_give_user(struct memory *memory, size_t pages);

/* From now on at most so much is in blocks that are not freed, in at most so
 * many: what is more gets NULL before the host has nothing left for ourselves.
 * Without, all of the pages may be. */
void memory_bound(struct memory *memory, size_t bytes, size_t blocks);

/* Whether what is freed from now on stays open to the host, at the beginning of
 * the region: for one run after another in which no instruction of the guest
 * touches memory. The tables say all the same that it is nobody's, and it is
 * filled anew when it is handed out. */
void memory_leave_open(struct memory *memory, bool leaves_open);

void memory_release(struct memory *memory);

/* Whether it is one that was reserved, its last block ends where the free pages
 * begin, and no more pages are open than there are; asserts each part. */
bool memory_check(const struct memory *memory);

/* A block of `size` bytes, 0 included, every byte of it `fill`, that may be
 * read and written. The block ends at a guard page. Addresses ascend to the end
 * of the region; from then on it takes in order of address those of blocks that
 * were freed before a quarter of the region was handed out. NULL when nothing
 * is left. */
void *memory_alloc(struct memory *memory, size_t size, uint8_t fill);

/* A block of a program's, as memory_alloc(); what is freed is not handed out
 * again. */
void *memory_user_alloc(struct memory *memory, size_t size, uint8_t fill);

/* Whether the byte at `address` is in a program's part of the region. */
static inline bool memory_is_user(
    const struct memory *memory, uintptr_t address)
{
    uintptr_t base = (uintptr_t)memory->base;

    return address >= base &&
           address - base < memory->user_pages * MEMORY_PAGE_BYTES;
}

/* The block's pages become inaccessible, and are not handed out again for long
 * (memory_alloc()); its context stays until then. `start` is a live block's.
 * Where memory_leave_open() was told so they are that to the guest only. */
void memory_free(struct memory *memory, void *start);

/* Gives the live block that starts there a context, and says how many of its
 * bytes are for use. */
void memory_attach(
    struct memory *memory, void *start, void *context, size_t usable);

/* One more or one less uses the live block that holds the byte at `address`;
 * false: there is none. Where nobody used it, it was handed out again since,
 * and one less is nobody. */
bool memory_count_user(struct memory *memory, const void *address, bool more);

/* Sets what the guest may do with whole pages of one live block, `start` on a
 * page's boundary. A pageable page is closed until it is opened by
 * memory_page_in(). Returns false when the host refuses; then the block is fit
 * for memory_free() only. */
bool memory_set(struct memory *memory, void *start, size_t pages,
    unsigned access, bool pageable);

/* The same as memory_set() to nothing of pages that are not pageable, but the
 * host allows what it did until memory_settle(): who opens and closes them
 * often need not ask the host where nobody could have touched them in between.
 */
void memory_close_late(struct memory *memory, void *start, size_t pages);

/* Takes from the host what memory_close_late() has left. */
void memory_close_now(struct memory *memory);

/* To be called before code goes on that might touch the guest's memory. */
static inline void memory_settle(struct memory *memory)
{
    if (__builtin_expect(memory->late_pages > 0, false)) {
        memory_close_now(memory);
    }
}

/* All of the live block is about to be written: the host gives its pages at
 * once, and not one by one as they are touched. */
void memory_fetch(struct memory *memory, void *start);

/* The live block, of whole pages, will often be opened and closed as one: the
 * host keeps it apart from what lies beside it, which makes that faster. */
void memory_keep_apart(struct memory *memory, void *start);

/* Whether the guest may do this with all of these bytes; a pageable page that
 * is closed counts as if it were open. */
bool memory_allows(const struct memory *memory, const void *start, size_t size,
    unsigned access);

/* The same, and none of them lies in a pageable page. */
bool memory_allows_unpaged(const struct memory *memory, const void *start,
    size_t size, unsigned access);

/* Whether a guest access to these bytes, which may be a write, succeeds. */
bool memory_is_open(
    const struct memory *memory, const void *start, size_t size);

/* Whether one of the bytes lies in a pageable page. */
bool memory_is_pageable(
    const struct memory *memory, const void *start, size_t size);

/* Whether the host itself may read these bytes now: not in a pageable page that
 * is closed. */
bool memory_is_resident(
    const struct memory *memory, const void *start, size_t size);

/* How many of `most` bytes from `start` on the host itself may read now. */
size_t memory_resident_bytes(
    const struct memory *memory, const void *start, size_t most);

/* Whether both hold: open to the guest, and resident. */
bool memory_is_usable(
    const struct memory *memory, const void *start, size_t size);

/* Opens the pageable page that holds the byte at `address`, if need be by
 * closing all others. Returns false when there is none, or when it is open
 * already. Safe in a signal handler. */
bool memory_page_in(struct memory *memory, const void *address);

/* Closes every pageable page that is open. */
void memory_page_out(struct memory *memory);

/* The live block that holds the byte at `address`, or that starts there when it
 * is empty; NULL when there is none. */
const struct memory_block *memory_find(
    const struct memory *memory, const void *address);

/* The block, live or freed, in whose pages or guard the byte at `address` lies;
 * NULL when there is none. */
const struct memory_block *memory_near(
    const struct memory *memory, const void *address);

/* Whether the byte at `address` is in the region, handed out or not. */
static inline bool memory_is_region(
    const struct memory *memory, uintptr_t address)
{
    uintptr_t base = (uintptr_t)memory->base;

    return address >= base &&
           address - base < memory->page_count * MEMORY_PAGE_BYTES;
}

/* Forgets every block. */
void memory_reset(struct memory *memory);

/* The same, and every page is inaccessible to the host, too. */
void memory_discard(struct memory *memory);

#endif
