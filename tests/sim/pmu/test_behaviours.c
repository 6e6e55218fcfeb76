/* test_behaviours.c - the twenty behaviours that models most often get wrong
 * (pmu.md 2), each by its number and name on every x86 model that has it. What
 * they do is in behaviour_count.c, behaviour_pmi.c, behaviour_refused.c and
 * behaviour_register.c; Arm's are in test_behaviours_armv8.c. */
#include <stdio.h>

#include "tests/sim/pmu/behaviour.h"

enum { CASES_MAX = 800 };

static const struct behaviour {
    const char *name;
    unsigned models;
    CMUnitTestFunction function;
} behaviours[] = {
    /* PMU-BEH-01 */
    {"01_counter_not_enabled_globally_does_not_move", GLOBAL,
        not_enabled_globally_does_not_move},
    /* PMU-BEH-02 */
    {"02_second_pmi_waits_until_lvtpc_is_unmasked", INTEL,
        second_pmi_waits_for_lvtpc},
    {"02_second_pmi_does_not_wait_for_lvtpc", AMD,
        second_pmi_does_not_wait_for_lvtpc},
    /* PMU-BEH-03: refused_accesses_add() */
    /* PMU-BEH-04 */
    {"04_global_ctrl_after_reset", GLOBAL, global_ctrl_after_reset},
    /* PMU-BEH-05 */
    {"05_disabled_counter_holds_its_value", X86,
        stopped_by_its_select_holds_its_value},
    {"05_globally_disabled_counter_holds_its_value", GLOBAL,
        stopped_globally_holds_its_value},
    /* PMU-BEH-06 */
    {"06_overflow_that_nothing_touches_interrupts", X86,
        overflow_that_nothing_touches_interrupts},
    /* PMU-BEH-07 */
    {"07_two_overflows_of_one_cycle_are_one_pmi_and_two_bits", GLOBAL,
        two_overflows_of_one_cycle_are_one_pmi},
    {"07_two_overflows_of_one_cycle_are_one_pmi", PLAIN,
        two_overflows_of_one_cycle_are_one_pmi},
    {"07_two_overflows_within_the_latency_are_one_pmi", X86,
        two_overflows_within_the_latency_are_one_pmi},
    /* PMU-BEH-08 */
    {"08_two_overflows_before_the_handler_are_one_pmi", X86,
        two_overflows_before_the_handler},
    /* PMU-BEH-09 */
    {"09_ring_filters", X86, ring_filters},
    /* PMU-BEH-10 */
    {"10_edge_inv_and_cmask_count_exactly", X86,
        edge_inv_and_cmask_count_exactly},
    /* PMU-BEH-11 */
    {"11_freeze_clears_the_enables", INTEL_V2_V3, freeze_clears_the_enables},
    {"11_freeze_sets_a_status_bit", INTEL_V4_V5 | ZEN4,
        freeze_sets_a_status_bit},
    {"11_nothing_freezes_without_global_registers", PLAIN,
        nothing_freezes_without_global_registers},
    /* PMU-BEH-12 */
    {"12_status_set_sets_bits", INTEL_V4_V5 | ZEN4, status_set_sets_bits},
    {"12_in_use_shows_what_is_programmed", INTEL_V4_V5,
        in_use_shows_what_is_programmed},
    /* PMU-BEH-13 */
    {"13_pebs_record_comes_at_the_event_after_the_overflow", PEBS,
        pebs_record_comes_at_the_event_after_the_overflow},
    {"13_pebs_keeps_to_its_buffer", PEBS, pebs_keeps_to_its_buffer},
    {"13_pebs_threshold_is_bit_62_and_a_pmi", PEBS,
        pebs_threshold_is_bit_62_and_a_pmi},
    /* PMU-BEH-14 */
    {"14_one_msr_on_64_processors_is_64_registers", X86,
        one_msr_on_64_processors_is_64_registers},
    /* PMU-BEH-15 */
    {"15_counters_of_32_40_48_and_57_bits_wrap", INTEL,
        widths_of_32_40_48_and_57_bits},
    {"15_counters_of_48_bits_wrap", AMD, width_of_48_bits},
    /* PMU-BEH-16 */
    {"16_preset_of_0_overflows_after_2_to_the_width", X86,
        preset_of_0_overflows_after_a_round},
    /* PMU-BEH-17 */
    {"17_k7_and_core_extension_registers_are_one", ZEN2 | ZEN4,
        registers_of_k7_and_the_core_extension_are_one},
    /* PMU-BEH-18 */
    {"18_pmi_stays_latched_after_status_is_cleared", GLOBAL,
        pmi_stays_latched_after_status_is_cleared},
    {"18_pmi_stays_latched_after_the_counter_is_reset", PLAIN,
        pmi_stays_latched_after_the_counter_is_reset},
    /* PMU-BEH-19 */
    {"19_accesses_retire_one_instruction_before_they_act", X86,
        accesses_retire_one_instruction_each},
    {"19_disabling_wrmsr_is_counted_the_enabling_one_is_not", GLOBAL,
        global_ctrl_counts_the_write_that_stops},
    /* PMU-BEH-20 */
    {"20_preset_of_1_minus_k_reads_1_after_k_events", X86,
        preset_of_1_minus_k_reads_1},
};

