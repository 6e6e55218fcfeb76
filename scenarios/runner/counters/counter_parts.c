/* counter_parts.c - references that a type needs, of those that are given. */
#include "scenarios/runner/counters/counter_parts.h"

static const struct manifest_number *given(const struct manifest_number *id)
{
    return id->given ? id : NULL;
}

struct counter_parts counter_parts_of(const struct manifest_counter *counter)
{
    struct counter_parts parts = {.base = NULL};

    switch (counter_type_rows[counter->type].needs) {
    case COUNTER_NEEDS_NOTHING:
        break;
    case COUNTER_NEEDS_BASE:
        parts.base = given(&counter->base_id);
        break;
    case COUNTER_NEEDS_TIME:
        parts.time = given(&counter->perf_time_id);
        parts.frequency = given(&counter->perf_freq_id);
        break;
    case COUNTER_NEEDS_MULTI:
        parts.multi = given(&counter->multi_counter_id);
        break;
    case COUNTER_NEEDS_MULTI_BASE:
        parts.base = given(&counter->base_id);
        parts.multi = given(&counter->multi_counter_id);
        break;
    }
    return parts;
}
