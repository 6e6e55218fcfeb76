/* behaviour_refused.c - behaviour 3 of pmu.md 2: every row of 1.5 on every x86
 * model that it applies to. An access that is refused, and a write of which all
 * is ignored, leave every register as it was. */
#include <stdio.h>
#include <string.h>

#include "tests/sim/pmu/behaviour.h"

enum { ACCESSES = 12, REGISTERS = 128 };

enum {
    /* By what they have. */
    FOUR = NEHALEM | SKYLAKE, /* general counters */
    EIGHT = V2 | V3 | V4 | V5 | ICE_LAKE | SAPPHIRE,
    THREE_FIXED = V2 | V3 | V4 | NEHALEM | SKYLAKE,
    ADAPTIVE = ICE_LAKE | SAPPHIRE,
    ANY_THREAD = V3 | V4 | NEHALEM | SKYLAKE,
};

/* Writes, or reads where `reads` is set, to registers that fill() has filled.
 * `fault`: each is #GP; else it is accepted, and nothing comes of it. */
struct refusal {
    const char *name;
    unsigned models;
    bool reads, fault;
    struct {
        uint32_t address; /* 0: the end */
        uint64_t value;
    } access[ACCESSES];
};

/* GP-01 to GP-08 are the rows of 1.5, as requirements count them. */
static const struct refusal refusals[] = {
    /* Any PMU MSR when the version is 0. */
    {"write_without_a_pmu", NO_PMU, false, true,
        {{0x0C1, 0}, {0x186, 0}, {0x309, 0}, {0x38D, 0}, {0x38F, 0}, {0x390, 0},
            {0x391, 0}, {0x3F1, 0}, {0x4C1, 0}, {0xC0010000, 0},
            {0xC0010200, 0}, {0xC0000301, 0}}},
    {"read_without_a_pmu", NO_PMU, true, true,
        {{0x0C1, 0}, {0x186, 0}, {0x309, 0}, {0x38D, 0}, {0x38E, 0}, {0x38F, 0},
            {0x390, 0}, {0x392, 0}, {0x3F1, 0}, {0xC0010000, 0},
            {0xC0010201, 0}, {0xC0000300, 0}}},
    {"write_of_38d_to_390_in_version_1", V1, false, true,
        {{0x38D, 0}, {0x38E, 0}, {0x38F, 0}, {0x390, 0}}},
    {"read_of_38d_to_390_in_version_1", V1, true, true,
        {{0x38D, 0}, {0x38E, 0}, {0x38F, 0}, {0x390, 0}}},
    /* Nehalem has registers of its uncore there, which are not modelled. */
    {"write_of_391_and_392_below_version_4", V1 | V2 | V3, false, true,
        {{0x391, 0}, {0x392, 0}}},
    {"read_of_391_and_392_below_version_4", V1 | V2 | V3, true, true,
        {{0x391, 0}, {0x392, 0}}},
    /* n >= count. */
    {"third_of_two_counters", V1, false, true, {{0x0C3, 0}, {0x188, 0}}},
    {"fifth_of_four_counters", FOUR, false, true, {{0x0C5, 0}, {0x18A, 0}}},
    {"ninth_of_eight_counters", EIGHT, false, true, {{0x0C9, 0}, {0x18E, 0}}},
    {"fourth_of_three_fixed_counters", THREE_FIXED, false, true, {{0x30C, 0}}},
    {"fixed_counter_of_version_1", V1, false, true, {{0x309, 0}}},
    /* GLOBAL_CTRL, STATUS_RESET, STATUS and INUSE. */
    {"global_ctrl_of_a_fifth_counter", FOUR, false, true,
        {{0x38F, 0x10}, {0x38F, 0x11}}},
    {"global_ctrl_of_a_ninth_counter", EIGHT, false, true,
        {{0x38F, 0x100}, {0x38F, 0x101}}},
    {"global_ctrl_of_a_fourth_fixed_counter", THREE_FIXED, false, true,
        {{0x38F, 0x800000000}}},
    {"global_ctrl_of_metrics_and_bit_63", INTEL_GLOBAL, false, true,
        {{0x38F, 0x1000000000000}, {0x38F, 0x8000000000000000}}},
    {"status_reset_of_a_fifth_counter", FOUR, false, true, {{0x390, 0x11}}},
    {"status_reset_of_a_ninth_counter", EIGHT, false, true, {{0x390, 0x101}}},
    {"status_reset_of_a_fourth_fixed_counter", THREE_FIXED, false, true,
        {{0x390, 0x800000001}}},
    {"status_reset_of_metrics", INTEL_GLOBAL, false, true,
        {{0x390, 0x1000000000001}}},
    {"status_reset_of_uncore_below_version_3", V2, false, true,
        {{0x390, 0x2000000000000001}}},
    {"status_reset_of_58_to_60_below_version_4", INTEL_V2_V3, false, true,
        {{0x390, 0x0400000000000001}, {0x390, 0x0800000000000001},
            {0x390, 0x1000000000000001}}},
    {"status_set_of_a_reserved_bit", INTEL_V4_V5, false, true,
        {{0x391, 0x1000000000002}, {0x391, 0x1002}}},
    {"write_of_status", INTEL_GLOBAL, false, true, {{0x38E, 0}, {0x38E, 0x1}}},
    {"write_of_in_use", INTEL_V4_V5, false, true, {{0x392, 0}, {0x392, 0x1}}},
    /* EVTSEL and FIXED_CTR_CTRL. */
    {"select_bit_above_31", INTEL, false, true,
        {{0x186, 0x1004100C0}, {0x187, 0x2004100C0},
            {0x186, 0x80000000004100C0}}},
    {"select_with_adaptive_pebs_without_it", INTEL & ~ADAPTIVE, false, true,
        {{0x186, 0x4004100C0}}},
    {"select_with_anythread_without_it", INTEL & ~ANY_THREAD, false, true,
        {{0x186, 0x6100C0}, {0x187, 0x6100C0}}},
    {"fixed_ctrl_field_of_a_fourth_counter", THREE_FIXED, false, true,
        {{0x38D, 0x1000}, {0x38D, 0x2033}, {0x38D, 0x8000}}},
    {"fixed_ctrl_field_of_a_fifth_counter", INTEL_GLOBAL, false, true,
        {{0x38D, 0x10000}, {0x38D, 0x80000000}}},
    {"fixed_ctrl_with_anythread_without_it", INTEL_GLOBAL & ~ANY_THREAD, false,
        true, {{0x38D, 0x4}, {0x38D, 0x73}, {0x38D, 0x400}}},
    {"fixed_ctrl_with_adaptive_pebs_without_it", INTEL_GLOBAL & ~ADAPTIVE,
        false, true, {{0x38D, 0x100000003}}},
    /* A_PMC, and FIXED_CTR, of which this is our choice [C]. */
    {"a_pmc_without_the_capability", V1 | INTEL_V2_V3, false, true,
        {{0x4C1, 0}, {0x4C2, 0}}},
    {"a_pmc_wider_than_the_counter", INTEL_V4_V5, false, true,
        {{0x4C1, 0x1000000000000}, {0x4C2, 0xFFFFFFFFFFFFFFFF}}},
    {"fixed_counter_wider_than_it_is", INTEL_GLOBAL, false, true,
        {{0x309, 0x1000000000000}, {0x30B, 0x8000000000000001}}},
    /* PEBS_ENABLE, PEBS_DATA_CFG and DS_AREA. */
    {"pebs_enable_of_a_fifth_counter", FOUR, false, true,
        {{0x3F1, 0x10}, {0x3F1, 0x11}, {0x3F1, 0x100000000}}},
    {"pebs_enable_of_a_ninth_counter", ADAPTIVE, false, true,
        {{0x3F1, 0x100}, {0x3F1, 0x101}, {0x3F1, 0x1000000000}}},
    {"pebs_data_cfg_outside_ff00000f", ADAPTIVE, false, true,
        {{0x3F2, 0x10}, {0x3F2, 0x80000F}, {0x3F2, 0x100000001}}},
    {"ds_area_that_is_not_canonical", PEBS, false, true,
        {{0x600, 0x0000800000000000}, {0x600, 0xFFFF7FFFFFFFFFFF}}},
    {"pebs_registers_without_pebs", V1 | V2 | V3 | V4 | V5 | AMD, false, true,
        {{0x3F1, 0}, {0x3F2, 0}, {0x600, 0}}},
    /* AMD: no fault. */
    {"select_bits_that_are_reserved", AMD, false, false,
        {{0xC0010000, 0xFFFFFCF0003B00C0},
            {0xC0010003, 0x8000000000 | 0x1300C3},
            {0xC0010001, 0x2800C1 | 0x130000}}},
    {"counter_bits_above_48", AMD, false, false,
        {{0xC0010004, 0xFFFF000000001000}, {0xC0010007, 0x1000000001003}}},
    {"global_ctl_bits_above_the_last_counter", ZEN4, false, false,
        {{0xC0000301, 0xFFFFFFFFFFFFFFC3}, {0xC0000301, 0x43}}},
    {"write_of_global_status", ZEN4, false, false,
        {{0xC0000300, 0}, {0xC0000300, 0xFFFFFFFFFFFFFFFF}}},
    /* AMD: #GP. */
    {"write_without_the_core_extension", K8, false, true,
        {{0xC0010200, 0}, {0xC0010201, 0}, {0xC001020A, 0}, {0xC001020B, 0}}},
    {"read_without_the_core_extension", K8, true, true,
        {{0xC0010200, 0}, {0xC0010201, 0}, {0xC001020A, 0}, {0xC001020B, 0}}},
    {"write_without_perfmon_v2", K8 | ZEN2, false, true,
        {{0xC0000300, 0}, {0xC0000301, 0}, {0xC0000302, 0}, {0xC0000303, 0}}},
    {"read_without_perfmon_v2", K8 | ZEN2, true, true,
        {{0xC0000300, 0}, {0xC0000301, 0}, {0xC0000302, 0}, {0xC0000303, 0}}},
    {"register_behind_the_last_counter", AMD, false, true,
        {{0xC0010008, 0}, {0xC001020C, 0}, {0xC001020D, 0}}},
};

