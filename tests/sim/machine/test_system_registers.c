/* test_system_registers.c - time-stamp counter, MPERF and APERF, platform,
 * microcode and mode: what each model reads, and what a write does. */
#include "sim/machine/cpuid.h"
#include "sim/machine/system_registers.h"
#include "tests/sim/machine/single_cpu.h"

/* PMU-SYS-01a, PMU-SYS-03a, PMU-SYS-04, PMU-SYS-05a, PMU-SYS-06, PMU-SYS-08 */
static struct reset_row {
    const char *name;
    enum model model;
    uint32_t address;
    uint64_t want;
} reset_rows[] = {
    {"tsc_begins_at_zero", MODEL_SKYLAKE, 0x010, 0},
    {"mperf_begins_at_zero", MODEL_SKYLAKE, 0x0E7, 0},
    {"aperf_begins_at_zero", MODEL_ZEN4, 0x0E8, 0},
    {"skylake_platform_is_1", MODEL_SKYLAKE, 0x017, 0x0004000000000000},
    {"ice_lake_platform_is_7", MODEL_ICE_LAKE, 0x017, 0x001C000000000000},
    {"generic_platform_is_0", MODEL_INTEL_V2, 0x017, 0},
    {"x2apic_is_on_and_the_first_processor_boots", MODEL_SKYLAKE, 0x01B,
        0xFEE00D00},
    {"x2apic_is_on_at_amd", MODEL_ZEN2, 0x01B, 0xFEE00D00},
    {"feature_control_is_locked", MODEL_SKYLAKE, 0x03A, 0x1},
    {"skylake_microcode_is_in_the_high_half", MODEL_SKYLAKE, 0x08B,
        0x000000F000000000},
    {"zen2_microcode_is_in_the_low_half", MODEL_ZEN2, 0x08B, 0x08701021},
    {"skylake_ratio_is_40", MODEL_SKYLAKE, 0x0CE, 0x0000080000002800},
    {"nehalem_ratio_is_20", MODEL_NEHALEM, 0x0CE, 0x0000080000001400},
    {"efer_is_zero_before_a_loader", MODEL_SKYLAKE, 0xC0000080, 0},
};

static void reset_row(void **state)
{
    const struct reset_row *row = *state;
    struct single_cpu one;

    single_cpu_init_model(&one, &pmu_models[row->model]);
    assert_int_equal(single_cpu_peek(&one, row->address), row->want);
    single_cpu_release(&one);
}

static struct write_row {
    const char *name;
    enum model model;
    uint32_t address;
    uint64_t value;
    enum msr_result want;
} write_rows[] = {
    /* PMU-SYS-03b */
    {"apic_base_is_written_back", MODEL_SKYLAKE, 0x01B, 0xFEE00D00, MSR_OK},
    {"apic_base_bit_0_is_gp", MODEL_SKYLAKE, 0x01B, 0xFEE00D01, MSR_GP_FAULT},
    {"apic_base_bit_9_is_gp", MODEL_SKYLAKE, 0x01B, 0xFEE00F00, MSR_GP_FAULT},
    {"apic_base_bit_52_is_gp", MODEL_SKYLAKE, 0x01B, 0x100000FEE00D00,
        MSR_GP_FAULT},
    {"x2apic_does_not_become_xapic", MODEL_SKYLAKE, 0x01B, 0xFEE00900,
        MSR_GP_FAULT},
    {"x2apic_does_not_go_without_an_apic", MODEL_SKYLAKE, 0x01B, 0xFEE00500,
        MSR_GP_FAULT},
    {"apic_switched_off_is_not_modelled", MODEL_SKYLAKE, 0x01B, 0xFEE00100,
        MSR_NOT_MODELLED},
    {"apic_elsewhere_is_not_modelled", MODEL_SKYLAKE, 0x01B, 0xFED00D00,
        MSR_NOT_MODELLED},
    /* PMU-SYS-04 */
    {"locked_feature_control_is_gp", MODEL_SKYLAKE, 0x03A, 0x1, MSR_GP_FAULT},
    {"platform_id_is_read_only", MODEL_SKYLAKE, 0x017, 0, MSR_GP_FAULT},
    {"platform_info_is_read_only", MODEL_SKYLAKE, 0x0CE, 0, MSR_GP_FAULT},
    /* PMU-SYS-07b */
    {"efer_is_written_back", MODEL_SKYLAKE, 0xC0000080, 0, MSR_OK},
    {"efer_bit_1_is_gp", MODEL_SKYLAKE, 0xC0000080, 0x2, MSR_GP_FAULT},
    {"efer_bit_12_svme_is_gp_on_intel", MODEL_SKYLAKE, 0xC0000080, 0x1000,
        MSR_GP_FAULT},
    {"efer_bit_12_svme_is_not_modelled_on_amd", MODEL_ZEN2, 0xC0000080, 0x1000,
        MSR_NOT_MODELLED},
    {"efer_bit_11_nxe_is_not_modelled", MODEL_SKYLAKE, 0xC0000080, 0x800,
        MSR_NOT_MODELLED},
    {"misc_enable_bit_22_limit_is_not_modelled", MODEL_SKYLAKE, 0x1A0, 0x410889,
        MSR_NOT_MODELLED},
    {"misc_enable_bit_23_xtpr_is_not_modelled", MODEL_SKYLAKE, 0x1A0, 0x810889,
        MSR_NOT_MODELLED},
    {"misc_enable_bit_24_is_gp", MODEL_SKYLAKE, 0x1A0, 0x1010889, MSR_GP_FAULT},
};

