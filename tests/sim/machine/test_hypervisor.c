/* test_hypervisor.c - the guest of a hypervisor: what CPUID says, which
 * registers are left, and counters that stand still. */
#include "sim/machine/hypervisor.h"

#include "sim/machine/cpuid.h"
#include "sim/machine/machine.h"
#include "sim/machine/msr.h"
#include "sim/machine/sysreg.h"
#include "tests/rows.h"

struct guest {
    struct machine machine;
    struct cpu *cpu;
};

static void guest_init(
    struct guest *guest, enum model model, enum virtualized virtualized)
{
    const struct machine_config config = {.processors = 1,
        .groups = 1,
        .pmu = pmu_models[model],
        .virtualized = virtualized};

    assert_true(machine_reserve(&guest->machine));
    machine_reset(&guest->machine, &config);
    guest->cpu = machine_cpu(&guest->machine, 0);
}

static void guest_release(struct guest *guest)
{
    machine_release(&guest->machine);
}

/* PMU-ENUM-14a, PMU-ENUM-14b, PMU-ENUM-14c */
static struct leaf_row {
    const char *name;
    enum model model;
    enum virtualized virtualized;
    uint32_t leaf;
    uint32_t want[4]; /* EAX, EBX, ECX, EDX */
} leaf_rows[] = {
    {"absent_on_skylake_keeps_all_but_the_pmu", MODEL_SKYLAKE,
        VIRTUALIZED_ABSENT, 0x1, {0x000506E3, 0x800, 0x83FA6B83, 0xAFCBFBFF}},
    {"inert_on_skylake_keeps_all", MODEL_SKYLAKE, VIRTUALIZED_INERT, 0x1,
        {0x000506E3, 0x800, 0x83FAEB87, 0xAFEBFBFF}},
    {"no_hypervisor_has_the_bit_clear", MODEL_SKYLAKE, VIRTUALIZED_NOT, 0x1,
        {0x000506E3, 0x800, 0x03FAEB87, 0xAFEBFBFF}},
    {"absent_has_nothing_in_leaf_ah", MODEL_ICE_LAKE, VIRTUALIZED_ABSENT, 0xA,
        {0, 0, 0, 0}},
    {"inert_has_all_in_leaf_ah", MODEL_ICE_LAKE, VIRTUALIZED_INERT, 0xA,
        {0x08300805, 0, 0xF, 0x8604}},
    {"absent_on_zen4_has_no_leaf_of_perfmon_v2", MODEL_ZEN4, VIRTUALIZED_ABSENT,
        0x80000000, {0x80000001, 0, 0, 0}},
    {"absent_on_zen4_has_no_core_extension", MODEL_ZEN4, VIRTUALIZED_ABSENT,
        0x80000001, {0x00A60F12, 0, 0x00000121, 0x2FD3FBFF}},
    {"vendor", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x40000000,
        {0x40000005, 0x7263694D, 0x666F736F, 0x76482074}},
    {"interface", MODEL_ZEN4, VIRTUALIZED_INERT, 0x40000001,
        {0x31237648, 0, 0, 0}},
    {"version_is_not_told", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x40000002,
        {0, 0, 0, 0}},
    {"no_privileges", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x40000003,
        {0, 0, 0, 0}},
    {"never_told_of_spinning", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x40000004,
        {0, 0xFFFFFFFF, 0, 0}},
    {"no_limits", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x40000005, {0, 0, 0, 0}},
    {"last_leaf", MODEL_SKYLAKE, VIRTUALIZED_INERT, 0x400000FF, {0, 0, 0, 0}},
    {"past_the_last_leaf", MODEL_SKYLAKE, VIRTUALIZED_INERT, 0x40000100,
        {0x07300404, 0, 0, 0x603}},
    {"before_the_first_leaf", MODEL_SKYLAKE, VIRTUALIZED_INERT, 0x3FFFFFFF,
        {0x07300404, 0, 0, 0x603}},
};

static void leaf_row(void **state)
{
    const struct leaf_row *row = *state;
    struct guest guest;
    uint32_t out[4] = {1, 2, 3, 4};

    guest_init(&guest, row->model, row->virtualized);
    cpuid_read(guest.cpu, row->leaf, out);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(out[i], row->want[i]);
    }
    guest_release(&guest);
}

