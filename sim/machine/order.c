/* order.c - which processor has the smallest time: moments with many, and a
 * tournament tree. */
#include "sim/machine/order.h"

#include <assert.h>

#include "sim/base/arena.h"
#include "sim/base/bits.h"

static bool comes_before(struct order_place a, struct order_place b)
{
    return a.time < b.time || (a.time == b.time && a.leaf < b.leaf);
}

/* What comes first below two nodes side by side, the left one at an even
 * number: all leaves below that one have the lower numbers. */
static uint32_t first_of(const struct order *order, uint32_t left)
{
    assert(left % 2 == 0);
    return order->time[left + 1] < order->time[left] ? left + 1 : left;
}

static bool moment_has(const struct order_moment *moment, uint32_t leaf)
{
    return bit_is_set(moment->leaf[leaf / 64], leaf % 64);
}

static bool tree_check(const struct order *order)
{
    for (uint32_t i = 1; i < order->leaves; i++) {
        uint32_t first = first_of(order, 2 * i);

        assert(order->time[i] == order->time[first]);
        assert(order->leaf[i] == order->leaf[first]);
    }
    for (uint32_t i = 0; i < order->leaves; i++) {
        assert(order->leaf[order->leaves + i] == i);
    }
    return true;
}

bool order_check(const struct order *order)
{
    assert(order->leaves > 0 && order->leaves <= ORDER_LEAVES);
    assert((order->leaves & (order->leaves - 1)) == 0);
    assert(tree_check(order));
    for (uint32_t i = 0; i < order->leaves; i++) {
        unsigned moments = 0;

        for (unsigned n = 0; n < ORDER_MOMENTS; n++) {
            const struct order_moment *moment = &order->moment[n];

            assert(bit_is_set(moment->words, i / 64) ==
                   (moment->leaf[i / 64] != 0));
            if (moment_has(moment, i)) {
                moments++;
                assert(order->of[i] == moment->time);
            }
        }
        assert(moments <= 1);
        assert(order->time[order->leaves + i] ==
               (moments == 1 ? ORDER_NEVER : order->of[i]));
    }
    return true;
}

void order_init(struct order *order, struct arena *arena, uint32_t count)
{
    uint32_t leaves = 1;

    while (leaves < count) {
        leaves *= 2;
    }
    assert(leaves <= ORDER_LEAVES);
    *order = (struct order){.leaves = leaves, .leader = ORDER_NOBODY};
    order->of = arena_alloc(arena, leaves * sizeof(*order->of));
    order->time = arena_alloc(arena, 2 * leaves * sizeof(*order->time));
    order->leaf = arena_alloc(arena, 2 * leaves * sizeof(*order->leaf));
    assert(order->of != NULL && order->time != NULL && order->leaf != NULL);
    for (uint32_t i = 0; i < leaves; i++) {
        order->of[i] = ORDER_NEVER;
        order->time[leaves + i] = ORDER_NEVER;
        order->leaf[leaves + i] = (uint16_t)i;
    }
    for (uint32_t i = leaves - 1; i >= 1; i--) {
        uint32_t first = first_of(order, 2 * i);

        order->time[i] = order->time[first];
        order->leaf[i] = order->leaf[first];
    }
    assert(order_check(order));
}

/* Another leaf's time is new: who is the rival of the leader may be, too. */
static void follow_rival(struct order *order, struct order_place place)
{
    if (order->leader == place.leaf) {
        return;
    }
    if (comes_before(place, order->rival)) {
        order->rival = place;
    } else if (order->rival.leaf == place.leaf) {
        order->leader = ORDER_NOBODY;
    }
}

static void tree_set(struct order *order, uint32_t leaf, uint64_t time)
{
    uint64_t *times = order->time;
    uint16_t *leaves = order->leaf;
    uint32_t at = order->leaves + leaf;
    uint16_t first = (uint16_t)leaf;

    times[at] = time;
    while (at > 1) {
        uint64_t other = times[at ^ 1];
        bool behind = other < time || (other == time && at % 2 != 0);

        first = behind ? leaves[at ^ 1] : first;
        time = behind ? other : time;
        at /= 2;
        if (times[at] == time && leaves[at] == first) {
            break; /* nor is it otherwise above */
        }
        times[at] = time;
        leaves[at] = first;
    }
}

/* Where a leaf with this time goes; NULL: to the tree. */
static struct order_moment *moment_of(struct order *order, uint64_t time)
{
    struct order_moment *unused = NULL;

