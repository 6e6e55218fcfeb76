/* test_figure.c - the figures of a model one by one. */
#include "sim/pmu/figure.h"
#include "tests/rows.h"

/* Of intel_v5, as models.def has it. */
static struct figure_test {
    const char *name;
    enum figure figure;
    enum figure_kind want_kind;
    uint64_t want_p, want_q; /* as it is there */
    struct rate set;
} figure_tests[] = {
    {"version", FIGURE_version, FIGURE_KIND_NUMBER, 5, 1, {4, 1, 0}},
    {"general", FIGURE_general, FIGURE_KIND_NUMBER, 8, 1, {3, 1, 0}},
    {"fixed", FIGURE_fixed, FIGURE_KIND_NUMBER, 3, 1, {0, 1, 0}},
    {"fixed_map", FIGURE_fixed_map, FIGURE_KIND_NUMBER, 8, 1, {15, 1, 0}},
    {"width", FIGURE_width, FIGURE_KIND_NUMBER, 48, 1, {57, 1, 0}},
    {"full_width", FIGURE_full_width, FIGURE_KIND_FLAG, 1, 1, {0, 1, 0}},
    {"any_thread", FIGURE_any_thread, FIGURE_KIND_FLAG, 0, 1, {1, 1, 0}},
    {"event_bits", FIGURE_event_bits, FIGURE_KIND_NUMBER, 8, 1, {7, 1, 0}},
    {"mhz", FIGURE_mhz, FIGURE_KIND_NUMBER, 2500, 1, {1, 1, 0}},
    {"tsc", FIGURE_tsc, FIGURE_KIND_RATIO, 1, 1, {3, 2, 0}},
    {"ref", FIGURE_ref, FIGURE_KIND_RATIO, 1, 25, {7, 100, 0}},
    {"slots", FIGURE_slots, FIGURE_KIND_NUMBER, 5, 1, {6, 1, 0}},
    {"latency", FIGURE_latency, FIGURE_KIND_NUMBER, 30, 1, {0, 1, 0}},
    {"skid", FIGURE_skid, FIGURE_KIND_NUMBER, 10, 1, {1000000, 1, 0}},
};

static void assert_figure(
    const struct pmu_model *model, enum figure figure, uint64_t p, uint64_t q)
{
    struct rate value = figure_get(model, figure);

    assert_int_equal(value.p, p);
    assert_int_equal(value.q, q);
    assert_int_equal(value.phase, 0);
}

/* Setting one leaves the others as they were. */
static void figure_is_read_and_set(void **state)
{
    const struct figure_test *row = *state;
    const struct pmu_model *from = &pmu_models[MODEL_INTEL_V5];
    struct pmu_model model = *from;

    assert_string_equal(figure_rows[row->figure].name, row->name);
    assert_int_equal(figure_rows[row->figure].kind, row->want_kind);
    assert_figure(&model, row->figure, row->want_p, row->want_q);
    figure_set(&model, row->figure, row->set);
    for (enum figure i = 0; i < FIGURE_COUNT; i++) {
        struct rate as_before = figure_get(from, i);

        if (i == row->figure) {
            assert_figure(&model, i, row->set.p, row->set.q);
        } else {
            assert_figure(&model, i, as_before.p, as_before.q);
        }
    }
}

/* What a number may be; a ratio has no such limits. */
static struct limit_test {
    const char *name;
    enum figure figure;
    uint32_t want_least, want_most;
} limit_tests[] = {
    {"version_is_0_to_6", FIGURE_version, 0, 6},
    {"general_is_0_to_31", FIGURE_general, 0, 31},
    {"fixed_is_0_to_4", FIGURE_fixed, 0, 4},
    {"fixed_map_is_0_to_15", FIGURE_fixed_map, 0, 15},
    {"width_is_32_to_64", FIGURE_width, 32, 64},
    {"full_width_is_0_to_1", FIGURE_full_width, 0, 1},
    {"any_thread_is_0_to_1", FIGURE_any_thread, 0, 1},
    {"pebs_is_0_to_1", FIGURE_pebs, 0, 1},
    {"pebs_format_is_0_to_4", FIGURE_pebs_format, 0, 4},
    {"pebs_baseline_is_0_to_1", FIGURE_pebs_baseline, 0, 1},
    {"event_bits_is_0_to_8", FIGURE_event_bits, 0, 8},
    {"events_missing_is_0_to_255", FIGURE_events_missing, 0, 255},
    {"mhz_is_1_to_10000", FIGURE_mhz, 1, 10000},
    {"tsc_is_0_to_0", FIGURE_tsc, 0, 0},
    {"ref_is_0_to_0", FIGURE_ref, 0, 0},
    {"slots_is_1_to_16", FIGURE_slots, 1, 16},
    {"msr_cycles_is_1_to_100000", FIGURE_msr_cycles, 1, 100000},
    {"latency_is_0_to_1000000", FIGURE_latency, 0, 1000000},
    {"skid_is_0_to_1000000", FIGURE_skid, 0, 1000000},
};

static void limits_are_what_is_said(void **state)
{
    const struct limit_test *row = *state;

    assert_int_equal(figure_rows[row->figure].least, row->want_least);
    assert_int_equal(figure_rows[row->figure].most, row->want_most);
}

/* Of any vendor's model; which of them can be together is model_problem()'s. */
static struct problem_test {
    const char *name;
    enum figure figure;
    uint64_t value;
    const char *want; /* NULL: nothing */
} problem_tests[] = {
    {"least_width", FIGURE_width, 32, NULL},
    {"width_below_the_least", FIGURE_width, 31, "width is out of its range"},
    {"most_counters", FIGURE_general, 31, NULL},
    {"counters_above_the_most", FIGURE_general, 32,
        "general is out of its range"},
    {"access_without_cycles", FIGURE_msr_cycles, 0,
        "msr_cycles is out of its range"},
};

static void figure_outside_of_its_range_is_a_problem(void **state)
{
    const struct problem_test *row = *state;
    struct pmu_model model = pmu_models[MODEL_ZEN4];

    figure_set(&model, row->figure, (struct rate){.p = row->value, .q = 1});
    if (row->want == NULL) {
        assert_null(figure_problem(&model));
    } else {
        assert_string_equal(figure_problem(&model), row->want);
    }
}

static void figures_of_every_model_are_in_their_ranges(void **state)
{
    (void)state;
    for (enum model i = 0; i < MODEL_COUNT; i++) {
        assert_null(figure_problem(&pmu_models[i]));
    }
}

TEST_FILE(test_figure)
{
    TEST_ADD_ROWS(list, figure_is_read_and_set, figure_tests);
    TEST_ADD_ROWS(list, limits_are_what_is_said, limit_tests);
    TEST_ADD_ROWS(
        list, figure_outside_of_its_range_is_a_problem, problem_tests);
    test_add(list, "figures_of_every_model_are_in_their_ranges",
        figures_of_every_model_are_in_their_ranges, NULL);
}
