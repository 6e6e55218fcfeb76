/* test_irql_level.c - the numbers of the levels on each architecture, and the
 * names of the numbers (facts.md 1.3). */
#include "api/nt/irql_level.h"
#include "tests/rows.h"

static struct value_row {
    const char *name;
    enum irql_level level;
    enum arch arch;
    bool has;
    uint8_t want;
} value_rows[] = {
    {"x86_PASSIVE_LEVEL_is_0", LEVEL_PASSIVE_LEVEL, ARCH_X86, true, 0},
    {"x64_PASSIVE_LEVEL_is_0", LEVEL_PASSIVE_LEVEL, ARCH_X64, true, 0},
    {"arm32_PASSIVE_LEVEL_is_0", LEVEL_PASSIVE_LEVEL, ARCH_ARM32, true, 0},
    {"arm64_PASSIVE_LEVEL_is_0", LEVEL_PASSIVE_LEVEL, ARCH_ARM64, true, 0},
    {"ia64_PASSIVE_LEVEL_is_0", LEVEL_PASSIVE_LEVEL, ARCH_IA64, true, 0},
    {"x86_LOW_LEVEL_is_0", LEVEL_LOW_LEVEL, ARCH_X86, true, 0},
    {"x64_LOW_LEVEL_is_0", LEVEL_LOW_LEVEL, ARCH_X64, true, 0},
    {"arm32_LOW_LEVEL_is_0", LEVEL_LOW_LEVEL, ARCH_ARM32, true, 0},
    {"arm64_LOW_LEVEL_is_0", LEVEL_LOW_LEVEL, ARCH_ARM64, true, 0},
    {"ia64_LOW_LEVEL_is_0", LEVEL_LOW_LEVEL, ARCH_IA64, true, 0},
    {"x86_APC_LEVEL_is_1", LEVEL_APC_LEVEL, ARCH_X86, true, 1},
    {"x64_APC_LEVEL_is_1", LEVEL_APC_LEVEL, ARCH_X64, true, 1},
    {"arm32_APC_LEVEL_is_1", LEVEL_APC_LEVEL, ARCH_ARM32, true, 1},
    {"arm64_APC_LEVEL_is_1", LEVEL_APC_LEVEL, ARCH_ARM64, true, 1},
    {"ia64_APC_LEVEL_is_1", LEVEL_APC_LEVEL, ARCH_IA64, true, 1},
    {"x86_DISPATCH_LEVEL_is_2", LEVEL_DISPATCH_LEVEL, ARCH_X86, true, 2},
    {"x64_DISPATCH_LEVEL_is_2", LEVEL_DISPATCH_LEVEL, ARCH_X64, true, 2},
    {"arm32_DISPATCH_LEVEL_is_2", LEVEL_DISPATCH_LEVEL, ARCH_ARM32, true, 2},
    {"arm64_DISPATCH_LEVEL_is_2", LEVEL_DISPATCH_LEVEL, ARCH_ARM64, true, 2},
    {"ia64_DISPATCH_LEVEL_is_2", LEVEL_DISPATCH_LEVEL, ARCH_IA64, true, 2},
    {"x86_CMCI_LEVEL_is_5", LEVEL_CMCI_LEVEL, ARCH_X86, true, 5},
    {"x64_CMCI_LEVEL_is_5", LEVEL_CMCI_LEVEL, ARCH_X64, true, 5},
    {"arm32_has_no_CMCI_LEVEL", LEVEL_CMCI_LEVEL, ARCH_ARM32, false, 0},
    {"arm64_has_no_CMCI_LEVEL", LEVEL_CMCI_LEVEL, ARCH_ARM64, false, 0},
    {"ia64_CMCI_LEVEL_is_3", LEVEL_CMCI_LEVEL, ARCH_IA64, true, 3},
    {"x86_PROFILE_LEVEL_is_27", LEVEL_PROFILE_LEVEL, ARCH_X86, true, 27},
    {"x64_PROFILE_LEVEL_is_15", LEVEL_PROFILE_LEVEL, ARCH_X64, true, 15},
    {"arm32_PROFILE_LEVEL_is_15", LEVEL_PROFILE_LEVEL, ARCH_ARM32, true, 15},
    {"arm64_PROFILE_LEVEL_is_15", LEVEL_PROFILE_LEVEL, ARCH_ARM64, true, 15},
    {"ia64_PROFILE_LEVEL_is_15", LEVEL_PROFILE_LEVEL, ARCH_IA64, true, 15},
    {"x86_CLOCK_LEVEL_is_28", LEVEL_CLOCK_LEVEL, ARCH_X86, true, 28},
    {"x64_CLOCK_LEVEL_is_13", LEVEL_CLOCK_LEVEL, ARCH_X64, true, 13},
    {"arm32_CLOCK_LEVEL_is_13", LEVEL_CLOCK_LEVEL, ARCH_ARM32, true, 13},
    {"arm64_CLOCK_LEVEL_is_13", LEVEL_CLOCK_LEVEL, ARCH_ARM64, true, 13},
    {"ia64_CLOCK_LEVEL_is_13", LEVEL_CLOCK_LEVEL, ARCH_IA64, true, 13},
    {"x86_IPI_LEVEL_is_29", LEVEL_IPI_LEVEL, ARCH_X86, true, 29},
    {"x64_IPI_LEVEL_is_14", LEVEL_IPI_LEVEL, ARCH_X64, true, 14},
    {"arm32_IPI_LEVEL_is_14", LEVEL_IPI_LEVEL, ARCH_ARM32, true, 14},
    {"arm64_IPI_LEVEL_is_14", LEVEL_IPI_LEVEL, ARCH_ARM64, true, 14},
    {"ia64_IPI_LEVEL_is_14", LEVEL_IPI_LEVEL, ARCH_IA64, true, 14},
    {"x86_has_no_DRS_LEVEL", LEVEL_DRS_LEVEL, ARCH_X86, false, 0},
    {"x64_DRS_LEVEL_is_14", LEVEL_DRS_LEVEL, ARCH_X64, true, 14},
    {"arm32_DRS_LEVEL_is_14", LEVEL_DRS_LEVEL, ARCH_ARM32, true, 14},
    {"arm64_DRS_LEVEL_is_14", LEVEL_DRS_LEVEL, ARCH_ARM64, true, 14},
    {"ia64_DRS_LEVEL_is_14", LEVEL_DRS_LEVEL, ARCH_IA64, true, 14},
    {"x86_POWER_LEVEL_is_30", LEVEL_POWER_LEVEL, ARCH_X86, true, 30},
    {"x64_POWER_LEVEL_is_14", LEVEL_POWER_LEVEL, ARCH_X64, true, 14},
    {"arm32_POWER_LEVEL_is_14", LEVEL_POWER_LEVEL, ARCH_ARM32, true, 14},
    {"arm64_POWER_LEVEL_is_14", LEVEL_POWER_LEVEL, ARCH_ARM64, true, 14},
    {"ia64_POWER_LEVEL_is_15", LEVEL_POWER_LEVEL, ARCH_IA64, true, 15},
    {"x86_HIGH_LEVEL_is_31", LEVEL_HIGH_LEVEL, ARCH_X86, true, 31},
    {"x64_HIGH_LEVEL_is_15", LEVEL_HIGH_LEVEL, ARCH_X64, true, 15},
    {"arm32_HIGH_LEVEL_is_15", LEVEL_HIGH_LEVEL, ARCH_ARM32, true, 15},
    {"arm64_HIGH_LEVEL_is_15", LEVEL_HIGH_LEVEL, ARCH_ARM64, true, 15},
    {"ia64_HIGH_LEVEL_is_15", LEVEL_HIGH_LEVEL, ARCH_IA64, true, 15},
};

