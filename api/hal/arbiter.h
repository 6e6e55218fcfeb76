/* arbiter.h - who holds which counters on which processors. Knows nothing of
 * how a request is written, nor of the counters' registers. */
#ifndef API_HAL_ARBITER_H
#define API_HAL_ARBITER_H

#include <stdbool.h>
#include <stdint.h>

#include "api/hal/holders.h"
#include "api/nt/nt.h"
#include "sim/base/limits.h"
#include "sim/base/record_pool.h"

struct arena;
struct driver;
struct strand;

/* What a set is, or would be: a request that was found valid. */
struct counter_claim {
    bool exclusive;    /* the whole PMU of each processor (HAL-ALLOC-03a) */
    uint64_t counters; /* HAL counter indexes, bit n = index n */
    uint64_t affinity[LIMIT_GROUPS]; /* processors, by group */
    bool later; /* and those that are started while it is held (HAL-ALLOC-60
                   [C]) */
    PPHYSICAL_COUNTER_OVERFLOW_HANDLER handler;             /* NULL: none */
    PPHYSICAL_COUNTER_EVENT_BUFFER_OVERFLOW_HANDLER events; /* likewise */
    uint32_t threshold; /* entries, of an event buffer; 1 or more */
    ULONG tag;          /* IdentificationTag; 0 when none was given */
};

struct counter_set {
    struct counter_claim claim;
    uint64_t handle;
    unsigned number; /* from 1, in order of allocation: set#1 */
    const struct driver *owner;
    uint64_t place;    /* of the driver's call that allocated it; 0: unknown */
    uint32_t step;     /* of the actor's that did (struct thread) */
    uint32_t handlers; /* running now, on as many processors */
    bool joins;        /* its event buffers are being made where it is held */
    bool starts;       /* and on a processor that is started just now */
    bool reported;     /* as left behind */
    bool freed;        /* its handle is invalid; it holds its counters until its
                          handlers and what makes its buffers have ended */
    struct counter_set *previous, *next; /* in order of allocation */
    struct counter_set *in_bucket;       /* the next one there */
};

/* All zeroes: nobody has asked yet. */
struct arbiter {
    struct counter_set *first, *last; /* live sets in order of allocation */
    struct record_pool pool;
    unsigned granted; /* sets ever */
    unsigned live;
    unsigned buckets;            /* a power of two, or 0 */
    struct counter_set **bucket; /* live sets by number */
    struct holders holders;
};

/* Whether the sets stand in the order of their numbers, and have the handles of
 * these; asserts each part. Goes through all of them. */
bool arbiter_check(const struct arbiter *arbiter);

/* Whether no live set stands in the way (holders_allow). */
bool arbiter_can_grant(
    const struct arbiter *arbiter, const struct counter_claim *claim);

/* Makes the set. NULL when the kernel has no memory for it. */
struct counter_set *arbiter_grant(struct arbiter *arbiter, struct arena *arena,
    const struct counter_claim *claim, const struct driver *owner);

/* The live set with this handle; NULL when there is none (HAL-FREE-02b). */
struct counter_set *arbiter_find(
    const struct arbiter *arbiter, uint64_t handle);

/* The number of the set that has or had this handle; 0 for any other value. */
unsigned arbiter_number(const struct arbiter *arbiter, uint64_t handle);

/* The handle is never valid again and no handler of the set is called any more;
 * the counters are held until arbiter_reclaim(). */
void arbiter_end(struct counter_set *set);

/* Gives back the counters and the memory of a set that has ended and has no
 * handler running. */
void arbiter_reclaim(struct arbiter *arbiter, struct counter_set *set);

/* A processor has been started: it is one of the sets that have later ones. */
void arbiter_add_processor(
    struct arbiter *arbiter, uint32_t group, uint32_t number);

/* Which counters a set holds on this processor: all ones for an exclusive one.
 */
uint64_t arbiter_held(
    const struct counter_set *set, uint32_t group, uint32_t number);

/* Of the live sets that hold one of `counters` on this processor by its index,
 * the first one allocated behind set#`after`; NULL: there is none. */
struct counter_set *arbiter_next_holder(const struct arbiter *arbiter,
    uint32_t group, uint32_t number, uint64_t counters, unsigned after);

#endif
