/* test_mix.c - kinds of code: what happens in a thousand million cycles of
 * each. */
#include "sim/pmu/mix.h"
#include "tests/rows.h"

enum { CYCLES = 1000000000 };

/* By hand, from the figures of mixes.def. */
static struct mix_test {
    const char *name;
    enum mix mix;
    bool want_halted;
    uint64_t want_instructions, want_branches, want_branch_misses,
        want_l1d_accesses, want_l1d_misses, want_llc_references,
        want_llc_misses, want_stalls_frontend, want_stalls_backend;
} mix_tests[] = {
    {"compute", MIX_COMPUTE, false, 3000000000, 300000000, 1500000, 900000000,
        4500000, 500000, 10000, 20000000, 50000000},
    {"memory_bound", MIX_MEMORY_BOUND, false, 500000000, 50000000, 250000,
        250000000, 50000000, 40000000, 20000000, 10000000, 750000000},
    {"branchy", MIX_BRANCHY, false, 1500000000, 400000000, 20000000, 500000000,
        10000000, 2000000, 100000, 250000000, 100000000},
    {"idle", MIX_IDLE, true, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

static void assert_total(
    const struct segment *segment, enum event event, uint64_t want)
{
    assert_int_equal(rate_events(&segment->rate[event], CYCLES), want);
}

static void mix_is_applied(void **state)
{
    const struct mix_test *row = *state;
    struct segment segment;

    assert_string_equal(mix_rows[row->mix].name, row->name);
    segment_init(&segment, &pmu_models[MODEL_INTEL_V2], 0, CYCLES, RING_USER);
    segment.rate[EVENT_INSTRUCTIONS].p = 7; /* does not stay */
    mix_apply(&segment, row->mix);
    assert_int_equal(segment.halted, row->want_halted);
    assert_total(&segment, EVENT_INSTRUCTIONS, row->want_instructions);
    assert_total(&segment, EVENT_BRANCHES, row->want_branches);
    assert_total(&segment, EVENT_BRANCH_MISSES, row->want_branch_misses);
    assert_total(&segment, EVENT_L1D_ACCESSES, row->want_l1d_accesses);
    assert_total(&segment, EVENT_L1D_MISSES, row->want_l1d_misses);
    assert_total(&segment, EVENT_LLC_REFERENCES, row->want_llc_references);
    assert_total(&segment, EVENT_LLC_MISSES, row->want_llc_misses);
    assert_total(&segment, EVENT_STALLS_FRONTEND, row->want_stalls_frontend);
    assert_total(&segment, EVENT_STALLS_BACKEND, row->want_stalls_backend);
}

static void clocks_length_and_ring_stay(void **state)
{
    struct segment segment;

    (void)state;
    segment_init(&segment, &pmu_models[MODEL_INTEL_V2], 10, CYCLES, RING_USER);
    mix_apply(&segment, MIX_BRANCHY);
    assert_int_equal(segment.cycles, CYCLES);
    assert_int_equal(segment.ring, RING_USER);
    assert_total(&segment, EVENT_CORE_CYCLES, 1000000000);
    assert_total(&segment, EVENT_TSC_CYCLES, 1000000000);
    assert_total(&segment, EVENT_REF_CYCLES, 40000000);
    assert_int_equal(segment.rate[EVENT_REF_CYCLES].phase, 10);
    assert_total(&segment, EVENT_SLOTS, 4000000000);
}

/* Fewer misses than accesses, and no more of anything than can be. */
static void rates_are_such_as_code_can_have(void **state)
{
    const struct mix_rate *row;

    (void)state;
    for (size_t n = 0; (row = mix_rate_at(n)) != NULL; n++) {
        assert_true(rate_is_possible(row->rate.p, row->rate.q));
        assert_false(event_rows[row->event].clock);
        assert_false(mix_rows[row->mix].halted);
    }
    for (size_t i = 0; i < sizeof(mix_tests) / sizeof(mix_tests[0]); i++) {
        const struct mix_test *code = &mix_tests[i];

        assert_true(code->want_branches <= code->want_instructions);
        assert_true(code->want_branch_misses <= code->want_branches);
        assert_true(code->want_l1d_misses <= code->want_l1d_accesses);
        assert_true(code->want_llc_references <= code->want_l1d_misses);
        assert_true(code->want_llc_misses <= code->want_llc_references);
        assert_true(
            code->want_stalls_frontend + code->want_stalls_backend <= CYCLES);
    }
}

TEST_FILE(test_mix)
{
    TEST_ADD_ROWS(list, mix_is_applied, mix_tests);
    test_add(
        list, "clocks_length_and_ring_stay", clocks_length_and_ring_stay, NULL);
    test_add(list, "rates_are_such_as_code_can_have",
        rates_are_such_as_code_can_have, NULL);
}
