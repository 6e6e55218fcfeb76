/* model.c - the rows of models.def and events.def. */
#include "sim/pmu/model.h"

#include <assert.h>

#include "sim/bits.h"
#include "sim/limits.h"

const struct event_row event_rows[EVENT_COUNT] = {
#define EVENT(name, spelling, select, umask, cpuid_bit, clock)                 \
    [EVENT_##name] = {spelling, select, umask, cpuid_bit, clock},
#include "sim/pmu/events.def"
};

const struct pmu_model pmu_models[MODEL_COUNT] = {
#define MODEL(name, spelling, version, general, fixed, width, mhz, tsc_p,      \
    tsc_q, ref_p, ref_q, msr, skid)                                            \
    [MODEL_##name] = {spelling, version, general, fixed, width, mhz,           \
        {tsc_p, tsc_q, 0}, {ref_p, ref_q, 0}, msr, skid},
#include "sim/pmu/models.def"
};

enum event event_of_select(uint8_t select, uint8_t umask)
{
    for (enum event event = 0; event < EVENT_COUNT; event++) {
        const struct event_row *row = &event_rows[event];

        if (row->select != 0 && row->select == select && row->umask == umask) {
            return event;
        }
    }
    return EVENT_COUNT;
}

uint64_t model_counters(const struct pmu_model *model)
{
    assert(model->general <= LIMIT_GP_COUNTERS);
    assert(model->fixed <= LIMIT_FIXED_COUNTERS);
    return bits_low(model->general) | bits_low(model->fixed) << 32;
}
