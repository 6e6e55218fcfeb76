/* query_memory.h - memory for what one request records, given back all at once.
 * Not obstack.h, whose sizes are ints: a driver says how many counters it has.
 */
#ifndef API_PCW_QUERY_MEMORY_H
#define API_PCW_QUERY_MEMORY_H

#include <stddef.h>

struct query_memory;

struct query_memory *query_memory_new(void);

/* NULL is none. */
void query_memory_free(struct query_memory *store);

/* `size` bytes, aligned to 16, with whatever was there. */
void *query_memory_take(struct query_memory *store, size_t size);

/* A copy of `size` bytes. */
void *query_memory_copy(
    struct query_memory *store, const void *from, size_t size);

/* Forgets all of it, and keeps the memory for the next request. */
void query_memory_reset(struct query_memory *store);

#endif
