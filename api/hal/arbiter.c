/* arbiter.c - the counter sets that there are: in a list in order of
 * allocation, in buckets by number, and as holders of what they claimed. */
#include "api/hal/arbiter.h"

#include <assert.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/bits.h"

/* Handles are multiples of 4, as Windows' own, start where no small number
 * lies, and are not used again (HAL-ALLOC-04c [C]). */
enum { HANDLE_BASE = 0x1000, HANDLE_STEP = 4 };

enum { FIRST_BUCKETS = 16 };

static uint64_t handle_of(unsigned number)
{
    return HANDLE_BASE + (uint64_t)HANDLE_STEP * (number - 1);
}

/* A set in the list, and how it stands to the next one. */
static bool set_check(
    const struct arbiter *arbiter, const struct counter_set *set)
{
    assert(set->number >= 1 && set->number <= arbiter->granted);
    assert(set->handle == handle_of(set->number));
    assert(set->next == NULL || set->next->number > set->number);
    assert((set->next == NULL ? arbiter->last : set->next->previous) == set);
    assert(!set->claim.exclusive || set->claim.counters == 0);
    assert(set->handlers == 0 || set->claim.handler != NULL ||
           set->claim.events != NULL);
    assert(set->claim.events == NULL || set->claim.threshold > 0);
    return true;
}

bool arbiter_check(const struct arbiter *arbiter)
{
    for (const struct counter_set *set = arbiter->first; set != NULL;
         set = set->next) {
        assert(set_check(arbiter, set));
        assert(holders_check(&arbiter->holders, set));
    }
    return true;
}

bool arbiter_can_grant(
    const struct arbiter *arbiter, const struct counter_claim *claim)
{
    return holders_allow(&arbiter->holders, claim);
}

static struct counter_set **bucket_of(
    const struct arbiter *arbiter, unsigned number)
{
    assert(arbiter->buckets != 0);
    return &arbiter->bucket[number & (arbiter->buckets - 1)];
}

static void put_in_bucket(struct arbiter *arbiter, struct counter_set *set)
{
    struct counter_set **bucket = bucket_of(arbiter, set->number);

    set->in_bucket = *bucket;
    *bucket = set;
}

static void take_from_bucket(struct arbiter *arbiter, struct counter_set *set)
{
    struct counter_set **link = bucket_of(arbiter, set->number);

    while (*link != set) {
        assert(*link != NULL);
        link = &(*link)->in_bucket;
    }
    *link = set->in_bucket;
}

/* Makes room for one set more: a bucket each. Numbers ascend, so the sets
 * spread evenly. The old buckets stay behind, half as many. */
static bool prepare_bucket(struct arbiter *arbiter, struct arena *arena)
{
    unsigned buckets =
        arbiter->buckets == 0 ? FIRST_BUCKETS : 2 * arbiter->buckets;
    struct counter_set **bucket;

    if (arbiter->live < arbiter->buckets) {
        return true;
    }
    bucket = arena_alloc_for_guest(arena, buckets * sizeof(*bucket));
    if (bucket == NULL) {
        return false;
    }
    arbiter->bucket = bucket;
    arbiter->buckets = buckets;
    for (struct counter_set *set = arbiter->first; set != NULL;
         set = set->next) {
        put_in_bucket(arbiter, set);
    }
    return true;
}

/* Memory for one set more, and for all that leads to it. */
static struct counter_set *prepare(struct arbiter *arbiter, struct arena *arena,
    const struct counter_claim *claim)
{
    if (!prepare_bucket(arbiter, arena) ||
        !holders_prepare(&arbiter->holders, arena, claim)) {
        return NULL;
    }
    return record_pool_take(&arbiter->pool, arena, sizeof(struct counter_set));
}

static void append(struct arbiter *arbiter, struct counter_set *set)
{
    set->previous = arbiter->last;
    if (arbiter->last != NULL) {
        arbiter->last->next = set;
    } else {
        arbiter->first = set;
    }
    arbiter->last = set;
    arbiter->live++;
}

struct counter_set *arbiter_grant(struct arbiter *arbiter, struct arena *arena,
    const struct counter_claim *claim, const struct driver *owner)
{
    struct counter_set *set;

    assert(arbiter_can_grant(arbiter, claim));
    set = prepare(arbiter, arena, claim);
    if (set == NULL) {
        return NULL;
    }
    arbiter->granted++;
    *set = (struct counter_set){
        .claim = *claim,
        .handle = handle_of(arbiter->granted),
        .number = arbiter->granted,
        .owner = owner,
    };
    append(arbiter, set);
    put_in_bucket(arbiter, set);
    holders_enter(&arbiter->holders, set);
    assert(set_check(arbiter, set));
    return set;
}

struct counter_set *arbiter_find(const struct arbiter *arbiter, uint64_t handle)
{
    unsigned number = arbiter_number(arbiter, handle);
    struct counter_set *set = NULL;

    if (number != 0) {
        set = *bucket_of(arbiter, number);
    }
    while (set != NULL && set->number != number) {
        set = set->in_bucket;
    }
    assert(set == NULL || set_check(arbiter, set));
    return set == NULL || set->freed ? NULL : set;
}

unsigned arbiter_number(const struct arbiter *arbiter, uint64_t handle)
{
    uint64_t offset = handle - HANDLE_BASE;

    if (handle < HANDLE_BASE || offset % HANDLE_STEP != 0 ||
        offset / HANDLE_STEP >= arbiter->granted) {
        return 0;
    }
    return (unsigned)(offset / HANDLE_STEP) + 1;
}

void arbiter_end(struct counter_set *set)
{
    assert(!set->freed);
    set->freed = true;
}

void arbiter_reclaim(struct arbiter *arbiter, struct counter_set *set)
{
    assert(set_check(arbiter, set));
    assert(set->freed && set->handlers == 0 && !set->joins && !set->starts);
    holders_leave(&arbiter->holders, set);
    take_from_bucket(arbiter, set);
    *(set->previous == NULL ? &arbiter->first : &set->previous->next) =
        set->next;
    *(set->next == NULL ? &arbiter->last : &set->next->previous) =
        set->previous;
    arbiter->live--;
    record_give(&arbiter->pool, set);
}

void arbiter_add_processor(
    struct arbiter *arbiter, uint32_t group, uint32_t number)
{
    assert(group < LIMIT_GROUPS);
    for (struct counter_set *set = arbiter->first; set != NULL;
         set = set->next) {
        if (set->claim.later) {
            holders_enter_later(&arbiter->holders, set, group, number);
        }
    }
}

uint64_t arbiter_held(
    const struct counter_set *set, uint32_t group, uint32_t number)
{
    assert(group < LIMIT_GROUPS);
    if (!bit_is_set(set->claim.affinity[group], number)) {
        return 0;
    }
    return set->claim.exclusive ? UINT64_MAX : set->claim.counters;
}

struct counter_set *arbiter_next_holder(const struct arbiter *arbiter,
    uint32_t group, uint32_t number, uint64_t counters, unsigned after)
{
    struct counter_set *next = NULL;

    if (counters != 0 && (counters & (counters - 1)) == 0) {
        next = holders_find(
            &arbiter->holders, group, number, bits_lowest(counters));
        return next != NULL && next->number > after ? next : NULL;
    }
    for (uint64_t left = counters; left != 0; left &= left - 1) {
        struct counter_set *set =
            holders_find(&arbiter->holders, group, number, bits_lowest(left));

        if (set != NULL && set->number > after &&
            (next == NULL || set->number < next->number)) {
            next = set;
        }
    }
    return next;
}
