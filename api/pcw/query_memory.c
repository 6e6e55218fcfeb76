/* query_memory.c - memory for what one request records: chunks that are filled
 * one after another, given back all at once. */
#define _GNU_SOURCE
#include "api/pcw/query_memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "api/pcw/pcw.h"

/* What does not fit into the first chunk is large: the host is asked for pages
 * of 2 MiB, as touching 512 small ones costs more than all else that a request
 * does. */
enum {
    FIRST_BYTES = 256 * 1024,
    LARGE_PAGE_BYTES = 2 * 1024 * 1024,
    ALIGNMENT = 16
};

struct chunk {
    struct chunk *next;
    size_t size, used; /* bytes of `memory` */
    _Alignas(ALIGNMENT) unsigned char memory[];
};

struct query_memory {
    struct chunk *first, *current;
};

_Static_assert(sizeof(struct chunk) % ALIGNMENT == 0,
    "a chunk is as much as aligned_alloc() gives");

static bool chunk_check(const struct chunk *chunk)
{
    assert(chunk->size >= FIRST_BYTES && chunk->size % ALIGNMENT == 0);
    assert(chunk->used <= chunk->size && chunk->used % ALIGNMENT == 0);
    return true;
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* `bytes` with the chunk's head, a multiple of `alignment`. */
static struct chunk *chunk_new(size_t alignment, size_t bytes)
{
    struct chunk *chunk = aligned_alloc(alignment, bytes);

    assert(chunk != NULL);
    /* Refused, as for the first one, it is only slower. */
    madvise(chunk, bytes, MADV_HUGEPAGE);
    *chunk = (struct chunk){.size = bytes - sizeof(*chunk)};
    assert(chunk_check(chunk));
    return chunk;
}

struct query_memory *query_memory_new(void)
{
    struct query_memory *store = pcw_alloc(sizeof(*store));

    store->first = store->current =
        chunk_new(ALIGNMENT, sizeof(struct chunk) + FIRST_BYTES);
    return store;
}

void query_memory_free(struct query_memory *store)
{
    if (store == NULL) {
        return;
    }
    while (store->first != NULL) {
        struct chunk *next = store->first->next;

        assert(chunk_check(store->first));
        free(store->first);
        store->first = next;
    }
    free(store);
}

/* The next chunk if it has room, or a new one before it. */
static void go_on(struct query_memory *store, size_t size)
{
    struct chunk *next = store->current->next;

    if (next == NULL || next->size < size) {
        struct chunk *chunk = chunk_new(LARGE_PAGE_BYTES,
            round_up(sizeof(*chunk) + size, LARGE_PAGE_BYTES));

        chunk->next = next;
        store->current->next = chunk;
        next = chunk;
    }
    assert(chunk_check(next) && next->size >= size);
    store->current = next;
    next->used = 0;
}

void *query_memory_take(struct query_memory *store, size_t size)
{
    size_t rounded = round_up(size, ALIGNMENT);
    void *memory;

    assert(rounded >= size); /* else it went round */
    if (rounded > store->current->size - store->current->used) {
        go_on(store, rounded);
    }
    memory = store->current->memory + store->current->used;
    store->current->used += rounded;
    assert(store->current->used <= store->current->size);
    return memory;
}

void *query_memory_copy(
    struct query_memory *store, const void *from, size_t size)
{
    void *memory = query_memory_take(store, size);

    if (size > 0) {
        memcpy(memory, from, size);
    }
    return memory;
}

void query_memory_reset(struct query_memory *store)
{
    store->current = store->first;
    store->current->used = 0;
}
