/* test_armv8_registers.c - PMUv3 registers: their encodings and names, what
 * they hold after reset, and which bits keep what is written. */
#include "tests/sim/pmu/armv8_stage.h"

/* ARM64_SYSREG(op0, op1, CRn, CRm, op2) of winnt.h: op0's low bit from bit 14,
 * op1 from 11, CRn from 7, CRm from 3. */
static struct encoding_row {
    const char *name;
    uint32_t want;
} encoding_rows[] = {
    {"ID_AA64DFR0_EL1", 0x4028}, /* 3, 0, 0, 5, 0 */
    {"PMINTENSET_EL1", 0x44F1},  /* 3, 0, 9, 14, 1 */
    {"PMINTENCLR_EL1", 0x44F2},  /* 3, 0, 9, 14, 2 */
    {"PMMIR_EL1", 0x44F6},       /* 3, 0, 9, 14, 6 */
    {"PMCR_EL0", 0x5CE0},        /* 3, 3, 9, 12, 0 */
    {"PMCNTENSET_EL0", 0x5CE1}, {"PMCNTENCLR_EL0", 0x5CE2},
    {"PMOVSCLR_EL0", 0x5CE3}, {"PMSWINC_EL0", 0x5CE4}, {"PMSELR_EL0", 0x5CE5},
    {"PMCEID0_EL0", 0x5CE6}, {"PMCEID1_EL0", 0x5CE7},
    {"PMCCNTR_EL0", 0x5CE8}, /* 3, 3, 9, 13, 0 */
    {"PMXEVTYPER_EL0", 0x5CE9}, {"PMXEVCNTR_EL0", 0x5CEA},
    {"PMUSERENR_EL0", 0x5CF0},                           /* 3, 3, 9, 14, 0 */
    {"PMOVSSET_EL0", 0x5CF3}, {"PMEVCNTR0_EL0", 0x5F40}, /* 3, 3, 14, 8, 0 */
    {"PMEVCNTR7_EL0", 0x5F47},                           /* 3, 3, 14, 8, 7 */
    {"PMEVCNTR8_EL0", 0x5F48},                           /* 3, 3, 14, 9, 0 */
    {"PMEVCNTR30_EL0", 0x5F5E},                          /* 3, 3, 14, 11, 6 */
    {"PMEVTYPER0_EL0", 0x5F60},                          /* 3, 3, 14, 12, 0 */
    {"PMEVTYPER30_EL0", 0x5F7E},
    {"PMCCFILTR_EL0", 0x5F7F}, /* 3, 3, 14, 15, 7 */
    {"MDCR_EL2", 0x6089},      /* 3, 4, 1, 1, 1 */
};

static void encoding_row(void **state)
{
    const struct encoding_row *row = *state;
    uint32_t reg = 0;

    assert_true(armv8_register_find(row->name, &reg));
    assert_int_equal(reg, row->want);
}

static void register_is_packed_like_windows_does(void **state)
{
    (void)state;
    assert_int_equal(ARMV8_ENCODE(3, 3, 9, 13, 0), 0x5CE8);
    assert_int_equal(ARMV8_ENCODE(2, 0, 0, 5, 0), 0x0028);
}

/* The encoding of the n-th register; ends the test where its name has none. */
static uint32_t nth_register(size_t n)
{
    char name[32];
    uint32_t reg = 0;

    assert_true(armv8_register_name(n, name, sizeof(name)));
    assert_true(armv8_register_find(name, &reg));
    return reg;
}

static void every_name_is_found_again_and_no_other_s(void **state)
{
    char name[32];
    size_t count = 0;

    (void)state;
    for (; armv8_register_name(count, name, sizeof(name)); count++) {
        for (size_t i = 0; i < count; i++) {
            assert_int_not_equal(nth_register(i), nth_register(count));
        }
    }
    assert_true(count > ARMV8_ROWS); /* two rows have 31 */
}

static struct unknown_row {
    const char *name, *unknown;
} unknown_rows[] = {
    {"name_without_its_level_is_unknown", "PMCR"},
    {"name_with_another_level_is_unknown", "PMCR_EL1"},
    {"counter_31_is_unknown", "PMEVCNTR31_EL0"},
    {"counter_without_a_number_is_unknown", "PMEVCNTR_EL0"},
    {"name_in_small_letters_is_unknown", "pmcr_el0"},
    {"no_name_is_unknown", ""},
};

static void unknown_row(void **state)
{
    const struct unknown_row *row = *state;
    uint32_t reg = 77;

    assert_false(armv8_register_find(row->unknown, &reg));
    assert_int_equal(reg, 77);
}