    if (time == ORDER_NEVER) {
        return NULL;
    }
    for (unsigned n = 0; n < ORDER_MOMENTS; n++) {
        struct order_moment *moment = &order->moment[n];

        if (moment->words == 0) {
            unused = moment;
        } else if (moment->time == time) {
            return moment;
        }
    }
    if (unused != NULL) {
        unused->time = time;
    }
    return unused;
}

/* Takes the leaf out of where it is. Returns whether that is the tree. */
static bool take_out(struct order *order, uint32_t leaf)
{
    uint64_t time = order->of[leaf];

    for (unsigned n = 0; n < ORDER_MOMENTS; n++) {
        struct order_moment *moment = &order->moment[n];

        if (moment->time == time && moment_has(moment, leaf)) {
            moment->leaf[leaf / 64] &= ~bit(leaf % 64);
            moment->words &= ~bit_if(moment->leaf[leaf / 64] == 0, leaf / 64);
            return false;
        }
    }
    return time != ORDER_NEVER;
}

void order_set(struct order *order, uint32_t leaf, uint64_t time)
{
    struct order_moment *moment;
    bool in_tree;

    assert(leaf < order->leaves);
    if (order->of[leaf] == time) {
        return;
    }
    follow_rival(order, (struct order_place){time, leaf});
    in_tree = take_out(order, leaf);
    order->of[leaf] = time;
    moment = moment_of(order, time);
    if (moment != NULL) {
        moment->leaf[leaf / 64] |= bit(leaf % 64);
        moment->words |= bit(leaf / 64);
        time = ORDER_NEVER;
    }
    if (in_tree || time != ORDER_NEVER) {
        tree_set(order, leaf, time);
    }
}

/* The first of a tree's leaves but this one: of its sibling, and of those of
 * all nodes above it. */
static struct order_place tree_first_but(
    const struct order *order, uint32_t leaf)
{
    struct order_place first = {ORDER_NEVER, ORDER_NOBODY};

    if (order->time[1] == ORDER_NEVER) {
        return first; /* nothing is in the tree */
    }
    if (leaf == ORDER_NOBODY ||
        order->time[order->leaves + leaf] == ORDER_NEVER) {
        return (struct order_place){order->time[1], order->leaf[1]};
    }
    for (uint32_t at = order->leaves + leaf; at > 1; at /= 2) {
        struct order_place other = {order->time[at ^ 1], order->leaf[at ^ 1]};

        first = comes_before(other, first) ? other : first;
    }
    return first;
}

/* The same of a moment, which has leaves. */
static struct order_place moment_first_but(
    const struct order_moment *moment, uint32_t leaf)
{
    uint64_t words = moment->words;
    uint32_t word = bits_lowest(words);
    uint64_t leaves = moment->leaf[word];

    if (word == leaf / 64) {
        leaves &= ~bit(leaf % 64);
        if (leaves == 0) {
            words &= ~bit(word);
            if (words == 0) {
                return (struct order_place){ORDER_NEVER, ORDER_NOBODY};
            }
            word = bits_lowest(words);
            leaves = moment->leaf[word];
        }
    }
    return (struct order_place){moment->time, word * 64 + bits_lowest(leaves)};
}

/* The first of all leaves but this one, ORDER_NOBODY for all. */
static struct order_place first_but(const struct order *order, uint32_t leaf)
{
    struct order_place first = tree_first_but(order, leaf);

    for (unsigned n = 0; n < ORDER_MOMENTS; n++) {
        const struct order_moment *moment = &order->moment[n];

        if (moment->words != 0 && moment->time <= first.time) {
            struct order_place other = moment_first_but(moment, leaf);

            first = comes_before(other, first) ? other : first;
        }
    }
    return first;
}

uint32_t order_first(const struct order *order)
{
    uint32_t first;

    if (order->leader != ORDER_NOBODY) {
        const struct order_place leader = {
            order->of[order->leader], order->leader};

        return comes_before(order->rival, leader) ? order->rival.leaf
                                                  : leader.leaf;
    }
    first = first_but(order, ORDER_NOBODY).leaf;
    return first == ORDER_NOBODY ? 0 : first;
}

uint32_t order_rival(struct order *order, uint32_t leaf)
{
    assert(leaf < order->leaves);
    if (order->leader != leaf) {
        order->rival = first_but(order, leaf);
        order->leader = leaf;
    }
    assert(order->rival.leaf != leaf);
    return order->rival.leaf;
}

bool order_leads(struct order *order, uint32_t leaf, uint64_t time)
{
    order_rival(order, leaf);
    return order_leads_still(order, leaf, time);
}
