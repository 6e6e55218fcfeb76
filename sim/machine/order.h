/* order.h - which processor has the smallest time. Those of one time are bits
 * of a moment, of which there are a few; what has yet another time is in a
 * tournament tree, where setting a time costs log2(processors). */
#ifndef SIM_MACHINE_ORDER_H
#define SIM_MACHINE_ORDER_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/limits.h"

struct arena;

#define ORDER_NEVER UINT64_MAX

struct order_place {
    uint64_t time; /* ORDER_NEVER: nothing to do */
    uint32_t leaf; /* whose it is */
};

enum {
    ORDER_LEAVES = LIMIT_PROCESSORS,
    /* An interrupt to all, which all end some cycles later, needs two. */
    ORDER_MOMENTS = 2,
};

/* Leaves that have one time. */
struct order_moment {
    uint64_t time;                    /* anything where it has no leaves */
    uint64_t words;                   /* of `leaf`, by bit, that are not 0 */
    uint64_t leaf[ORDER_LEAVES / 64]; /* by bit */
};

struct order {
    uint64_t *of; /* the time of each leaf */
    /* Of each node of the tree, the root at 1, leaf n at `leaves` + n: the
     * smallest time below, and whose it is. ORDER_NEVER for a leaf that is in a
     * moment. */
    uint64_t *time;
    uint16_t *leaf;
    uint32_t leaves;          /* a power of two */
    uint32_t leader;          /* whose rival is known; ORDER_NOBODY: nobody's */
    struct order_place rival; /* the first of all others */
    struct order_moment moment[ORDER_MOMENTS];
};

#define ORDER_NOBODY UINT32_MAX

/* All `count` times are ORDER_NEVER. The memory is the arena's, which must
 * have room. */
void order_init(struct order *order, struct arena *arena, uint32_t count);

/* Whether every node has the earlier one of those below it, and every leaf is
 * where its time wants it; asserts each part. */
bool order_check(const struct order *order);

void order_set(struct order *order, uint32_t leaf, uint64_t time);

static inline uint64_t order_time(const struct order *order, uint32_t leaf)
{
    assert(leaf < order->leaves);
    return order->of[leaf];
}

/* The leaf with the smallest time; equal times go to the lower number. Its
 * time is ORDER_NEVER when none has anything to do. */
uint32_t order_first(const struct order *order);

/* The first of all leaves but this one; ORDER_NOBODY when there is no other. */
uint32_t order_rival(struct order *order, uint32_t leaf);

/* Whether `leaf` would be the first if its time were `time`. Asked again for
 * the same leaf it costs nothing, until another's time is set. */
bool order_leads(struct order *order, uint32_t leaf, uint64_t time);

/* The same, false also where it was not asked before. */
static inline bool order_leads_still(
    const struct order *order, uint32_t leaf, uint64_t time)
{
    return order->leader == leaf &&
           (time < order->rival.time ||
               (time == order->rival.time && leaf < order->rival.leaf));
}

#endif