/* After reset, at EL2. The parts count everything. */
/* PMU-ARM-01b */
static struct armv8_row_of_steps reset_rows[] = {
    {"pmcr_after_reset_has_implementer_code_and_count", V3, {{NULL, 0}},
        {{"PMCR_EL0@2", 0x410A3000}}},
    {"mdcr_after_reset_leaves_all_counters_to_el1", V3, {{NULL, 0}},
        {{"MDCR_EL2@2", 6}, {"PMCR_EL0@1", 0x410A3000}}},
    {"nothing_is_enabled_after_reset", V3, {{NULL, 0}},
        {{"PMCNTENSET_EL0@2", 0}, {"PMINTENSET_EL1@2", 0},
            {"PMOVSSET_EL0@2", 0}, {"PMUSERENR_EL0@2", 0}, {"irq", 0}}},
    {"counters_are_zero_after_reset", V3, {{NULL, 0}},
        {{"PMCCNTR_EL0", 0}, {"PMEVCNTR0_EL0", 0}, {"PMEVCNTR5_EL0", 0}}},
    {"types_and_selection_are_zero_after_reset", V3, {{NULL, 0}},
        {{"PMCCFILTR_EL0", 0}, {"PMEVTYPER0_EL0", 0}, {"PMSELR_EL0", 0}}},
    {"dfr0_of_v3", V3, {{NULL, 0}}, {{"ID_AA64DFR0_EL1", 0x106}}},
    {"dfr0_of_v3p1", V3P1, {{NULL, 0}}, {{"ID_AA64DFR0_EL1", 0x406}}},
    {"dfr0_of_v3p5", V3P5, {{NULL, 0}}, {{"ID_AA64DFR0_EL1", 0x606}}},
    {"dfr0_of_v3p7", V3P7, {{NULL, 0}}, {{"ID_AA64DFR0_EL1", 0x706}}},
    {"pmmir_has_no_slots", V3P4, {{NULL, 0}}, {{"PMMIR_EL1", 0}}},
};

/* All ones are written, and what keeps them is read. */
/* PMU-ARM-01c, PMU-ARM-01d, PMU-ARM-02, PMU-ARM-13b */
static struct kept_row {
    const char *name;
    uint8_t version;
    const char *reg;
    uint64_t want;
} kept_rows[] = {
    {"pmcr_v3_keeps_e_d_dp_lc", V3, "PMCR_EL0", 0x410A3069},
    {"pmcr_v3p4_has_no_lp", V3P4, "PMCR_EL0", 0x410A3069},
    {"pmcr_v3p5_keeps_lp", V3P5, "PMCR_EL0", 0x410A30E9},
    {"pmcr_v3p7_keeps_fzo", V3P7, "PMCR_EL0", 0x410A32E9},
    {"pmcntenset_has_bits_of_six_counters_and_cycles", V3, "PMCNTENSET_EL0",
        0x8000003F},
    {"pmintenset_has_the_same", V3, "PMINTENSET_EL1", 0x8000003F},
    {"pmovsset_has_the_same", V3, "PMOVSSET_EL0", 0x8000003F},
    {"pmselr_has_five_bits", V3, "PMSELR_EL0", 0x1F},
    {"pmuserenr_has_four", V3, "PMUSERENR_EL0", 0xF},
    {"pmccntr_has_64", V3, "PMCCNTR_EL0", 0xFFFFFFFFFFFFFFFF},
    {"pmevcntr_has_32_before_v3p5", V3P4, "PMEVCNTR0_EL0", 0xFFFFFFFF},
    {"pmevcntr_has_64_since_v3p5", V3P5, "PMEVCNTR0_EL0", 0xFFFFFFFFFFFFFFFF},
    {"pmevtyper_v3_has_filter_and_ten_bits_of_event", V3, "PMEVTYPER0_EL0",
        0xFC0003FF},
    {"pmevtyper_v3p1_has_sixteen", V3P1, "PMEVTYPER0_EL0", 0xFC00FFFF},
    {"pmccfiltr_has_the_filter", V3P1, "PMCCFILTR_EL0", 0xFC000000},
    {"mdcr_v3", V3, "MDCR_EL2@2", 0xFF},
    {"mdcr_v3p1_has_hpmd", V3P1, "MDCR_EL2@2", 0x200FF},
    {"mdcr_v3p5_has_hccd_and_hlp", V3P5, "MDCR_EL2@2", 0x48200FF},
    {"mdcr_v3p7_has_hpmfzo", V3P7, "MDCR_EL2@2", 0x248200FF},
};

