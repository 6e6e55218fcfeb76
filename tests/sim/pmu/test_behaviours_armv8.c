/* test_behaviours_armv8.c - the behaviours of pmu.md 2 that PMUv3 has, by
 * number and name on each version; those of x86 are in test_behaviours.c.
 *
 * Not here: 10, since PMUv3 has no EDGE, INV or CMASK before FEAT_PMUv3_TH; 13
 * and 17, Intel's and AMD's; 19, since armv8.h counts no instructions of its
 * own accesses. */
#include <stdio.h>

#include "tests/sim/pmu/armv8_stage.h"

enum {
    N1 = 1 << 0,
    LONG = 1 << 1,
    P7 = 1 << 2,
    WIDE = LONG | P7, /* counters have 64 bits; LP is bit 7 of PMCR_EL0 */
    ALL = N1 | WIDE,
};

static struct version {
    const char *name;
    unsigned bit;
    uint8_t number;
} versions[] = {
    {"neoverse_n1", N1, V3P1},
    {"armv8_long", LONG, V3P5},
    {"pmuv3p7", P7, V3P7},
};

/* Event 11H is cycles, 08H instructions: 5/2 a cycle. */
static const struct {
    unsigned versions;
    struct armv8_row_of_steps row;
} behaviours[] = {
    /* PMU-BEH-01 */
    {ALL, {"01_counter_enabled_without_pmcr_e_does_not_move", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMCNTENSET_EL0", 0x80000001},
                  {"user", 1000}},
              {{"PMEVCNTR0_EL0", 0}, {"PMCCNTR_EL0", 0}}}},
    {ALL, {"01_counter_that_pmcnten_leaves_out_does_not_move", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER1_EL0", 0x11},
                  {"PMCNTENSET_EL0", 2}, {"PMCR_EL0", 1}, {"user", 1000}},
              {{"PMEVCNTR0_EL0", 0}, {"PMEVCNTR1_EL0", 1000}}}},
    /* PMU-BEH-02: a level, so nothing has to be unmasked. */
    {ALL, {"02_second_overflow_keeps_the_interrupt_up", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER1_EL0", 0x11},
                  {"PMEVCNTR0_EL0", 0xFFFFFC18}, {"PMEVCNTR1_EL0", 0xFFFFF830},
                  {"PMINTENSET_EL1", 3}, {"PMCNTENSET_EL0", 3}, {"PMCR_EL0", 1},
                  {"user", 1500}, {"user", 1500}, {"PMOVSCLR_EL0", 1}},
              {{"PMOVSSET_EL0", 2}, {"irq", 1}}}},
    {ALL, {"02_interrupt_comes_again_after_it_was_cleared", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER1_EL0", 0x11},
                  {"PMEVCNTR0_EL0", 0xFFFFFC18}, {"PMEVCNTR1_EL0", 0xFFFFF830},
                  {"PMINTENSET_EL1", 3}, {"PMCNTENSET_EL0", 3}, {"PMCR_EL0", 1},
                  {"user", 1500}, {"PMOVSCLR_EL0", 1}, {"user", 1500}},
              {{"PMOVSSET_EL0", 2}, {"irq", 1}}}},
    /* PMU-BEH-04: the enables of PMUv3. */
    {ALL, {"04_nothing_is_enabled_after_reset", 0, {{"user", 1000}},
              {{"PMCR_EL0", 0x410A3000}, {"PMCNTENSET_EL0", 0},
                  {"PMINTENSET_EL1", 0}, {"PMOVSSET_EL0", 0},
                  {"PMCCNTR_EL0", 0}}}},
    /* PMU-BEH-05 */
    {ALL, {"05_disabled_counter_holds_its_value", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER1_EL0", 0x11},
                  {"PMCNTENSET_EL0", 3}, {"PMCR_EL0", 1}, {"user", 1000},
                  {"PMCNTENCLR_EL0", 1}, {"user", 500}},
              {{"PMEVCNTR0_EL0", 1000}, {"PMEVCNTR1_EL0", 1500}}}},
    {ALL, {"05_and_goes_on_from_it", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER1_EL0", 0x11},
                  {"PMCNTENSET_EL0", 3}, {"PMCR_EL0", 1}, {"user", 1000},
                  {"PMCNTENCLR_EL0", 1}, {"user", 500}, {"PMCNTENSET_EL0", 1},
                  {"user", 100}},
              {{"PMEVCNTR0_EL0", 1100}, {"PMEVCNTR1_EL0", 1600}}}},
    /* PMU-BEH-06 */
    {ALL, {"06_overflow_that_nothing_touches_interrupts", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                  {"PMINTENSET_EL1", 1}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
                  {"user", 1000}},
              {{"irq", 1}, {"returned", 1}}}},
    {ALL, {"06_overflow_that_pminten_leaves_out_does_not", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                  {"PMINTENSET_EL1", 2}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
                  {"user", 1000}},
              {{"irq", 0}, {"PMOVSSET_EL0", 1}}}},
    /* PMU-BEH-07 */
    {ALL, {"07_overflows_of_one_cycle_set_a_bit_each", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER5_EL0", 0x11},
                  {"PMEVCNTR0_EL0", 0xFFFFFC18}, {"PMEVCNTR5_EL0", 0xFFFFFC18},
                  {"PMCCNTR_EL0", 0xFFFFFC18}, {"PMINTENSET_EL1", 0x80000021},
                  {"PMCNTENSET_EL0", 0x80000021}, {"PMCR_EL0", 1},
                  {"user", 1000}},
              {{"PMOVSSET_EL0", 0x80000021}, {"returned", 0x80000021},
                  {"irq", 1}}}},
    /* PMU-BEH-08 */
    {N1, {"08_two_overflows_before_the_handler_are_one_bit", 0,
             {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                 {"PMINTENSET_EL1", 1}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
                 {"user", 1500}, {"user", 0x100000000}, {"PMOVSCLR_EL0", 1}},
             {{"PMEVCNTR0_EL0", 500}, {"PMOVSSET_EL0", 0}, {"irq", 0}}}},
    {WIDE,
        {"08_two_overflows_before_the_handler_are_one_bit", 0,
            {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                {"PMINTENSET_EL1", 1}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
                {"user", 1500}, {"user", 0x100000000}, {"PMOVSCLR_EL0", 1}},
            {{"PMEVCNTR0_EL0", 0x2000001F4}, {"PMOVSSET_EL0", 0}, {"irq", 0}}}},
    /* PMU-BEH-09: P is bit 31, U bit 30. */
    {ALL,
        {"09_exception_level_filters", 0,
            {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER1_EL0", 0x80000011},
                {"PMEVTYPER2_EL0", 0x40000011}, {"PMEVTYPER3_EL0", 0xC0000011},
                {"PMCCFILTR_EL0", 0x80000000}, {"PMCNTENSET_EL0", 0x8000000F},
                {"PMCR_EL0", 1}, {"user", 1000}, {"kernel", 300}},
            {{"PMEVCNTR0_EL0", 1300}, {"PMEVCNTR1_EL0", 1000},
                {"PMEVCNTR2_EL0", 300}, {"PMEVCNTR3_EL0", 0},
                {"PMCCNTR_EL0", 1000}}}},
    /* PMU-BEH-11: FZO, bit 9, is PMUv3p7's. */
    {N1, {"11_nothing_freezes_before_pmuv3p7", 0,
             {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                 {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x201}, {"user", 2000}},
             {{"PMEVCNTR0_EL0", 1000}, {"PMOVSSET_EL0", 1}}}},
    {LONG, {"11_nothing_freezes_before_pmuv3p7", 0,
               {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                   {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x201}, {"user", 2000}},
               {{"PMEVCNTR0_EL0", 0x1000003E8}, {"PMOVSSET_EL0", 1}}}},
    {P7, {"11_overflow_freezes_until_its_bit_is_cleared", 0,
             {{"PMEVTYPER0_EL0", 0x11}, {"PMEVTYPER1_EL0", 0x11},
                 {"PMEVCNTR0_EL0", 0xFFFFFC18}, {"PMCNTENSET_EL0", 3},
                 {"PMCR_EL0", 0x201}, {"user", 2000}, {"PMOVSCLR_EL0", 1},
                 {"user", 100}},
             {{"PMEVCNTR0_EL0", 0x100000064}, {"PMEVCNTR1_EL0", 1100},
                 {"PMOVSSET_EL0", 0}}}},
    /* PMU-BEH-12: PMOVSSET is what STATUS_SET is. */
    {ALL, {"12_pmovsset_sets_bits_and_interrupts", 0,
              {{"PMINTENSET_EL1", 2}, {"PMCR_EL0", 1}, {"PMOVSSET_EL0", 0x1},
                  {"PMOVSSET_EL0", 0x80000002}},
              {{"PMOVSSET_EL0", 0x80000003}, {"PMOVSCLR_EL0", 0x80000003},
                  {"irq", 1}}}},
    /* PMU-BEH-15 */
    {ALL, {"15_last_value_of_32_bits_is_no_overflow", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                  {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 999}},
              {{"PMEVCNTR0_EL0", 0xFFFFFFFF}, {"PMOVSSET_EL0", 0}}}},
    {N1, {"15_counter_of_32_bits_wraps", 0,
             {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                 {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 1000}},
             {{"PMEVCNTR0_EL0", 0}, {"PMOVSSET_EL0", 1}}}},
    {WIDE, {"15_overflow_of_32_bits_goes_on_in_64", 0,
               {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                   {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 1000}},
               {{"PMEVCNTR0_EL0", 0x100000000}, {"PMOVSSET_EL0", 1}}}},
    {WIDE, {"15_lp_does_not_overflow_at_32_bits", 0,
               {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                   {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x81}, {"user", 1000}},
               {{"PMEVCNTR0_EL0", 0x100000000}, {"PMOVSSET_EL0", 0}}}},
    {WIDE, {"15_lp_wraps_at_64_bits", 0,
               {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFFFFFFFFFC18},
                   {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x81}, {"user", 1000}},
               {{"PMEVCNTR0_EL0", 0}, {"PMOVSSET_EL0", 1}}}},
    {ALL, {"15_cycle_counter_overflows_at_32_bits", 0,
              {{"PMCCNTR_EL0", 0xFFFFFC18}, {"PMCNTENSET_EL0", 0x80000000},
                  {"PMCR_EL0", 1}, {"user", 1000}},
              {{"PMCCNTR_EL0", 0x100000000}, {"PMOVSSET_EL0", 0x80000000}}}},
    {ALL, {"15_lc_makes_it_wrap_at_64_bits", 0,
              {{"PMCCNTR_EL0", 0xFFFFFFFFFFFFFC18},
                  {"PMCNTENSET_EL0", 0x80000000}, {"PMCR_EL0", 0x41},
                  {"user", 1000}},
              {{"PMCCNTR_EL0", 0}, {"PMOVSSET_EL0", 0x80000000}}}},
    /* PMU-BEH-16 */
    {ALL,
        {"16_preset_of_0_does_not_overflow_before_2_to_the_32", 0,
            {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0},
                {"PMINTENSET_EL1", 1}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
                {"user", 0xFFFFFFFF}},
            {{"PMEVCNTR0_EL0", 0xFFFFFFFF}, {"PMOVSSET_EL0", 0}, {"irq", 0}}}},
    {ALL, {"16_and_does_then", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0},
                  {"PMINTENSET_EL1", 1}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
                  {"user", 0x100000000}},
              {{"PMOVSSET_EL0", 1}, {"irq", 1}}}},
    /* PMU-BEH-18: Arm's is a level and not latched. */
    {ALL, {"18_interrupt_falls_when_the_overflow_is_cleared", 0,
              {{"PMEVTYPER0_EL0", 0x11}, {"PMEVCNTR0_EL0", 0xFFFFFC18},
                  {"PMINTENSET_EL1", 1}, {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1},
                  {"user", 2000}, {"PMOVSCLR_EL0", 1}},
              {{"PMOVSSET_EL0", 0}, {"irq", 0}}}},
    /* PMU-BEH-20: 100 instructions in 40 cycles. */
    {N1, {"20_preset_of_1_minus_k_reads_1_after_k_events", 0,
             {{"PMEVTYPER0_EL0", 0x08}, {"PMEVCNTR0_EL0", 0xFFFFFF9D},
                 {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 1}, {"user", 40}},
             {{"PMEVCNTR0_EL0", 1}, {"PMOVSSET_EL0", 1}}}},
    {WIDE, {"20_preset_of_1_minus_k_reads_1_after_k_events", 0,
               {{"PMEVTYPER0_EL0", 0x08}, {"PMEVCNTR0_EL0", 0xFFFFFFFFFFFFFF9D},
                   {"PMCNTENSET_EL0", 1}, {"PMCR_EL0", 0x81}, {"user", 40}},
               {{"PMEVCNTR0_EL0", 1}, {"PMOVSSET_EL0", 1}}}},
};

