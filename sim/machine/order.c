/* order.c - which processor has the smallest time: a tournament tree. */
#include "sim/machine/order.h"

#include <assert.h>

#include "sim/base/arena.h"

/* Of two the one that comes first. */
static struct order_node earlier(struct order_node a, struct order_node b)
{
    return b.time < a.time || (b.time == a.time && b.leaf < a.leaf) ? b : a;
}

static bool comes_before(struct order_node a, struct order_node b)
{
    return a.time < b.time || (a.time == b.time && a.leaf <= b.leaf);
}

bool order_check(const struct order *order)
{
    assert(order->leaves > 0);
    assert((order->leaves & (order->leaves - 1)) == 0);
    for (uint32_t i = 1; i < order->leaves; i++) {
        assert(comes_before(order->node[i], order->node[2 * i]));
        assert(comes_before(order->node[i], order->node[2 * i + 1]));
    }
    for (uint32_t i = 0; i < order->leaves; i++) {
        assert(order->node[order->leaves + i].leaf == i);
    }
    return true;
}

void order_init(struct order *order, struct arena *arena, uint32_t count)
{
    uint32_t leaves = 1;

    while (leaves < count) {
        leaves *= 2;
    }
    order->leaves = leaves;
    order->leader = ORDER_NOBODY;
    order->node = arena_alloc(arena, 2 * leaves * sizeof(*order->node));
    assert(order->node != NULL);
    for (uint32_t i = 0; i < leaves; i++) {
        order->node[leaves + i] = (struct order_node){ORDER_NEVER, i};
    }
    for (uint32_t i = leaves - 1; i >= 1; i--) {
        order->node[i] = earlier(order->node[2 * i], order->node[2 * i + 1]);
    }
    assert(order_check(order));
}

uint64_t order_time(const struct order *order, uint32_t leaf)
{
    assert(leaf < order->leaves);
    return order->node[order->leaves + leaf].time;
}

void order_set(struct order *order, uint32_t leaf, uint64_t time)
{
    uint32_t at = order->leaves + leaf;

    assert(leaf < order->leaves);
    if (order->node[at].time == time) {
        return;
    }
    if (order->leader != leaf) {
        order->leader = ORDER_NOBODY;
    }
    order->node[at].time = time;
    for (at /= 2; at >= 1; at /= 2) {
        struct order_node first =
            earlier(order->node[2 * at], order->node[2 * at + 1]);

        if (first.leaf == order->node[at].leaf &&
            first.time == order->node[at].time) {
            break; /* nor is it otherwise above */
        }
        order->node[at] = first;
    }
    assert(order->node[1].time <= time);
}

uint32_t order_first(const struct order *order)
{
    assert(order->node[1].leaf < order->leaves);
    return order->node[1].leaf;
}

/* The first of all leaves but this one: of its sibling, and of those of all
 * nodes above it. */
static struct order_node find_rival(const struct order *order, uint32_t leaf)
{
    struct order_node rival = {ORDER_NEVER, ORDER_NOBODY};

    for (uint32_t at = order->leaves + leaf; at > 1; at /= 2) {
        rival = earlier(rival, order->node[at ^ 1]);
    }
    assert(rival.leaf != leaf);
    return rival;
}

uint32_t order_rival(struct order *order, uint32_t leaf)
{
    assert(leaf < order->leaves);
    if (order->leader != leaf) {
        order->rival = find_rival(order, leaf);
        order->leader = leaf;
    }
    return order->rival.leaf;
}

bool order_leads(struct order *order, uint32_t leaf, uint64_t time)
{
    order_rival(order, leaf);
    return order_leads_still(order, leaf, time);
}
