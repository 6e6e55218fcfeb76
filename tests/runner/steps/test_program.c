/* test_program.c - how far below its wrap a counter can be preset
 * (pmu.md 1.2: a write to IA32_PMCn has 32 bits and repeats bit 31; without a
 * status its top bit must be set). */
#include "scenarios/runner/steps/program.h"
#include "tests/rows.h"

static struct period_row {
    const char *name;
    uint8_t width_bits;
    unsigned counter;
    uint64_t want;
} period_rows[] = {
    {"general_of_48_bits", 48, 0, 0x80000000},
    {"general_of_40_bits", 40, 7, 0x80000000},
    {"general_of_33_bits", 33, 0, 0x80000000},
    {"general_of_32_bits_is_written_whole", 32, 0, 0xFFFFFFFF},
    {"fixed_of_48_bits", 48, 32, 0xFFFFFFFFFFFF},
    {"fixed_of_32_bits", 32, 34, 0xFFFFFFFF},
};

static void period_row(void **state)
{
    const struct period_row *row = *state;
    struct pmu_model model = {.width = row->width_bits};

    assert_int_equal(program_period(&model, row->counter), row->want);
}

/* Rows of models.def. */
static struct model_row {
    const char *name;
    enum model model;
    unsigned width, counter; /* width 0: the model's */
    uint64_t want;
} model_rows[] = {
    {"full_width_writes_reach_every_period", MODEL_INTEL_V4, 0, 0,
        0xFFFFFFFFFFFF},
    {"full_width_of_57_bits", MODEL_INTEL_V4, 57, 7, 0x1FFFFFFFFFFFFFF},
    {"no_full_width_writes", MODEL_INTEL_V3, 0, 0, 0x80000000},
    {"version_1_of_40_bits", MODEL_INTEL_V1, 0, 0, 0x80000000},
    {"version_1_of_32_bits_needs_its_top_bit", MODEL_INTEL_V1, 32, 0,
        0x80000000},
    {"k7_needs_its_top_bit", MODEL_K8, 0, 3, 0x800000000000},
    {"core_extension_needs_its_top_bit", MODEL_ZEN2, 0, 5, 0x800000000000},
    {"perfmon_v2_has_a_status", MODEL_ZEN4, 0, 5, 0xFFFFFFFFFFFF},
};

static void model_row(void **state)
{
    const struct model_row *row = *state;
    struct pmu_model model = pmu_models[row->model];

    model.width = row->width == 0 ? model.width : row->width;
    assert_int_equal(program_period(&model, row->counter), row->want);
}

TEST_FILE(test_program)
{
    TEST_ADD_ROWS(list, period_row, period_rows);
    TEST_ADD_ROWS(list, model_row, model_rows);
}
