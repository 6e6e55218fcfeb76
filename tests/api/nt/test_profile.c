/* test_profile.c - Windows versions and architectures: which pairs there were,
 * and their figures (facts.md 1.5, 3.4, GRP-01). */
#include "api/nt/profile.h"
#include "tests/rows.h"

static struct pair_row {
    const char *name;
    enum os os;
    enum arch arch;
    bool want;
} pair_rows[] = {
    {"win7_ran_on_x86", OS_WIN7, ARCH_X86, true},
    {"win7_ran_on_x64", OS_WIN7, ARCH_X64, true},
    {"win7_never_ran_on_arm32", OS_WIN7, ARCH_ARM32, false},
    {"win7_never_ran_on_arm64", OS_WIN7, ARCH_ARM64, false},
    {"win7_ran_on_ia64", OS_WIN7, ARCH_IA64, true},
    {"win8_ran_on_x86", OS_WIN8, ARCH_X86, true},
    {"win8_ran_on_x64", OS_WIN8, ARCH_X64, true},
    {"win8_ran_on_arm32", OS_WIN8, ARCH_ARM32, true},
    {"win8_never_ran_on_arm64", OS_WIN8, ARCH_ARM64, false},
    {"win8_never_ran_on_ia64", OS_WIN8, ARCH_IA64, false},
    {"win10_pre1903_ran_on_x86", OS_WIN10_PRE1903, ARCH_X86, true},
    {"win10_pre1903_ran_on_x64", OS_WIN10_PRE1903, ARCH_X64, true},
    {"win10_pre1903_ran_on_arm32", OS_WIN10_PRE1903, ARCH_ARM32, true},
    {"win10_pre1903_ran_on_arm64", OS_WIN10_PRE1903, ARCH_ARM64, true},
    {"win10_pre1903_never_ran_on_ia64", OS_WIN10_PRE1903, ARCH_IA64, false},
    {"win10_1903_ran_on_x86", OS_WIN10_1903, ARCH_X86, true},
    {"win10_1903_ran_on_x64", OS_WIN10_1903, ARCH_X64, true},
    {"win10_1903_ran_on_arm32", OS_WIN10_1903, ARCH_ARM32, true},
    {"win10_1903_ran_on_arm64", OS_WIN10_1903, ARCH_ARM64, true},
    {"win10_1903_never_ran_on_ia64", OS_WIN10_1903, ARCH_IA64, false},
    {"win_fe_never_ran_on_x86", OS_WIN_FE, ARCH_X86, false},
    {"win_fe_ran_on_x64", OS_WIN_FE, ARCH_X64, true},
    {"win_fe_never_ran_on_arm32", OS_WIN_FE, ARCH_ARM32, false},
    {"win_fe_ran_on_arm64", OS_WIN_FE, ARCH_ARM64, true},
    {"win_fe_never_ran_on_ia64", OS_WIN_FE, ARCH_IA64, false},
    {"win11_never_ran_on_x86", OS_WIN11, ARCH_X86, false},
    {"win11_ran_on_x64", OS_WIN11, ARCH_X64, true},
    {"win11_never_ran_on_arm32", OS_WIN11, ARCH_ARM32, false},
    {"win11_ran_on_arm64", OS_WIN11, ARCH_ARM64, true},
    {"win11_never_ran_on_ia64", OS_WIN11, ARCH_IA64, false},
};

static void pair_row(void **state)
{
    const struct pair_row *row = *state;

    assert_int_equal(profile_exists(row->os, row->arch), row->want);
}

static struct os_test {
    const char *name;
    enum os os;
    const char *want;
    uint32_t want_build;
    bool want_lists;
    unsigned want_type_max, want_groups;
} os_tests[] = {
    {"windows_7_is_all_or_nothing", OS_WIN7, "WIN7", 7600, false, 4, 4},
    {"windows_8_is_all_or_nothing", OS_WIN8, "WIN8", 9200, false, 4, 32},
    {"windows_10_is_all_or_nothing_at_first", OS_WIN10_PRE1903, "WIN10_PRE1903",
        10240, false, 4, 32},
    {"1903_has_lists_without_tags", OS_WIN10_1903, "WIN10_1903", 18362, true, 5,
        32},
    {"fe_has_lists_with_tags", OS_WIN_FE, "WIN_FE", 19645, true, 6, 32},
    {"windows_11_has_lists_with_tags", OS_WIN11, "WIN11", 22000, true, 6, 32},
};

