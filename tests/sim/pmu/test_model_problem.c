/* test_model_problem.c - which figures contradict each other, and why. */
#include <string.h>

#include "sim/pmu/model.h"
#include "tests/rows.h"

/* Where a row begins; each has no problem. */
enum base { NONE, V1, V2, V3, V4, V5, PEBS, BASELINE, K7, CORE, V2_AMD, A64 };

static const enum model base_models[] = {
    [NONE] = MODEL_NONE,
    [V1] = MODEL_INTEL_V1,
    [V2] = MODEL_INTEL_V2,
    [V3] = MODEL_INTEL_V3,
    [V4] = MODEL_INTEL_V4,
    [V5] = MODEL_INTEL_V5,
    [PEBS] = MODEL_SKYLAKE,
    [BASELINE] = MODEL_ICE_LAKE,
    [K7] = MODEL_K8,
    [CORE] = MODEL_ZEN2,
    [V2_AMD] = MODEL_ZEN4,
    [A64] = MODEL_NEOVERSE_N1,
};

#define NO_COUNTERS "a processor without a PMU (version 0) has no counters"
#define NO_VERSION "the vendor has no such version"
#define ONE_COUNTER                                                            \
    "a PMU has at least one general counter; model none has no PMU"
#define CLOCK "a clock has more than 0 and at most 8 cycles per core cycle"
#define FIXED_V2 "fixed counters came with version 2"
#define FIXED_MAP "fixed counters by bitmap came with version 5"
#define FULL_WIDTH "full-width writes came after version 1"
#define ANY_THREAD "AnyThread came with version 3"
#define NEEDS_BASELINE "a PEBS baseline needs pebs with pebs_format 4"
#define PEBS_V2 "PEBS needs the global registers of version 2"
#define FORMAT "a PEBS format needs pebs"
#define MISSING "events_missing has bits at or past event_bits"
#define GENERAL "an Intel PMU has at most 8 general counters here"
#define WIDTH "its counters have 32 to 57 bits"
#define AMD_WIDTH "an AMD PMU has counters of 48 bits"
#define K7_COUNTERS "K7 has exactly 4 counters"
#define CORE_COUNTERS "the core extension has 4 to 6 counters here"
#define ARM_32 "event counters have 32 bits before PMUv3p5"
#define ARM_64 "event counters have 64 bits since PMUv3p5"
#define INTEL_FIXED "only Intel's PMUs have fixed counters"
#define INTEL_FLAGS "full_width and any_thread are Intel's"
#define INTEL_PEBS "PEBS is Intel's"
#define INTEL_CORES "core_type is Intel's"
#define INTEL_EVENTS "event_bits and events_missing are Intel's"

/* A figure or two are set in the base. */
#define AT(field)                                                              \
    offsetof(struct pmu_model, field), sizeof(((struct pmu_model *)NULL)->field)

struct change {
    size_t at, size;
    uint32_t value;
};

