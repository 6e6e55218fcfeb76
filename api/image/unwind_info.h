/* unwind_info.h - UNWIND_INFO as data: header, codes and what follows them.
 * Knows nothing of registers. */
#ifndef API_IMAGE_UNWIND_INFO_H
#define API_IMAGE_UNWIND_INFO_H

#include "api/image/unwind.h"

/* Functions are split into a few pieces; more is a loop. */
enum { UNWIND_CHAIN_MAX = 32 };

struct unwind_info {
    uint8_t version;        /* 1 or 2 */
    uint8_t flags;          /* UNWIND_EHANDLER, ... */
    uint8_t prolog_size;    /* bytes of code */
    uint8_t slot_count;     /* 16-bit slots; a code takes one to three */
    uint8_t frame_register; /* 0: none */
    uint8_t frame_offset;   /* bytes: register - stack pointer */
    uint16_t slot[256];
    uint64_t tail; /* address of the handler's rva or of the chained row */
};

/* Is true: ends the process where it is none that was read. */
bool unwind_info_check(const struct unwind_info *info);

/* Reads the information of `function`; false when it is unreadable or of a kind
 * that is not documented. */
bool unwind_info_read(const struct unwind_memory *memory, uint64_t base,
    const struct image_function *function, struct unwind_info *info);

/* The row that chained information continues with. */
bool unwind_info_parent(const struct unwind_memory *memory,
    const struct unwind_info *info, struct image_function *parent);

#endif