static void os_test(void **state)
{
    const struct os_test *row = *state;
    const struct os_row *os = &os_rows[row->os];

    assert_string_equal(os->name, row->want);
    assert_int_equal(os->build, row->want_build);
    assert_int_equal(os->lists, row->want_lists);
    assert_int_equal(os->type_max, row->want_type_max);
    assert_int_equal(os->groups, row->want_groups);
}

static struct arch_test {
    const char *name;
    enum arch arch;
    const char *want;
    bool want_profiling;
    enum model want_model;
    unsigned want_processors, want_groups;
} arch_tests[] = {
    {"x86_has_one_group_of_32", ARCH_X86, "x86", true, MODEL_INTEL_V2, 32, 1},
    {"x64_has_32_groups", ARCH_X64, "x64", true, MODEL_INTEL_V2, 2048, 32},
    {"arm32_has_no_thread_profiling", ARCH_ARM32, "arm32", false, MODEL_NONE,
        32, 1},
    {"arm64_has_thread_profiling", ARCH_ARM64, "arm64", true, MODEL_NEOVERSE_N1,
        2048, 32},
    {"ia64_has_thread_profiling", ARCH_IA64, "ia64", true, MODEL_NONE, 256, 4},
};

static void arch_test(void **state)
{
    const struct arch_test *row = *state;
    const struct arch_row *arch = &arch_rows[row->arch];

    assert_string_equal(arch->name, row->want);
    assert_int_equal(arch->profiling, row->want_profiling);
    assert_int_equal(arch->model, row->want_model);
    assert_int_equal(arch->processors, row->want_processors);
    assert_int_equal(arch->groups, row->want_groups);
}

static struct class_row {
    const char *name;
    enum arch arch;
    uint8_t irql;
    unsigned want;
} class_rows[] = {
    {"x64_passive_is_class_0", ARCH_X64, 0, 0},
    {"x64_dispatch_is_class_2", ARCH_X64, 2, 2},
    {"x64_profile_is_class_15", ARCH_X64, 15, 15},
    {"x86_passive_is_class_0", ARCH_X86, 0, 0},
    {"x86_dispatch_is_class_2", ARCH_X86, 2, 2},
    {"x86_high_is_class_15", ARCH_X86, 31, 15},
};

static void class_row(void **state)
{
    const struct class_row *row = *state;

    assert_int_equal(arch_rows[row->arch].irql_class(row->irql), row->want);
}

static void x86_classes_are_in_the_order_of_the_levels(void **state)
{
    (void)state;
    for (uint8_t irql = 1; irql < 32; irql++) {
        unsigned below = arch_rows[ARCH_X86].irql_class(irql - 1);
        unsigned class = arch_rows[ARCH_X86].irql_class(irql);

        assert_in_range(class, below, 15);
    }
}

/* A level that masks another has a class of its own. */
static void x86_levels_with_a_name_have_a_class_each(void **state)
{
    static const uint8_t levels[] = {0, 1, 2, 5, 27, 28, 29, 30, 31};

    (void)state;
    for (unsigned i = 1; i < sizeof(levels); i++) {
        assert_true(arch_rows[ARCH_X86].irql_class(levels[i]) >
                    arch_rows[ARCH_X86].irql_class(levels[i - 1]));
    }
}

TEST_FILE(test_profile)
{
    TEST_ADD_ROWS(list, pair_row, pair_rows);
    TEST_ADD_ROWS(list, os_test, os_tests);
    TEST_ADD_ROWS(list, arch_test, arch_tests);
    TEST_ADD_ROWS(list, class_row, class_rows);
    test_add(list, "x86_classes_are_in_the_order_of_the_levels",
        x86_classes_are_in_the_order_of_the_levels, NULL);
    test_add(list, "x86_levels_with_a_name_have_a_class_each",
        x86_levels_with_a_name_have_a_class_each, NULL);
}