static void kept_row(void **state)
{
    const struct kept_row *row = *state;
    struct armv8_stage stage;

    stage_init(&stage, row->version);
    stage_step(&stage, &(struct armv8_step){row->reg, UINT64_MAX});
    assert_int_equal(stage_value(&stage, row->reg), row->want);
    stage_step(&stage, &(struct armv8_step){row->reg, 0});
    if (strstr(row->name, "pmcr") != NULL) {
        assert_int_equal(stage_value(&stage, row->reg), 0x410A3000);
    }
}

/* PMU-ARM-13a */
static struct armv8_row_of_steps pair_rows[] = {
    {"pmcnten_set_and_clr_read_the_same", V3, {{"PMCNTENSET_EL0", 0x80000005}},
        {{"PMCNTENSET_EL0", 0x80000005}, {"PMCNTENCLR_EL0", 0x80000005}}},
    {"pmcntenset_adds", V3, {{"PMCNTENSET_EL0", 5}, {"PMCNTENSET_EL0", 2}},
        {{"PMCNTENSET_EL0", 7}}},
    {"pmcntenclr_takes_away", V3,
        {{"PMCNTENSET_EL0", 7}, {"PMCNTENCLR_EL0", 5}},
        {{"PMCNTENSET_EL0", 2}}},
    {"pminten_set_and_clr_read_the_same", V3, {{"PMINTENSET_EL1", 0x80000005}},
        {{"PMINTENSET_EL1", 0x80000005}, {"PMINTENCLR_EL1", 0x80000005}}},
    {"pmintenset_adds", V3, {{"PMINTENSET_EL1", 5}, {"PMINTENSET_EL1", 2}},
        {{"PMINTENSET_EL1", 7}}},
    {"pmovsset_adds", V3, {{"PMOVSSET_EL0", 5}, {"PMOVSSET_EL0", 2}},
        {{"PMOVSSET_EL0", 7}}},
    {"pmintenclr_takes_away", V3,
        {{"PMINTENSET_EL1", 7}, {"PMINTENCLR_EL1", 5}},
        {{"PMINTENSET_EL1", 2}}},
    {"pmovs_set_and_clr_read_the_same", V3, {{"PMOVSSET_EL0", 0x80000005}},
        {{"PMOVSSET_EL0", 0x80000005}, {"PMOVSCLR_EL0", 0x80000005}}},
    {"pmovsclr_takes_away", V3, {{"PMOVSSET_EL0", 7}, {"PMOVSCLR_EL0", 5}},
        {{"PMOVSSET_EL0", 2}}},
    {"three_pairs_are_three", V3,
        {{"PMCNTENSET_EL0", 1}, {"PMINTENSET_EL1", 2}, {"PMOVSSET_EL0", 4}},
        {{"PMCNTENSET_EL0", 1}, {"PMINTENSET_EL1", 2}, {"PMOVSSET_EL0", 4}}},
    {"pmselr_selects_the_counter_of_pmxevcntr", V3,
        {{"PMSELR_EL0", 3}, {"PMXEVCNTR_EL0", 0x55}, {"PMSELR_EL0", 2}},
        {{"PMEVCNTR3_EL0", 0x55}, {"PMXEVCNTR_EL0", 0}}},
    {"and_the_type_of_pmxevtyper", V3,
        {{"PMSELR_EL0", 5}, {"PMXEVTYPER_EL0", 0x80000011}},
        {{"PMEVTYPER5_EL0", 0x80000011}, {"PMXEVTYPER_EL0", 0x80000011}}},
    {"pmselr_of_31_selects_pmccfiltr", V3,
        {{"PMSELR_EL0", 31}, {"PMXEVTYPER_EL0", 0x80000011}},
        {{"PMCCFILTR_EL0", 0x80000000}, {"PMXEVTYPER_EL0", 0x80000000}}},
    {"counter_reads_back_as_written", V3, {{"PMEVCNTR5_EL0", 0x12345678}},
        {{"PMEVCNTR5_EL0", 0x12345678}, {"PMEVCNTR4_EL0", 0}}},
    {"event_that_the_model_lacks_reads_back", V3, {{"PMEVTYPER0_EL0", 0x3E}},
        {{"PMEVTYPER0_EL0", 0x3E}}},
};

