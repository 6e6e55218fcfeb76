/* test_real_msrs.c - registers that parts have and the model has not: every one
 * of the part behind skylake, some of each other part, and what a machine is
 * given. What the model has is test_msr_rows.c's business. */
#include <string.h>

#include "sim/machine/real_msr.h"
#include "tests/sim/machine/single_cpu.h"

enum answer { MODELLED, ABSENT, NOT_MODELLED };

enum { WRITE_ONLY = 0x80B };

/* PMU-SYS-09a */
static struct listed_row {
    const char *name;
    uint32_t address;
    enum answer want;
    const char *want_name;
} listed_rows[] = {
#define LISTED(address, answer, name)                                          \
    {#address "_" #name, address, answer, #name},
#include "tests/sim/machine/skylake_msrs.def"
};

static void assert_answer(
    struct single_cpu *one, uint32_t address, enum answer want)
{
    static const enum msr_result results[] = {
        [MODELLED] = MSR_OK,
        [ABSENT] = MSR_GP_FAULT,
        [NOT_MODELLED] = MSR_NOT_MODELLED,
    };
    uint64_t value = 0x1234;

    assert_int_equal(
        msr_is_modelled(cpu_model(one->cpu), address), want == MODELLED);
    assert_int_equal(msr_read(one->cpu, address, &value),
        address == WRITE_ONLY ? MSR_GP_FAULT : results[want]);
    if (want != MODELLED) {
        assert_int_equal(value, 0x1234);
        assert_int_equal(msr_write(one->cpu, address, 0), results[want]);
    }
}

static void listed_row(void **state)
{
    const struct listed_row *row = *state;
    const struct pmu_model *model = &pmu_models[MODEL_SKYLAKE];
    char name[REAL_MSR_NAME_BYTES] = "";
    struct single_cpu one;

    single_cpu_init_model(&one, model);
    assert_answer(&one, row->address, row->want);
    assert_int_equal(
        real_msr_find(model, row->address, name), row->want == NOT_MODELLED);
    if (row->want == NOT_MODELLED) {
        assert_string_equal(name, row->want_name);
    }
    single_cpu_release(&one);
}

static struct part_row {
    const char *name;
    enum model model;
    uint32_t address;
    enum answer want;
} part_rows[] = {
    {"skylake_has_nothing_at_2", MODEL_SKYLAKE, 0x002, ABSENT},
    {"skylake_has_no_address_of_mc4", MODEL_SKYLAKE, 0x412, ABSENT},
    {"skylake_has_no_mc5", MODEL_SKYLAKE, 0x414, ABSENT},
    {"skylake_has_no_11th_mtrr", MODEL_SKYLAKE, 0x214, ABSENT},
    {"skylake_has_no_33rd_branch", MODEL_SKYLAKE, 0x6A0, ABSENT},
    {"skylake_has_nothing_between_c_boxes", MODEL_SKYLAKE, 0x702, ABSENT},
    {"skylake_has_no_fifth_c_box", MODEL_SKYLAKE, 0x740, ABSENT},
    {"skylake_has_nothing_behind_the_masks", MODEL_SKYLAKE, 0xC0000085, ABSENT},
    {"skylake_has_none_of_amd_s", MODEL_SKYLAKE, 0xC0010015, ABSENT},
    {"skylake_has_none_at_the_end", MODEL_SKYLAKE, 0xFFFFFFFF, ABSENT},
    {"generic_has_thermal_status", MODEL_INTEL_V2, 0x19C, NOT_MODELLED},
    {"generic_has_thermal_status_without_a_pmu", MODEL_NONE, 0x19C,
        NOT_MODELLED},
    {"generic_has_no_platform_info", MODEL_INTEL_V4, 0x0CE, ABSENT},
    {"generic_has_8_mtrrs", MODEL_INTEL_V1, 0x20F, NOT_MODELLED},
    {"generic_has_no_9th_mtrr", MODEL_INTEL_V1, 0x210, ABSENT},
    {"generic_has_no_uncore", MODEL_INTEL_V3, 0x391, ABSENT},
    {"nehalem_has_an_uncore", MODEL_NEHALEM, 0x391, NOT_MODELLED},
    {"nehalem_has_no_frontend_event", MODEL_NEHALEM, 0x3F7, ABSENT},
    {"nehalem_has_mc8", MODEL_NEHALEM, 0x423, NOT_MODELLED},
    {"ice_lake_has_metrics", MODEL_ICE_LAKE, 0x329, NOT_MODELLED},
    {"ice_lake_has_no_c_boxes_there", MODEL_ICE_LAKE, 0x700, ABSENT},
    {"sapphire_rapids_has_architectural_branches", MODEL_SAPPHIRE_RAPIDS,
        0x161F, NOT_MODELLED},
    {"sapphire_rapids_has_umwait", MODEL_SAPPHIRE_RAPIDS, 0x0E1, NOT_MODELLED},
    {"sapphire_rapids_has_no_owner_epoch", MODEL_SAPPHIRE_RAPIDS, 0x300,
        ABSENT},
    {"k8_has_hwcr", MODEL_K8, 0xC0010015, NOT_MODELLED},
    {"k8_has_no_pstates", MODEL_K8, 0xC0010064, ABSENT},
    {"k8_has_no_mperf", MODEL_K8, 0x0E7, ABSENT},
    {"k8_has_no_misc_enable", MODEL_K8, 0x1A0, ABSENT},
    {"zen2_has_a_second_iorr", MODEL_ZEN2, 0xC0010019, NOT_MODELLED},
    {"zen2_has_no_third_iorr", MODEL_ZEN2, 0xC001001B, ABSENT},
    {"zen2_has_nothing_behind_the_iorrs", MODEL_ZEN2, 0xC001001C, ABSENT},
    {"zen2_has_pstates", MODEL_ZEN2, 0xC0010064, NOT_MODELLED},
    {"zen2_has_ibs", MODEL_ZEN2, 0xC0011030, NOT_MODELLED},
    {"zen2_has_ibs_of_ops", MODEL_ZEN2, 0xC0011033, NOT_MODELLED},
    {"zen2_has_mc22", MODEL_ZEN2, 0x45A, NOT_MODELLED},
    {"zen2_has_no_mc23", MODEL_ZEN2, 0x45E, ABSENT},
    {"zen2_has_a_second_data_fabric_counter", MODEL_ZEN2, 0xC0010243,
        NOT_MODELLED},
    {"zen2_has_a_fourth_data_fabric_counter", MODEL_ZEN2, 0xC0010247,
        NOT_MODELLED},
    {"zen2_has_no_cppc", MODEL_ZEN2, 0xC00102B3, ABSENT},
    {"zen2_has_no_global_status", MODEL_ZEN2, 0xC0000300, ABSENT},
    {"zen2_has_no_feature_control", MODEL_ZEN2, 0x03A, ABSENT},
    {"zen4_has_cppc", MODEL_ZEN4, 0xC00102B3, NOT_MODELLED},
    {"zen4_has_shadow_stacks", MODEL_ZEN4, 0x6A2, NOT_MODELLED},
};

static void part_row(void **state)
{
    const struct part_row *row = *state;
    struct single_cpu one;

    single_cpu_init_model(&one, &pmu_models[row->model]);
    assert_answer(&one, row->address, row->want);
    single_cpu_release(&one);
}

/* Other figures leave the part what it is; another signature is nobody's. */
static void part_goes_by_the_signature(void **state)
{
    struct pmu_model model = pmu_models[MODEL_SKYLAKE];

    (void)state;
    model.version = 2;
    model.full_width = false;
    assert_true(real_msr_find(&model, 0x3F7, NULL));
    model.signature = 0x00050654;
    assert_false(real_msr_find(&model, 0x3F7, NULL));
    assert_false(real_msr_find(&model, 0x19C, NULL));
}

/* PMU-SYS-09b */
static const struct msr_given given[] = {
    {.address = 0x19C, .value = 0x88000000},
    {.address = 0x1B0, .value = 6, .stored = true},
};

static void init_given(struct machine *machine)
{
    const struct machine_config config = {.processors = 2,
        .groups = 1,
        .pmu = pmu_models[MODEL_SKYLAKE],
        .given = given,
        .given_count = 2};

    assert_true(machine_reserve(machine));
    machine_reset(machine, &config);
}

static void given_value_is_read_on_every_processor(void **state)
{
    struct machine machine;
    uint64_t value = 0;

    (void)state;
    init_given(&machine);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(
            msr_read(machine_cpu(&machine, i), 0x19C, &value), MSR_OK);
        assert_int_equal(value, 0x88000000);
    }
    assert_int_equal(
        msr_read(machine_cpu(&machine, 0), 0x1B1, &value), MSR_NOT_MODELLED);
    machine_release(&machine);
}

