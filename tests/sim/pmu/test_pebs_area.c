/* test_pebs_area.c - the registers of PEBS, the DS area word by word, and what
 * happens where it is no memory. */
#include "tests/sim/pmu/buffered_cpu.h"

/* PMU-MSR-11a, PMU-MSR-11b, PMU-MSR-12, PMU-MSR-15j, PMU-MSR-05e, PMU-GP-05a,
 * PMU-GP-05b, PMU-GP-05c; a refused write leaves the register 0. */
static struct write_row {
    const char *name;
    enum model model;
    uint32_t address;
    uint64_t value;
    enum msr_result want;
} write_rows[] = {
    {"pebs_enable_takes_general_counters", MODEL_SKYLAKE, 0x3F1, 0xF, MSR_OK},
    {"pebs_enable_does_not_take_the_fifth_of_four", MODEL_SKYLAKE, 0x3F1, 0x11,
        MSR_GP_FAULT},
    {"pebs_enable_takes_no_fixed_counter_below_the_baseline", MODEL_SKYLAKE,
        0x3F1, 0x100000000, MSR_GP_FAULT},
    {"pebs_enable_takes_every_counter_with_the_baseline", MODEL_ICE_LAKE, 0x3F1,
        0xF000000FF, MSR_OK},
    {"pebs_enable_does_not_take_the_ninth_of_eight", MODEL_ICE_LAKE, 0x3F1,
        0x100, MSR_GP_FAULT},
    {"pebs_enable_does_not_take_the_fifth_fixed_of_four", MODEL_ICE_LAKE, 0x3F1,
        0x1000000000, MSR_GP_FAULT},
    {"pebs_enable_bit_63_is_gp", MODEL_ICE_LAKE, 0x3F1, 0x8000000000000000,
        MSR_GP_FAULT},
    {"pebs_data_cfg_takes_groups_and_a_number", MODEL_ICE_LAKE, 0x3F2,
        0xFF00000F, MSR_OK},
    {"pebs_data_cfg_bit_4_is_gp", MODEL_ICE_LAKE, 0x3F2, 0x10, MSR_GP_FAULT},
    {"pebs_data_cfg_bit_23_is_gp", MODEL_ICE_LAKE, 0x3F2, 0x800000,
        MSR_GP_FAULT},
    {"pebs_data_cfg_bit_32_is_gp", MODEL_ICE_LAKE, 0x3F2, 0x100000000,
        MSR_GP_FAULT},
    {"ds_area_takes_a_low_address", MODEL_NEHALEM, 0x600, 0x7FFFFFFFFFFF,
        MSR_OK},
    {"ds_area_takes_a_high_address", MODEL_NEHALEM, 0x600, 0xFFFF800000000000,
        MSR_OK},
    {"ds_area_does_not_take_the_first_that_is_not_canonical", MODEL_NEHALEM,
        0x600, 0x800000000000, MSR_GP_FAULT},
    {"ds_area_does_not_take_the_last_that_is_not_canonical", MODEL_NEHALEM,
        0x600, 0xFFFF7FFFFFFFFFFF, MSR_GP_FAULT},
    {"select_takes_bit_34_with_adaptive_records", MODEL_ICE_LAKE, 0x186,
        0x4004100C0, MSR_OK},
    {"select_does_not_take_bit_34_below_them", MODEL_SKYLAKE, 0x186,
        0x4004100C0, MSR_GP_FAULT},
    {"fixed_ctrl_takes_bits_32_to_44_with_adaptive_records", MODEL_ICE_LAKE,
        0x38D, 0x111100002222, MSR_OK},
    {"fixed_ctrl_does_not_take_bit_32_below_them", MODEL_SKYLAKE, 0x38D,
        0x100000002, MSR_GP_FAULT},
};

static void write_row(void **state)
{
    const struct write_row *row = *state;
    struct single_cpu one;

    single_cpu_init_model(&one, &pmu_models[row->model]);
    assert_int_equal(msr_write(one.cpu, row->address, row->value), row->want);
    assert_int_equal(single_cpu_peek(&one, row->address),
        row->want == MSR_OK ? row->value : 0);
    single_cpu_release(&one);
}

/* Registers that the model does not have. PMU-MSR-11a, PMU-MSR-11b, PMU-MSR-12
 */
