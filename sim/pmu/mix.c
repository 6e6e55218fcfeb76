/* mix.c - kinds of code as rates of events: the rows of mixes.def. */
#include "sim/pmu/mix.h"

#include <assert.h>

const struct mix_row mix_rows[MIX_COUNT] = {
#define MIX(name, spelling, halted, help)                                      \
    [MIX_##name] = {spelling, halted, help},
#include "sim/pmu/mixes.def"
};

static const struct mix_rate mix_rates[] = {
#define MIX_RATE(mix, event, p, q) {MIX_##mix, EVENT_##event, {p, q, 0}},
#include "sim/pmu/mixes.def"
};

const struct mix_rate *mix_rate_at(size_t n)
{
    return n < sizeof(mix_rates) / sizeof(mix_rates[0]) ? &mix_rates[n] : NULL;
}

void mix_apply(struct segment *segment, enum mix mix)
{
    const struct mix_rate *row;

    assert(mix < MIX_COUNT);
    assert(segment_check(segment));
    segment->halted = mix_rows[mix].halted;
    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (!event_rows[i].clock) {
            segment->rate[i] = (struct rate){.q = 1};
        }
    }
    for (size_t n = 0; (row = mix_rate_at(n)) != NULL; n++) {
        if (row->mix == mix) {
            assert(!event_rows[row->event].clock);
            assert(rate_is_possible(row->rate.p, row->rate.q));
            segment->rate[row->event] = row->rate;
        }
    }
}