static void fixed_value_is_not_written(void **state)
{
    struct machine machine;
    uint64_t value = 0;

    (void)state;
    init_given(&machine);
    assert_int_equal(
        msr_write(machine_cpu(&machine, 0), 0x19C, 0x88000000), MSR_FIXED);
    assert_int_equal(msr_peek(machine_cpu(&machine, 0), 0x19C, &value), MSR_OK);
    assert_int_equal(value, 0x88000000);
    machine_release(&machine);
}

static void stored_value_is_each_processor_s_own(void **state)
{
    struct machine machine;
    uint64_t value = 0;

    (void)state;
    init_given(&machine);
    assert_int_equal(msr_write(machine_cpu(&machine, 1), 0x1B0, 15), MSR_OK);
    assert_int_equal(msr_read(machine_cpu(&machine, 1), 0x1B0, &value), MSR_OK);
    assert_int_equal(value, 15);
    assert_int_equal(msr_read(machine_cpu(&machine, 0), 0x1B0, &value), MSR_OK);
    assert_int_equal(value, 6);
    machine_release(&machine);
    init_given(&machine);
    assert_int_equal(msr_read(machine_cpu(&machine, 1), 0x1B0, &value), MSR_OK);
    assert_int_equal(value, 6);
    machine_release(&machine);
}

static void rows_are_where_they_are_looked_for(void **state)
{
    (void)state;
    assert_true(real_msr_check());
}

TEST_FILE(test_real_msrs)
{
    TEST_ADD_ROWS(list, listed_row, listed_rows);
    TEST_ADD_ROWS(list, part_row, part_rows);
    test_add(list, "rows_are_where_they_are_looked_for",
        rows_are_where_they_are_looked_for, NULL);
    test_add(
        list, "part_goes_by_the_signature", part_goes_by_the_signature, NULL);
    test_add(list, "given_value_is_read_on_every_processor",
        given_value_is_read_on_every_processor, NULL);
    test_add(
        list, "fixed_value_is_not_written", fixed_value_is_not_written, NULL);
    test_add(list, "stored_value_is_each_processor_s_own",
        stored_value_is_each_processor_s_own, NULL);
}