/* An access at EL1 to what is about a counter that is not there: refused, or
 * read as zero and ignored; either way nothing has changed. */
static void access_missing(struct armv8_stage *stage, const char *name)
{
    bool zero = stage->features.missing_read_zero;
    enum armv8_result want = zero ? ARMV8_OK : ARMV8_UNDEF;
    uint8_t before[sizeof(stage->pmu)];
    uint64_t value = 0x77;
    uint32_t reg = 0;

    assert_true(armv8_register_find(name, &reg));
    memcpy(before, &stage->pmu, sizeof(before));
    assert_int_equal(armv8_read(&stage->pmu, reg, 1, &value), want);
    assert_int_equal(value, zero ? 0 : 0x77);
    assert_int_equal(armv8_write(&stage->pmu, reg, 1, 0xFFFFFFFF), want);
    assert_memory_equal(&stage->pmu, before, sizeof(before));
}

/* PMU-BEH-03: counters 6 to 30 of six, by name and through PMSELR. */
static void missing_counters(uint8_t version, bool read_zero)
{
    struct armv8_stage stage;
    char name[32];

    stage_init(&stage, version);
    stage.features.missing_read_zero = read_zero;
    for (unsigned n = 6; n <= 30; n++) {
        const struct armv8_step step = {"PMSELR_EL0", n};

        snprintf(name, sizeof(name), "PMEVCNTR%u_EL0", n);
        access_missing(&stage, name);
        snprintf(name, sizeof(name), "PMEVTYPER%u_EL0", n);
        access_missing(&stage, name);
        stage_step(&stage, &step);
        access_missing(&stage, "PMXEVCNTR_EL0");
        access_missing(&stage, "PMXEVTYPER_EL0");
    }
}

