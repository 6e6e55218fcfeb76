/* record.h - the I/O manager's own records of one kind: taken from the
 * machine's arena, and used again once given back. */
#ifndef API_IO_RECORD_H
#define API_IO_RECORD_H

#include <stddef.h>

struct arena;

struct record_pool {
    void *first; /* given back; each begins with the next one's address */
};

/* `size` zeroed bytes, always the same for one pool, at least a pointer's.
 * NULL when the guest's share of the arena is used up. */
void *record_take(struct record_pool *pool, struct arena *arena, size_t size);

void record_give(struct record_pool *pool, void *record);

#endif