/* Gives every register a value that a stray write would change. */
static void fill(struct cpu *cpu)
{
    struct pmu *pmu = &cpu->pmu;
    const struct pmu_model *model = pmu->model;

    for (unsigned n = 0; n < model->general; n++) {
        pmu_set_value(pmu, n, 0x1000 + n);
        pmu_set_select(pmu, n, 0x1300C0 + n); /* not enabled */
    }
    for (unsigned n = 0; n < model->fixed; n++) {
        pmu_set_value(pmu, pmu_slot(32 + n), 0x2000 + n);
    }
    pmu_set_fixed_ctrl(pmu, model->fixed > 0 ? 0x88 : 0);
    pmu_set_global_ctrl(pmu, model_has_global(model) ? 0x3 : 0);
    pmu_set_status(pmu, model_has_global(model) ? 0x1 : 0);
}

/* Time passes with every access. */
static bool is_clock(uint32_t address)
{
    return address == 0x010 || address == 0x0E7 || address == 0x0E8;
}

/* Every register that can be read and is no clock, 0 for the others. */
static void snapshot(const struct cpu *cpu, uint64_t value[REGISTERS])
{
    char name[40];
    uint32_t address = 0;

    memset(value, 0, REGISTERS * sizeof(value[0]));
    for (size_t i = 0; msr_name(i, name, sizeof(name)); i++) {
        assert_true(i < REGISTERS);
        assert_true(msr_address(name, &address));
        if (!is_clock(address)) {
            (void)msr_peek(cpu, address, &value[i]);
        }
    }
}

