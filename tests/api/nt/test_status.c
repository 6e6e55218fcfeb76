/* test_status.c - status codes by name, and values in memory by their size
 * (facts.md 1.1, 1.2). */
#include "api/nt/nt.h"
#include "api/nt/type.h"
#include "tests/rows.h"

static struct status_row {
    const char *name;
    uint32_t status;
    const char *want; /* NULL: unknown to this kernel */
} status_rows[] = {
    {"success_is_0", 0x00000000, "STATUS_SUCCESS"},
    {"unsuccessful_is_c0000001", 0xC0000001, "STATUS_UNSUCCESSFUL"},
    {"not_implemented_is_c0000002", 0xC0000002, "STATUS_NOT_IMPLEMENTED"},
    {"access_violation_is_c0000005", 0xC0000005, "STATUS_ACCESS_VIOLATION"},
    {"invalid_handle_is_c0000008", 0xC0000008, "STATUS_INVALID_HANDLE"},
    {"invalid_parameter_is_c000000d", 0xC000000D, "STATUS_INVALID_PARAMETER"},
    {"no_memory_is_c0000017", 0xC0000017, "STATUS_NO_MEMORY"},
    {"buffer_too_small_is_c0000023", 0xC0000023, "STATUS_BUFFER_TOO_SMALL"},
    {"noncontinuable_exception_is_c0000025", 0xC0000025,
        "STATUS_NONCONTINUABLE_EXCEPTION"},
    {"unwind_is_c0000027", 0xC0000027, "STATUS_UNWIND"},
    {"integer_overflow_is_c0000095", 0xC0000095, "STATUS_INTEGER_OVERFLOW"},
    {"privileged_instruction_is_c0000096", 0xC0000096,
        "STATUS_PRIVILEGED_INSTRUCTION"},
    {"insufficient_resources_is_c000009a", 0xC000009A,
        "STATUS_INSUFFICIENT_RESOURCES"},
    {"profiling_not_started_is_c00000b7", 0xC00000B7,
        "STATUS_PROFILING_NOT_STARTED"},
    {"profiling_not_stopped_is_c00000b8", 0xC00000B8,
        "STATUS_PROFILING_NOT_STOPPED"},
    {"not_supported_is_c00000bb", 0xC00000BB, "STATUS_NOT_SUPPORTED"},
    {"invalid_parameter_1_is_c00000ef", 0xC00000EF,
        "STATUS_INVALID_PARAMETER_1"},
    {"invalid_parameter_2_is_c00000f0", 0xC00000F0,
        "STATUS_INVALID_PARAMETER_2"},
    {"invalid_parameter_3_is_c00000f1", 0xC00000F1,
        "STATUS_INVALID_PARAMETER_3"},
    {"invalid_parameter_4_is_c00000f2", 0xC00000F2,
        "STATUS_INVALID_PARAMETER_4"},
    {"invalid_parameter_5_is_c00000f3", 0xC00000F3,
        "STATUS_INVALID_PARAMETER_5"},
    {"invalid_buffer_size_is_c0000206", 0xC0000206,
        "STATUS_INVALID_BUFFER_SIZE"},
    {"wmi_already_disabled_is_c0000302", 0xC0000302,
        "STATUS_WMI_ALREADY_DISABLED"},
    {"wmi_already_enabled_is_c0000303", 0xC0000303,
        "STATUS_WMI_ALREADY_ENABLED"},
    {"pending_is_00000103", 0x00000103, "STATUS_PENDING"},
    {"buffer_overflow_is_80000005", 0x80000005, "STATUS_BUFFER_OVERFLOW"},
    {"device_busy_is_80000011", 0x80000011, "STATUS_DEVICE_BUSY"},
    {"no_such_device_is_c000000e", 0xC000000E, "STATUS_NO_SUCH_DEVICE"},
    {"invalid_device_request_is_c0000010", 0xC0000010,
        "STATUS_INVALID_DEVICE_REQUEST"},
    {"access_denied_is_c0000022", 0xC0000022, "STATUS_ACCESS_DENIED"},
    {"object_type_mismatch_is_c0000024", 0xC0000024,
        "STATUS_OBJECT_TYPE_MISMATCH"},
    {"object_name_invalid_is_c0000033", 0xC0000033,
        "STATUS_OBJECT_NAME_INVALID"},
    {"object_name_not_found_is_c0000034", 0xC0000034,
        "STATUS_OBJECT_NAME_NOT_FOUND"},
    {"object_name_collision_is_c0000035", 0xC0000035,
        "STATUS_OBJECT_NAME_COLLISION"},
    {"object_path_not_found_is_c000003a", 0xC000003A,
        "STATUS_OBJECT_PATH_NOT_FOUND"},
    {"object_path_syntax_bad_is_c000003b", 0xC000003B,
        "STATUS_OBJECT_PATH_SYNTAX_BAD"},
    {"name_too_long_is_c0000106", 0xC0000106, "STATUS_NAME_TOO_LONG"},
    {"other_statuses_have_no_name", 0xC0000304, NULL},
    {"success_is_the_only_one_without_error", 0x00000001, NULL},
};

static void status_row(void **state)
{
    const struct status_row *row = *state;
    const char *name = nt_status_name(row->status);

    if (row->want == NULL) {
        assert_null(name);
    } else {
        assert_non_null(name);
        assert_string_equal(name, row->want);
    }
}

static struct success_row {
    const char *name;
    uint32_t status;
    bool want;
} success_rows[] = {
    {"status_0_is_success", 0x00000000, true},
    {"status_with_the_sign_bit_is_none", 0xC000000D, false},
    {"lowest_failure_is_none", 0x80000000, false},
    {"highest_value_without_the_sign_bit_is_success", 0x7FFFFFFF, true},
};

static void success_row(void **state)
{
    const struct success_row *row = *state;

    assert_int_equal(NT_SUCCESS((NTSTATUS)row->status), row->want);
}

/* Eight bytes 11H, 22H, ... 88H; then 0102030405060708H is stored. */
static struct size_row {
    const char *name;
    size_t size;
    uint64_t want_loaded;
    uint8_t want_bytes[8];
} size_rows[] = {
    {"one_byte", 1, 0x11, {0x08, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}},
    {"two_bytes", 2, 0x2211, {0x08, 0x07, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}},
    {"four_bytes", 4, 0x44332211,
        {0x08, 0x07, 0x06, 0x05, 0x55, 0x66, 0x77, 0x88}},
    {"eight_bytes", 8, 0x8877665544332211,
        {0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01}},
};

static void size_row(void **state)
{
    const struct size_row *row = *state;
    uint8_t bytes[8] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};

    assert_int_equal(nt_load(bytes, row->size), row->want_loaded);
    nt_store(bytes, row->size, 0x0102030405060708);
    assert_memory_equal(bytes, row->want_bytes, 8);
}

TEST_FILE(test_status)
{
    TEST_ADD_ROWS(list, status_row, status_rows);
    TEST_ADD_ROWS(list, success_row, success_rows);
    TEST_ADD_ROWS(list, size_row, size_rows);
}