static struct problem_row {
    const char *name;
    enum base base;
    struct change change[3]; /* a size of 0 ends it */
    const char *want;        /* NULL: none */
} problem_rows[] = {
    {"none_is_possible", NONE, {{0}}, NULL},
    {"none_with_a_counter", NONE, {{AT(general), 1}}, NO_COUNTERS},
    {"none_with_a_fixed_counter", NONE, {{AT(fixed), 1}}, NO_COUNTERS},
    {"none_with_a_fixed_map", NONE, {{AT(fixed_map), 1}}, NO_COUNTERS},
    {"none_with_pebs", NONE, {{AT(pebs), true}}, NO_COUNTERS},
    {"none_of_amd", K7, {{AT(version), 0}, {AT(general), 0}}, NULL},
    {"intel_version_6", V5, {{AT(version), 6}}, NO_VERSION},
    {"amd_version_4", V2_AMD, {{AT(version), 4}}, NO_VERSION},
    {"arm_version_2", A64, {{AT(version), 2}}, NO_VERSION},
    {"intel_without_a_general_counter", V2, {{AT(general), 0}}, ONE_COUNTER},
    {"intel_with_one", V2, {{AT(general), 1}}, NULL},
    {"arm_without_a_general_counter", A64, {{AT(general), 0}}, NULL},

    {"clock_that_stands", V2, {{AT(tsc.p), 0}}, CLOCK},
    {"clock_of_8", V2, {{AT(tsc.p), 8}}, NULL},
    {"clock_of_9", V2, {{AT(tsc.p), 9}}, CLOCK},
    {"clock_of_16_halves", V2, {{AT(tsc.p), 16}, {AT(tsc.q), 2}}, NULL},
    {"clock_of_17_halves", V2, {{AT(tsc.p), 17}, {AT(tsc.q), 2}}, CLOCK},
    {"clock_of_nothing", V2, {{AT(tsc.q), 0}}, CLOCK},
    {"reference_clock_that_stands", V2, {{AT(ref.p), 0}}, CLOCK},
    {"reference_clock_of_200_25ths", V2, {{AT(ref.p), 200}}, NULL},
    {"reference_clock_of_201_25ths", V2, {{AT(ref.p), 201}}, CLOCK},
    {"clock_is_looked_at_without_a_pmu", NONE, {{AT(ref.p), 0}}, CLOCK},

    {"intel_with_nine_counters", V2, {{AT(general), 9}}, GENERAL},
    {"intel_with_57_bits", V2, {{AT(width), 57}}, NULL},
    {"intel_with_58_bits", V2, {{AT(width), 58}}, WIDTH},
    {"version_1_with_a_fixed_counter", V1, {{AT(fixed), 1}}, FIXED_V2},
    {"version_1_with_a_fixed_map", V1, {{AT(fixed_map), 1}}, FIXED_V2},
    {"version_2_without_a_fixed_counter", V2, {{AT(fixed), 0}}, NULL},
    {"version_4_with_a_fixed_map", V4, {{AT(fixed_map), 1}}, FIXED_MAP},
    {"version_5_with_a_fixed_map", V5, {{AT(fixed_map), 1}}, NULL},
    {"version_1_with_full_width", V1, {{AT(full_width), true}}, FULL_WIDTH},
    {"version_2_with_full_width", V2, {{AT(full_width), true}}, NULL},
    {"version_2_with_any_thread", V2, {{AT(any_thread), true}}, ANY_THREAD},
    {"version_3_with_any_thread", V3, {{AT(any_thread), true}}, NULL},
    {"baseline_is_possible", BASELINE, {{0}}, NULL},
    {"baseline_of_format_3", BASELINE, {{AT(pebs_format), 3}}, NEEDS_BASELINE},
    {"baseline_without_pebs", BASELINE, {{AT(pebs), false}}, NEEDS_BASELINE},
    {"format_4_without_a_baseline", BASELINE, {{AT(pebs_baseline), false}},
        NULL},
    {"version_1_with_pebs", V1, {{AT(pebs), true}}, PEBS_V2},
    {"version_2_with_pebs", V2, {{AT(pebs), true}}, NULL},
    {"format_without_pebs", PEBS, {{AT(pebs), false}}, FORMAT},
    {"format_1_without_pebs", V2, {{AT(pebs_format), 1}}, FORMAT},
    {"last_event_is_missing", V2, {{AT(events_missing), 0x40}}, NULL},
    {"every_event_is_missing", V2, {{AT(events_missing), 0x7F}}, NULL},
    {"event_past_the_last_is_missing", V2, {{AT(events_missing), 0x80}},
        MISSING},

    {"amd_with_47_bits", CORE, {{AT(width), 47}}, AMD_WIDTH},
    {"amd_with_49_bits", CORE, {{AT(width), 49}}, AMD_WIDTH},
    {"k7_with_three_counters", K7, {{AT(general), 3}}, K7_COUNTERS},
    {"k7_with_five_counters", K7, {{AT(general), 5}}, K7_COUNTERS},
    {"core_extension_with_three_counters", CORE, {{AT(general), 3}},
        CORE_COUNTERS},
    {"core_extension_with_four_counters", CORE, {{AT(general), 4}}, NULL},
    {"core_extension_with_seven_counters", CORE, {{AT(general), 7}},
        CORE_COUNTERS},
    {"perfmon_v2_with_three_counters", V2_AMD, {{AT(general), 3}},
        CORE_COUNTERS},
    {"perfmon_v2_with_seven_counters", V2_AMD, {{AT(general), 7}},
        CORE_COUNTERS},

    {"pmuv3p1_with_64_bits", A64, {{AT(width), 64}}, ARM_32},
    {"pmuv3p4_with_64_bits", A64, {{AT(version), 5}, {AT(width), 64}}, ARM_32},
    {"pmuv3p4_with_32_bits", A64, {{AT(version), 5}}, NULL},
    {"pmuv3p5_with_32_bits", A64, {{AT(version), 6}}, ARM_64},
    {"pmuv3p5_with_64_bits", A64, {{AT(version), 6}, {AT(width), 64}}, NULL},
    {"arm_with_31_counters", A64, {{AT(general), 31}}, NULL},

    {"amd_with_a_fixed_counter", K7, {{AT(fixed), 1}}, INTEL_FIXED},
    {"arm_with_a_fixed_map", A64, {{AT(fixed_map), 1}}, INTEL_FIXED},
    {"amd_with_full_width", V2_AMD, {{AT(full_width), true}}, INTEL_FLAGS},
    {"arm_with_any_thread", A64, {{AT(any_thread), true}}, INTEL_FLAGS},
    {"amd_with_pebs", V2_AMD, {{AT(pebs), true}}, INTEL_PEBS},
    {"amd_with_a_pebs_format", V2_AMD, {{AT(pebs_format), 1}}, INTEL_PEBS},
    {"arm_with_a_pebs_baseline", A64, {{AT(pebs_baseline), true}}, INTEL_PEBS},
    {"amd_with_event_bits", V2_AMD, {{AT(event_bits), 1}}, INTEL_EVENTS},
    {"arm_with_events_missing", A64, {{AT(events_missing), 1}}, INTEL_EVENTS},
    {"amd_with_a_core_type", K7, {{AT(core_type), 32}}, INTEL_CORES},
    {"intel_with_a_core_type", V2, {{AT(core_type), 32}}, NULL},
};