static void refused(void **state)
{
    const struct behaviour_case *own = *state;
    const struct refusal *row = own->row;
    struct single_cpu one;
    uint64_t before[REGISTERS], after[REGISTERS];

    single_cpu_init_model(&one, &pmu_models[own->part->model]);
    fill(one.cpu);
    snapshot(one.cpu, before);
    for (size_t i = 0; i < ACCESSES && row->access[i].address != 0; i++) {
        uint32_t address = row->access[i].address;
        uint64_t value = row->access[i].value;
        enum msr_result got = row->reads ? msr_read(one.cpu, address, &value)
                                         : msr_write(one.cpu, address, value);

        if (got != (row->fault ? MSR_GP_FAULT : MSR_OK)) {
            fail_msg("%x: %s", address, row->fault ? "no #GP" : "#GP");
        }
        assert_int_equal(value, row->access[i].value);
        snapshot(one.cpu, after);
        assert_memory_equal(after, before, sizeof(before));
    }
    single_cpu_release(&one);
}

/* RDPMC by code in `ring` while CR4.PCE is 0. */
static const struct rdpmc_refusal {
    const char *name;
    unsigned models;
    uint32_t selector;
    enum ring ring;
} rdpmc_refusals[] = {
    {"rdpmc_of_a_third_counter", V1, 2, RING_KERNEL},
    {"rdpmc_of_a_fifth_counter", FOUR | K8, 4, RING_KERNEL},
    {"rdpmc_of_a_seventh_counter", ZEN2 | ZEN4, 6, RING_KERNEL},
    {"rdpmc_of_a_ninth_counter", EIGHT, 8, RING_KERNEL},
    {"rdpmc_of_a_fixed_counter_without_any", V1 | AMD, 0x40000000, RING_KERNEL},
    {"rdpmc_of_a_fourth_fixed_counter", THREE_FIXED, 0x40000003, RING_KERNEL},
    {"rdpmc_of_a_fifth_fixed_counter", INTEL_GLOBAL, 0x40000004, RING_KERNEL},
    {"rdpmc_of_metrics", X86, 0x20000000, RING_KERNEL},
    {"rdpmc_of_an_unknown_type", X86, 0x00010000, RING_KERNEL},
    {"rdpmc_in_fast_mode", X86, 0x80000000, RING_KERNEL},
    {"rdpmc_by_user_code_without_cr4_pce", X86, 0, RING_USER},
    {"rdpmc_without_a_pmu", NO_PMU, 0, RING_KERNEL},
};