static struct missing_row {
    const char *name;
    enum model model;
    uint32_t address;
} missing_rows[] = {
    {"pebs_enable_needs_pebs", MODEL_INTEL_V5, 0x3F1},
    {"pebs_data_cfg_needs_pebs", MODEL_INTEL_V5, 0x3F2},
    {"pebs_data_cfg_needs_the_baseline", MODEL_SKYLAKE, 0x3F2},
    {"ds_area_needs_pebs", MODEL_INTEL_V5, 0x600},
    {"ds_area_is_intel_s", MODEL_ZEN4, 0x600},
};

static void missing_row(void **state)
{
    const struct missing_row *row = *state;
    struct single_cpu one;
    uint64_t value;

    single_cpu_init_model(&one, &pmu_models[row->model]);
    assert_int_equal(msr_write(one.cpu, row->address, 0), MSR_GP_FAULT);
    assert_int_equal(msr_read(one.cpu, row->address, &value), MSR_GP_FAULT);
    single_cpu_release(&one);
}

/* PMU-MSR-10d */
static void pebs_enable_is_a_use_of_the_pmi(void **state)
{
    struct single_cpu one;

    (void)state;
    single_cpu_init_model(&one, &pmu_models[MODEL_SKYLAKE]);
    assert_int_equal(single_cpu_peek(&one, 0x392), 0x0);
    single_cpu_write(&one, IA32_PEBS_ENABLE, 0x2);
    assert_int_equal(single_cpu_peek(&one, 0x392), 0x8000000000000000);
    single_cpu_release(&one);
}

/* Of one counter, which overflows after 100 instructions or cycles, in its own
 * word of the area, behind a BTS part that is left alone.
 * PMU-PEBS-01a, PMU-PEBS-01b, PMU-PEBS-01c */
static struct reset_row {
    const char *name;
    enum model model;
    unsigned slot;
    size_t offset;
    uint64_t value, want;
} reset_rows[] = {
    {"general_counter_0_has_the_word_at_40h", MODEL_NEHALEM, 0, 0x40, AFTER_99,
        AFTER_99},
    {"general_counter_3_has_the_word_at_58h", MODEL_NEHALEM, 3, 0x58, AFTER_99,
        AFTER_99},
    {"general_counter_7_has_the_word_at_78h", MODEL_ICE_LAKE, 7, 0x78, AFTER_99,
        AFTER_99},
    {"fixed_counter_0_has_the_word_at_80h", MODEL_ICE_LAKE, 8, 0x80, AFTER_99,
        AFTER_99},
    {"fixed_counter_1_has_the_word_at_88h", MODEL_ICE_LAKE, 9, 0x88, AFTER_99,
        AFTER_99},
    {"bits_above_the_width_are_lost", MODEL_SKYLAKE, 2, 0x50,
        0xFFFFFFFFFFFFFF9D, AFTER_99},
    {"reset_value_of_zero_is_loaded_too", MODEL_SKYLAKE, 0, 0x40, 0, 0},
};

static void reset_row(void **state)
{
    const struct reset_row *row = *state;
    struct buffered_cpu cpu;
    struct pmu *pmu;
    uint8_t bts[DS_BASE], want_bts[DS_BASE];

    buffered_cpu_init(&cpu, &pmu_models[row->model]);
    pmu = &cpu.one.cpu->pmu;
    area_store(&cpu, row->offset, row->value);
    pmu_set_pebs_enable(pmu, UINT64_C(1) << pmu_bit(row->slot));
    pmu_set_global_ctrl(pmu, UINT64_C(1) << pmu_bit(row->slot));
    if (row->slot < 8) {
        pmu_set_select(pmu, row->slot, 0x4100C0);
    } else {
        pmu_set_fixed_ctrl(pmu, 0x22);
    }
    pmu_set_value(pmu, row->slot, AFTER_100);
    buffered_cpu_run(&cpu, 101, 1, 1);
    memcpy(bts, cpu.area, sizeof(bts));
    memset(want_bts, 0xA5, sizeof(want_bts));

    assert_int_equal(traced(&cpu, SIM_EVENT_PEBS_RECORD), 1);
    assert_int_equal(pmu_value(pmu, row->slot), row->want);
    assert_memory_equal(bts, want_bts, sizeof(bts));
    buffered_cpu_release(&cpu);
}

/* On Ice Lake, with or without the adaptive bit of the counter.
 * PMU-PEBS-05f, PMU-MSR-05e, PMU-MSR-15j */