static struct register_row {
    const char *name;
    enum model model;
    enum virtualized virtualized;
    uint32_t address;
    enum msr_result want;
    uint64_t value; /* MSR_OK: what it reads */
} register_rows[] = {
    {"absent_select", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x186, MSR_GP_FAULT,
        0},
    {"absent_counter", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0xC1, MSR_GP_FAULT,
        0},
    {"absent_fixed_counter", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x309,
        MSR_GP_FAULT, 0},
    {"absent_full_width", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x4C1,
        MSR_GP_FAULT, 0},
    {"absent_global_control", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x38F,
        MSR_GP_FAULT, 0},
    {"absent_capabilities", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x345,
        MSR_GP_FAULT, 0},
    {"absent_pebs", MODEL_ICE_LAKE, VIRTUALIZED_ABSENT, 0x3F1, MSR_GP_FAULT, 0},
    {"absent_pebs_data", MODEL_ICE_LAKE, VIRTUALIZED_ABSENT, 0x3F2,
        MSR_GP_FAULT, 0},
    {"absent_ds_area", MODEL_ICE_LAKE, VIRTUALIZED_ABSENT, 0x600, MSR_GP_FAULT,
        0},
    {"absent_misc_enable_says_so", MODEL_SKYLAKE, VIRTUALIZED_ABSENT, 0x1A0,
        MSR_OK, 0x11809},
    {"absent_k7_select", MODEL_K8, VIRTUALIZED_ABSENT, 0xC0010000, MSR_GP_FAULT,
        0},
    {"absent_core_counter", MODEL_ZEN2, VIRTUALIZED_ABSENT, 0xC0010201,
        MSR_GP_FAULT, 0},
    {"absent_global_status", MODEL_ZEN4, VIRTUALIZED_ABSENT, 0xC0000300,
        MSR_GP_FAULT, 0},
    {"absent_lvtpc_is_the_apic_s", MODEL_ZEN4, VIRTUALIZED_ABSENT, 0x834,
        MSR_OK, 0x10000},
    {"inert_select", MODEL_SKYLAKE, VIRTUALIZED_INERT, 0x186, MSR_OK, 0},
    {"inert_misc_enable", MODEL_SKYLAKE, VIRTUALIZED_INERT, 0x1A0, MSR_OK,
        0x10889},
    {"hypercalls_are_not_granted", MODEL_SKYLAKE, VIRTUALIZED_INERT, 0x40000001,
        MSR_GP_FAULT, 0},
};

static void register_row(void **state)
{
    const struct register_row *row = *state;
    struct guest guest;
    uint64_t value = 0;

    guest_init(&guest, row->model, row->virtualized);
    assert_int_equal(msr_peek(guest.cpu, row->address, &value), row->want);
    assert_int_equal(value, row->value);
    guest_release(&guest);
}

static void run_kernel(struct cpu *cpu, uint64_t cycles)
{
    struct segment segment;

    segment_init(
        &segment, cpu->pmu.model, cpu_unhalted(cpu), cycles, RING_KERNEL);
    segment.rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 1, .q = 1};
    cpu_run_segment(cpu, &segment);
}

static uint64_t peek(const struct cpu *cpu, uint32_t address)
{
    uint64_t value = 0;

    assert_int_equal(msr_peek(cpu, address, &value), MSR_OK);
    return value;
}

static void inert_keeps_controls_and_counts_nothing(void **state)
{
    struct guest guest;
    uint64_t value = 1;

    (void)state;
    guest_init(&guest, MODEL_SKYLAKE, VIRTUALIZED_INERT);
    assert_int_equal(msr_write(guest.cpu, 0x4C1, 0xFFFFFFFFFF00), MSR_OK);
    assert_int_equal(msr_write(guest.cpu, 0x186, 0x5300C0), MSR_OK);
    assert_int_equal(msr_write(guest.cpu, 0x38D, 0xB), MSR_OK);
    assert_int_equal(msr_write(guest.cpu, 0x38F, 0x100000001), MSR_OK);
    assert_int_equal(msr_write(guest.cpu, 0x834, 0xFE), MSR_OK);
    assert_int_equal(msr_write(guest.cpu, 0x391, 0x800000000000001), MSR_OK);
    run_kernel(guest.cpu, 100000);
    cpu_add_events(guest.cpu, EVENT_INSTRUCTIONS, 1000, RING_KERNEL);
    assert_int_equal(peek(guest.cpu, 0x186), 0x5300C0);
    assert_int_equal(peek(guest.cpu, 0x38D), 0xB);
    assert_int_equal(peek(guest.cpu, 0x38F), 0x100000001);
    assert_int_equal(peek(guest.cpu, 0xC1), 0);
    assert_int_equal(peek(guest.cpu, 0x309), 0);
    assert_int_equal(peek(guest.cpu, 0x38E), 0);
    assert_int_equal(
        msr_rdpmc(guest.cpu, 0, RING_KERNEL, false, &value), MSR_OK);
    assert_int_equal(value, 0);
    /* Programmed, as an observer sees it, and never on its way. */
    assert_int_equal(cpu_counters_enabled(guest.cpu), 0x100000001);
    assert_int_equal(cpu_interrupt_time(guest.cpu), CPU_NEVER);
    guest_release(&guest);
}

static void inert_arms_no_pebs(void **state)
{
    struct guest guest;

    (void)state;
    guest_init(&guest, MODEL_SKYLAKE, VIRTUALIZED_INERT);
    assert_int_equal(msr_write(guest.cpu, 0x3F1, 0x1), MSR_OK);
    assert_int_equal(msr_write(guest.cpu, 0x4C1, 0xFFFFFFFFFFFF), MSR_OK);
    assert_int_equal(msr_write(guest.cpu, 0x186, 0x4300C0), MSR_OK);
    run_kernel(guest.cpu, 1000);
    assert_int_equal(guest.cpu->pmu.armed, 0);
    assert_int_equal(guest.cpu->pmu.lost, 0);
    guest_release(&guest);
}

