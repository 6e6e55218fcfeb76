/* test_pmu_armv8.c - what the HAL knows of PMUv3: which counters there are,
 * which overflowed, which run, and what a write programs. */
#include "api/hal/pmu.h"
#include "sim/machine/sysreg.h"
#include "tests/api/booted_kernel.h"

static void init(struct booted_kernel *booted, const struct pmu_model *model)
{
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = *model};

    booted_init_config(booted, &config, OS_WIN11, ARCH_ARM64);
}

static uint32_t find(const char *name)
{
    uint32_t reg = 0;

    assert_true(armv8_register_find(name, &reg));
    return reg;
}

static void put(struct cpu *cpu, const char *name, uint64_t value)
{
    assert_int_equal(sysreg_write(cpu, find(name), 1, value), ARMV8_OK);
}

static uint64_t get(const struct cpu *cpu, const char *name)
{
    uint64_t value = 0;

    assert_int_equal(sysreg_peek(cpu, find(name), 1, &value), ARMV8_OK);
    return value;
}

/* facts.md A27, PMU-ARM-01b, PMU-ARM-02 */
static struct map_row {
    const char *name;
    enum model model;
    uint32_t version, general;
    uint64_t want;
    unsigned want_width;
} map_rows[] = {
    {"neoverse_n1_has_six_counters_and_that_of_cycles", MODEL_NEOVERSE_N1, 4, 6,
        0x8000003F, 32},
    {"pmuv3p5_has_counters_of_64_bits", MODEL_ARMV8_LONG, 6, 6, 0x8000003F, 64},
    {"one_event_counter", MODEL_NEOVERSE_N1, 1, 1, 0x80000001, 32},
    {"all_event_counters", MODEL_NEOVERSE_N1, 1, 31, 0xFFFFFFFF, 32},
    {"no_pmu", MODEL_NEOVERSE_N1, 0, 0, 0, 0},
};

static void map_row(void **state)
{
    const struct map_row *row = *state;
    struct pmu_model model = pmu_models[row->model];
    struct booted_kernel booted;

    model.version = row->version;
    model.general = row->general;
    init(&booted, &model);
    assert_int_equal(booted.kernel.pmu->counters, row->want);
    assert_int_equal(booted.kernel.pmu->width, row->want_width);
    assert_int_equal(booted.kernel.pmu->latches, row->want != 0);
    assert_int_equal(
        booted_cpu(&booted, 1)->lapic.lvtpc, row->want == 0 ? 0x10000 : 0xFE);
    booted_release(&booted);
}

/* HAL-OVF-10 [C] */
static struct overflowed_row {
    const char *name;
    uint64_t overflowed, enabled, interrupts, want;
} overflowed_rows[] = {
    {"nothing", 0, 0x8000003F, 0x8000003F, 0},
    {"event_counter_and_cycle_counter", 0x80000002, 0x8000003F, 0x8000003F,
        0x80000002},
    {"counter_that_does_not_interrupt_is_polled", 0x3, 0x3, 0x1, 0x1},
    {"one_that_was_switched_off_is_not", 0x3, 0x1, 0x1, 0x3},
    {"cycle_counter_that_is_polled", 0x80000001, 0x80000001, 0x1, 0x1},
};

static void overflowed_row(void **state)
{
    const struct overflowed_row *row = *state;
    struct booted_kernel booted;
    struct cpu *cpu;

    init(&booted, &pmu_models[MODEL_NEOVERSE_N1]);
    cpu = booted_cpu(&booted, 1);
    put(cpu, "PMCNTENSET_EL0", row->enabled);
    put(cpu, "PMINTENSET_EL1", row->interrupts);
    put(cpu, "PMOVSSET_EL0", row->overflowed);
    assert_int_equal(pmu_armv8.overflowed(booted.kernel.pmu, cpu), row->want);
    booted_release(&booted);
}

static void clear_clears_exactly_these_bits(void **state)
{
    struct booted_kernel booted;
    struct cpu *cpu;

    (void)state;
    init(&booted, &pmu_models[MODEL_NEOVERSE_N1]);
    cpu = booted_cpu(&booted, 1);
    put(cpu, "PMOVSSET_EL0", 0x80000007);
    pmu_armv8.clear(booted.kernel.pmu, cpu, 0x80000005);
    assert_int_equal(get(cpu, "PMOVSSET_EL0"), 0x2);
    booted_release(&booted);
}

static void disable_disables_exactly_these_counters(void **state)
{
    struct booted_kernel booted;
    struct cpu *cpu;

    (void)state;
    init(&booted, &pmu_models[MODEL_NEOVERSE_N1]);
    cpu = booted_cpu(&booted, 1);
    put(cpu, "PMCNTENSET_EL0", 0x8000003F);
    pmu_armv8.disable(booted.kernel.pmu, cpu, 0x80000011);
    assert_int_equal(get(cpu, "PMCNTENSET_EL0"), 0x2E);
    booted_release(&booted);
}