static void apply(struct pmu_model *model, const struct change *change)
{
    uint8_t *field = (uint8_t *)model + change->at;
    const uint64_t wide = change->value; /* the host is little-endian */

    memcpy(field, &wide, change->size);
}

static void problem_row(void **state)
{
    const struct problem_row *row = *state;
    struct pmu_model model = pmu_models[base_models[row->base]];
    const char *reason;

    for (size_t i = 0; i < 3 && row->change[i].size != 0; i++) {
        apply(&model, &row->change[i]);
    }
    reason = model_problem(&model);
    if (row->want == NULL || reason == NULL) {
        assert_ptr_equal(reason, row->want);
    } else {
        assert_string_equal(reason, row->want);
    }
}

static struct pair_row {
    const char *name;
    enum model one, other;
    struct change change; /* of the other; a size of 0: none */
    const char *want;     /* NULL: none */
} pair_rows[] = {
    {"core_and_atom", MODEL_GOLDEN_COVE, MODEL_GRACEMONT, {0}, NULL},
    {"fewer_counters", MODEL_INTEL_V2, MODEL_INTEL_V2, {AT(general), 4}, NULL},
    {"arm_with_fewer", MODEL_NEOVERSE_N1, MODEL_NEOVERSE_N1, {AT(general), 4},
        NULL},
    {"two_vendors", MODEL_GOLDEN_COVE, MODEL_ZEN4, {0},
        "they are of different vendors"},
    {"amd", MODEL_ZEN4, MODEL_ZEN4, {AT(general), 4},
        "processors of AMD's with unlike PMUs are not modelled"},
    {"one_without", MODEL_INTEL_V2, MODEL_NONE, {0}, "each has a PMU, or none"},
    {"two_versions", MODEL_INTEL_V2, MODEL_INTEL_V3, {0},
        "their PMUs have different versions, which no real ones have"},
    {"two_frequencies", MODEL_INTEL_V2, MODEL_INTEL_V2, {AT(mhz), 2501},
        "they have different mhz or tsc, and time is the machine's"},
    {"two_clocks", MODEL_INTEL_V2, MODEL_INTEL_V2,
        {offsetof(struct pmu_model, tsc.p), 8, 2},
        "they have different mhz or tsc, and time is the machine's"},
};

static void pair_row(void **state)
{
    const struct pair_row *row = *state;
    struct pmu_model other = pmu_models[row->other];
    const char *reason;

    if (row->change.size != 0) {
        apply(&other, &row->change);
    }
    reason = model_pair_problem(&pmu_models[row->one], &other);
    if (row->want == NULL || reason == NULL) {
        assert_ptr_equal(reason, row->want);
    } else {
        assert_string_equal(reason, row->want);
    }
}

static void no_model_has_a_problem(void **state)
{
    (void)state;
    for (enum model i = 0; i < MODEL_COUNT; i++) {
        assert_null(model_problem(&pmu_models[i]));
    }
}

TEST_FILE(test_model_problem)
{
    TEST_ADD_ROWS(list, problem_row, problem_rows);
    TEST_ADD_ROWS(list, pair_row, pair_rows);
    test_add(list, "no_model_has_a_problem", no_model_has_a_problem, NULL);
}
