/* holders.h - who holds a counter on a processor, in tables that no question
 * has to be longer for because others hold something, too. Knows nothing of
 * handles, nor of when a set goes. */
#ifndef API_HAL_HOLDERS_H
#define API_HAL_HOLDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/limits.h"

struct arena;
struct counter_claim;
struct counter_set;

/* What can be held on a processor: a counter by its index, or the whole PMU. */
enum { HOLDERS_WHOLE_PMU = 64, HOLDERS_THINGS };

/* Of how many sets each processor of a group is. */
struct tally {
    uint32_t count[LIMIT_GROUP_PROCESSORS];
    uint64_t any; /* processors whose count is not 0 */
};

/* A group's processors, bit by number. One set for each thing stands in `one`,
 * for all of its processors at once; others of the same thing have disjoint
 * processors, and stand in the rows of these. */
struct group_holders {
    uint64_t taken[HOLDERS_THINGS];
    struct counter_set *one[HOLDERS_THINGS];          /* NULL: none */
    struct counter_set **row[LIMIT_GROUP_PROCESSORS]; /* things; NULL: none */
    struct tally sets;     /* also those without counters */
    struct tally handlers; /* sets with a handler of overflows */
    struct tally readers;  /* sets with an event buffer */
};

/* All zeroes: nobody holds anything. */
struct holders {
    struct group_holders *group[LIMIT_GROUPS]; /* NULL: nobody ever held */
};

/* Whether nobody stands in the way (HAL-ALLOC-50, HAL-ALLOC-51 [C]: conflicts
 * are per processor and counter index). */
bool holders_allow(
    const struct holders *holders, const struct counter_claim *claim);

/* Takes the memory that it needs to enter a set with this claim; false: the
 * kernel has none. Who holds what does not change. */
bool holders_prepare(struct holders *holders, struct arena *arena,
    const struct counter_claim *claim);

/* The set, whose claim is allowed and prepared, holds from now on; and a set
 * that holds does so no more. */
void holders_enter(struct holders *holders, struct counter_set *set);
void holders_leave(struct holders *holders, struct counter_set *set);

/* A set that has processors which are started later has this one, too. */
void holders_enter_later(struct holders *holders, struct counter_set *set,
    uint32_t group, uint32_t number);

/* Whether what the set holds is taken; asserts each part. */
bool holders_check(
    const struct holders *holders, const struct counter_set *set);

/* Who holds the thing on this processor; NULL: nobody. */
struct counter_set *holders_find(const struct holders *holders, uint32_t group,
    uint32_t number, unsigned thing);

/* Whether one of the counters, bit n = index n, is held on any processor, or
 * any processor's whole PMU is. */
bool holders_any(const struct holders *holders, uint64_t counters);

/* Whether a set with a handler, of overflows or event buffers, has this
 * processor; a set that is freed while its handler runs has it until then. */
bool holders_served(
    const struct holders *holders, uint32_t group, uint32_t number);

/* Whether a set with a handler of the kind that the claim has, of overflows or
 * event buffers, has one of its processors. */
bool holders_handler(
    const struct holders *holders, const struct counter_claim *claim);

#endif
