/* pmu_value.h - the registers that random programs access, and values to
 * write: what does something, what is reserved, and now and then anything. */
#ifndef TESTS_SIM_PMU_VALUE_H
#define TESTS_SIM_PMU_VALUE_H

#include "tests/sim/naive_pmu.h"
#include "tests/sim/splitmix.h"

enum pmu_value_kind {
    PMU_VALUE_ANY,
    PMU_VALUE_COUNTER,
    PMU_VALUE_SELECT,
    PMU_VALUE_FIXED_CTRL,
    PMU_VALUE_COUNTERS, /* bits of GLOBAL_CTRL */
    PMU_VALUE_STATUS,
    PMU_VALUE_DEBUGCTL,
    PMU_VALUE_LVTPC,
    PMU_VALUE_TPR,
    PMU_VALUE_EOI,
};

/* Registers of one kind, `step` apart. */
struct pmu_register_row {
    const char *name;
    unsigned vendors; /* bit by enum naive_vendor */
    uint32_t address, count, step;
    enum pmu_value_kind value;
    unsigned weight;
};

extern const struct pmu_register_row pmu_register_rows[];
extern const unsigned pmu_register_row_count;

/* True for one in `n`. */
bool pmu_one_in(struct splitmix *stream, uint64_t n);

/* Bits of all counters, as in GLOBAL_CTRL. */
uint64_t pmu_counters(const struct naive_model *model);

/* A value of this kind for this model. */
uint64_t pmu_value(struct splitmix *stream, const struct naive_model *model,
    enum pmu_value_kind kind);

/* The same of those that a running counter needs: no reserved bits, presets
 * just below the overflow. */
uint64_t pmu_value_useful(struct splitmix *stream,
    const struct naive_model *model, enum pmu_value_kind kind);

#endif
