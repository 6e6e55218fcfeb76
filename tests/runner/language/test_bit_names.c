/* test_bit_names.c - bits of registers as a difference names them (SDM volume
 * 4, table 2-2; SDM volume 3, 20.2 and 20.6; APM volume 2, 13.2; Arm's manual,
 * D13). */
#include "scenarios/runner/language/bit_names.h"
#include "sim/machine/msr.h"
#include "sim/pmu/armv8_registers.h"
#include "tests/rows.h"

#include <stdio.h>
#include <string.h>
#include <talloc.h>

static struct bits_row {
    const char *name;
    const char *of; /* NULL: no register */
    uint64_t bits;
    const char *want;
} bits_rows[] = {
    {"of_no_register", NULL, 0x5, "bits 0, 2"},
    {"of_a_register_without_names", "IA32_PMC0", 0x8, "bit 3"},
    {"without_a_name", "IA32_PERF_GLOBAL_INUSE", 0x4000000000000000, "bit 62"},
    {"many", "IA32_PMC0", 0x3FF, "bits 0, 1, 2, 3, 4, 5, 6, 7 and 2 more"},
    {"select_event_and_unit_mask", "IA32_PERFEVTSEL3", 0x8001,
        "bits 0 (EVENT[0]), 15 (UMASK[7])"},
    {"select_flags", "IA32_PERFEVTSEL0", 0xFF0000,
        "bits 16 (USR), 17 (OS), 18 (EDGE), 19 (PC), 20 (INT), 21 (ANY), 22 "
        "(EN), 23 (INV)"},
    {"select_counter_mask", "IA32_PERFEVTSEL0", 0x81000000,
        "bits 24 (CMASK[0]), 31 (CMASK[7])"},
    {"select_above", "IA32_PERFEVTSEL2", 0x700000000,
        "bits 32 (IN_TX), 33 (IN_TXCP), 34 (ADAPTIVE_RECORD)"},
    {"fixed_control_of_counter_0", "IA32_FIXED_CTR_CTRL", 0xF,
        "bits 0 (EN0_OS), 1 (EN0_USR), 2 (ANYTHR0), 3 (EN0_PMI)"},
    {"fixed_control_of_counter_3", "IA32_FIXED_CTR_CTRL", 0xF000,
        "bits 12 (EN3_OS), 13 (EN3_USR), 14 (ANYTHR3), 15 (EN3_PMI)"},
    {"fixed_control_adaptive", "IA32_FIXED_CTR_CTRL", 0x2100000000,
        "bits 32 (ADAPTIVE_RECORD0), 37"},
    {"fixed_control_adaptive_of_counter_1", "IA32_FIXED_CTR_CTRL", 0x1000000000,
        "bit 36 (ADAPTIVE_RECORD1)"},
    {"status_counters", "IA32_PERF_GLOBAL_STATUS", 0x300000081,
        "bits 0 (PMC0), 7 (PMC7), 32 (FIXED_CTR0), 33 (FIXED_CTR1)"},
    {"status_top", "IA32_PERF_GLOBAL_STATUS", 0xFC81000000000000,
        "bits 48 (PERF_METRICS), 55 (TOPA_PMI), 58 (LBR_FRZ), 59 (CTR_FRZ), "
        "60 (ASCI), 61 (OVF_UNCORE), 62 (OVF_BUF), 63 (COND_CHGD)"},
    {"status_reset", "IA32_PERF_GLOBAL_OVF_CTRL", 0x4000000000000000,
        "bit 62 (OVF_BUF)"},
    {"status_set", "IA32_PERF_GLOBAL_STATUS_SET", 0x2, "bit 1 (PMC1)"},
    {"global_control", "IA32_PERF_GLOBAL_CTRL", 0x1000100000002,
        "bits 1 (PMC1), 32 (FIXED_CTR0), 48 (PERF_METRICS)"},
    {"in_use", "IA32_PERF_GLOBAL_INUSE", 0x8000000100000001,
        "bits 0 (PERFEVTSEL0), 32 (FIXED_CTR0), 63 (PMI)"},
    {"capabilities", "IA32_PERF_CAPABILITIES", 0x3F141,
        "bits 0 (LBR_FMT[0]), 6 (PEBS_TRAP), 8 (PEBS_FMT[0]), 12 "
        "(FREEZE_WHILE_SMM), 13 (FULL_WIDTH_WRITE), 14 (PEBS_BASELINE), 15 "
        "(PERF_METRICS), 16 (PEBS_VIA_PT) and 1 more"},
    {"pebs_enable", "IA32_PEBS_ENABLE", 0x200000008,
        "bits 3 (PMC3), 33 (FIXED_CTR1)"},
    {"pebs_data", "MSR_PEBS_DATA_CFG", 0x100000F,
        "bits 0 (MEMORY_INFO), 1 (GPRS), 2 (XMMS), 3 (LBRS), 24 "
        "(LBR_ENTRIES[0])"},
    {"debug_control", "IA32_DEBUGCTL", 0x58C3,
        "bits 0 (LBR), 1 (BTF), 6 (TR), 7 (BTS), 11 (FREEZE_LBRS_ON_PMI), 12 "
        "(FREEZE_PERFMON_ON_PMI), 14 (FREEZE_WHILE_SMM)"},
    {"misc_enable", "IA32_MISC_ENABLE", 0x51881,
        "bits 0 (FAST_STRINGS), 7 (PERFMON), 11 (BTS_UNAVAILABLE), 12 "
        "(PEBS_UNAVAILABLE), 16 (EIST), 18 (MONITOR_FSM)"},
    {"apic_base", "IA32_APIC_BASE", 0xD00, "bits 8 (BSP), 10 (EXTD), 11 (EN)"},
    {"feature_control", "IA32_FEATURE_CONTROL", 0x7,
        "bits 0 (LOCK), 1 (VMX_IN_SMX), 2 (VMX_OUTSIDE_SMX)"},
    {"efer", "IA32_EFER", 0x1D01,
        "bits 0 (SCE), 8 (LME), 10 (LMA), 11 (NXE), 12 (SVME)"},
    {"local_vector", "IA32_X2APIC_LVT_PMI", 0x11401,
        "bits 0 (VECTOR[0]), 10 (DELIVERY_MODE[2]), 12 (DELIVERY_STATUS), 16 "
        "(MASK)"},
    {"amd_select", "PERF_CTL5", 0x30100520000,
        "bits 17 (OS), 20 (INT), 22 (EN), 32 (EVENT_HIGH[0]), 40 (GUEST), 41 "
        "(HOST)"},
    {"amd_legacy_select", "PERF_LEGACY_CTL0", 0x400000, "bit 22 (EN)"},
    {"amd_select_has_no_any", "PERF_CTL0", 0x200000, "bit 21"},
    {"amd_status", "PERF_CNTR_GLOBAL_STATUS", 0xC00000000000020,
        "bits 5 (PERF_CTR5), 58 (LBR_FRZ), 59 (CTR_FRZ)"},
    {"amd_status_clear", "PERF_CNTR_GLOBAL_STATUS_CLR", 0x1,
        "bit 0 (PERF_CTR0)"},
    {"amd_control", "PERF_CNTR_GLOBAL_CTL", 0x2, "bit 1 (PERF_CTR1)"},
    {"arm_control", "PMCR_EL0", 0xFF,
        "bits 0 (E), 1 (P), 2 (C), 3 (D), 4 (X), 5 (DP), 6 (LC), 7 (LP)"},
    {"arm_control_counters", "PMCR_EL0", 0x8800, "bits 11 (N[0]), 15 (N[4])"},
    {"arm_enable", "PMCNTENSET_EL0", 0x80000002, "bits 1 (P1), 31 (C)"},
    {"arm_overflow", "PMOVSCLR_EL0", 0x40000001, "bits 0 (P0), 30 (P30)"},
    {"arm_interrupt", "PMINTENSET_EL1", 0x80000000, "bit 31 (C)"},
    {"arm_type", "PMEVTYPER12_EL0", 0xFC000001,
        "bits 0 (EVENT[0]), 26 (M), 27 (NSH), 28 (NSU), 29 (NSK), 30 (U), 31 "
        "(P)"},
    {"arm_filter", "PMCCFILTR_EL0", 0x8000000, "bit 27 (NSH)"},
    {"arm_user", "PMUSERENR_EL0", 0xF, "bits 0 (EN), 1 (SW), 2 (CR), 3 (ER)"},
    {"arm_debug", "MDCR_EL2", 0x81, "bits 0 (HPMN[0]), 7 (HPME)"},
    {"longer_name_is_another", "IA32_PERF_GLOBAL_STATUS_X", 1, "bit 0"},
    {"shorter_name_is_another", "IA32_PERF_GLOBAL", 1, "bit 0"},
};

