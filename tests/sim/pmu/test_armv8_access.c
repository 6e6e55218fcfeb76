/* test_armv8_access.c - who may read and write which PMUv3 register, counters
 * that are not there, and that a refused access changes nothing. */
#include <stdio.h>

#include "tests/sim/pmu/armv8_stage.h"

enum {
    OK = ARMV8_OK,
    UNDEF = ARMV8_UNDEF,
    EL1 = ARMV8_TRAP_EL1,
    EL2 = ARMV8_TRAP_EL2
};

/* PMUSERENR_EL0 and MDCR_EL2 as given (HPMN is 6), and what becomes of MRS and
 * MSR of the register. */
static struct access_row {
    const char *name;
    const char *reg;
    uint64_t user_enable, mdcr;
    unsigned want_read, want_write; /* enum armv8_result */
} access_rows[] = {
    {"el0_without_en_may_not_pmcr", "PMCR_EL0@0", 0, 6, EL1, EL1},
    {"el0_with_en_may_pmcr", "PMCR_EL0@0", 1, 6, OK, OK},
    {"el0_with_all_but_en_may_not_pmcr", "PMCR_EL0@0", 0xE, 6, EL1, EL1},
    {"el0_without_en_may_not_pmcntenset", "PMCNTENSET_EL0@0", 0xE, 6, EL1, EL1},
    {"el0_with_en_may_pmcntenset", "PMCNTENSET_EL0@0", 1, 6, OK, OK},
    {"el0_without_en_may_not_pmcntenclr", "PMCNTENCLR_EL0@0", 0xE, 6, EL1, EL1},
    {"el0_with_en_may_pmcntenclr", "PMCNTENCLR_EL0@0", 1, 6, OK, OK},
    {"el0_without_en_may_not_pmovsclr", "PMOVSCLR_EL0@0", 0xE, 6, EL1, EL1},
    {"el0_with_en_may_pmovsclr", "PMOVSCLR_EL0@0", 1, 6, OK, OK},
    {"el0_without_en_may_not_pmovsset", "PMOVSSET_EL0@0", 0xE, 6, EL1, EL1},
    {"el0_with_en_may_pmovsset", "PMOVSSET_EL0@0", 1, 6, OK, OK},
    {"el0_without_en_or_sw_may_not_pmswinc", "PMSWINC_EL0@0", 0xC, 6, UNDEF,
        EL1},
    {"el0_with_sw_may_pmswinc", "PMSWINC_EL0@0", 2, 6, UNDEF, OK},
    {"el0_with_en_may_pmswinc", "PMSWINC_EL0@0", 1, 6, UNDEF, OK},
    {"el0_without_en_or_er_may_not_pmselr", "PMSELR_EL0@0", 6, 6, EL1, EL1},
    {"el0_with_er_may_pmselr", "PMSELR_EL0@0", 8, 6, OK, OK},
    {"el0_with_en_may_pmselr", "PMSELR_EL0@0", 1, 6, OK, OK},
    {"el0_without_en_may_not_pmceid0", "PMCEID0_EL0@0", 0xE, 6, EL1, UNDEF},
    {"el0_with_en_may_read_pmceid0", "PMCEID0_EL0@0", 1, 6, OK, UNDEF},
    {"el0_with_en_may_read_pmceid1", "PMCEID1_EL0@0", 1, 6, OK, UNDEF},
    {"el0_without_en_or_cr_may_not_pmccntr", "PMCCNTR_EL0@0", 0xA, 6, EL1, EL1},
    {"el0_with_cr_may_read_pmccntr", "PMCCNTR_EL0@0", 4, 6, OK, EL1},
    {"el0_with_en_may_pmccntr", "PMCCNTR_EL0@0", 1, 6, OK, OK},
    {"el0_without_en_or_er_may_not_pmevcntr", "PMEVCNTR0_EL0@0", 6, 6, EL1,
        EL1},
    {"el0_with_er_may_read_pmevcntr", "PMEVCNTR0_EL0@0", 8, 6, OK, EL1},
    {"el0_with_en_may_pmevcntr", "PMEVCNTR0_EL0@0", 1, 6, OK, OK},
    {"el0_with_er_may_read_pmxevcntr", "PMXEVCNTR_EL0@0", 8, 6, OK, EL1},
    {"el0_with_en_may_pmxevcntr", "PMXEVCNTR_EL0@0", 1, 6, OK, OK},
    {"el0_with_er_may_not_pmxevtyper", "PMXEVTYPER_EL0@0", 8, 6, EL1, EL1},
    {"el0_with_en_may_pmxevtyper", "PMXEVTYPER_EL0@0", 1, 6, OK, OK},
    {"el0_with_er_may_not_pmevtyper", "PMEVTYPER0_EL0@0", 8, 6, EL1, EL1},
    {"el0_with_en_may_pmevtyper", "PMEVTYPER0_EL0@0", 1, 6, OK, OK},
    {"el0_with_cr_may_not_pmccfiltr", "PMCCFILTR_EL0@0", 4, 6, EL1, EL1},
    {"el0_with_en_may_pmccfiltr", "PMCCFILTR_EL0@0", 1, 6, OK, OK},
    {"el0_may_always_read_pmuserenr", "PMUSERENR_EL0@0", 0, 6, OK, UNDEF},
    {"el0_may_never_write_pmuserenr", "PMUSERENR_EL0@0", 0xF, 6, OK, UNDEF},
    {"el0_has_no_pmintenset", "PMINTENSET_EL1@0", 0xF, 6, UNDEF, UNDEF},
    {"el0_has_no_pmintenclr", "PMINTENCLR_EL1@0", 0xF, 6, UNDEF, UNDEF},
    {"el0_has_no_mdcr", "MDCR_EL2@0", 0xF, 6, UNDEF, UNDEF},
    {"el0_has_no_id_aa64dfr0", "ID_AA64DFR0_EL1@0", 0xF, 6, UNDEF, UNDEF},
    {"el1_needs_no_en", "PMCR_EL0", 0, 6, OK, OK},
    {"el1_may_pmuserenr", "PMUSERENR_EL0", 0, 6, OK, OK},
    {"el1_may_pmintenset", "PMINTENSET_EL1", 0, 6, OK, OK},
    {"el1_has_no_mdcr", "MDCR_EL2", 0, 6, UNDEF, UNDEF},
    {"el2_has_mdcr", "MDCR_EL2@2", 0, 6, OK, OK},
    {"id_aa64dfr0_is_read_only", "ID_AA64DFR0_EL1", 0, 6, OK, UNDEF},
    {"pmceid0_is_read_only", "PMCEID0_EL0", 0, 6, OK, UNDEF},
    {"pmceid1_is_read_only_at_el2", "PMCEID1_EL0@2", 0, 6, OK, UNDEF},
    {"pmmir_is_read_only", "PMMIR_EL1", 0, 6, OK, UNDEF},
    {"pmswinc_is_write_only", "PMSWINC_EL0", 0, 6, UNDEF, OK},
    {"tpm_takes_all_from_el1", "PMEVCNTR0_EL0", 0, 0x46, EL2, EL2},
    {"tpm_takes_the_interrupt_enables_too", "PMINTENSET_EL1", 0, 0x46, EL2,
        EL2},
    {"tpm_takes_from_el0_what_el1_gives", "PMCR_EL0@0", 1, 0x46, EL2, EL2},
    {"what_el1_keeps_goes_to_el1_first", "PMCR_EL0@0", 0, 0x46, EL1, EL1},
    {"tpm_takes_pmuserenr_from_el0", "PMUSERENR_EL0@0", 0, 0x46, EL2, UNDEF},
    {"tpm_leaves_el2", "PMCR_EL0@2", 0, 0x46, OK, OK},
    {"tpm_leaves_id_aa64dfr0", "ID_AA64DFR0_EL1", 0, 0x46, OK, UNDEF},
    {"tpmcr_takes_pmcr", "PMCR_EL0", 0, 0x26, EL2, EL2},
    {"tpmcr_leaves_the_others", "PMCNTENSET_EL0", 0, 0x26, OK, OK},
    {"last_counter_is_there", "PMEVCNTR5_EL0", 0, 6, OK, OK},
    {"last_type_is_there", "PMEVTYPER5_EL0", 0, 6, OK, OK},
};

