/* holders.c - who holds a counter on a processor: a mask of the processors for
 * each index and group, and the sets behind them. */
#include "api/hal/holders.h"

#include <assert.h>
#include <stddef.h>

#include "api/hal/arbiter.h"
#include "sim/base/arena.h"
#include "sim/base/bits.h"

/* The first thing of the claim from `from` on; HOLDERS_THINGS: no more. */
static unsigned next_thing(const struct counter_claim *claim, unsigned from)
{
    if (claim->exclusive) {
        return from <= HOLDERS_WHOLE_PMU ? HOLDERS_WHOLE_PMU : HOLDERS_THINGS;
    }
    if (from >= HOLDERS_WHOLE_PMU || claim->counters >> from == 0) {
        return HOLDERS_THINGS;
    }
    return from + bits_lowest(claim->counters >> from);
}

/* Whether a claim of these processors meets nobody in their group. */
static bool group_allows(const struct group_holders *group,
    const struct counter_claim *claim, uint64_t processors)
{
    uint64_t met = group->taken[HOLDERS_WHOLE_PMU];

    if (claim->exclusive) {
        met |= group->sets.any;
    }
    for (uint64_t left = claim->counters; left != 0; left &= left - 1) {
        met |= group->taken[bits_lowest(left)];
    }
    return (met & processors) == 0;
}

bool holders_allow(
    const struct holders *holders, const struct counter_claim *claim)
{
    for (unsigned i = 0; i < LIMIT_GROUPS; i++) {
        if (claim->affinity[i] != 0 && holders->group[i] != NULL &&
            !group_allows(holders->group[i], claim, claim->affinity[i])) {
            return false;
        }
    }
    return true;
}

/* Whether the group has a place for the thing that is none in rows. */
static bool is_one_free(
    const struct group_holders *group, const struct counter_claim *claim)
{
    for (unsigned thing = next_thing(claim, 0); thing < HOLDERS_THINGS;
         thing = next_thing(claim, thing + 1)) {
        if (group->one[thing] != NULL) {
            return false;
        }
    }
    return true;
}

static bool prepare_rows(
    struct group_holders *group, struct arena *arena, uint64_t processors)
{
    for (uint64_t left = processors; left != 0; left &= left - 1) {
        struct counter_set ***row = &group->row[bits_lowest(left)];

        if (*row == NULL) {
            *row = arena_alloc_for_guest(
                arena, HOLDERS_THINGS * sizeof(struct counter_set *));
        }
        if (*row == NULL) {
            return false;
        }
    }
    return true;
}

bool holders_prepare(struct holders *holders, struct arena *arena,
    const struct counter_claim *claim)
{
    for (unsigned i = 0; i < LIMIT_GROUPS; i++) {
        struct group_holders **group = &holders->group[i];

        if (claim->affinity[i] == 0 && !claim->later) {
            continue;
        }
        if (*group == NULL) {
            *group = arena_alloc_for_guest(arena, sizeof(**group));
        }
        if (*group == NULL ||
            (!is_one_free(*group, claim) &&
                !prepare_rows(*group, arena, claim->affinity[i]))) {
            return false;
        }
    }
    return true;
}

static void tally_add(struct tally *tally, uint64_t processors)
{
    tally->any |= processors;
    for (uint64_t left = processors; left != 0; left &= left - 1) {
        tally->count[bits_lowest(left)]++;
    }
}

static void tally_remove(struct tally *tally, uint64_t processors)
{
    for (uint64_t left = processors; left != 0; left &= left - 1) {
        unsigned number = bits_lowest(left);

        assert(tally->count[number] > 0);
        if (--tally->count[number] == 0) {
            tally->any &= ~bit(number);
        }
    }
}

/* The rows of these processors have the set, or nobody (NULL), for the thing.
 */
static void set_rows(struct group_holders *group, uint64_t processors,
    unsigned thing, struct counter_set *set)
{
    for (uint64_t left = processors; left != 0; left &= left - 1) {
        group->row[bits_lowest(left)][thing] = set;
    }
}

static void enter_group(
    struct group_holders *group, uint64_t processors, struct counter_set *set)
{
    const struct counter_claim *claim = &set->claim;

    for (unsigned thing = next_thing(claim, 0); thing < HOLDERS_THINGS;
         thing = next_thing(claim, thing + 1)) {
        group->taken[thing] |= processors;
        if (group->one[thing] == NULL || group->one[thing] == set) {
            group->one[thing] = set;
        } else {
            set_rows(group, processors, thing, set);
        }
    }
    tally_add(&group->sets, processors);
    if (claim->handler != NULL) {
        tally_add(&group->handlers, processors);
    }
    if (claim->events != NULL) {
        tally_add(&group->readers, processors);
    }
}

