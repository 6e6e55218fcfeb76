/* order.h - which processor has the smallest time. A tournament tree: setting
 * a time costs log2(processors), asking for the smallest costs nothing. */
#ifndef SIM_ORDER_H
#define SIM_ORDER_H

#include <stdint.h>

struct arena;

#define ORDER_NEVER UINT64_MAX

struct order {
    uint64_t *time;   /* by leaf; ORDER_NEVER: has nothing to do */
    uint32_t *winner; /* tree of leaf numbers, root at 1 */
    uint32_t leaves;  /* a power of two */
};

/* All `count` times are ORDER_NEVER. The memory is the arena's, which must
 * have room. */
void order_init(struct order *order, struct arena *arena, uint32_t count);

void order_set(struct order *order, uint32_t leaf, uint64_t time);

/* The leaf with the smallest time; equal times go to the lower number. Its
 * time is ORDER_NEVER when none has anything to do. */
uint32_t order_first(const struct order *order);

#endif