/* MRS and MSR of one register. A refusal leaves the value and the whole PMU as
 * they were. */
static void check_access(struct armv8_stage *stage, const char *reg_name,
    unsigned want_read, unsigned want_write)
{
    unsigned el;
    uint32_t reg = stage_register(reg_name, &el);
    struct armv8_pmu before = stage->pmu;
    uint64_t value = 0x5555;

    assert_int_equal(armv8_read(&stage->pmu, reg, el, &value), want_read);
    if (want_read != ARMV8_OK) {
        assert_int_equal(value, 0x5555);
    }
    assert_memory_equal(&stage->pmu, &before, sizeof(before));
    assert_int_equal(armv8_write(&stage->pmu, reg, el, UINT64_MAX), want_write);
    if (want_write != ARMV8_OK) {
        assert_memory_equal(&stage->pmu, &before, sizeof(before));
    }
}

static void access_row(void **state)
{
    const struct access_row *row = *state;
    struct armv8_stage stage;
    const struct armv8_step steps[] = {
        {"PMUSERENR_EL0@2", row->user_enable}, {"MDCR_EL2@2", row->mdcr}};

    stage_init(&stage, V3P4);
    stage_step(&stage, &steps[0]);
    stage_step(&stage, &steps[1]);
    check_access(&stage, row->reg, row->want_read, row->want_write);
}