static void write_row(void **state)
{
    const struct write_row *row = *state;
    struct single_cpu one;
    uint64_t before;

    single_cpu_init_model(&one, &pmu_models[row->model]);
    before = single_cpu_peek(&one, row->address);
    assert_int_equal(msr_write(one.cpu, row->address, row->value), row->want);
    assert_int_equal(single_cpu_peek(&one, row->address), before);
    single_cpu_release(&one);
}

/* PMU-SYS-01b, PMU-SYS-02a, PMU-SYS-02b: 1000 cycles of work, 500 halted, at
 * two ticks of the TSC in three cycles. */
static void clocks_go_by_their_rates(void **state)
{
    struct pmu_model model = pmu_models[MODEL_SKYLAKE];
    struct single_cpu one;
    struct segment halted;

    (void)state;
    model.tsc = (struct rate){.p = 2, .q = 3};
    single_cpu_init_model(&one, &model);
    single_cpu_run(&one, RING_KERNEL, 1000, 1, 1);
    segment_init(&halted, &model, cpu_unhalted(one.cpu), 500, RING_KERNEL);
    halted.halted = true;
    cpu_run_segment(one.cpu, &halted);
    assert_int_equal(single_cpu_peek(&one, 0x010), 1000);
    assert_int_equal(system_tsc(one.cpu), 1000);
    assert_int_equal(single_cpu_peek(&one, 0x0E7), 666);
    assert_int_equal(single_cpu_peek(&one, 0x0E8), 1000);
    single_cpu_release(&one);
}

/* A write costs 100 cycles before it takes effect. */
static void clocks_go_on_from_what_is_written(void **state)
{
    static const uint32_t clocks[] = {0x010, 0x0E7, 0x0E8};
    struct single_cpu one;

    (void)state;
    single_cpu_init_model(&one, &pmu_models[MODEL_SKYLAKE]);
    for (size_t i = 0; i < 3; i++) {
        single_cpu_write(&one, clocks[i], UINT64_MAX - 9);
        assert_int_equal(single_cpu_peek(&one, clocks[i]), UINT64_MAX - 9);
        single_cpu_run(&one, RING_KERNEL, 1000, 1, 1);
        assert_int_equal(single_cpu_peek(&one, clocks[i]), 990);
    }
    assert_int_equal(one.cpu->time, 3300);
    single_cpu_release(&one);
}

/* PMU-SYS-05b */
static void cpuid_shows_the_microcode_revision(void **state)
{
    struct single_cpu one;
    uint32_t out[4];

    (void)state;
    single_cpu_init_model(&one, &pmu_models[MODEL_SKYLAKE]);
    single_cpu_write(&one, 0x08B, 0);
    assert_int_equal(single_cpu_peek(&one, 0x08B), 0);
    cpuid_read(one.cpu, 0x0, out);
    assert_int_equal(single_cpu_peek(&one, 0x08B), 0);
    cpuid_read(one.cpu, 0x1, out);
    assert_int_equal(single_cpu_peek(&one, 0x08B), 0x000000F000000000);
    single_cpu_release(&one);
}

/* PMU-SYS-05c */
static void amd_s_patch_level_stays(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init_model(&one, &pmu_models[MODEL_ZEN4]);
    single_cpu_write(&one, 0x08B, 0);
    assert_int_equal(single_cpu_peek(&one, 0x08B), 0x0A601203);
    single_cpu_release(&one);
}

/* PMU-SYS-07a, PMU-SYS-03a */
static void every_processor_has_its_own(void **state)
{
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_SKYLAKE]};
    struct machine machine;
    uint64_t value = 0;

    (void)state;
    assert_true(machine_reserve(&machine));
    machine_reset(&machine, &config);
    machine_set_efer(&machine, 0xD01);
    for (uint32_t i = 0; i < 2; i++) {
        struct cpu *cpu = machine_cpu(&machine, i);

        assert_int_equal(msr_peek(cpu, 0xC0000080, &value), MSR_OK);
        assert_int_equal(value, 0xD01);
        assert_int_equal(msr_write(cpu, 0xC0000080, 0xD01), MSR_OK);
    }
    assert_int_equal(msr_peek(machine_cpu(&machine, 1), 0x01B, &value), MSR_OK);
    assert_int_equal(value, 0xFEE00C00);
    assert_int_equal(msr_write(machine_cpu(&machine, 1), 0x010, 7), MSR_OK);
    assert_int_equal(msr_peek(machine_cpu(&machine, 0), 0x010, &value), MSR_OK);
    assert_int_equal(value, machine_cpu(&machine, 0)->time);
    machine_release(&machine);
}

TEST_FILE(test_system_registers)
{
    TEST_ADD_ROWS(list, reset_row, reset_rows);
    TEST_ADD_ROWS(list, write_row, write_rows);
    test_add(list, "clocks_go_by_their_rates", clocks_go_by_their_rates, NULL);
    test_add(list, "clocks_go_on_from_what_is_written",
        clocks_go_on_from_what_is_written, NULL);
    test_add(list, "cpuid_shows_the_microcode_revision",
        cpuid_shows_the_microcode_revision, NULL);
    test_add(list, "amd_s_patch_level_stays", amd_s_patch_level_stays, NULL);
    test_add(
        list, "every_processor_has_its_own", every_processor_has_its_own, NULL);
}