static struct adaptive_row {
    const char *name;
    unsigned slot;
    uint64_t control, data_cfg;
    uint64_t want_size, want_format, want_counters;
} adaptive_rows[] = {
    {"general_counter_with_its_bit_has_groups", 0, 0x4004100C0, 0x3, 208,
        0x00D0000000000003, 0x1},
    {"general_counter_without_it_has_the_basic_one", 0, 0x4100C0, 0x3, 32,
        0x0020000000000000, 0x1},
    {"fixed_counter_with_its_bit_has_groups", 8, 0x100000002, 0x2, 176,
        0x00B0000000000002, 0x100000000},
    {"fixed_counter_with_another_s_bit_has_the_basic_one", 8, 0x1000000002, 0x2,
        32, 0x0020000000000000, 0x100000000},
    {"second_fixed_counter_has_bit_36", 9, 0x1000000020, 0x2, 176,
        0x00B0000000000002, 0x200000000},
};

static void adaptive_row(void **state)
{
    const struct adaptive_row *row = *state;
    struct buffered_cpu cpu;
    struct pmu *pmu;

    buffered_cpu_init(&cpu, &pmu_models[MODEL_ICE_LAKE]);
    pmu = &cpu.one.cpu->pmu;
    pmu->pebs.data_cfg = row->data_cfg;
    pmu_set_pebs_enable(pmu, 0xF000000FF);
    pmu_set_global_ctrl(pmu, 0xF000000FF);
    if (row->slot < 8) {
        pmu_set_select(pmu, row->slot, row->control);
    } else {
        pmu_set_fixed_ctrl(pmu, row->control);
    }
    pmu_set_value(pmu, row->slot, AFTER_100);
    buffered_cpu_run(&cpu, 101, 1, 1);

    assert_int_equal(area_index(&cpu), row->want_size);
    assert_int_equal(buffer_word(&cpu, 0x00), row->want_format);
    assert_int_equal(buffer_word(&cpu, 0x08), 0x1111);
    assert_int_equal(buffer_word(&cpu, 0x10), row->want_counters);
    assert_int_equal(buffer_word(&cpu, 0x18), 101);
    buffered_cpu_release(&cpu);
}

/* The ways in which memory is missing; each gives the address that is. */
static uint64_t no_area(struct buffered_cpu *cpu)
{
    cpu->one.cpu->pmu.pebs.ds_area = 0;
    return 0x20;
}

static uint64_t area_at_the_guard(struct buffered_cpu *cpu)
{
    uint64_t end = (uint64_t)(uintptr_t)(cpu->area + DS_BYTES);

    cpu->one.cpu->pmu.pebs.ds_area = end - 0x38;
    return end - 0x18;
}

/* Enough for the words but not for the reset values. */
static uint64_t area_without_resets(struct buffered_cpu *cpu)
{
    uint8_t *area = memory_alloc(&cpu->one.machine.memory, DS_RESET, 0);

    memcpy(area, cpu->area, DS_RESET);
    cpu->one.cpu->pmu.pebs.ds_area = (uint64_t)(uintptr_t)area;
    return (uint64_t)(uintptr_t)(area + DS_RESET);
}

static uint64_t no_buffer(struct buffered_cpu *cpu)
{
    area_store(cpu, DS_INDEX, 0x1000);
    return 0x1000;
}

static uint64_t buffer_ends_too_early(struct buffered_cpu *cpu)
{
    uint64_t index = (uint64_t)(uintptr_t)(cpu->buffer + BUFFER_BYTES) - 199;

    area_store(cpu, DS_INDEX, index);
    area_store(cpu, DS_MAXIMUM, index + 1000);
    return index;
}

static uint64_t buffer_in_page(
    struct buffered_cpu *cpu, unsigned access, bool pageable)
{
    struct memory *memory = &cpu->one.machine.memory;
    uint8_t *page = memory_alloc(memory, MEMORY_PAGE_BYTES, 0);
    uint64_t start = (uint64_t)(uintptr_t)page;

    assert_true(memory_set(memory, page, 1, access, pageable));
    area_store(cpu, DS_INDEX, start);
    area_store(cpu, DS_MAXIMUM, start + MEMORY_PAGE_BYTES);
    return start;
}

static uint64_t read_only_buffer(struct buffered_cpu *cpu)
{
    return buffer_in_page(cpu, MEMORY_READ, false);
}