/* Six counters, of which MDCR_EL2.HPMN leaves `hpmn` to EL1 and EL0, with
 * PMUSERENR_EL0 = 0xF and PMSELR_EL0 as given. */
/* PMU-GP-09a, PMU-GP-09b */
static struct missing_row {
    const char *name;
    const char *reg;
    uint64_t hpmn, select;
    bool there;
} missing_rows[] = {
    {"counter_6_of_six_is_not_there", "PMEVCNTR6_EL0", 6, 0, false},
    {"nor_is_counter_30", "PMEVCNTR30_EL0", 6, 0, false},
    {"nor_is_it_for_el0", "PMEVCNTR6_EL0@0", 6, 0, false},
    {"nor_is_it_for_el2", "PMEVCNTR6_EL0@2", 6, 0, false},
    {"type_6_of_six_is_not_there", "PMEVTYPER6_EL0", 6, 0, false},
    {"nor_is_type_6_for_el2", "PMEVTYPER6_EL0@2", 6, 0, false},
    {"counter_4_of_el2_is_not_there_for_el1", "PMEVCNTR4_EL0", 4, 0, false},
    {"nor_for_el0", "PMEVCNTR4_EL0@0", 4, 0, false},
    {"it_is_there_for_el2", "PMEVCNTR4_EL0@2", 4, 0, true},
    {"counter_3_below_hpmn_is_there", "PMEVCNTR3_EL0", 4, 0, true},
    {"type_4_of_el2_is_not_there_for_el1", "PMEVTYPER4_EL0", 4, 0, false},
    {"type_4_of_el2_is_there_for_el2", "PMEVTYPER4_EL0@2", 4, 0, true},
    {"selected_counter_5_of_six_is_there", "PMXEVCNTR_EL0", 6, 5, true},
    {"selected_counter_6_of_six_is_not", "PMXEVCNTR_EL0", 6, 6, false},
    {"selected_type_6_of_six_is_not", "PMXEVTYPER_EL0", 6, 6, false},
    {"selected_counter_4_of_el2_is_not_there_for_el1", "PMXEVCNTR_EL0", 4, 4,
        false},
    {"selected_counter_4_of_el2_is_there_for_el2", "PMXEVCNTR_EL0@2", 4, 4,
        true},
    {"selected_type_4_of_el2_is_not_there_for_el0", "PMXEVTYPER_EL0@0", 4, 4,
        false},
    {"selected_counter_31_is_no_counter", "PMXEVCNTR_EL0", 6, 31, false},
    {"selected_type_31_is_the_cycle_filter", "PMXEVTYPER_EL0", 6, 31, true},
    {"without_a_counter_for_el1_none_is_there", "PMEVCNTR0_EL0", 0, 0, false},
};

static void missing_stage(
    struct armv8_stage *stage, const struct missing_row *row)
{
    stage_init(stage, V3);
    stage_step(stage, &(struct armv8_step){"PMUSERENR_EL0", 0xF});
    stage_step(stage, &(struct armv8_step){"PMSELR_EL0", row->select});
    stage_step(stage, &(struct armv8_step){"MDCR_EL2@2", row->hpmn});
    if (strstr(row->reg, "@0") != NULL) {
        return;
    }
    stage_step(stage, &(struct armv8_step){"PMUSERENR_EL0", 0});
}

static void undefined_row(void **state)
{
    const struct missing_row *row = *state;
    unsigned want = row->there ? ARMV8_OK : ARMV8_UNDEF;
    struct armv8_stage stage;

    missing_stage(&stage, row);
    check_access(&stage, row->reg, want, want);
}

static void zero_row(void **state)
{
    const struct missing_row *row = *state;
    struct armv8_stage stage;
    struct armv8_pmu before;

    missing_stage(&stage, row);
    stage.features.missing_read_zero = true;
    before = stage.pmu;
    stage_step(&stage, &(struct armv8_step){row->reg, UINT64_MAX});
    if (row->there) {
        assert_int_not_equal(stage_value(&stage, row->reg), 0);
        return;
    }
    assert_memory_equal(&stage.pmu, &before, sizeof(before));
    assert_int_equal(stage_value(&stage, row->reg), 0);
}

