/* armv8_stage.h - a PMUv3 that a row of a table sets up, runs and looks at, by
 * the names of its registers. */
#ifndef TESTS_SIM_PMU_ARMV8_STAGE_H
#define TESTS_SIM_PMU_ARMV8_STAGE_H

#include <string.h>

#include "sim/pmu/armv8.h"
#include "sim/pmu/armv8_registers.h"
#include "tests/rows.h"

/* ID_AA64DFR0_EL1.PMUVer. */
enum { V3 = 1, V3P1 = 4, V3P4 = 5, V3P5 = 6, V3P7 = 7 };

/* Not to be copied: the PMU points at the features. */
struct armv8_stage {
    struct armv8_features features;
    struct armv8_pmu pmu;
    uint64_t unhalted;
    uint32_t returned; /* by all that counted since the last run began */
};

/* What happens to it, or what it holds: a register, at EL1 unless its name ends
 * in @0 or @2; or one of the words of stage_step() and stage_value(). */
struct armv8_step {
    const char *name;
    uint64_t value;
};

static inline void stage_init(struct armv8_stage *stage, uint8_t version)
{
    *stage = (struct armv8_stage){
        .features = {.counters = 6,
            .pmu_version = version,
            .implementer = 0x41,
            .id_code = 0x0A,
            .events = UINT32_MAX},
    };
    armv8_init(&stage->pmu, &stage->features);
}

/* The register without the level that its name may end in. */
static inline uint32_t stage_register(const char *name, unsigned *el)
{
    const char *at = strchr(name, '@');
    char bare[32] = "";
    uint32_t reg = 0;

    *el = at == NULL ? 1 : (unsigned)(at[1] - '0');
    strncat(bare, name, at == NULL ? sizeof(bare) - 1 : (size_t)(at - name));
    if (!armv8_register_find(bare, &reg)) {
        fail_msg("no register %s", bare);
    }
    return reg;
}

/* A segment with 5/2 instructions, 1/2 LLC references, 1/4 LLC misses, 1/5
 * branches, 1/10 branch misses, 2/5 L1D accesses, 1/20 L1D misses, 3/10 stalls
 * of the front end and 7/100 of the back end a cycle. */
static inline struct segment stage_segment(
    const struct armv8_stage *stage, uint64_t cycles, enum ring ring)
{
    struct segment segment;

    segment_init(
        &segment, &pmu_models[MODEL_INTEL_V2], stage->unhalted, cycles, ring);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 5, .q = 2};
    segment.rate[EVENT_LLC_REFERENCES] = (struct rate){.p = 1, .q = 2};
    segment.rate[EVENT_LLC_MISSES] = (struct rate){.p = 1, .q = 4};
    segment.rate[EVENT_BRANCHES] = (struct rate){.p = 1, .q = 5};
    segment.rate[EVENT_BRANCH_MISSES] = (struct rate){.p = 1, .q = 10};
    segment.rate[EVENT_L1D_ACCESSES] = (struct rate){.p = 2, .q = 5};
    segment.rate[EVENT_L1D_MISSES] = (struct rate){.p = 1, .q = 20};
    segment.rate[EVENT_STALLS_FRONTEND] = (struct rate){.p = 3, .q = 10};
    segment.rate[EVENT_STALLS_BACKEND] = (struct rate){.p = 7, .q = 100};
    return segment;
}

/* Runs a segment from overflow to overflow. */
static inline void stage_run(
    struct armv8_stage *stage, const struct segment *segment)
{
    uint64_t from = 0;

    stage->returned = 0;
    while (from < segment->cycles) {
        uint64_t to = armv8_next_overflow(&stage->pmu, segment, from);

        assert_true(to > from && to <= segment->cycles + 1);
        to = to > segment->cycles ? segment->cycles : to;
        stage->returned |= armv8_advance(&stage->pmu, segment, from, to);
        from = to;
    }
    stage->unhalted += segment->halted ? 0 : segment->cycles;
}

/* user, kernel, halt: that many cycles; burst0 to burst2: so many instructions
 * at once at that level; else the register is written. */
static inline void stage_step(
    struct armv8_stage *stage, const struct armv8_step *step)
{
    struct segment segment;
    unsigned el;
    uint32_t reg;

    if (strncmp(step->name, "burst", 5) == 0) {
        el = (unsigned)(step->name[5] - '0');
        stage->returned =
            armv8_add(&stage->pmu, EVENT_INSTRUCTIONS, step->value, el);
        return;
    }
    if (strchr(step->name, '_') == NULL) {
        segment = stage_segment(stage, step->value,
            strcmp(step->name, "kernel") == 0 ? RING_KERNEL : RING_USER);
        segment.halted = strcmp(step->name, "halt") == 0;
        stage_run(stage, &segment);
        return;
    }
    reg = stage_register(step->name, &el);
    if (armv8_write(&stage->pmu, reg, el, step->value) != ARMV8_OK) {
        fail_msg("%s refuses a write", step->name);
    }
}

/* irq: the interrupt; returned: what stage_run() or a burst got; else what the
 * register reads. */
static inline uint64_t stage_value(
    const struct armv8_stage *stage, const char *name)
{
    uint64_t value = 0;
    unsigned el;
    uint32_t reg;

    if (strcmp(name, "irq") == 0) {
        return armv8_interrupt(&stage->pmu);
    }
    if (strcmp(name, "returned") == 0) {
        return stage->returned;
    }
    reg = stage_register(name, &el);
    if (armv8_read(&stage->pmu, reg, el, &value) != ARMV8_OK) {
        fail_msg("%s refuses a read", name);
    }
    return value;
}

/* A row: what happens, and what there is afterwards. */
struct armv8_row_of_steps {
    const char *name;
    uint8_t version;
    struct armv8_step steps[12], want[5];
};

static inline void armv8_steps_row(void **state)
{
    const struct armv8_row_of_steps *row = *state;
    struct armv8_stage stage;

    stage_init(&stage, row->version);
    for (size_t i = 0; i < 12 && row->steps[i].name != NULL; i++) {
        stage_step(&stage, &row->steps[i]);
    }
    assert_non_null(row->want[0].name);
    for (size_t i = 0; i < 5 && row->want[i].name != NULL; i++) {
        uint64_t value = stage_value(&stage, row->want[i].name);

        if (value != row->want[i].value) {
            fail_msg("%s is 0x%llx, not 0x%llx", row->want[i].name,
                (unsigned long long)value,
                (unsigned long long)row->want[i].value);
        }
    }
}

#endif