static struct running_row {
    const char *name;
    uint64_t pmcr, enabled, type0, want;
} running_rows[] = {
    {"nothing_without_pmcr_e", 0, 0x80000003, 0x11, 0},
    {"enabled_counters", 1, 0x80000003, 0x11, 0x80000003},
    {"counter_of_el0_alone", 1, 0x1, 0x80000011, 0x1},
    {"counter_that_its_filter_stops_everywhere", 1, 0x1, 0xC0000011, 0},
    {"counter_of_an_event_that_the_part_lacks", 1, 0x1, 0x2A, 0x1},
};

static void running_row(void **state)
{
    const struct running_row *row = *state;
    struct booted_kernel booted;
    struct cpu *cpu;

    init(&booted, &pmu_models[MODEL_NEOVERSE_N1]);
    cpu = booted_cpu(&booted, 1);
    put(cpu, "PMEVTYPER0_EL0", row->type0);
    put(cpu, "PMCNTENSET_EL0", row->enabled);
    put(cpu, "PMCR_EL0", row->pmcr);
    assert_int_equal(hal_pmu_running(booted.kernel.pmu, cpu), row->want);
    booted_release(&booted);
}

/* Counters 0 and 31 are enabled and interrupt, counter 5 is selected.
 * HAL-ALLOC-59 */
static struct programs_row {
    const char *name, *reg;
    uint64_t value, want;
} programs_rows[] = {
    {"value_of_the_first_counter", "PMEVCNTR0_EL0", 0, 0x1},
    {"value_of_the_last_counter", "PMEVCNTR5_EL0", 0, 0x20},
    {"value_of_a_counter_that_is_not_there", "PMEVCNTR6_EL0", 0, 0},
    {"type_of_the_first_counter", "PMEVTYPER0_EL0", 0, 0x1},
    {"type_of_the_last_counter", "PMEVTYPER5_EL0", 0, 0x20},
    {"type_of_a_counter_that_is_not_there", "PMEVTYPER30_EL0", 0, 0},
    {"cycle_counter", "PMCCNTR_EL0", 0, 0x80000000},
    {"filter_of_the_cycle_counter", "PMCCFILTR_EL0", 0, 0x80000000},
    {"selected_value", "PMXEVCNTR_EL0", 0, 0x20},
    {"selected_type", "PMXEVTYPER_EL0", 0, 0x20},
    {"enable_of_others", "PMCNTENSET_EL0", 0x80000007, 0x6},
    {"enable_of_a_counter_that_is_not_there", "PMCNTENSET_EL0", 0x40, 0},
    {"disable", "PMCNTENCLR_EL0", 0x80000006, 0x80000000},
    {"interrupt_of_others", "PMINTENSET_EL1", 0x80000007, 0x6},
    {"interrupt_switched_off", "PMINTENCLR_EL1", 0x7, 0x1},
    {"software_increment", "PMSWINC_EL0", 0x3, 0x3},
    {"reset_of_the_event_counters", "PMCR_EL0", 0x2, 0x3F},
    {"reset_of_the_cycle_counter", "PMCR_EL0", 0x4, 0x80000000},
    {"enable_of_all_is_nobody_s", "PMCR_EL0", 0x1, 0},
    {"overflow_bits_are_nobody_s", "PMOVSCLR_EL0", 0xFFFFFFFF, 0},
    {"selection_is_nobody_s", "PMSELR_EL0", 0x3, 0},
    {"user_enable_is_nobody_s", "PMUSERENR_EL0", 0xF, 0},
};

static void programs_row(void **state)
{
    const struct programs_row *row = *state;
    struct booted_kernel booted;
    struct cpu *cpu;

    init(&booted, &pmu_models[MODEL_NEOVERSE_N1]);
    cpu = booted_cpu(&booted, 1);
    put(cpu, "PMCNTENSET_EL0", 0x80000001);
    put(cpu, "PMINTENSET_EL1", 0x80000001);
    put(cpu, "PMSELR_EL0", 5);
    assert_int_equal(
        hal_pmu_programs(booted.kernel.pmu, cpu, find(row->reg), row->value),
        row->want);
    booted_release(&booted);
}

TEST_FILE(test_pmu_armv8)
{
    TEST_ADD_ROWS(list, map_row, map_rows);
    TEST_ADD_ROWS(list, overflowed_row, overflowed_rows);
    TEST_ADD_ROWS(list, running_row, running_rows);
    TEST_ADD_ROWS(list, programs_row, programs_rows);
    test_add(list, "clear_clears_exactly_these_bits",
        clear_clears_exactly_these_bits, NULL);
    test_add(list, "disable_disables_exactly_these_counters",
        disable_disables_exactly_these_counters, NULL);
}
