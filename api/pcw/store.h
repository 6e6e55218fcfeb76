/* store.h - memory for what one request records, given back all at once. Not
 * obstack.h, whose sizes are ints: a driver says how many counters it has. */
#ifndef API_PCW_STORE_H
#define API_PCW_STORE_H

#include <stddef.h>

struct pcw_store;

struct pcw_store *pcw_store_new(void);

/* NULL is none. */
void pcw_store_free(struct pcw_store *store);

/* `size` bytes, aligned to 16, with whatever was there. */
void *pcw_store_take(struct pcw_store *store, size_t size);

/* A copy of `size` bytes. */
void *pcw_store_copy(struct pcw_store *store, const void *from, size_t size);

/* Forgets all of it, and keeps the memory for the next request. */
void pcw_store_reset(struct pcw_store *store);

#endif