static void bits_row(void **state)
{
    const struct bits_row *row = *state;
    void *context = talloc_new(NULL);

    assert_string_equal(bit_names_show(context, row->of, row->bits), row->want);
    talloc_free(context);
}

static const struct run {
    const char *of;
    unsigned first, last;
} runs[] = {
#define BIT(of, at, name) {#of, at, at},
#define BITS(of, first, last, name) {#of, first, last},
#define FIELD(of, first, last, name) {#of, first, last},
#include "scenarios/runner/language/bit_names.def"
};

static void runs_of_a_register_are_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        assert_true(runs[i].first <= runs[i].last && runs[i].last < 64);
        for (size_t k = 0; k < i; k++) {
            if (strcmp(runs[i].of, runs[k].of) == 0) {
                assert_true(runs[k].last < runs[i].first);
            }
        }
    }
}

/* By itself, or as the first of a row. */
static bool is_register(const char *name)
{
    const char *suffix = strstr(name, "_EL");
    int stem =
        (int)(suffix == NULL ? strlen(name) : strlen(name) - strlen(suffix));
    char first[64];
    uint32_t number;

    snprintf(first, sizeof(first), "%.*s0%s", stem, name,
        suffix == NULL ? "" : suffix);
    return msr_address(name, &number) || msr_address(first, &number) ||
           armv8_register_find(name, &number) ||
           armv8_register_find(first, &number);
}

static void registers_are_registers(void **state)
{
    static const char *const names[] = {
#define BIT(of, ...) #of,
#define BITS(of, ...) #of,
#define FIELD(of, ...) #of,
#define EVERY(of, ...) #of,
#define SAME(of, as) #of, #as,
#include "scenarios/runner/language/bit_names.def"
    };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!is_register(names[i])) {
            fail_msg("%s is no register", names[i]);
        }
    }
    assert_false(is_register("IA32_PERF_GLOBAL_NAMES"));
}

TEST_FILE(test_bit_names)
{
    TEST_ADD_ROWS(list, bits_row, bits_rows);
    test_add(list, "runs_of_a_register_are_apart", runs_of_a_register_are_apart,
        NULL);
    test_add(list, "registers_are_registers", registers_are_registers, NULL);
}
