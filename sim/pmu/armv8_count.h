/* armv8_count.h - what segments, bursts and software increments do to the
 * counters of a PMUv3. No cost depends on how many cycles pass (pmu.md 3). */
#ifndef SIM_PMU_ARMV8_COUNT_H
#define SIM_PMU_ARMV8_COUNT_H

#include <stdint.h>

#include "sim/pmu/armv8.h"

/* The first position in (from, segment->cycles] at which a running counter
 * overflows; segment->cycles + 1 when none does. A chained counter overflows
 * only when the one before it does. In a halted segment nothing counts, the
 * cycle counter neither: the clock stops in WFI [C]. */
uint64_t armv8_next_overflow(
    const struct armv8_pmu *pmu, const struct segment *segment, uint64_t from);

/* Counts the cycles from `from` to `to` of the segment and latches overflow
 * bits; there is no overflow before `to`. Counters that overflow in the same
 * cycle all count it, also where that freezes them (PMCR_EL0.FZO) [C]. Returns
 * the bits of those that overflowed. */
uint32_t armv8_advance(struct armv8_pmu *pmu, const struct segment *segment,
    uint64_t from, uint64_t to);

/* `count` events, less than 2^63, at once, of code at `el`. Returns the bits of
 * the counters that overflowed. */
uint32_t armv8_burst(
    struct armv8_pmu *pmu, enum event event, uint64_t count, unsigned el);

/* A software increment by code at `el` of those of these counters that count
 * SW_INCR. Returns the bits of the counters that overflowed. */
uint32_t armv8_increment(struct armv8_pmu *pmu, uint32_t counters, unsigned el);

#endif
