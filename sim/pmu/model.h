/* model.h - what a processor model has: figures only, no state. */
#ifndef SIM_PMU_MODEL_H
#define SIM_PMU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pmu/rate.h"

enum event {
#define EVENT(name, ...) EVENT_##name,
#include "sim/pmu/events.def"
    EVENT_COUNT
};

struct event_row {
    const char *name;
    uint8_t select, umask;
    uint8_t cpuid_bit;
    bool clock; /* runs with the core; a workload gives it no rate */
};

extern const struct event_row event_rows[EVENT_COUNT];

/* The event that a select and umask name; EVENT_COUNT when none does. */
enum event event_of_select(uint8_t select, uint8_t umask);

enum model {
#define MODEL(name, ...) MODEL_##name,
#include "sim/pmu/models.def"
    MODEL_COUNT
};

struct pmu_model {
    const char *name;
    uint8_t version;    /* architectural version; 0: no PMU at all */
    uint8_t general;    /* GP counters */
    uint8_t fixed;      /* fixed counters, contiguous from 0 */
    uint8_t width_bits; /* of every counter */
    uint32_t mhz;       /* core cycles per microsecond */
    struct rate tsc;    /* TSC-rate cycles per core cycle */
    struct rate ref;    /* event 3CH/01H per core cycle */
    uint32_t msr_cycles;
    uint32_t skid_cycles;
};

extern const struct pmu_model pmu_models[MODEL_COUNT];

/* Bits of the counters that exist, as in IA32_PERF_GLOBAL_CTRL: GP n is bit n,
 * fixed n is bit 32+n. */
uint64_t model_counters(const struct pmu_model *model);

#endif
