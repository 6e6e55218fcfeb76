/* record_pool.c - records of one kind, taken and given back. */
#include "sim/base/record_pool.h"

#include <assert.h>
#include <string.h>

#include "sim/base/arena.h"

void *record_pool_take(
    struct record_pool *pool, struct arena *arena, size_t size)
{
    void *record = pool->first;

    assert(size >= sizeof(pool->first));
    if (record == NULL) {
        return arena_alloc_for_guest(arena, size);
    }
    memcpy(&pool->first, record, sizeof(pool->first));
    memset(record, 0, size);
    return record;
}

void record_give(struct record_pool *pool, void *record)
{
    assert(record != pool->first); /* given back once */
    memcpy(record, &pool->first, sizeof(pool->first));
    pool->first = record;
}