static uint64_t pageable_buffer(struct buffered_cpu *cpu)
{
    return buffer_in_page(cpu, MEMORY_READ | MEMORY_WRITE, true);
}

/* No record is written, nothing else happens [C]. */
static struct lost_row {
    const char *name;
    uint64_t (*spoil)(struct buffered_cpu *cpu);
} lost_rows[] = {
    {"ds_area_of_zero_loses_records", no_area},
    {"ds_area_that_ends_too_early_loses_records", area_at_the_guard},
    {"reset_value_that_is_not_there_loses_records", area_without_resets},
    {"buffer_that_is_not_there_loses_records", no_buffer},
    {"buffer_that_ends_too_early_loses_records", buffer_ends_too_early},
    {"read_only_buffer_loses_records", read_only_buffer},
    {"buffer_that_is_paged_out_loses_records", pageable_buffer},
};

static void lost_row(void **state)
{
    const struct lost_row *row = *state;
    struct buffered_cpu cpu;
    struct pmu *pmu;
    uint64_t want, index;

    buffered_cpu_init(&cpu, &pmu_models[MODEL_SKYLAKE]);
    pmu = &cpu.one.cpu->pmu;
    want = row->spoil(&cpu);
    index = area_index(&cpu);
    pmu_set_pebs_enable(pmu, 0x1);
    pmu_set_select(pmu, 0, 0x4100C0);
    pmu_set_value(pmu, 0, AFTER_100);
    buffered_cpu_run(&cpu, 1000, 1, 1);

    assert_int_equal(traced(&cpu, SIM_EVENT_PEBS_RECORD), 0);
    assert_int_equal(traced(&cpu, SIM_EVENT_PEBS_LOST), 1);
    assert_int_equal(last_traced(&cpu, SIM_EVENT_PEBS_LOST)->time, 101);
    assert_int_equal(last_traced(&cpu, SIM_EVENT_PEBS_LOST)->value[0], 0x1);
    assert_int_equal(last_traced(&cpu, SIM_EVENT_PEBS_LOST)->value[1], want);
    assert_int_equal(area_index(&cpu), index);
    assert_int_equal(pmu->global_status, 0x1);
    assert_int_equal(pmu_value(pmu, 0), 900);
    buffered_cpu_release(&cpu);
}

/* The first record would reload both. */
static void reset_value_of_another_counter_has_to_be_there_as_well(void **state)
{
    struct buffered_cpu cpu;
    struct pmu *pmu;
    uint8_t *area;

    (void)state;
    buffered_cpu_init(&cpu, &pmu_models[MODEL_SKYLAKE]);
    area = memory_alloc(&cpu.one.machine.memory, DS_RESET + 8, 0);
    memcpy(area, cpu.area, DS_RESET + 8);
    pmu = &cpu.one.cpu->pmu;
    pmu->pebs.ds_area = (uint64_t)(uintptr_t)area;
    pmu_set_pebs_enable(pmu, 0x3);
    for (unsigned n = 0; n < 2; n++) {
        pmu_set_select(pmu, n, 0x4100C0);
        pmu_set_value(pmu, n, AFTER_100);
    }
    buffered_cpu_run(&cpu, 1000, 1, 1);

    assert_int_equal(traced(&cpu, SIM_EVENT_PEBS_LOST), 2);
    assert_int_equal(last_traced(&cpu, SIM_EVENT_PEBS_LOST)->value[0], 0x2);
    assert_int_equal(last_traced(&cpu, SIM_EVENT_PEBS_LOST)->value[1],
        (uint64_t)(uintptr_t)(area + DS_RESET + 8));
    assert_int_equal(pmu->global_status, 0x3);
    buffered_cpu_release(&cpu);
}

TEST_FILE(test_pebs_area)
{
    TEST_ADD_ROWS(list, write_row, write_rows);
    TEST_ADD_ROWS(list, missing_row, missing_rows);
    TEST_ADD_ROWS(list, reset_row, reset_rows);
    TEST_ADD_ROWS(list, adaptive_row, adaptive_rows);
    TEST_ADD_ROWS(list, lost_row, lost_rows);
    test_add(list, "pebs_enable_is_a_use_of_the_pmi",
        pebs_enable_is_a_use_of_the_pmi, NULL);
    test_add(list, "reset_value_of_another_counter_has_to_be_there_as_well",
        reset_value_of_another_counter_has_to_be_there_as_well, NULL);
}
