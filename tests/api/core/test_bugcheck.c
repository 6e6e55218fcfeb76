/* test_bugcheck.c - bug check codes and their names (facts.md 7.1). */
#include "api/core/bugcheck.h"
#include "tests/rows.h"

static struct code_row {
    const char *name;
    const char *spelling;
    uint32_t want;
} code_rows[] = {
    {"apc_mismatch", "APC_INDEX_MISMATCH", 0x01},
    {"affinity_set", "INVALID_AFFINITY_SET", 0x03},
    {"invalid_process_attach_attempt", "INVALID_PROCESS_ATTACH_ATTEMPT", 0x05},
    {"invalid_process_detach_attempt", "INVALID_PROCESS_DETACH_ATTEMPT", 0x06},
    {"not_dispatch_level", "IRQL_NOT_DISPATCH_LEVEL", 0x08},
    {"not_greater_or_equal", "IRQL_NOT_GREATER_OR_EQUAL", 0x09},
    {"not_less_or_equal", "IRQL_NOT_LESS_OR_EQUAL", 0x0A},
    {"wait_objects", "MAXIMUM_WAIT_OBJECTS_EXCEEDED", 0x0C},
    {"spin_lock_already_owned", "SPIN_LOCK_ALREADY_OWNED", 0x0F},
    {"spin_lock_not_owned", "SPIN_LOCK_NOT_OWNED", 0x10},
    {"reference", "REFERENCE_BY_POINTER", 0x18},
    {"exception_not_handled", "KMODE_EXCEPTION_NOT_HANDLED", 0x1E},
    {"thread_exit", "KERNEL_APC_PENDING_DURING_EXIT", 0x20},
    {"page_fault", "PAGE_FAULT_IN_NONPAGED_AREA", 0x50},
    {"no_more_irp_stack_locations", "NO_MORE_IRP_STACK_LOCATIONS", 0x35},
    {"device_reference_count_not_zero", "DEVICE_REFERENCE_COUNT_NOT_ZERO",
        0x36},
    {"exit_owned_mutex", "SYSTEM_EXIT_OWNED_MUTEX", 0x39},
    {"complete_twice", "MULTIPLE_IRP_COMPLETE_REQUESTS", 0x44},
    {"cancel_state_in_completed_irp", "CANCEL_STATE_IN_COMPLETED_IRP", 0x48},
    {"system_thread_exception", "SYSTEM_THREAD_EXCEPTION_NOT_HANDLED", 0x7E},
    {"kernel_mode_trap", "UNEXPECTED_KERNEL_MODE_TRAP", 0x7F},
    {"nmi", "NMI_HARDWARE_FAILURE", 0x80},
    {"invalid_kernel_handle", "INVALID_KERNEL_HANDLE", 0x93},
    {"switch_from_dpc", "ATTEMPTED_SWITCH_FROM_DPC", 0xB8},
    {"write_to_readonly", "ATTEMPTED_WRITE_TO_READONLY_MEMORY", 0xBE},
    {"special_pool_corruption", "SPECIAL_POOL_DETECTED_MEMORY_CORRUPTION",
        0xC1},
    {"bad_pool_caller", "BAD_POOL_CALLER", 0xC2},
    {"verifier", "DRIVER_VERIFIER_DETECTED_VIOLATION", 0xC4},
    {"timer_or_dpc", "TIMER_OR_DPC_INVALID", 0xC7},
    {"unexpected_value", "IRQL_UNEXPECTED_VALUE", 0xC8},
    {"io_manager", "DRIVER_VERIFIER_IOMANAGER_VIOLATION", 0xC9},
    {"pnp_fatal", "PNP_DETECTED_FATAL_ERROR", 0xCA},
    {"unloaded", "DRIVER_UNLOADED_WITHOUT_CANCELLING_PENDING_OPERATIONS", 0xCE},
    {"driver_irql", "DRIVER_IRQL_NOT_LESS_OR_EQUAL", 0xD1},
    {"freed_special_pool", "DRIVER_PAGE_FAULT_IN_FREED_SPECIAL_POOL", 0xD5},
    {"beyond_allocation", "DRIVER_PAGE_FAULT_BEYOND_END_OF_ALLOCATION", 0xD6},
    {"worker_irql", "WORKER_THREAD_RETURNED_AT_BAD_IRQL", 0xE1},
    {"worker_invalid", "WORKER_INVALID", 0xE4},
    {"float_state", "INVALID_FLOATING_POINT_STATE", 0xE7},
    {"extended_state", "INVALID_EXTENDED_PROCESSOR_STATE", 0x131},
    {"worker_ended", "ACTIVE_EX_WORKER_THREAD_TERMINATION", 0xE9},
    {"no_execute", "ATTEMPTED_EXECUTE_OF_NOEXECUTE_MEMORY", 0xFC},
    {"nmi_in_nmi", "RECURSIVE_NMI", 0x111},
    {"dpc_watchdog", "DPC_WATCHDOG_VIOLATION", 0x133},
    {"security_check", "KERNEL_SECURITY_CHECK_FAILURE", 0x139},
    {"resource_converted", "SHARED_RESOURCE_CONV_ERROR", 0x1F},
    {"resource_not_owned", "RESOURCE_NOT_OWNED", 0xE3},
    {"owner_pointer", "RESOURCE_OWNER_POINTER_INVALID", 0x132},
    {"push_lock_flags", "INVALID_PUSH_LOCK_FLAGS", 0x152},
    {"resource_release", "ERESOURCE_INVALID_RELEASE", 0x16E},
    {"lock_at_exit", "KERNEL_LOCK_ENTRY_LEAKED_ON_THREAD_TERMINATION", 0x153},
    {"lock_release", "KERNEL_AUTO_BOOST_INVALID_LOCK_RELEASE", 0x162},
    {"bad_object_header", "BAD_OBJECT_HEADER", 0x189},
    {"mutex_at_exit", "THREAD_TERMINATE_HELD_MUTEX", 0x4000008A},
    {"memory_management", "MEMORY_MANAGEMENT", 0x1A},
    {"no_more_system_ptes", "NO_MORE_SYSTEM_PTES", 0x3F},
    {"target_mdl_too_small", "TARGET_MDL_TOO_SMALL", 0x40},
    {"pfn_list_corrupt", "PFN_LIST_CORRUPT", 0x4E},
    {"process_has_locked_pages", "PROCESS_HAS_LOCKED_PAGES", 0x76},
    {"system_pte_misuse", "SYSTEM_PTE_MISUSE", 0xDA},
};

