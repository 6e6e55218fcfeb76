/* arena.h - the memory that one machine lives in: taken in one piece, handed
 * out by moving a mark, and given back all at once, whatever was going on.
 */
#ifndef SIM_BASE_ARENA_H
#define SIM_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena {
    uint8_t *base;  /* host address, which no guest knows */
    size_t size;    /* bytes reserved; only what is used costs memory */
    size_t limit;   /* bytes that may be used now, at most `size` */
    size_t reserve; /* bytes that arena_alloc_for_guest() leaves free */
    size_t used;    /* bytes */
};

/* Reserves `size` bytes where private_map() finds room. Returns false when the
 * host refuses. */
bool arena_reserve(struct arena *arena, size_t size);

void arena_release(struct arena *arena);

/* Whether it is one that was reserved and is sound; asserts each part. */
bool arena_check(const struct arena *arena);

/* Frees everything and allows `limit` bytes from now on, `reserve` of them for
 * ourselves. */
void arena_reset(struct arena *arena, size_t limit, size_t reserve);

/* `size` zeroed bytes, aligned to 16; NULL when the arena is full. */
void *arena_alloc(struct arena *arena, size_t size);

/* The same on a guest's behalf: NULL already when only the reserve is left,
 * which the caller turns into the guest's own error. */
void *arena_alloc_for_guest(struct arena *arena, size_t size);

#endif
