/* store.c - chunks that are filled one after another. */
#include "api/pcw/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/pcw/pcw.h"

enum { CHUNK_BYTES = 256 * 1024, ALIGNMENT = 16 };

struct chunk {
    struct chunk *next;
    size_t size, used; /* bytes of `memory` */
    _Alignas(ALIGNMENT) unsigned char memory[];
};

struct pcw_store {
    struct chunk *first, *current;
};

static size_t round_up(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static struct chunk *chunk_new(size_t size)
{
    struct chunk *chunk =
        aligned_alloc(ALIGNMENT, sizeof(*chunk) + round_up(size));

    assert(chunk != NULL);
    *chunk = (struct chunk){.size = size};
    return chunk;
}

struct pcw_store *pcw_store_new(void)
{
    struct pcw_store *store = pcw_alloc(sizeof(*store));

    store->first = store->current = chunk_new(CHUNK_BYTES);
    return store;
}

void pcw_store_free(struct pcw_store *store)
{
    if (store == NULL) {
        return;
    }
    while (store->first != NULL) {
        struct chunk *next = store->first->next;

        free(store->first);
        store->first = next;
    }
    free(store);
}

/* The next chunk if it has room, or a new one before it. */
static void go_on(struct pcw_store *store, size_t size)
{
    struct chunk *next = store->current->next;

    if (next == NULL || next->size < size) {
        struct chunk *chunk =
            chunk_new(size > CHUNK_BYTES ? size : CHUNK_BYTES);

        chunk->next = next;
        store->current->next = chunk;
        next = chunk;
    }
    store->current = next;
    next->used = 0;
}

void *pcw_store_take(struct pcw_store *store, size_t size)
{
    size_t rounded = round_up(size);
    void *memory;

    if (rounded > store->current->size - store->current->used) {
        go_on(store, rounded);
    }
    memory = store->current->memory + store->current->used;
    store->current->used += rounded;
    return memory;
}

void *pcw_store_copy(struct pcw_store *store, const void *from, size_t size)
{
    void *memory = pcw_store_take(store, size);

    if (size > 0) {
        memcpy(memory, from, size);
    }
    return memory;
}

void pcw_store_reset(struct pcw_store *store)
{
    store->current = store->first;
    store->current->used = 0;
}