enum { CODE_ROWS = sizeof(code_rows) / sizeof(code_rows[0]) };

static void code_row(void **state)
{
    const struct code_row *row = *state;

    assert_string_equal(
        bugcheck_name((enum bugcheck_code)row->want), row->spelling);
}

static void list_has_the_codes_of_this_test_and_an_end(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CODE_ROWS; i++) {
        assert_string_equal(bugcheck_listed(i), code_rows[i].spelling);
    }
    assert_null(bugcheck_listed(CODE_ROWS));
}

static void code_of_a_running_machine_has_no_name(void **state)
{
    (void)state;
    assert_null(bugcheck_name(BUGCHECK_NONE));
}

static struct shown_row {
    const char *name;
    uint32_t code;
    const char *what;
    const char *want;
} shown_rows[] = {
    {"listed_code_is_shown_with_its_number", 0xC2, NULL,
        "BAD_POOL_CALLER (0xC2)"},
    {"with_what_it_is_about", 0x1E, "STATUS_ACCESS_VIOLATION",
        "KMODE_EXCEPTION_NOT_HANDLED (0x1E, STATUS_ACCESS_VIOLATION)"},
    {"code_of_a_drivers_own_is_a_number", 0xE2000001, "nothing", "0xE2000001"},
};

static void shown_row(void **state)
{
    const struct shown_row *row = *state;
    char text[BUGCHECK_TEXT_BYTES];

    bugcheck_show((enum bugcheck_code)row->code, row->what, text);
    assert_string_equal(text, row->want);
}

TEST_FILE(test_bugcheck)
{
    TEST_ADD_ROWS(list, shown_row, shown_rows);
    TEST_ADD_ROWS(list, code_row, code_rows);
    test_add(list, "list_has_the_codes_of_this_test_and_an_end",
        list_has_the_codes_of_this_test_and_an_end, NULL);
    test_add(list, "code_of_a_running_machine_has_no_name",
        code_of_a_running_machine_has_no_name, NULL);
}
