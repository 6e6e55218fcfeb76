/* frames.h - physical pages that more than one address of the guest's may show:
 * each is known by its number, as physical addresses count pages. Memory that
 * only one address shows has none yet, and costs nothing. A frame is used again
 * when nothing shows it and what it holds is nobody's. Knows nothing of MDLs.
 */
#ifndef SIM_MEMORY_FRAMES_H
#define SIM_MEMORY_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame;
struct memory;

enum {
    FRAMES_MOST = 1 << 16, /* 256 MiB */
    FRAMES_SLOTS = FRAMES_MOST * 2,
};

/* The physical number of the region's first page: 4 GiB, above devices. */
#define FRAMES_REGION UINT64_C(0x100000)

struct frames {
    uint8_t *base;       /* what the host shares; NULL: not needed yet */
    int owner;           /* the process that it is of */
    uint32_t used;       /* frames handed out so far */
    uint32_t spare;      /* one of them that is nobody's, plus 1; 0: none */
    struct frame *frame; /* by frame, from 0 */
    uint32_t *slot;      /* by hash of its number: the frame, plus 1; 0: none */
};

/* The host's memory for frames, for this process alone: one that was forked has
 * its own. False: the host refuses. */
bool frames_own(struct frames *frames);

void frames_release(struct frames *frames);

/* Nothing is shown any more, and what frames held is forgotten. */
void frames_reset(struct memory *memory);

/* The physical number of the page that holds the byte, which is in the region.
 */
uint64_t frames_number(const struct memory *memory, const void *address);

/* The bytes of a physical page, for the host alone: those of the live block
 * that has it, or of nobody's, which begin as zeroes. NULL: the host has no
 * more. */
uint8_t *frames_bytes(struct memory *memory, uint64_t number);

/* Shows a physical page at a page of a live block, whose own is lost. False:
 * the host refuses; then the block is fit for memory_free() only. */
bool frames_show(struct memory *memory, void *page, uint64_t number);

/* What the physical page, which is in no region, holds is nobody's any more. It
 * may be forgotten as soon as nothing shows it. */
void frames_forget(struct memory *memory, uint64_t number);

/* The pages of a live block show nothing any more, and nobody may touch them
 * until memory_set() says so. */
void frames_hide(struct memory *memory, void *start, size_t pages);

/* The pages, which nobody may touch any more, show nothing. For memory.c. */
void frames_leave(struct memory *memory, size_t first, size_t count);

#endif
