/* slist.h - SLIST_HEADER as it lies in a driver's memory, and what all forms of
 * it do: entries pushed and popped in front (executive.md 1.2). */
#ifndef API_EX_SLIST_H
#define API_EX_SLIST_H

#include <stdint.h>

#include "api/core/routine.h"

struct kernel;

struct slist_header {
    uint16_t depth;
    uint16_t sequence_low;
    uint32_t sequence_high;
    uint64_t next; /* the first entry, whose low 4 bits are another's */
};

static inline uint64_t slist_sequence(const struct slist_header *header)
{
    return (uint64_t)header->sequence_high << 16 | header->sequence_low;
}

static inline void slist_set_sequence(
    struct slist_header *header, uint64_t sequence)
{
    header->sequence_low = (uint16_t)sequence;
    header->sequence_high = (uint32_t)(sequence >> 16);
}

/* Entries in the list, as far as 16 bits say. */
uint16_t slist_depth(
    struct kernel *kernel, enum routine routine, const void *list);

/* Returns the entry that was in front; NULL: there was none. */
void *slist_push(
    struct kernel *kernel, enum routine routine, void *list, void *entry);

/* Returns the entry that is not in the list any more; NULL: it is empty. */
void *slist_pop(struct kernel *kernel, enum routine routine, void *list);

#endif