static struct absent_row {
    const char *name;
    uint8_t version;
    const char *reg;
    unsigned want_read, want_write; /* enum armv8_result */
} absent_rows[] = {
    {"without_a_pmu_there_is_no_pmcr", 0, "PMCR_EL0", UNDEF, UNDEF},
    {"without_a_pmu_there_is_no_pmccntr", 0, "PMCCNTR_EL0@2", UNDEF, UNDEF},
    {"without_a_pmu_el0_has_no_pmuserenr", 0, "PMUSERENR_EL0@0", UNDEF, UNDEF},
    {"without_a_pmu_id_aa64dfr0_says_so", 0, "ID_AA64DFR0_EL1", OK, UNDEF},
    {"v3p1_has_no_pmmir", 4, "PMMIR_EL1", UNDEF, UNDEF},
    {"v3p4_has_pmmir", 5, "PMMIR_EL1", OK, UNDEF},
};

static void absent_row(void **state)
{
    const struct absent_row *row = *state;
    struct armv8_stage stage;

    stage_init(&stage, row->version);
    check_access(&stage, row->reg, row->want_read, row->want_write);
}

/* Every register of the PMU: MDCR_EL2.TPM takes it from EL1, and without a PMU
 * it is nowhere. PMMIR_EL1 came with PMUv3p4. */
static struct pmu_row {
    const char *name;
    unsigned want_read, want_write; /* with TPM */
} pmu_rows[] = {
    {"PMINTENSET_EL1", EL2, EL2},
    {"PMINTENCLR_EL1", EL2, EL2},
    {"PMCR_EL0", EL2, EL2},
    {"PMCNTENSET_EL0", EL2, EL2},
    {"PMCNTENCLR_EL0", EL2, EL2},
    {"PMOVSCLR_EL0", EL2, EL2},
    {"PMSELR_EL0", EL2, EL2},
    {"PMCCNTR_EL0", EL2, EL2},
    {"PMXEVTYPER_EL0", EL2, EL2},
    {"PMXEVCNTR_EL0", EL2, EL2},
    {"PMUSERENR_EL0", EL2, EL2},
    {"PMOVSSET_EL0", EL2, EL2},
    {"PMEVCNTR0_EL0", EL2, EL2},
    {"PMEVCNTR30_EL0", EL2, EL2},
    {"PMEVTYPER0_EL0", EL2, EL2},
    {"PMEVTYPER30_EL0", EL2, EL2},
    {"PMCCFILTR_EL0", EL2, EL2},
    {"PMMIR_EL1", EL2, UNDEF},
    {"PMCEID0_EL0", EL2, UNDEF},
    {"PMCEID1_EL0", EL2, UNDEF},
    {"PMSWINC_EL0", UNDEF, EL2},
};

static void pmu_row(void **state)
{
    const struct pmu_row *row = *state;
    const struct armv8_step trap = {"MDCR_EL2@2", 0x46};
    struct armv8_stage stage;

    stage_init(&stage, V3P4);
    stage_step(&stage, &trap);
    check_access(&stage, row->name, row->want_read, row->want_write);
    stage_init(&stage, ARMV8_NO_PMU);
    check_access(&stage, row->name, UNDEF, UNDEF);
}

static struct nowhere_row {
    const char *name;
    uint32_t reg;
} nowhere_rows[] = {
    {"number_0_is_no_register", 0},
    {"pmu_encoding_that_nobody_has_is_none", 0x5CF1}, /* 3, 3, 9, 14, 1 */
    {"debug_register_is_none_of_these", 0x0028},      /* 2, 0, 0, 5, 0 */
    {"number_past_all_encodings_is_none", 0x8000},
    {"largest_number_is_none", 0xFFFFFFFF},
};

static void nowhere_row(void **state)
{
    const struct nowhere_row *row = *state;
    struct armv8_stage stage;
    uint64_t value;

    stage_init(&stage, V3P7);
    for (unsigned el = 0; el <= 2; el++) {
        assert_int_equal(
            armv8_read(&stage.pmu, row->reg, el, &value), ARMV8_UNDEF);
        assert_int_equal(armv8_write(&stage.pmu, row->reg, el, 1), ARMV8_UNDEF);
    }
}

TEST_FILE(test_armv8_access)
{
    static char zero_names[sizeof(missing_rows) / sizeof(missing_rows[0])][80];

    TEST_ADD_ROWS(list, access_row, access_rows);
    TEST_ADD_ROWS(list, undefined_row, missing_rows);
    for (size_t i = 0; i < sizeof(missing_rows) / sizeof(missing_rows[0]);
         i++) {
        snprintf(zero_names[i], sizeof(zero_names[i]), "read_zero_%s",
            missing_rows[i].name);
        test_add(list, zero_names[i], zero_row, &missing_rows[i]);
    }
    TEST_ADD_ROWS(list, absent_row, absent_rows);
    TEST_ADD_ROWS(list, pmu_row, pmu_rows);
    TEST_ADD_ROWS(list, nowhere_row, nowhere_rows);
}