static void missing_counter_is_undefined(void **state)
{
    missing_counters(((const struct version *)*state)->number, false);
}

static void missing_counter_reads_zero(void **state)
{
    missing_counters(((const struct version *)*state)->number, true);
}

/* PMU-BEH-14 */
static void one_register_of_64_processors_is_64_registers(void **state)
{
    static struct armv8_stage stage[64];
    const struct version *version = *state;

    for (unsigned i = 0; i < 64; i++) {
        const struct armv8_step step = {"PMEVCNTR0_EL0", 1000 + i};

        stage_init(&stage[i], version->number);
        stage_step(&stage[i], &step);
    }
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(stage_value(&stage[i], "PMEVCNTR0_EL0"), 1000 + i);
    }
}

static const struct {
    const char *name;
    CMUnitTestFunction function;
} functions[] = {
    {"03_missing_counter_is_undefined", missing_counter_is_undefined},
    {"03_missing_counter_reads_zero", missing_counter_reads_zero},
    {"14_one_register_of_64_processors_is_64_registers",
        one_register_of_64_processors_is_64_registers},
};

enum { CASES_MAX = 400 };

/* One test: a row, or a function, on a version. */
static void add(struct test_list *list, struct version *version,
    const char *name, CMUnitTestFunction function,
    const struct armv8_row_of_steps *row)
{
    static struct armv8_row_of_steps cases[CASES_MAX];
    static size_t count;
    char full[112];

    snprintf(full, sizeof(full), "%s.%s", name, version->name);
    if (row == NULL) {
        test_add(list, full, function, version);
        return;
    }
    assert_true(count < CASES_MAX);
    cases[count] = *row;
    cases[count].version = version->number;
    test_add(list, full, function, &cases[count++]);
}

TEST_FILE(test_behaviours_armv8)
{
    for (struct version *at = versions; at < versions + 3; at++) {
        for (size_t i = 0; i < sizeof(behaviours) / sizeof(behaviours[0]);
             i++) {
            if ((behaviours[i].versions & at->bit) != 0) {
                add(list, at, behaviours[i].row.name, armv8_steps_row,
                    &behaviours[i].row);
            }
        }
        for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
            add(list, at, functions[i].name, functions[i].function, NULL);
        }
    }
}
