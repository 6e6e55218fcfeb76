/* order.c - the tournament tree. */
#include "sim/order.h"

#include <assert.h>

#include "sim/arena.h"

void order_init(struct order *order, struct arena *arena, uint32_t count)
{
    uint32_t leaves = 1;

    while (leaves < count) {
        leaves *= 2;
    }
    order->leaves = leaves;
    order->time = arena_alloc(arena, leaves * sizeof(*order->time));
    order->winner = arena_alloc(arena, 2 * leaves * sizeof(*order->winner));
    assert(order->time != NULL && order->winner != NULL);
    for (uint32_t i = 0; i < leaves; i++) {
        order->time[i] = ORDER_NEVER;
        order->winner[leaves + i] = i;
    }
    /* All times are equal: the leftmost leaf of each subtree wins. */
    for (uint32_t i = leaves - 1; i >= 1; i--) {
        order->winner[i] = order->winner[2 * i];
    }
}

void order_set(struct order *order, uint32_t leaf, uint64_t time)
{
    assert(leaf < order->leaves);
    if (order->time[leaf] == time) {
        return;
    }
    order->time[leaf] = time;
    for (uint32_t i = (order->leaves + leaf) / 2; i >= 1; i /= 2) {
        uint32_t left = order->winner[2 * i];
        uint32_t right = order->winner[2 * i + 1];

        order->winner[i] =
            order->time[right] < order->time[left] ? right : left;
    }
}

uint32_t order_first(const struct order *order)
{
    return order->winner[1];
}