static void value_row(void **state)
{
    const struct value_row *row = *state;
    uint8_t irql = 0xA5;

    assert_int_equal(irql_level_value(row->level, row->arch, &irql), row->has);
    if (row->has) {
        assert_int_equal(irql, row->want);
        assert_int_equal(irql_level_number(row->level, row->arch), row->want);
    }
}

static struct spelling_row {
    const char *name;
    enum irql_level level;
    const char *want;
} spelling_rows[] = {
    {"passive_is_spelt_as_in_the_wdk", LEVEL_PASSIVE_LEVEL, "PASSIVE_LEVEL"},
    {"profile_is_spelt_as_in_the_wdk", LEVEL_PROFILE_LEVEL, "PROFILE_LEVEL"},
    {"high_is_spelt_as_in_the_wdk", LEVEL_HIGH_LEVEL, "HIGH_LEVEL"},
};

static void spelling_row(void **state)
{
    const struct spelling_row *row = *state;

    assert_string_equal(irql_level_spelling(row->level), row->want);
}

/* Of the names of one number the first in the order of facts.md. */
static struct name_row {
    const char *name;
    enum arch arch;
    uint8_t irql;
    const char *want; /* NULL: none */
} name_rows[] = {
    {"x64_0_is_passive", ARCH_X64, 0, "PASSIVE_LEVEL"},
    {"x64_1_is_apc", ARCH_X64, 1, "APC_LEVEL"},
    {"x64_2_is_dispatch", ARCH_X64, 2, "DISPATCH_LEVEL"},
    {"x64_3_has_no_name", ARCH_X64, 3, NULL},
    {"x64_13_is_clock", ARCH_X64, 13, "CLOCK_LEVEL"},
    {"x64_14_is_ipi", ARCH_X64, 14, "IPI_LEVEL"},
    {"x64_15_is_profile", ARCH_X64, 15, "PROFILE_LEVEL"},
    {"x64_16_has_no_name", ARCH_X64, 16, NULL},
    {"x86_15_has_no_name", ARCH_X86, 15, NULL},
    {"x86_27_is_profile", ARCH_X86, 27, "PROFILE_LEVEL"},
    {"x86_31_is_high", ARCH_X86, 31, "HIGH_LEVEL"},
    {"arm32_5_has_no_name", ARCH_ARM32, 5, NULL},
    {"ia64_3_is_cmci", ARCH_IA64, 3, "CMCI_LEVEL"},
    {"undefined_levels_give_no_name_to_255", ARCH_X86, 255, NULL},
};

static void name_row(void **state)
{
    const struct name_row *row = *state;
    const char *name = irql_level_name(row->arch, row->irql);

    if (row->want == NULL) {
        assert_null(name);
    } else {
        assert_non_null(name);
        assert_string_equal(name, row->want);
    }
}

TEST_FILE(test_irql_level)
{
    TEST_ADD_ROWS(list, value_row, value_rows);
    TEST_ADD_ROWS(list, spelling_row, spelling_rows);
    TEST_ADD_ROWS(list, name_row, name_rows);
}
