/* order.h - which processor has the smallest time. A tournament tree: setting
 * a time costs log2(processors), asking for the smallest costs nothing. */
#ifndef SIM_MACHINE_ORDER_H
#define SIM_MACHINE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

#define ORDER_NEVER UINT64_MAX

struct order_node {
    uint64_t time; /* the smallest below; ORDER_NEVER: nothing to do */
    uint32_t leaf; /* whose it is */
};

struct order {
    struct order_node *node; /* root at 1, leaf n at `leaves` + n */
    uint32_t leaves;         /* a power of two */
    uint32_t leader;         /* whose rival is known; ORDER_NOBODY: nobody's */
    struct order_node rival; /* the first of all others */
};

#define ORDER_NOBODY UINT32_MAX

/* All `count` times are ORDER_NEVER. The memory is the arena's, which must
 * have room. */
void order_init(struct order *order, struct arena *arena, uint32_t count);

/* Whether every node has the earlier one of those below it; asserts each part.
 */
bool order_check(const struct order *order);

void order_set(struct order *order, uint32_t leaf, uint64_t time);

uint64_t order_time(const struct order *order, uint32_t leaf);

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