/* What a part that counts these of the abstract events lists. */
/* PMU-ARM-11a, PMU-ARM-11b, PMU-ARM-11c */
static struct ceid_row {
    const char *name;
    uint32_t events;
    uint64_t want0, want1;
} ceid_rows[] = {
    {"cycles_and_instructions_alone", 0x3, 0x40020101, 0},
    {"with_branches_br_pred_and_br_retired", 0x23, 0x40060101, 0x2},
    {"with_branch_misses_br_mis_pred_both", 0x43, 0x40030101, 0x4},
    {"with_llc_references_ll_cache", 0x0B, 0x40020101, 0x40000},
    {"with_llc_misses_ll_cache_miss", 0x13, 0x40020101, 0x80000},
    {"with_l1d_accesses_l1d_cache_and_mem_access", 0x203, 0x400A0111, 0},
    {"with_l1d_misses_l1d_cache_refill", 0x403, 0x40020109, 0},
    {"with_frontend_stalls_stall_frontend", 0x803, 0x40020101, 0x8},
    {"with_backend_stalls_stall_backend", 0x1003, 0x40020101, 0x10},
    {"every_v3p1_part_lists_both_stalls", 0x1803, 0x40020101, 0x18},
    {"slots_are_no_common_event", 0x103, 0x40020101, 0},
    {"ref_cycles_and_tsc_cycles_are_no_common_events", 0x87, 0x40020101, 0},
};

static void ceid_row(void **state)
{
    const struct ceid_row *row = *state;
    struct armv8_stage stage;

    stage_init(&stage, V3);
    stage.features.events = row->events;
    assert_int_equal(stage_value(&stage, "PMCEID0_EL0"), row->want0);
    assert_int_equal(stage_value(&stage, "PMCEID1_EL0"), row->want1);
}

static void event_that_a_part_lacks_counts_nothing(void **state)
{
    struct armv8_stage stage;
    const struct armv8_step steps[] = {{"PMEVTYPER0_EL0", 0x21},
        {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 1000}};

    (void)state;
    stage_init(&stage, V3);
    stage.features.events = 0x3;
    for (size_t i = 0; i < 4; i++) {
        stage_step(&stage, &steps[i]);
    }
    assert_int_equal(stage_value(&stage, "PMEVCNTR0_EL0"), 0);
    assert_int_equal(stage_value(&stage, "PMEVTYPER0_EL0"), 0x21);
}

static void part_of_aarch64_alone_has_lc_and_no_d(void **state)
{
    struct armv8_stage stage;

    (void)state;
    stage_init(&stage, V3);
    stage.features.aarch64_only = true;
    armv8_init(&stage.pmu, &stage.features);
    assert_int_equal(stage_value(&stage, "PMCR_EL0"), 0x410A3040);
    stage_step(&stage, &(struct armv8_step){"PMCR_EL0", 0x09});
    assert_int_equal(stage_value(&stage, "PMCR_EL0"), 0x410A3041);
}

static void part_with_31_counters_does_not_chain_the_cycle_counter(void **state)
{
    struct armv8_stage stage;
    const struct armv8_step steps[] = {{"PMEVTYPER30_EL0", 0x11},
        {"PMEVCNTR30_EL0", 0xFFFFFFFF}, {"PMCCFILTR_EL0", 0x1E},
        {"PMCNTENSET_EL0", 0xFFFFFFFF}, {"PMCR_EL0", 1}, {"user", 5}};

    (void)state;
    stage_init(&stage, V3);
    stage.features.counters = 31;
    armv8_init(&stage.pmu, &stage.features);
    for (size_t i = 0; i < 6; i++) {
        stage_step(&stage, &steps[i]);
    }
    assert_int_equal(stage_value(&stage, "PMCR_EL0"), 0x410AF801);
    assert_int_equal(stage_value(&stage, "PMCNTENSET_EL0"), 0xFFFFFFFF);
    assert_int_equal(stage_value(&stage, "PMCCNTR_EL0"), 5);
    assert_int_equal(stage_value(&stage, "PMEVCNTR30_EL0"), 4);
}

TEST_FILE(test_armv8_registers)
{
    TEST_ADD_ROWS(list, encoding_row, encoding_rows);
    TEST_ADD_ROWS(list, unknown_row, unknown_rows);
    TEST_ADD_ROWS(list, armv8_steps_row, reset_rows);
    TEST_ADD_ROWS(list, kept_row, kept_rows);
    TEST_ADD_ROWS(list, armv8_steps_row, pair_rows);
    TEST_ADD_ROWS(list, ceid_row, ceid_rows);
    test_add(list, "register_is_packed_like_windows_does",
        register_is_packed_like_windows_does, NULL);
    test_add(list, "every_name_is_found_again_and_no_other_s",
        every_name_is_found_again_and_no_other_s, NULL);
    test_add(list, "event_that_a_part_lacks_counts_nothing",
        event_that_a_part_lacks_counts_nothing, NULL);
    test_add(list, "part_of_aarch64_alone_has_lc_and_no_d",
        part_of_aarch64_alone_has_lc_and_no_d, NULL);
    test_add(list, "part_with_31_counters_does_not_chain_the_cycle_counter",
        part_with_31_counters_does_not_chain_the_cycle_counter, NULL);
}
