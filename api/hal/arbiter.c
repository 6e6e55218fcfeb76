/* arbiter.c - who holds which counters on which processors: sets in a list, in
 * order of allocation. */
#include "api/hal/arbiter.h"

#include <assert.h>
#include <stddef.h>

#include "sim/base/arena.h"
#include "sim/base/bits.h"

/* Handles are multiples of 4, as Windows' own, start where no small number
 * lies, and are not used again (HAL-ALLOC-04c [C]). */
enum { HANDLE_BASE = 0x1000, HANDLE_STEP = 4 };

static bool claims_conflict(
    const struct counter_claim *a, const struct counter_claim *b)
{
    bool counters =
        a->exclusive || b->exclusive || (a->counters & b->counters) != 0;

    for (unsigned group = 0; counters && group < LIMIT_GROUPS; group++) {
        if ((a->affinity[group] & b->affinity[group]) != 0) {
            return true;
        }
    }
    return false;
}

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
    assert(!set->claim.exclusive || set->claim.counters == 0);
    assert(set->handlers == 0 || set->claim.handler != NULL);
    return true;
}

bool arbiter_check(const struct arbiter *arbiter)
{
    for (const struct counter_set *set = arbiter->first; set != NULL;
         set = set->next) {
        assert(set_check(arbiter, set));
        assert(set->next == NULL ||
               !claims_conflict(&set->claim, &set->next->claim));
    }
    return true;
}

bool arbiter_can_grant(
    const struct arbiter *arbiter, const struct counter_claim *claim)
{
    for (const struct counter_set *set = arbiter->first; set != NULL;
         set = set->next) {
        if (claims_conflict(&set->claim, claim)) {
            return false;
        }
    }
    return true;
}

struct counter_set *arbiter_grant(struct arbiter *arbiter, struct arena *arena,
    const struct counter_claim *claim, const struct driver *owner)
{
    struct counter_set *set = arbiter->spare;
    struct counter_set **link = &arbiter->first;

    assert(arbiter_can_grant(arbiter, claim));
    if (set != NULL) {
        arbiter->spare = set->next;
    } else {
        set = arena_alloc_for_guest(arena, sizeof(*set));
    }
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
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = set;
    assert(set_check(arbiter, set));
    return set;
}

struct counter_set *arbiter_find(const struct arbiter *arbiter, uint64_t handle)
{
    for (struct counter_set *set = arbiter->first; set != NULL;
         set = set->next) {
        if (set->handle == handle && !set->freed) {
            assert(set_check(arbiter, set));
            return set;
        }
    }
    return NULL;
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
    struct counter_set **link = &arbiter->first;

    assert(set_check(arbiter, set));
    assert(set->freed && set->handlers == 0);
    while (*link != set) {
        assert(*link != NULL);
        link = &(*link)->next;
    }
    *link = set->next;
    set->next = arbiter->spare;
    arbiter->spare = set;
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
