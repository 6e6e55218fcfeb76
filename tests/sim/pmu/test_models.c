/* test_models.c - the figures of every processor model. */
#include <string.h>

#include "sim/pmu/model.h"
#include "tests/rows.h"

/* `flags` has a letter for each that is set: f full_width, a any_thread, p
 * pebs, b pebs_baseline. No model misses an event. */
static struct model_row {
    const char *name; /* and its spelling */
    enum model model;
    enum vendor vendor;
    uint32_t signature, version, general, fixed, fixed_map, width;
    const char *flags;
    uint32_t pebs_format, event_bits, mhz;
    struct rate tsc, ref;
    uint32_t slots, msr_cycles, latency, skid;
} model_rows[] = {
    {"none", MODEL_NONE, VENDOR_INTEL, 0x00000000, 0, 0, 0, 0x0, 48, "", 0, 0,
        2500, {1, 1, 0}, {1, 25, 0}, 4, 100, 0, 0},
    {"intel_v1", MODEL_INTEL_V1, VENDOR_INTEL, 0x00000000, 1, 2, 0, 0x0, 40, "",
        0, 7, 2500, {1, 1, 0}, {1, 25, 0}, 4, 100, 30, 10},
    {"intel_v2", MODEL_INTEL_V2, VENDOR_INTEL, 0x00000000, 2, 8, 3, 0x0, 48, "",
        0, 7, 2500, {1, 1, 0}, {1, 25, 0}, 4, 100, 30, 10},
    {"intel_v3", MODEL_INTEL_V3, VENDOR_INTEL, 0x00000000, 3, 8, 3, 0x0, 48,
        "a", 0, 7, 2500, {1, 1, 0}, {1, 25, 0}, 4, 100, 30, 10},
    {"intel_v4", MODEL_INTEL_V4, VENDOR_INTEL, 0x00000000, 4, 8, 3, 0x0, 48,
        "fa", 0, 7, 2500, {1, 1, 0}, {1, 25, 0}, 4, 100, 30, 10},
    {"intel_v5", MODEL_INTEL_V5, VENDOR_INTEL, 0x00000000, 5, 8, 3, 0x8, 48,
        "f", 0, 8, 2500, {1, 1, 0}, {1, 25, 0}, 5, 100, 30, 10},
    {"nehalem", MODEL_NEHALEM, VENDOR_INTEL, 0x000106A5, 3, 4, 3, 0x0, 48, "ap",
        1, 7, 2667, {1, 1, 0}, {1, 20, 0}, 4, 100, 30, 10},
    {"skylake", MODEL_SKYLAKE, VENDOR_INTEL, 0x000506E3, 4, 4, 3, 0x0, 48,
        "fap", 3, 7, 4000, {1, 1, 0}, {1, 40, 0}, 4, 100, 30, 10},
    {"ice_lake", MODEL_ICE_LAKE, VENDOR_INTEL, 0x000706E5, 5, 8, 4, 0xF, 48,
        "fpb", 4, 8, 2400, {1, 1, 0}, {1, 24, 0}, 5, 100, 30, 10},
    {"sapphire_rapids", MODEL_SAPPHIRE_RAPIDS, VENDOR_INTEL, 0x000806F8, 5, 8,
        4, 0xF, 48, "fpb", 4, 8, 2000, {1, 1, 0}, {1, 20, 0}, 6, 100, 30, 10},
    {"k8", MODEL_K8, VENDOR_AMD, 0x00040F12, 1, 4, 0, 0x0, 48, "", 0, 0, 2000,
        {1, 1, 0}, {1, 10, 0}, 3, 100, 30, 10},
    {"zen2", MODEL_ZEN2, VENDOR_AMD, 0x00870F10, 2, 6, 0, 0x0, 48, "", 0, 0,
        3500, {1, 1, 0}, {1, 35, 0}, 6, 100, 30, 10},
    {"zen4", MODEL_ZEN4, VENDOR_AMD, 0x00A60F12, 3, 6, 0, 0x0, 48, "", 0, 0,
        4500, {1, 1, 0}, {1, 45, 0}, 6, 100, 30, 10},
    {"neoverse_n1", MODEL_NEOVERSE_N1, VENDOR_ARM, 0x0000410C, 4, 6, 0, 0x0, 32,
        "", 0, 0, 3000, {1, 1, 0}, {1, 30, 0}, 4, 100, 30, 10},
    {"armv8_long", MODEL_ARMV8_LONG, VENDOR_ARM, 0x00000000, 6, 6, 0, 0x0, 64,
        "", 0, 0, 3000, {1, 1, 0}, {1, 30, 0}, 4, 100, 30, 10},
};

static bool has(const struct model_row *row, char flag)
{
    return strchr(row->flags, flag) != NULL;
}

/* What CPUID and the capabilities register show. */
static void assert_counters(
    const struct pmu_model *model, const struct model_row *row)
{
    assert_int_equal(model->vendor, row->vendor);
    assert_int_equal(model->signature, row->signature);
    assert_int_equal(model->version, row->version);
    assert_int_equal(model->general, row->general);
    assert_int_equal(model->fixed, row->fixed);
    assert_int_equal(model->fixed_map, row->fixed_map);
    assert_int_equal(model->width, row->width);
    assert_int_equal(model->full_width, has(row, 'f'));
    assert_int_equal(model->any_thread, has(row, 'a'));
    assert_int_equal(model->pebs, has(row, 'p'));
    assert_int_equal(model->pebs_baseline, has(row, 'b'));
    assert_int_equal(model->pebs_format, row->pebs_format);
    assert_int_equal(model->event_bits, row->event_bits);
    assert_int_equal(model->events_missing, 0);
}

static void assert_rate(const struct rate *rate, const struct rate *want)
{
    assert_int_equal(rate->p, want->p);
    assert_int_equal(rate->q, want->q);
    assert_int_equal(rate->phase, 0);
}

/* Clocks and costs. */
static void assert_times(
    const struct pmu_model *model, const struct model_row *row)
{
    assert_int_equal(model->mhz, row->mhz);
    assert_rate(&model->tsc, &row->tsc);
    assert_rate(&model->ref, &row->ref);
    assert_int_equal(model->slots, row->slots);
    assert_int_equal(model->msr_cycles, row->msr_cycles);
    assert_int_equal(model->latency, row->latency);
    assert_int_equal(model->skid, row->skid);
}

static void model_row(void **state)
{
    const struct model_row *row = *state;
    const struct pmu_model *model = &pmu_models[row->model];

    assert_string_equal(model->name, row->name);
    assert_true(strlen(model->title) > 0);
    assert_counters(model, row);
    assert_times(model, row);
}

TEST_FILE(test_models)
{
    TEST_ADD_ROWS(list, model_row, model_rows);
}
