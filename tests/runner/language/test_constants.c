/* test_constants.c - names that stand for numbers, by the type of the field. */
#include "scenarios/runner/language/constants.h"
#include "tests/rows.h"

static struct find_row {
    const char *name;
    const char *spelling;
    enum nt_type type;
    enum arch arch;
    bool want;
    uint64_t want_value;
} find_rows[] = {
    {"status_by_name", "STATUS_INVALID_PARAMETER", NT_NTSTATUS, ARCH_X64, true,
        0xC000000D},
    {"last_status_by_name", "STATUS_WMI_ALREADY_ENABLED", NT_NTSTATUS, ARCH_X64,
        true, 0xC0000303},
    {"status_in_a_number", "STATUS_SUCCESS", NT_ULONG, ARCH_X64, false, 0},
    {"unknown_status", "STATUS_WORKING_SET_QUOTA", NT_NTSTATUS, ARCH_X64, false,
        0},
    {"generic_right", "GENERIC_READ", NT_ULONG, ARCH_X64, true, 0x80000000},
    {"right_of_files", "FILE_WRITE_ATTRIBUTES", NT_ULONG, ARCH_X64, true,
        0x100},
    {"right_of_keys", "KEY_ALL_ACCESS", NT_ULONG, ARCH_X64, true, 0xF003F},
    {"right_that_is_too_large_for_its_type", "DELETE", NT_USHORT, ARCH_X64,
        false, 0},
    {"right_that_just_fits_in", "READ_CONTROL", NT_ULONG64, ARCH_X64, true,
        0x20000},
    {"level_on_x64", "PROFILE_LEVEL", NT_KIRQL, ARCH_X64, true, 15},
    {"level_on_x86", "PROFILE_LEVEL", NT_KIRQL, ARCH_X86, true, 27},
    {"level_that_x86_lacks", "DRS_LEVEL", NT_KIRQL, ARCH_X86, false, 0},
    {"level_that_x64_has", "DRS_LEVEL", NT_KIRQL, ARCH_X64, true, 14},
    {"level_in_a_number", "PROFILE_LEVEL", NT_ULONG, ARCH_X64, false, 0},
    {"descriptor_type", "ResourceTypeRange",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, ARCH_X64, true, 1},
    {"descriptor_type_as_misspelt", "ResourceTypeIdenitificationTag",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, ARCH_X64, true, 5},
    {"counter_type", "PMCCounter", NT_HARDWARE_COUNTER_TYPE, ARCH_X64, true, 0},
    {"enumerator_of_another_type", "PMCCounter",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, ARCH_X64, false, 0},
    {"true_is_1", "true", NT_BOOLEAN, ARCH_X64, true, 1},
    {"false_is_0", "false", NT_BOOLEAN, ARCH_X64, true, 0},
    {"yes_is_nothing", "yes", NT_BOOLEAN, ARCH_X64, false, 0},
    {"true_in_a_number", "true", NT_ULONG, ARCH_X64, false, 0},
    {"most_counters_in_a_count", "MAX_HW_COUNTERS", NT_ULONG, ARCH_X64, true,
        16},
    {"most_counters_in_a_wide_number", "MAX_HW_COUNTERS", NT_ULONG64, ARCH_X64,
        true, 16},
    {"most_counters_in_a_handle", "MAX_HW_COUNTERS", NT_HANDLE, ARCH_X64, false,
        0},
    {"pool_flag", "POOL_FLAG_PAGED", NT_POOL_FLAGS, ARCH_X64, true, 0x100},
    {"optional_pool_flag", "POOL_FLAG_SPECIAL_POOL", NT_POOL_FLAGS, ARCH_X64,
        true, 0x100000000},
    {"pool_flag_in_a_number", "POOL_FLAG_PAGED", NT_ULONG64, ARCH_X64, false,
        0},
    {"pool_flag_in_another_hexadecimal_field", "POOL_FLAG_PAGED", NT_KAFFINITY,
        ARCH_X64, false, 0},
    {"pool_type", "NonPagedPoolNx", NT_POOL_TYPE, ARCH_X64, true, 512},
    {"name_in_other_case", "status_success", NT_NTSTATUS, ARCH_X64, false, 0},
    {"part_of_a_name", "STATUS_", NT_NTSTATUS, ARCH_X64, false, 0},
    {"name_in_a_callback", "PASSIVE_LEVEL",
        NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER, ARCH_X64, false, 0},
};

static void find_row(void **state)
{
    const struct find_row *row = *state;
    uint64_t value = 0;

    assert_int_equal(
        constant_find(row->spelling, row->type, row->arch, &value), row->want);
    if (row->want) {
        assert_int_equal(value, row->want_value);
    }
}

static struct suggest_row {
    const char *name;
    const char *wrong;
    enum nt_type type;
    const char *want; /* NULL: none */
} suggest_rows[] = {
    {"near_status", "STATUS_INVALID_PARAMATER", NT_NTSTATUS,
        "STATUS_INVALID_PARAMETER"},
    {"near_level", "PASIVE_LEVEL", NT_KIRQL, "PASSIVE_LEVEL"},
    {"near_descriptor_type", "ResourceTypeIdentificationTag",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE,
        "ResourceTypeIdenitificationTag"},
    {"near_counter_type", "PmcCounter", NT_HARDWARE_COUNTER_TYPE, "PMCCounter"},
    {"near_boolean", "treu", NT_BOOLEAN, "true"},
    {"enumerator_of_another_type_is_not_near", "PmcCounter",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, NULL},
    {"status_is_not_near_a_level", "STATUS_SUCESS", NT_KIRQL, NULL},
    {"nothing_is_near_a_handle", "STATUS_SUCESS", NT_HANDLE, NULL},
};

static void suggest_row(void **state)
{
    const struct suggest_row *row = *state;
    struct suggestion suggestion = suggest_for(row->wrong);

    constant_suggest(&suggestion, row->type);
    if (row->want == NULL) {
        assert_null(suggestion.nearest);
    } else {
        assert_non_null(suggestion.nearest);
        assert_string_equal(suggestion.nearest, row->want);
    }
}

TEST_FILE(test_constants)
{
    TEST_ADD_ROWS(list, find_row, find_rows);
    TEST_ADD_ROWS(list, suggest_row, suggest_rows);
}
