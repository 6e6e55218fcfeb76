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

int main(void)
{
    struct test_list list = {.count = 0};

    TEST_ADD_ROWS(&list, figure_is_read_and_set, figure_tests);
    return test_run("sim.figure", &list);
}