#define INTEL_AT .select = 0x186, .counter = 0x0C1, .step = 1
#define INTEL_GLOBAL_AT                                                        \
    .global_ctrl = 0x38F, .status = 0x38E, .status_clear = 0x390
#define INTEL_SET_AT .status_set = 0x391
#define INTEL_EVENTS .cycles = 0x3C, .branches = 0xC4, .branch_misses = 0xC5
#define K7_AT .select = 0xC0010000, .counter = 0xC0010004, .step = 1
#define CORE_AT .select = 0xC0010200, .counter = 0xC0010201, .step = 2
#define PERFMON_V2_AT                                                          \
    .global_ctrl = 0xC0000301, .status = 0xC0000300,                           \
    .status_clear = 0xC0000302, .status_set = 0xC0000303
#define AMD_EVENTS .cycles = 0x76, .branches = 0xC2, .branch_misses = 0xC3
#define BITS_40 .last = 0xFFFFFFFFFF, .round = 0x10000000000
#define BITS_48 .last = 0xFFFFFFFFFFFF, .round = 0x1000000000000

static const struct part parts[] = {
    {MODEL_NONE, .want_reset = 0},
    {MODEL_INTEL_V1, INTEL_AT, INTEL_EVENTS, BITS_40},
    {MODEL_INTEL_V2, INTEL_AT, INTEL_GLOBAL_AT, INTEL_EVENTS, BITS_48,
        .want_reset = 0xFF},
    {MODEL_INTEL_V3, INTEL_AT, INTEL_GLOBAL_AT, INTEL_EVENTS, BITS_48,
        .want_reset = 0xFF},
    {MODEL_INTEL_V4, INTEL_AT, INTEL_GLOBAL_AT, INTEL_SET_AT, INTEL_EVENTS,
        BITS_48, .want_reset = 0xFF},
    {MODEL_INTEL_V5, INTEL_AT, INTEL_GLOBAL_AT, INTEL_SET_AT, INTEL_EVENTS,
        BITS_48, .want_reset = 0xFF},
    {MODEL_NEHALEM, INTEL_AT, INTEL_GLOBAL_AT, INTEL_EVENTS, BITS_48,
        .want_reset = 0xF, .record = 176},
    {MODEL_SKYLAKE, INTEL_AT, INTEL_GLOBAL_AT, INTEL_SET_AT, INTEL_EVENTS,
        BITS_48, .want_reset = 0xF, .record = 200},
    {MODEL_ICE_LAKE, INTEL_AT, INTEL_GLOBAL_AT, INTEL_SET_AT, INTEL_EVENTS,
        BITS_48, .want_reset = 0xFF, .record = 32},
    {MODEL_SAPPHIRE_RAPIDS, INTEL_AT, INTEL_GLOBAL_AT, INTEL_SET_AT,
        INTEL_EVENTS, BITS_48, .want_reset = 0xFF, .record = 32},
    {MODEL_K8, K7_AT, AMD_EVENTS, BITS_48},
    {MODEL_ZEN2, CORE_AT, AMD_EVENTS, BITS_48},
    {MODEL_ZEN4, CORE_AT, PERFMON_V2_AT, AMD_EVENTS, BITS_48,
        .want_reset = 0x3F},
};

void behaviour_add(struct test_list *list, const char *name, unsigned models,
    CMUnitTestFunction function, const void *row)
{
    static struct behaviour_case cases[CASES_MAX];
    static size_t count;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct behaviour_case *own = &cases[count];
        char full[112];

        if ((models & 1U << parts[i].model) == 0) {
            continue;
        }
        assert_true(count < CASES_MAX);
        count++;
        *own = (struct behaviour_case){.part = &parts[i], .row = row};
        snprintf(
            full, sizeof(full), "%s.%s", name, pmu_models[parts[i].model].name);
        test_add(list, full, function, own);
    }
}

TEST_FILE(test_behaviours)
{
    for (size_t i = 0; i < sizeof(behaviours) / sizeof(behaviours[0]); i++) {
        behaviour_add(list, behaviours[i].name, behaviours[i].models,
            behaviours[i].function, NULL);
    }
    refused_accesses_add(list);
}