static void rdpmc_refused(void **state)
{
    const struct behaviour_case *own = *state;
    const struct rdpmc_refusal *row = own->row;
    struct single_cpu one;
    uint64_t before[REGISTERS], after[REGISTERS], value = 0x77;

    single_cpu_init_model(&one, &pmu_models[own->part->model]);
    fill(one.cpu);
    snapshot(one.cpu, before);
    assert_int_equal(
        msr_rdpmc(one.cpu, row->selector, row->ring, false, &value),
        MSR_GP_FAULT);
    assert_int_equal(value, 0x77);
    snapshot(one.cpu, after);
    assert_memory_equal(after, before, sizeof(before));
    single_cpu_release(&one);
}

void refused_accesses_add(struct test_list *list)
{
    char name[80];

    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        snprintf(name, sizeof(name), "03_refused_%s", refusals[i].name);
        behaviour_add(list, name, refusals[i].models, refused, &refusals[i]);
    }
    for (size_t i = 0; i < sizeof(rdpmc_refusals) / sizeof(rdpmc_refusals[0]);
         i++) {
        snprintf(name, sizeof(name), "03_refused_%s", rdpmc_refusals[i].name);
        behaviour_add(list, name, rdpmc_refusals[i].models, rdpmc_refused,
            &rdpmc_refusals[i]);
    }
}
