/* record_pool.h - records of one kind and size: taken from an arena, and used
 * again once given back. */
#ifndef SIM_BASE_RECORD_POOL_H
#define SIM_BASE_RECORD_POOL_H

#include <stddef.h>

struct arena;

/* Zero: none has been given back. */
struct record_pool {
    void *first; /* given back; each begins with the next one's address */
};

/* `size` zeroed bytes, always the same for one pool, at least a pointer's.
 * NULL when the guest's share of the arena is used up. */
void *record_pool_take(
    struct record_pool *pool, struct arena *arena, size_t size);

/* Of the record only its first bytes, a pointer's, are changed until it is
 * taken again. */
void record_give(struct record_pool *pool, void *record);

#endif
