/* record.c - a list of what was given back. */
#include "api/io/record.h"

#include <string.h>

#include "sim/base/arena.h"

void *record_take(struct record_pool *pool, struct arena *arena, size_t size)
{
    void *record = pool->first;

    if (record == NULL) {
        return arena_alloc_for_guest(arena, size);
    }
    memcpy(&pool->first, record, sizeof(pool->first));
    memset(record, 0, size);
    return record;
}

void record_give(struct record_pool *pool, void *record)
{
    memcpy(record, &pool->first, sizeof(pool->first));
    pool->first = record;
}
