/* program_value.h - the registers that random programs access, and values to
 * write: what does something, what is reserved, and now and then anything. */
#ifndef TESTS_SIM_PMU_PROGRAM_VALUE_H
#define TESTS_SIM_PMU_PROGRAM_VALUE_H

#include "sim/base/splitmix.h"
#include "tests/sim/pmu/naive_pmu.h"

enum program_value_kind {
    PROGRAM_VALUE_ANY,
    PROGRAM_VALUE_COUNTER,
    PROGRAM_VALUE_SELECT,
    PROGRAM_VALUE_FIXED_CTRL,
    PROGRAM_VALUE_COUNTERS, /* bits of GLOBAL_CTRL */
    PROGRAM_VALUE_STATUS,
    PROGRAM_VALUE_DEBUGCTL,
    PROGRAM_VALUE_LVTPC,
    PROGRAM_VALUE_TPR,
    PROGRAM_VALUE_EOI,
    PROGRAM_VALUE_PEBS, /* bits of PEBS_ENABLE */
    PROGRAM_VALUE_DATA_CFG,
    PROGRAM_VALUE_DS_AREA,
};

/* Registers of one kind, `step` apart. */
struct program_register_row {
    const char *name;
    unsigned vendors; /* bit by enum naive_vendor */
    uint32_t address, count, step;
    enum program_value_kind value;
    unsigned weight;
};

extern const struct program_register_row program_register_rows[];
extern const unsigned program_register_row_count;

/* True for one in `n`. */
bool program_one_in(struct splitmix *stream, uint64_t n);

/* Bits of all counters, as in GLOBAL_CTRL. */
uint64_t program_counters(const struct naive_model *model);

/* The word of the DS area at this offset: mostly such that records are written.
 */
uint64_t program_area_word(
    struct splitmix *stream, const struct naive_model *model, unsigned offset);

/* A value of this kind for this model. */
uint64_t program_value(struct splitmix *stream, const struct naive_model *model,
    enum program_value_kind kind);

/* The same of those that a running counter needs: no reserved bits, presets
 * just below the overflow. */
uint64_t program_value_useful(struct splitmix *stream,
    const struct naive_model *model, enum program_value_kind kind);

#endif
