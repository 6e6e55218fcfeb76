/* pulses.c - pulses of a counter with CMASK, INV and EDGE, in closed form.
 *
 * Let k = floor(p/q) and m = p mod q. Each cycle has k events (a light cycle)
 * or k + 1 (a heavy one), and floor((phase + m * t) / q) of the first t are
 * heavy. So a threshold is met by every cycle, by none, or by one kind; and of
 * the two kinds the rarer never has two in a row (pmu.md section 3).
 */
#include "sim/pmu/pulses.h"

#include <assert.h>

/* Which cycles meet the condition. */
enum cycles_met { MET_NEVER, MET_ALWAYS, MET_HEAVY, MET_LIGHT };

static struct rate heavy_rate(const struct rate *rate)
{
    return (struct rate){
        .p = rate->p % rate->q, .q = rate->q, .phase = rate->phase};
}

static enum cycles_met cycles_met(
    const struct rate *rate, struct pulse_filter filter)
{
    uint64_t threshold = filter.cmask == 0 ? 1 : filter.cmask;
    uint64_t light = rate->p / rate->q;
    bool invert = filter.invert && filter.cmask != 0;

    assert(rate_check(rate));
    if (threshold <= light) {
        return invert ? MET_NEVER : MET_ALWAYS;
    }
    if (threshold > light + 1) {
        return invert ? MET_ALWAYS : MET_NEVER;
    }
    return invert ? MET_LIGHT : MET_HEAVY;
}

/* Cycles of one kind, or all or none, in the first `cycles`. */
static uint64_t cycles_count(
    enum cycles_met met, const struct rate *heavy, uint64_t cycles)
{
    switch (met) {
    case MET_NEVER:
        return 0;
    case MET_ALWAYS:
        return cycles;
    case MET_HEAVY:
        return rate_events(heavy, cycles);
    case MET_LIGHT:
        return cycles - rate_events(heavy, cycles);
    }
    assert(false && "unknown kind of cycle");
    return 0;
}

/* Rising edges in the first `cycles`, which is not 0. */
static uint64_t edges_count(
    enum cycles_met met, const struct rate *heavy, uint64_t cycles)
{
    bool heavy_alone = heavy->p <= heavy->q - heavy->p;
    bool light_alone = heavy->p >= heavy->q - heavy->p;
    enum cycles_met other = met == MET_HEAVY ? MET_LIGHT : MET_HEAVY;

    assert(cycles > 0);
    assert(heavy->p < heavy->q);
    if (met == MET_NEVER || met == MET_ALWAYS) {
        return met == MET_ALWAYS;
    }
    if (met == MET_HEAVY ? heavy_alone : light_alone) {
        return cycles_count(met, heavy, cycles);
    }
    /* The other kind is never twice in a row, so each of its cycles but the
     * last is followed by a rising edge; and the first cycle may be one. */
    return cycles_count(met, heavy, 1) + cycles_count(other, heavy, cycles - 1);
}

uint64_t pulses_until(
    const struct rate *rate, struct pulse_filter filter, uint64_t cycles)
{
    struct rate heavy;
    enum cycles_met met;

    if (!pulse_is_filtered(filter)) {
        return rate_events(rate, cycles);
    }
    if (cycles == 0) {
        return 0;
    }
    heavy = heavy_rate(rate);
    met = cycles_met(rate, filter);
    return filter.edge ? edges_count(met, &heavy, cycles)
                       : cycles_count(met, &heavy, cycles);
}

uint64_t pulses_at_once(struct pulse_filter filter, uint64_t count)
{
    bool meets;

    if (filter.cmask == 0 && !filter.edge) {
        return count;
    }
    meets = count >= (filter.cmask == 0 ? 1 : filter.cmask);
    return filter.invert && filter.cmask != 0 ? !meets : meets;
}

/* pulses_until() never falls, so the first cycle is found by halving. */
static uint64_t pulses_search(const struct rate *rate,
    struct pulse_filter filter, uint64_t from, uint64_t total, uint64_t limit)
{
    uint64_t low = from; /* not yet reached here */
    uint64_t high = limit;

    assert(from < limit);
    if (pulses_until(rate, filter, limit) < total) {
        return limit + 1;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (pulses_until(rate, filter, middle) >= total) {
            high = middle;
        } else {
            low = middle;
        }
    }
    assert(high - low == 1);
    return high;
}

uint64_t pulses_reach(const struct rate *rate, struct pulse_filter filter,
    uint64_t from, uint64_t need, uint64_t limit)
{
    uint64_t total, cycles;

    assert(need > 0);
    assert(from <= limit);
    if (rate->q == 1 && !pulse_is_filtered(filter)) {
        return events_reach(rate, from, need, limit);
    }
    if (from == limit) {
        return limit + 1;
    }
    if (__builtin_add_overflow(
            pulses_until(rate, filter, from), need, &total)) {
        return limit + 1;
    }
    if (filter.cmask != 0 || filter.edge) {
        return pulses_search(rate, filter, from, total, limit);
    }
    if (rate->p == 0 || rate_events(rate, limit) < total) {
        return limit + 1;
    }
    cycles = rate_cycles(rate, total);
    assert(cycles > from);
    assert(cycles <= limit);
    return cycles;
}
