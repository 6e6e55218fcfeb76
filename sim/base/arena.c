/* arena.c - the memory of one machine: taken in one piece, given back at once.
 */
#define _GNU_SOURCE
#include "sim/base/arena.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/base/private_map.h"

/* Up to here clearing by hand is cheaper than giving the pages back. */
#define ARENA_CLEAR_BYTES ((size_t)256 * 1024)

enum { ARENA_ALIGNMENT = 16 };

bool arena_check(const struct arena *arena)
{
    assert(arena->base != NULL);
    assert((uintptr_t)arena->base % ARENA_ALIGNMENT == 0);
    assert(arena->limit <= arena->size);
    assert(arena->reserve <= arena->limit);
    assert(arena->used <= arena->limit);
    assert(arena->used % ARENA_ALIGNMENT == 0);
    return true;
}

bool arena_reserve(struct arena *arena, size_t size)
{
    void *base = private_map(size, true);

    if (base == NULL) {
        return false;
    }
    *arena = (struct arena){.base = base, .size = size, .limit = size};
    assert(arena_check(arena));
    return true;
}

void arena_release(struct arena *arena)
{
    if (arena->base != NULL) {
        munmap(arena->base, arena->size);
    }
    *arena = (struct arena){0};
}

void arena_reset(struct arena *arena, size_t limit, size_t reserve)
{
    assert(arena_check(arena));
    assert(limit <= arena->size);
    assert(reserve <= limit);
    if (arena->used <= ARENA_CLEAR_BYTES) {
        memset(arena->base, 0, arena->used);
    } else {
        /* Fresh anonymous pages read as zero. */
        int given_back = madvise(arena->base, arena->used, MADV_DONTNEED);

        assert(given_back == 0);
    }
    arena->used = 0;
    arena->limit = limit;
    arena->reserve = reserve;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    size_t rounded =
        (size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    void *block = arena->base + arena->used;

    assert(arena_check(arena));
    if (rounded < size || rounded > arena->limit - arena->used) {
        return NULL;
    }
    arena->used += rounded;
    return block;
}

void *arena_alloc_for_guest(struct arena *arena, size_t size)
{
    size_t left = arena->limit - arena->used;

    if (left < arena->reserve || size > left - arena->reserve) {
        return NULL;
    }
    return arena_alloc(arena, size);
}