static uint64_t mrs(struct cpu *cpu, uint32_t reg)
{
    uint64_t value = 1;

    assert_int_equal(sysreg_read(cpu, reg, 1, &value), ARMV8_OK);
    return value;
}

static void msr(struct cpu *cpu, uint32_t reg, uint64_t value)
{
    assert_int_equal(sysreg_write(cpu, reg, 1, value), ARMV8_OK);
}

static void inert_armv8_counts_nothing_and_raises_no_line(void **state)
{
    const uint32_t pmcr = ARMV8_ENCODE(3, 3, 9, 12, 0);
    const uint32_t pmcntenset = ARMV8_ENCODE(3, 3, 9, 12, 1);
    const uint32_t pmswinc = ARMV8_ENCODE(3, 3, 9, 12, 4);
    const uint32_t pmovsset = ARMV8_ENCODE(3, 3, 9, 14, 3);
    const uint32_t pmintenset = ARMV8_ENCODE(3, 0, 9, 14, 1);
    const uint32_t pmccntr = ARMV8_ENCODE(3, 3, 9, 13, 0);
    const uint32_t pmevcntr0 = ARMV8_ENCODE(3, 3, 14, 8, 0);
    struct guest guest;

    (void)state;
    guest_init(&guest, MODEL_NEOVERSE_N1, VIRTUALIZED_INERT);
    msr(guest.cpu, pmccntr, 0xFFFFFFF0);
    msr(guest.cpu, pmevcntr0, 0xFFFFFFFF);
    msr(guest.cpu, pmintenset, 0x80000001);
    msr(guest.cpu, pmcntenset, 0x80000001);
    msr(guest.cpu, pmcr, 0x1);
    msr(guest.cpu, pmswinc, 0x1);
    msr(guest.cpu, pmovsset, 0x80000001);
    run_kernel(guest.cpu, 100000);
    assert_int_equal(mrs(guest.cpu, pmccntr), 0);
    assert_int_equal(mrs(guest.cpu, pmevcntr0), 0);
    assert_int_equal(mrs(guest.cpu, pmovsset), 0);
    assert_int_equal(mrs(guest.cpu, pmcntenset), 0x80000001);
    assert_int_equal(cpu_interrupt_time(guest.cpu), CPU_NEVER);
    guest_release(&guest);
}

/* PMU-ARM-14 */
static void absent_armv8_has_pmuver_0_and_no_register(void **state)
{
    const uint32_t id_aa64dfr0 = ARMV8_ENCODE(3, 0, 0, 5, 0);
    const uint32_t pmcr = ARMV8_ENCODE(3, 3, 9, 12, 0);
    struct guest guest;
    uint64_t value = 0;

    (void)state;
    guest_init(&guest, MODEL_ARMV8_LONG, VIRTUALIZED_ABSENT);
    assert_int_equal(mrs(guest.cpu, id_aa64dfr0) & 0xF00, 0);
    assert_int_equal(sysreg_read(guest.cpu, pmcr, 1, &value), ARMV8_UNDEF);
    assert_int_equal(sysreg_write(guest.cpu, pmcr, 1, 1), ARMV8_UNDEF);
    guest_release(&guest);
}

static void guest_of_a_guest_is_the_same(void **state)
{
    (void)state;
    for (enum model i = 0; i < MODEL_COUNT; i++) {
        for (enum virtualized v = 0; v < VIRTUALIZED_COUNT; v++) {
            struct pmu_model once = model_virtualized(&pmu_models[i], v);
            struct pmu_model twice = model_virtualized(&once, v);

            assert_null(model_problem(&once));
            assert_int_equal(twice.version, once.version);
            assert_int_equal(model_counters(&twice), model_counters(&once));
            assert_int_equal(twice.inert, v == VIRTUALIZED_INERT);
            assert_int_equal(once.signature, pmu_models[i].signature);
            assert_int_equal(once.mhz, pmu_models[i].mhz);
        }
    }
}

TEST_FILE(test_hypervisor)
{
    TEST_ADD_ROWS(list, leaf_row, leaf_rows);
    TEST_ADD_ROWS(list, register_row, register_rows);
    test_add(list, "inert_keeps_controls_and_counts_nothing",
        inert_keeps_controls_and_counts_nothing, NULL);
    test_add(list, "inert_arms_no_pebs", inert_arms_no_pebs, NULL);
    test_add(list, "inert_armv8_counts_nothing_and_raises_no_line",
        inert_armv8_counts_nothing_and_raises_no_line, NULL);
    test_add(list, "absent_armv8_has_pmuver_0_and_no_register",
        absent_armv8_has_pmuver_0_and_no_register, NULL);
    test_add(list, "guest_of_a_guest_is_the_same", guest_of_a_guest_is_the_same,
        NULL);
}