void holders_enter(struct holders *holders, struct counter_set *set)
{
    for (unsigned i = 0; i < LIMIT_GROUPS; i++) {
        if (set->claim.affinity[i] != 0) {
            enter_group(holders->group[i], set->claim.affinity[i], set);
        }
    }
}

/* Whoever has later processors has all that there were before, and nobody else
 * holds what it does: it stands in `one`, in this group, too. */
void holders_enter_later(struct holders *holders, struct counter_set *set,
    uint32_t group, uint32_t number)
{
    assert(set->claim.later && group < LIMIT_GROUPS);
    assert(!bit_is_set(set->claim.affinity[group], number));
    set->claim.affinity[group] |= bit(number);
    enter_group(holders->group[group], bit(number), set);
}

static void leave_group(
    struct group_holders *group, uint64_t processors, struct counter_set *set)
{
    const struct counter_claim *claim = &set->claim;

    for (unsigned thing = next_thing(claim, 0); thing < HOLDERS_THINGS;
         thing = next_thing(claim, thing + 1)) {
        assert((processors & ~group->taken[thing]) == 0);
        group->taken[thing] &= ~processors;
        if (group->one[thing] == set) {
            group->one[thing] = NULL;
        } else {
            set_rows(group, processors, thing, NULL);
        }
    }
    tally_remove(&group->sets, processors);
    if (claim->handler != NULL) {
        tally_remove(&group->handlers, processors);
    }
    if (claim->events != NULL) {
        tally_remove(&group->readers, processors);
    }
}

void holders_leave(struct holders *holders, struct counter_set *set)
{
    for (unsigned i = 0; i < LIMIT_GROUPS; i++) {
        if (set->claim.affinity[i] != 0) {
            leave_group(holders->group[i], set->claim.affinity[i], set);
        }
    }
}

/* Whether the set is who holds the thing on these processors. */
static bool holds(const struct group_holders *group, uint64_t processors,
    unsigned thing, const struct counter_set *set)
{
    assert((processors & ~group->taken[thing]) == 0);
    for (uint64_t left = group->one[thing] == set ? 0 : processors; left != 0;
         left &= left - 1) {
        assert(group->row[bits_lowest(left)] != NULL);
        assert(group->row[bits_lowest(left)][thing] == set);
    }
    return true;
}

bool holders_check(const struct holders *holders, const struct counter_set *set)
{
    const struct counter_claim *claim = &set->claim;

    for (unsigned i = 0; i < LIMIT_GROUPS; i++) {
        uint64_t processors = claim->affinity[i];
        const struct group_holders *group = holders->group[i];

        if (processors == 0) {
            continue;
        }
        assert(group != NULL && (processors & ~group->sets.any) == 0);
        for (unsigned thing = next_thing(claim, 0); thing < HOLDERS_THINGS;
             thing = next_thing(claim, thing + 1)) {
            assert(holds(group, processors, thing, set));
        }
    }
    return true;
}

struct counter_set *holders_find(const struct holders *holders, uint32_t group,
    uint32_t number, unsigned thing)
{
    const struct group_holders *own = holders->group[group];
    struct counter_set *one;

    assert(group < LIMIT_GROUPS && number < LIMIT_GROUP_PROCESSORS);
    assert(thing < HOLDERS_THINGS);
    if (own == NULL || !bit_is_set(own->taken[thing], number)) {
        return NULL;
    }
    one = own->one[thing];
    return one != NULL && bit_is_set(one->claim.affinity[group], number)
               ? one
               : own->row[number][thing];
}

bool holders_any(const struct holders *holders, uint64_t counters)
{
    uint64_t held = 0;

    for (unsigned i = 0; i < LIMIT_GROUPS; i++) {
        const struct group_holders *group = holders->group[i];

        if (group == NULL) {
            continue;
        }
        held |= group->taken[HOLDERS_WHOLE_PMU];
        for (uint64_t left = counters; left != 0; left &= left - 1) {
            held |= group->taken[bits_lowest(left)];
        }
    }
    return held != 0;
}

bool holders_served(
    const struct holders *holders, uint32_t group, uint32_t number)
{
    const struct group_holders *own = holders->group[group];

    assert(group < LIMIT_GROUPS && number < LIMIT_GROUP_PROCESSORS);
    return own != NULL &&
           bit_is_set(own->handlers.any | own->readers.any, number);
}

bool holders_handler(
    const struct holders *holders, const struct counter_claim *claim)
{
    for (unsigned i = 0; i < LIMIT_GROUPS; i++) {
        const struct group_holders *group = holders->group[i];
        uint64_t met = 0;

        if (group != NULL) {
            met |= claim->handler != NULL ? group->handlers.any : 0;
            met |= claim->events != NULL ? group->readers.any : 0;
        }
        if ((met & claim->affinity[i]) != 0) {
            return true;
        }
    }
    return false;
}
