/* test_exports.c - every routine's row: parameters, image, header and contract
 * as the WDK has them, and calls that reach the routine (facts.md 1.4, 1.7). */
#include "api/boot/exports.h"
#include "api/core/irql_dispute.h"
#include "tests/api/booted_kernel.h"

static struct routine_test {
    const char *name;
    const char *spelling;
    enum routine_image image;
    const char *header;
    enum nt_type returns;
    const char *lowest, *highest;
    size_t parameters;
    enum routine_needs needs;
    const char *since;
} routine_tests[] = {
    {"allocate", "HalAllocateHardwareCounters", IMAGE_HAL, "ntddk.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "PASSIVE_LEVEL", 4, NEEDS_PMU, "WIN7"},
    {"free", "HalFreeHardwareCounters", IMAGE_HAL, "ntddk.h", NT_NTSTATUS,
        "PASSIVE_LEVEL", "PASSIVE_LEVEL", 1, NEEDS_PMU, "WIN7"},
    {"set", "KeSetHardwareCounterConfiguration", IMAGE_NTOSKRNL, "ntddk.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "APC_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"query", "KeQueryHardwareCounterConfiguration", IMAGE_NTOSKRNL, "ntddk.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "APC_LEVEL", 3, NEEDS_NOTHING, "WIN7"},
    {"raise", "KfRaiseIrql", IMAGE_NTOSKRNL, "wdm.h", NT_KIRQL, "PASSIVE_LEVEL",
        "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"lower", "KeLowerIrql", IMAGE_NTOSKRNL, "wdm.h", NT_VOID, "PASSIVE_LEVEL",
        "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"current", "KeGetCurrentIrql", IMAGE_NTOSKRNL, "wdm.h", NT_KIRQL,
        "PASSIVE_LEVEL", "HIGH_LEVEL", 0, NEEDS_NOTHING, "WIN7"},
    {"groups", "KeQueryActiveGroupCount", IMAGE_NTOSKRNL, "wdm.h", NT_USHORT,
        "PASSIVE_LEVEL", "HIGH_LEVEL", 0, NEEDS_NOTHING, "WIN7"},
    {"count", "KeQueryActiveProcessorCountEx", IMAGE_NTOSKRNL, "wdm.h",
        NT_ULONG, "PASSIVE_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"count_of_group_0", "KeQueryActiveProcessorCount", IMAGE_NTOSKRNL, "wdm.h",
        NT_ULONG, "PASSIVE_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"group", "KeQueryGroupAffinity", IMAGE_NTOSKRNL, "wdm.h", NT_KAFFINITY,
        "PASSIVE_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"this_processor", "KeGetCurrentProcessorNumberEx", IMAGE_NTOSKRNL, "wdm.h",
        NT_ULONG, "PASSIVE_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"number", "KeGetProcessorNumberFromIndex", IMAGE_NTOSKRNL, "wdm.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "HIGH_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"index", "KeGetProcessorIndexFromNumber", IMAGE_NTOSKRNL, "wdm.h",
        NT_ULONG, "PASSIVE_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"initialize_lock", "KeInitializeSpinLock", IMAGE_NTOSKRNL, "wdm.h",
        NT_VOID, "PASSIVE_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"acquire_lock", "KeAcquireSpinLockRaiseToDpc", IMAGE_NTOSKRNL, "wdm.h",
        NT_KIRQL, "PASSIVE_LEVEL", "DISPATCH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"release_lock", "KeReleaseSpinLock", IMAGE_NTOSKRNL, "wdm.h", NT_VOID,
        "DISPATCH_LEVEL", "DISPATCH_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"acquire_raised", "KeAcquireSpinLockAtDpcLevel", IMAGE_NTOSKRNL, "wdm.h",
        NT_VOID, "DISPATCH_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"release_raised", "KeReleaseSpinLockFromDpcLevel", IMAGE_NTOSKRNL, "wdm.h",
        NT_VOID, "DISPATCH_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"stall", "KeStallExecutionProcessor", IMAGE_HAL, "wdm.h", NT_VOID,
        "PASSIVE_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"register_nmi", "KeRegisterNmiCallback", IMAGE_NTOSKRNL, "wdm.h", NT_PVOID,
        "PASSIVE_LEVEL", "APC_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"deregister_nmi", "KeDeregisterNmiCallback", IMAGE_NTOSKRNL, "wdm.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "APC_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"hal_query", "HalQuerySystemInformation", IMAGE_DISPATCH, "ntddk.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "HIGH_LEVEL", 4, NEEDS_PMU, "WIN7"},
    {"hal_set", "HalSetSystemInformation", IMAGE_DISPATCH, "ntddk.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "HIGH_LEVEL", 3, NEEDS_PMU, "WIN7"},
    {"performance_counter", "KeQueryPerformanceCounter", IMAGE_HAL, "wdm.h",
        NT_LONGLONG, "PASSIVE_LEVEL", "HIGH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"broadcast", "KeIpiGenericCall", IMAGE_NTOSKRNL, "wdm.h", NT_ULONG_PTR,
        "PASSIVE_LEVEL", "CLOCK_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"set_affinity", "KeSetSystemGroupAffinityThread", IMAGE_NTOSKRNL, "wdm.h",
        NT_VOID, "PASSIVE_LEVEL", "DISPATCH_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"revert_affinity", "KeRevertToUserGroupAffinityThread", IMAGE_NTOSKRNL,
        "wdm.h", NT_VOID, "PASSIVE_LEVEL", "DISPATCH_LEVEL", 1, NEEDS_NOTHING,
        "WIN7"},
    {"allocate_pool_2", "ExAllocatePool2", IMAGE_NTOSKRNL, "wdm.h", NT_PVOID,
        "PASSIVE_LEVEL", "DISPATCH_LEVEL", 3, NEEDS_NOTHING, "WIN_FE"},
    {"allocate_pool_with_tag", "ExAllocatePoolWithTag", IMAGE_NTOSKRNL, "wdm.h",
        NT_PVOID, "PASSIVE_LEVEL", "DISPATCH_LEVEL", 3, NEEDS_NOTHING, "WIN7"},
    {"allocate_pool", "ExAllocatePool", IMAGE_NTOSKRNL, "wdm.h", NT_PVOID,
        "PASSIVE_LEVEL", "DISPATCH_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"free_pool", "ExFreePool", IMAGE_NTOSKRNL, "wdm.h", NT_VOID,
        "PASSIVE_LEVEL", "DISPATCH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"free_pool_with_tag", "ExFreePoolWithTag", IMAGE_NTOSKRNL, "wdm.h",
        NT_VOID, "PASSIVE_LEVEL", "DISPATCH_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"c_handler", "__C_specific_handler", IMAGE_NTOSKRNL, "excpt.h", NT_ULONG,
        "PASSIVE_LEVEL", "HIGH_LEVEL", 4, NEEDS_NATIVE, "WIN7"},
    {"raise_status", "ExRaiseStatus", IMAGE_NTOSKRNL, "wdm.h", NT_VOID,
        "PASSIVE_LEVEL", "APC_LEVEL", 1, NEEDS_NATIVE, "WIN7"},
    {"create_device", "IoCreateDevice", IMAGE_NTOSKRNL, "wdm.h", NT_NTSTATUS,
        "PASSIVE_LEVEL", "APC_LEVEL", 7, NEEDS_NATIVE, "WIN7"},
    {"delete_device", "IoDeleteDevice", IMAGE_NTOSKRNL, "wdm.h", NT_VOID,
        "PASSIVE_LEVEL", "APC_LEVEL", 1, NEEDS_NATIVE, "WIN7"},
    {"create_link", "IoCreateSymbolicLink", IMAGE_NTOSKRNL, "wdm.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "PASSIVE_LEVEL", 2, NEEDS_NATIVE, "WIN7"},
    {"delete_link", "IoDeleteSymbolicLink", IMAGE_NTOSKRNL, "wdm.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "PASSIVE_LEVEL", 1, NEEDS_NATIVE, "WIN7"},
    {"complete", "IofCompleteRequest", IMAGE_NTOSKRNL, "wdm.h", NT_VOID,
        "PASSIVE_LEVEL", "DISPATCH_LEVEL", 2, NEEDS_NATIVE, "WIN7"},
    {"init_unicode_string", "RtlInitUnicodeString", IMAGE_NTOSKRNL, "wdm.h",
        NT_VOID, "PASSIVE_LEVEL", "DISPATCH_LEVEL", 2, NEEDS_NATIVE, "WIN7"},
    {"init_ansi_string", "RtlInitAnsiString", IMAGE_NTOSKRNL, "wdm.h", NT_VOID,
        "PASSIVE_LEVEL", "DISPATCH_LEVEL", 2, NEEDS_NATIVE, "WIN7"},
    {"copy_unicode_string", "RtlCopyUnicodeString", IMAGE_NTOSKRNL, "wdm.h",
        NT_VOID, "PASSIVE_LEVEL", "HIGH_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"equal_unicode_string", "RtlEqualUnicodeString", IMAGE_NTOSKRNL, "wdm.h",
        NT_BOOLEAN, "PASSIVE_LEVEL", "PASSIVE_LEVEL", 3, NEEDS_NOTHING, "WIN7"},
    {"compare_memory", "RtlCompareMemory", IMAGE_NTOSKRNL, "wdm.h", NT_SIZE_T,
        "PASSIVE_LEVEL", "HIGH_LEVEL", 3, NEEDS_NATIVE, "WIN7"},
    {"memcpy", "memcpy", IMAGE_NTOSKRNL, "string.h", NT_PVOID, "PASSIVE_LEVEL",
        "HIGH_LEVEL", 3, NEEDS_CRT, "WIN7"},
    {"memmove", "memmove", IMAGE_NTOSKRNL, "string.h", NT_PVOID,
        "PASSIVE_LEVEL", "HIGH_LEVEL", 3, NEEDS_CRT, "WIN7"},
    {"memset", "memset", IMAGE_NTOSKRNL, "string.h", NT_PVOID, "PASSIVE_LEVEL",
        "HIGH_LEVEL", 3, NEEDS_CRT, "WIN7"},
    {"memcmp", "memcmp", IMAGE_NTOSKRNL, "string.h", NT_LONG, "PASSIVE_LEVEL",
        "HIGH_LEVEL", 3, NEEDS_CRT, "WIN7"},
    {"print", "DbgPrint", IMAGE_NTOSKRNL, "wdm.h", NT_ULONG, "PASSIVE_LEVEL",
        "HIGH_LEVEL", 2, NEEDS_NATIVE, "WIN7"},
    {"print_to_component", "DbgPrintEx", IMAGE_NTOSKRNL, "wdm.h", NT_ULONG,
        "PASSIVE_LEVEL", "HIGH_LEVEL", 4, NEEDS_NATIVE, "WIN7"},
    {"register_counter_set", "PcwRegister", IMAGE_NTOSKRNL, "wdm.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "APC_LEVEL", 2, NEEDS_NOTHING, "WIN7"},
    {"unregister_counter_set", "PcwUnregister", IMAGE_NTOSKRNL, "wdm.h",
        NT_VOID, "PASSIVE_LEVEL", "APC_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"create_instance", "PcwCreateInstance", IMAGE_NTOSKRNL, "wdm.h",
        NT_NTSTATUS, "PASSIVE_LEVEL", "APC_LEVEL", 5, NEEDS_NOTHING, "WIN7"},
    {"close_instance", "PcwCloseInstance", IMAGE_NTOSKRNL, "wdm.h", NT_VOID,
        "PASSIVE_LEVEL", "APC_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"add_instance", "PcwAddInstance", IMAGE_NTOSKRNL, "wdm.h", NT_NTSTATUS,
        "PASSIVE_LEVEL", "APC_LEVEL", 5, NEEDS_NOTHING, "WIN7"},
    {"read_event", "KeReadStateEvent", IMAGE_NTOSKRNL, "wdm.h", NT_LONG,
        "PASSIVE_LEVEL", "DISPATCH_LEVEL", 1, NEEDS_NOTHING, "WIN7"},
    {"system_routine", "MmGetSystemRoutineAddress", IMAGE_NTOSKRNL, "wdm.h",
        NT_PVOID, "PASSIVE_LEVEL", "PASSIVE_LEVEL", 1, NEEDS_NATIVE, "WIN7"},
    {"print_list", "vDbgPrintEx", IMAGE_NTOSKRNL, "wdm.h", NT_ULONG,
        "PASSIVE_LEVEL", "HIGH_LEVEL", 4, NEEDS_NATIVE, "WIN7"},
};

static void routine_test(void **state)
{
    const struct routine_test *test = *state;
    const struct routine_row *row;
    enum routine routine;

    assert_true(routine_find(test->spelling, &routine));
    row = &routine_rows[routine];
    assert_string_equal(row->name, test->spelling);
    assert_int_equal(row->image, test->image);
    assert_string_equal(row->header, test->header);
    assert_int_equal(row->returns, test->returns);
    assert_string_equal(irql_level_spelling(row->lowest), test->lowest);
    assert_string_equal(irql_level_spelling(row->highest), test->highest);
    assert_int_equal(routine_parameter_count(row), test->parameters);
    assert_int_equal(row->needs, test->needs);
    assert_string_equal(os_rows[row->since].name, test->since);
    assert_true(strlen(row->requirements) > 0);
}

static struct status_row {
    const char *name;
    enum routine routine;
    uint32_t status;
    bool want;
} status_rows[] = {
    {"every_routine_may_succeed", ROUTINE_HalFreeHardwareCounters, 0, true},
    {"status_of_the_row", ROUTINE_HalFreeHardwareCounters, 0xC000000D, true},
    {"status_of_another_row", ROUTINE_HalFreeHardwareCounters, 0xC00000BB,
        false},
    {"first_of_several", ROUTINE_HalAllocateHardwareCounters, 0xC000000D, true},
    {"last_of_several", ROUTINE_HalAllocateHardwareCounters, 0xC000009A, true},
    {"number_that_ends_the_list", ROUTINE_HalAllocateHardwareCounters, 1,
        false},
    {"routine_without_failures", ROUTINE_KfRaiseIrql, 0xC000000D, false},
};

static void status_row(void **state)
{
    const struct status_row *row = *state;

    assert_int_equal(
        routine_may_return(row->routine, (NTSTATUS)row->status), row->want);
}

static struct exists_row {
    const char *name;
    enum routine routine;
    enum os os;
    bool want;
} exists_rows[] = {
    {"first_windows_exports_what_was_always_there",
        ROUTINE_HalAllocateHardwareCounters, OS_WIN7, true},
    {"first_windows_has_tags", ROUTINE_ExAllocatePoolWithTag, OS_WIN7, true},
    {"windows_10_1903_lacks_pool_2", ROUTINE_ExAllocatePool2, OS_WIN10_1903,
        false},
    {"windows_7_lacks_pool_2", ROUTINE_ExAllocatePool2, OS_WIN7, false},
    {"server_2022_has_pool_2", ROUTINE_ExAllocatePool2, OS_WIN_FE, true},
    {"windows_11_has_pool_2", ROUTINE_ExAllocatePool2, OS_WIN11, true},
};

static void exists_row(void **state)
{
    const struct exists_row *row = *state;

    assert_int_equal(routine_exists(row->routine, row->os), row->want);
}

static struct parameter_row {
    const char *name;
    const char *routine;
    size_t index;
    const char *want_name, *want_type;
    enum parameter_direction want_direction;
    const char *want_pointee, *want_count;
    bool want_pointer, want_out;
} parameter_rows[] = {
    {"allocate_takes_affinities_spelt_as_in_the_wdk",
        "HalAllocateHardwareCounters", 0, "GroupAffinty", "PGROUP_AFFINITY",
        PARAMETER_IN_OPT, "GROUP_AFFINITY", "GroupCount", true, false},
    {"allocate_takes_a_group_count", "HalAllocateHardwareCounters", 1,
        "GroupCount", "ULONG", PARAMETER_VALUE, "ULONG", "one", false, false},
    {"allocate_takes_an_optional_list", "HalAllocateHardwareCounters", 2,
        "ResourceList", "PPHYSICAL_COUNTER_RESOURCE_LIST", PARAMETER_IN_OPT,
        "PHYSICAL_COUNTER_RESOURCE_LIST", "one", true, false},
    {"allocate_gives_a_handle", "HalAllocateHardwareCounters", 3,
        "CounterSetHandle", "PHANDLE", PARAMETER_OUT, "HANDLE", "one", true,
        true},
    {"free_takes_the_handle", "HalFreeHardwareCounters", 0, "CounterSetHandle",
        "HANDLE", PARAMETER_VALUE, "HANDLE", "one", false, false},
    {"set_takes_an_array", "KeSetHardwareCounterConfiguration", 0,
        "CounterArray", "PHARDWARE_COUNTER", PARAMETER_IN_OPT,
        "HARDWARE_COUNTER", "Count", true, false},
    {"set_takes_its_length", "KeSetHardwareCounterConfiguration", 1, "Count",
        "ULONG", PARAMETER_VALUE, "ULONG", "one", false, false},
    {"query_gives_an_array", "KeQueryHardwareCounterConfiguration", 0,
        "CounterArray", "PHARDWARE_COUNTER", PARAMETER_OUT, "HARDWARE_COUNTER",
        "MaximumCount", true, true},
    {"query_takes_the_most_it_may_give", "KeQueryHardwareCounterConfiguration",
        1, "MaximumCount", "ULONG", PARAMETER_VALUE, "ULONG", "one", false,
        false},
    {"query_gives_a_length", "KeQueryHardwareCounterConfiguration", 2, "Count",
        "PULONG", PARAMETER_OUT, "ULONG", "one", true, true},
    {"raise_takes_a_level", "KfRaiseIrql", 0, "NewIrql", "KIRQL",
        PARAMETER_VALUE, "KIRQL", "one", false, false},
    {"lower_takes_a_level", "KeLowerIrql", 0, "NewIrql", "KIRQL",
        PARAMETER_VALUE, "KIRQL", "one", false, false},
};

static void parameter_row(void **state)
{
    const struct parameter_row *row = *state;
    const struct parameter *parameter;
    enum routine routine;

    assert_true(routine_find(row->routine, &routine));
    parameter = &routine_rows[routine].parameter[row->index];
    assert_string_equal(parameter->name, row->want_name);
    assert_string_equal(parameter->type_name, row->want_type);
    assert_int_equal(parameter->direction, row->want_direction);
    assert_string_equal(nt_type_row(parameter->type)->name, row->want_pointee);
    assert_string_equal(parameter->count, row->want_count);
    assert_int_equal(parameter_is_pointer(parameter), row->want_pointer);
    assert_int_equal(parameter_is_out(parameter), row->want_out);
}

static struct unknown_row {
    const char *name;
    const char *spelling;
} unknown_rows[] = {
    {"empty_name_is_no_routine", ""},
    {"part_of_a_name_is_no_routine", "HalAllocate"},
    {"name_in_other_case_is_no_routine", "keloweriRql"},
    {"macro_is_no_routine", "KeRaiseIrql"},
};

static void unknown_row(void **state)
{
    const struct unknown_row *row = *state;
    enum routine routine;

    assert_false(routine_find(row->spelling, &routine));
}

/* The same routine called in three ways, with KIRQL 2 in a word whose upper
 * bits are not 0: as a driver does, by its row, and by its row's body. */
struct ways {
    uint64_t by_name, by_row, by_body;
    uint64_t time_by_row, time_by_body;
};

static void raise_in_three_ways(void *argument)
{
    const struct routine_entry *raise = &export_entries[ROUTINE_KfRaiseIrql];
    const uint64_t level = 0xFFFFFF02;
    struct ways *ways = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());
    uint64_t before;

    KfRaiseIrql(1);
    ways->by_name = KfRaiseIrql(2);
    before = cpu->time;
    ways->by_row = raise->call(&level);
    ways->time_by_row = cpu->time - before;
    before = cpu->time;
    ways->by_body = raise->body(&level);
    ways->time_by_body = cpu->time - before;
}

static void call_narrows_its_arguments_and_pays_and_body_does_not(void **state)
{
    struct booted_kernel booted;
    struct ways ways = {0};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, raise_in_three_ways, &ways);
    assert_int_equal(ways.by_name, 1);
    assert_int_equal(ways.by_row, 2);
    assert_int_equal(ways.by_body, 2);
    assert_int_equal(ways.time_by_row, 20);
    assert_int_equal(ways.time_by_body, 0);
    booted_release(&booted);
}

/* A row's call and body on the same arguments. */
struct pair {
    enum routine routine;
    uint64_t argument[ROUTINE_PARAMETERS];
    uint64_t by_row, by_body;
};

static void call_pair(void *argument)
{
    struct pair *pair = argument;
    const struct routine_entry *entry = &export_entries[pair->routine];

    pair->by_row = entry->call(pair->argument);
    pair->by_body = entry->body(pair->argument);
}

static struct pair_row {
    const char *name;
    enum routine routine;
    uint64_t argument[ROUTINE_PARAMETERS];
    uint64_t want; /* a status is not sign-extended */
} pair_rows[] = {
    {"allocate_without_a_handle", ROUTINE_HalAllocateHardwareCounters, {0},
        0xC000000D},
    {"free_of_null", ROUTINE_HalFreeHardwareCounters, {0}, 0xC000000D},
    {"free_of_a_wide_handle", ROUTINE_HalFreeHardwareCounters, {0x100001000},
        0xC000000D},
    {"set_of_seventeen", ROUTINE_KeSetHardwareCounterConfiguration, {0, 17},
        0xC000000D},
    {"set_of_nothing_in_the_low_half",
        ROUTINE_KeSetHardwareCounterConfiguration, {0, 0x100000000}, 0},
    {"current_level", ROUTINE_KeGetCurrentIrql, {0}, 0},
};

static void pair_row(void **state)
{
    const struct pair_row *row = *state;
    struct booted_kernel booted;
    struct pair pair = {.routine = row->routine, .by_row = 99, .by_body = 99};

    memcpy(pair.argument, row->argument, sizeof(pair.argument));
    booted_init_usual(&booted);
    booted_run(&booted, 0, call_pair, &pair);
    assert_int_equal(pair.by_row, row->want);
    assert_int_equal(pair.by_body, row->want);
    booted_release(&booted);
}

/* The routine as a Windows driver calls it, and what it gave. */
struct foreign {
    PHANDLE handle;
    uint32_t status;
};

#if defined(__x86_64__)
#define WINDOWS_CALL __attribute__((ms_abi))
#else
#define WINDOWS_CALL
#endif

static void call_as_windows_does(void *argument)
{
    struct foreign *foreign = argument;
    int32_t(WINDOWS_CALL * routine)(
        GROUP_AFFINITY *, uint32_t, PHYSICAL_COUNTER_RESOURCE_LIST *, void **) =
        HalAllocateHardwareCounters;

    foreign->status = (uint32_t)routine(NULL, 0, NULL, foreign->handle);
}

static void routine_is_called_as_on_windows(void **state)
{
    struct booted_kernel booted;
    struct foreign foreign = {.status = 99};

    (void)state;
    booted_init_usual(&booted);
    foreign.handle = booted_block(&booted, 8, 0);
    booted_run(&booted, 0, call_as_windows_does, &foreign);
    assert_int_equal(foreign.status, 0);
    assert_non_null(*foreign.handle);
    booted_release(&booted);
}

/* EXE-GEN-01: who is in the table has the trait and the levels that either
 * allows, and nobody else has it. */
static void row_of_disputed_levels_is_what_page_and_header_allow(void **state)
{
    size_t disputed = 0;

    (void)state;
    for (enum routine routine = 0; routine < ROUTINE_COUNT; routine++) {
        const struct routine_row *row = &routine_rows[routine];
        const struct irql_dispute *dispute = irql_dispute_find(routine);

        assert_int_equal(routine_has(routine, TRAIT_DISPUTED), dispute != NULL);
        if (dispute == NULL) {
            continue;
        }
        disputed++;
        assert_int_equal(
            row->lowest, dispute->page.lowest < dispute->header.lowest
                             ? dispute->page.lowest
                             : dispute->header.lowest);
        assert_int_equal(
            row->highest, dispute->page.highest > dispute->header.highest
                              ? dispute->page.highest
                              : dispute->header.highest);
        assert_true(dispute->page.lowest != dispute->header.lowest ||
                    dispute->page.highest != dispute->header.highest);
    }
    assert_int_equal(disputed, irql_dispute_count);
}

TEST_FILE(test_exports)
{
    test_add(list, "row_of_disputed_levels_is_what_page_and_header_allow",
        row_of_disputed_levels_is_what_page_and_header_allow, NULL);
    TEST_ADD_ROWS(list, routine_test, routine_tests);
    TEST_ADD_ROWS(list, exists_row, exists_rows);
    TEST_ADD_ROWS(list, parameter_row, parameter_rows);
    TEST_ADD_ROWS(list, unknown_row, unknown_rows);
    TEST_ADD_ROWS(list, pair_row, pair_rows);
    TEST_ADD_ROWS(list, status_row, status_rows);
    test_add(list, "call_narrows_its_arguments_and_pays_and_body_does_not",
        call_narrows_its_arguments_and_pays_and_body_does_not, NULL);
    test_add(list, "routine_is_called_as_on_windows",
        routine_is_called_as_on_windows, NULL);
}
