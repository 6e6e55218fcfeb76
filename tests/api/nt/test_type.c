/* test_type.c - NT types: sizes, offsets and members as in the WDK on x64, and
 * callbacks that are called as Windows calls them (facts.md 1.1, 2.1, 3.1). */
#include <string.h>

#include "api/nt/nt.h"
#include "api/nt/type.h"
#include "tests/rows.h"

static struct size_row {
    const char *name;
    enum nt_type type;
    const char *spelling;
    size_t real, want;
} size_rows[] = {
    {"boolean_is_1_byte", NT_BOOLEAN, "BOOLEAN", sizeof(BOOLEAN), 1},
    {"uchar_is_1_byte", NT_UCHAR, "UCHAR", sizeof(UCHAR), 1},
    {"kirql_is_1_byte", NT_KIRQL, "KIRQL", sizeof(KIRQL), 1},
    {"ushort_is_2_bytes", NT_USHORT, "USHORT", sizeof(USHORT), 2},
    {"ulong_is_4_bytes", NT_ULONG, "ULONG", sizeof(ULONG), 4},
    {"long_is_4_bytes", NT_LONG, "LONG", sizeof(LONG), 4},
    {"ntstatus_is_4_bytes", NT_NTSTATUS, "NTSTATUS", sizeof(NTSTATUS), 4},
    {"ulong64_is_8_bytes", NT_ULONG64, "ULONG64", sizeof(ULONG64), 8},
    {"ulonglong_is_8_bytes", NT_ULONGLONG, "ULONGLONG", sizeof(ULONGLONG), 8},
    {"size_t_is_8_bytes", NT_SIZE_T, "SIZE_T", sizeof(SIZE_T), 8},
    {"ulong_ptr_is_8_bytes", NT_ULONG_PTR, "ULONG_PTR", sizeof(ULONG_PTR), 8},
    {"kaffinity_is_8_bytes", NT_KAFFINITY, "KAFFINITY", sizeof(KAFFINITY), 8},
    {"handle_is_8_bytes", NT_HANDLE, "HANDLE", sizeof(HANDLE), 8},
    {"pvoid_is_8_bytes", NT_PVOID, "PVOID", sizeof(PVOID), 8},
    {"overflow_handler_is_8_bytes", NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER,
        "PPHYSICAL_COUNTER_OVERFLOW_HANDLER",
        sizeof(PPHYSICAL_COUNTER_OVERFLOW_HANDLER), 8},
    {"descriptor_type_is_4_bytes", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE,
        "PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE",
        sizeof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE), 4},
    {"counter_type_is_4_bytes", NT_HARDWARE_COUNTER_TYPE,
        "HARDWARE_COUNTER_TYPE", sizeof(HARDWARE_COUNTER_TYPE), 4},
    {"group_affinity_is_16_bytes", NT_GROUP_AFFINITY, "GROUP_AFFINITY",
        sizeof(GROUP_AFFINITY), 16},
    {"processor_number_is_4_bytes", NT_PROCESSOR_NUMBER, "PROCESSOR_NUMBER",
        sizeof(PROCESSOR_NUMBER), 4},
    {"hardware_counter_is_16_bytes", NT_HARDWARE_COUNTER, "HARDWARE_COUNTER",
        sizeof(HARDWARE_COUNTER), 16},
    {"event_buffer_configuration_is_16_bytes",
        NT_PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION,
        "PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION",
        sizeof(PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION), 16},
    {"descriptor_is_24_bytes", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR,
        "PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR",
        sizeof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR), 24},
    {"list_is_32_bytes", NT_PHYSICAL_COUNTER_RESOURCE_LIST,
        "PHYSICAL_COUNTER_RESOURCE_LIST",
        sizeof(PHYSICAL_COUNTER_RESOURCE_LIST), 32},
    {"cshort_is_2_bytes", NT_CSHORT, "CSHORT", sizeof(CSHORT), 2},
    {"longlong_is_8_bytes", NT_LONGLONG, "LONGLONG", sizeof(LONGLONG), 8},
    {"string_is_16_bytes", NT_STRING, "STRING", sizeof(STRING), 16},
    {"list_entry_is_16_bytes", NT_LIST_ENTRY, "LIST_ENTRY", sizeof(LIST_ENTRY),
        16},
    {"large_integer_is_8_bytes", NT_LARGE_INTEGER, "LARGE_INTEGER",
        sizeof(LARGE_INTEGER), 8},
    {"io_status_block_is_16_bytes", NT_IO_STATUS_BLOCK, "IO_STATUS_BLOCK",
        sizeof(IO_STATUS_BLOCK), 16},
    {"driver_extension_is_40_bytes", NT_DRIVER_EXTENSION, "DRIVER_EXTENSION",
        sizeof(DRIVER_EXTENSION), 40},
    {"driver_object_is_336_bytes", NT_DRIVER_OBJECT, "DRIVER_OBJECT",
        sizeof(DRIVER_OBJECT), 336},
    {"devobj_extension_is_16_bytes", NT_DEVOBJ_EXTENSION, "DEVOBJ_EXTENSION",
        sizeof(DEVOBJ_EXTENSION), 16},
    {"device_object_is_328_bytes", NT_DEVICE_OBJECT, "DEVICE_OBJECT",
        sizeof(DEVICE_OBJECT), 328},
    {"file_object_is_216_bytes", NT_FILE_OBJECT, "FILE_OBJECT",
        sizeof(FILE_OBJECT), 216},
    {"irp_is_208_bytes", NT_IRP, "IRP", sizeof(IRP), 208},
    {"io_stack_location_is_72_bytes", NT_IO_STACK_LOCATION, "IO_STACK_LOCATION",
        sizeof(IO_STACK_LOCATION), 72},
    {"void_is_no_bytes", NT_VOID, "VOID", 0, 0},
};

static void size_row(void **state)
{
    const struct size_row *row = *state;

    assert_int_equal(row->real, row->want);
    assert_int_equal(nt_type_row(row->type)->size, row->want);
    assert_string_equal(nt_type_row(row->type)->name, row->spelling);
}

/* A structure's own members; inside of the union by the compiler's word. */
static struct member_row {
    const char *name;
    enum nt_type type;
    const char *member;
    size_t real, want;
    unsigned want_length;
    const char *want_count;
} member_rows[] = {
    {"affinity_mask_is_at_0", NT_GROUP_AFFINITY, "Mask",
        offsetof(GROUP_AFFINITY, Mask), 0, 1, NULL},
    {"affinity_group_is_at_8", NT_GROUP_AFFINITY, "Group",
        offsetof(GROUP_AFFINITY, Group), 8, 1, NULL},
    {"affinity_reserved_is_3_words_at_10", NT_GROUP_AFFINITY, "Reserved",
        offsetof(GROUP_AFFINITY, Reserved), 10, 3, NULL},
    {"processor_group_is_at_0", NT_PROCESSOR_NUMBER, "Group",
        offsetof(PROCESSOR_NUMBER, Group), 0, 1, NULL},
    {"processor_number_is_at_2", NT_PROCESSOR_NUMBER, "Number",
        offsetof(PROCESSOR_NUMBER, Number), 2, 1, NULL},
    {"processor_reserved_is_at_3", NT_PROCESSOR_NUMBER, "Reserved",
        offsetof(PROCESSOR_NUMBER, Reserved), 3, 1, NULL},
    {"counter_type_is_at_0", NT_HARDWARE_COUNTER, "Type",
        offsetof(HARDWARE_COUNTER, Type), 0, 1, NULL},
    {"counter_reserved_is_at_4", NT_HARDWARE_COUNTER, "Reserved",
        offsetof(HARDWARE_COUNTER, Reserved), 4, 1, NULL},
    {"counter_index_is_at_8", NT_HARDWARE_COUNTER, "Index",
        offsetof(HARDWARE_COUNTER, Index), 8, 1, NULL},
    {"event_buffer_handler_is_at_0",
        NT_PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION, "OverflowHandler",
        offsetof(PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION, OverflowHandler),
        0, 1, NULL},
    {"event_buffer_entry_size_is_at_8",
        NT_PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION,
        "CustomEventBufferEntrySize",
        offsetof(PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION,
            CustomEventBufferEntrySize),
        8, 1, NULL},
    {"event_buffer_threshold_is_at_12",
        NT_PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION, "EventThreshold",
        offsetof(PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION, EventThreshold),
        12, 1, NULL},
    {"descriptor_type_is_at_0", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, "Type",
        offsetof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, Type), 0, 1, NULL},
    {"descriptor_flags_is_at_4", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR,
        "Flags", offsetof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, Flags), 4, 1,
        NULL},
    {"descriptor_union_is_at_8", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, "u",
        offsetof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, u), 8, 1, NULL},
    {"list_count_is_at_0", NT_PHYSICAL_COUNTER_RESOURCE_LIST, "Count",
        offsetof(PHYSICAL_COUNTER_RESOURCE_LIST, Count), 0, 1, NULL},
    {"list_descriptors_are_at_8_and_counted", NT_PHYSICAL_COUNTER_RESOURCE_LIST,
        "Descriptors", offsetof(PHYSICAL_COUNTER_RESOURCE_LIST, Descriptors), 8,
        1, "Count"},
    {"driver_object_driverunload_is_at_104", NT_DRIVER_OBJECT, "DriverUnload",
        offsetof(DRIVER_OBJECT, DriverUnload), 104, 1, NULL},
    {"driver_object_majorfunction_is_at_112", NT_DRIVER_OBJECT, "MajorFunction",
        offsetof(DRIVER_OBJECT, MajorFunction), 112, 28, NULL},
    {"device_object_flags_is_at_48", NT_DEVICE_OBJECT, "Flags",
        offsetof(DEVICE_OBJECT, Flags), 48, 1, NULL},
    {"device_object_deviceextension_is_at_64", NT_DEVICE_OBJECT,
        "DeviceExtension", offsetof(DEVICE_OBJECT, DeviceExtension), 64, 1,
        NULL},
    {"device_object_stacksize_is_at_76", NT_DEVICE_OBJECT, "StackSize",
        offsetof(DEVICE_OBJECT, StackSize), 76, 1, NULL},
    {"device_object_deviceobjectextension_is_at_312", NT_DEVICE_OBJECT,
        "DeviceObjectExtension", offsetof(DEVICE_OBJECT, DeviceObjectExtension),
        312, 1, NULL},
    {"file_object_fscontext_is_at_24", NT_FILE_OBJECT, "FsContext",
        offsetof(FILE_OBJECT, FsContext), 24, 1, NULL},
    {"irp_iostatus_is_at_48", NT_IRP, "IoStatus", offsetof(IRP, IoStatus), 48,
        1, NULL},
    {"irp_requestormode_is_at_64", NT_IRP, "RequestorMode",
        offsetof(IRP, RequestorMode), 64, 1, NULL},
    {"irp_userbuffer_is_at_112", NT_IRP, "UserBuffer",
        offsetof(IRP, UserBuffer), 112, 1, NULL},
    {"irp_tail_is_at_120", NT_IRP, "Tail", offsetof(IRP, Tail), 120, 1, NULL},
    {"io_stack_location_parameters_is_at_8", NT_IO_STACK_LOCATION, "Parameters",
        offsetof(IO_STACK_LOCATION, Parameters), 8, 1, NULL},
    {"io_stack_location_fileobject_is_at_48", NT_IO_STACK_LOCATION,
        "FileObject", offsetof(IO_STACK_LOCATION, FileObject), 48, 1, NULL},
    {"io_status_block_information_is_at_8", NT_IO_STATUS_BLOCK, "Information",
        offsetof(IO_STATUS_BLOCK, Information), 8, 1, NULL},
};

static void member_row(void **state)
{
    const struct member_row *row = *state;
    const struct nt_member *member = nt_type_member(row->type, row->member);

    assert_int_equal(row->real, row->want);
    assert_non_null(member);
    assert_int_equal(member->offset, row->want);
    assert_int_equal(member->length, row->want_length);
    if (row->want_count == NULL) {
        assert_null(member->count_member);
    } else {
        assert_string_equal(member->count_member, row->want_count);
    }
}

/* Every member of the descriptor's union starts at its byte 8. */
static void members_of_the_union_lie_over_each_other(void **state)
{
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor = {.Type = 0};
    const uint8_t *base = (const uint8_t *)&descriptor;

    (void)state;
    assert_ptr_equal(&descriptor.u.CounterIndex, base + 8);
    assert_ptr_equal(&descriptor.u.Range.Begin, base + 8);
    assert_ptr_equal(&descriptor.u.Range.End, base + 12);
    assert_ptr_equal(&descriptor.u.OverflowHandler, base + 8);
    assert_ptr_equal(&descriptor.u.EventBufferConfiguration, base + 8);
    assert_ptr_equal(&descriptor.u.IdentificationTag, base + 8);
}

/* What a driver's macros reach inside of an IRP and a stack location. */
static void nested_members_lie_where_drivers_look(void **state)
{
    (void)state;
    assert_int_equal(offsetof(IRP, AssociatedIrp.SystemBuffer), 24);
    assert_int_equal(offsetof(IRP, Tail.Overlay.DriverContext), 120);
    assert_int_equal(offsetof(IRP, Tail.Overlay.CurrentStackLocation), 184);
    assert_int_equal(
        offsetof(IO_STACK_LOCATION, Parameters.Read.ByteOffset), 24);
    assert_int_equal(offsetof(IO_STACK_LOCATION,
                         Parameters.DeviceIoControl.OutputBufferLength),
        8);
    assert_int_equal(offsetof(IO_STACK_LOCATION,
                         Parameters.DeviceIoControl.InputBufferLength),
        16);
    assert_int_equal(
        offsetof(IO_STACK_LOCATION, Parameters.DeviceIoControl.IoControlCode),
        24);
    assert_int_equal(
        offsetof(IO_STACK_LOCATION, Parameters.Others.Argument4), 32);
}

static struct no_member_row {
    const char *name;
    enum nt_type type;
    const char *member;
} no_member_rows[] = {
    {"name_that_no_member_has", NT_GROUP_AFFINITY, "Masks"},
    {"name_in_other_case", NT_GROUP_AFFINITY, "mask"},
    {"member_of_the_union_is_not_the_structure_s",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, "CounterIndex"},
    {"member_of_the_range_is_not_the_structure_s",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, "Begin"},
    {"scalar_has_no_members", NT_ULONG, "Mask"},
};

static void no_member_row(void **state)
{
    const struct no_member_row *row = *state;

    assert_null(nt_type_member(row->type, row->member));
}

static struct enumerator_row {
    const char *name;
    enum nt_type type;
    uint32_t value;
    const char *want;
} enumerator_rows[] = {
    {"type_0_is_single", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 0,
        "ResourceTypeSingle"},
    {"type_1_is_range", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 1,
        "ResourceTypeRange"},
    {"type_2_is_extended", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 2,
        "ResourceTypeExtendedCounterConfiguration"},
    {"type_3_is_overflow", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 3,
        "ResourceTypeOverflow"},
    {"type_4_is_event_buffer", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 4,
        "ResourceTypeEventBuffer"},
    {"type_5_is_the_misspelt_tag", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE,
        5, "ResourceTypeIdenitificationTag"},
    {"type_6_is_max", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 6,
        "ResourceTypeMax"},
    {"type_7_has_no_name", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 7,
        NULL},
    {"counter_0_is_pmc", NT_HARDWARE_COUNTER_TYPE, 0, "PMCCounter"},
    {"counter_1_is_max", NT_HARDWARE_COUNTER_TYPE, 1, "MaxHardwareCounterType"},
    {"counter_2_has_no_name", NT_HARDWARE_COUNTER_TYPE, 2, NULL},
    {"number_has_no_enumerators", NT_ULONG, 0, NULL},
};

static void enumerator_row(void **state)
{
    const struct enumerator_row *row = *state;
    const char *name = nt_enumerator_name(row->type, row->value);

    if (row->want == NULL) {
        assert_null(name);
    } else {
        assert_non_null(name);
        assert_string_equal(name, row->want);
    }
}

/* The union's member that belongs to a Type. */
static struct case_row {
    const char *name;
    uint32_t type;
    const char *want;
    size_t want_lines;
} case_rows[] = {
    {"single_means_the_index", 0, "CounterIndex", 1},
    {"range_means_begin_and_end", 1, "Range", 4},
    {"type_2_means_nothing_now", 2, NULL, 0},
    {"overflow_means_the_handler", 3, "OverflowHandler", 1},
    {"event_buffer_means_its_configuration", 4, "EventBufferConfiguration", 1},
    {"tag_means_the_tag", 5, "IdentificationTag", 1},
    {"unknown_type_means_nothing", 6, NULL, 0},
};

static void case_row(void **state)
{
    const struct case_row *row = *state;
    const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor = {
        .Type = (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE)row->type};
    const struct nt_member *member =
        nt_type_case(NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, &descriptor);

    if (row->want == NULL) {
        assert_null(member);
    } else {
        assert_non_null(member);
        assert_string_equal(member->name, row->want);
        assert_int_equal(nt_member_lines(member), row->want_lines);
    }
}

static void structure_without_a_union_has_no_case(void **state)
{
    const HARDWARE_COUNTER counter = {.Type = PMCCounter};

    (void)state;
    assert_null(nt_type_case(NT_HARDWARE_COUNTER, &counter));
}

/* A callback's arguments, as the function got them; each test clears them. */
static uint64_t received[4];

static void NTAPI overflow_handler(ULONGLONG OverflowBits, HANDLE OwningHandle)
{
    received[0] = OverflowBits;
    received[1] = (uint64_t)(uintptr_t)OwningHandle;
}

static void NTAPI event_buffer_handler(PVOID EventBuffer, SIZE_T EntrySize,
    SIZE_T NumberOfEntries, HANDLE OwningHandle)
{
    received[0] = (uint64_t)(uintptr_t)EventBuffer;
    received[1] = EntrySize;
    received[2] = NumberOfEntries;
    received[3] = (uint64_t)(uintptr_t)OwningHandle;
}

/* x64 Windows passes the first four in RCX, RDX, R8 and R9. */
#if defined(__x86_64__)
#define WINDOWS_CALL __attribute__((ms_abi))
#else
#define WINDOWS_CALL
#endif

static void overflow_handler_gets_both_arguments(void **state)
{
    PPHYSICAL_COUNTER_OVERFLOW_HANDLER handler = overflow_handler;
    void(WINDOWS_CALL * call)(uint64_t, void *) = handler;

    (void)state;
    memset(received, 0, sizeof(received));
    call(0x8000000000000001, (void *)(uintptr_t)0x1004);
    assert_int_equal(received[0], 0x8000000000000001);
    assert_int_equal(received[1], 0x1004);
}

static void event_buffer_handler_gets_four_arguments(void **state)
{
    PPHYSICAL_COUNTER_EVENT_BUFFER_OVERFLOW_HANDLER handler =
        event_buffer_handler;
    void(WINDOWS_CALL * call)(void *, uint64_t, uint64_t, void *) = handler;

    (void)state;
    memset(received, 0, sizeof(received));
    call((void *)(uintptr_t)0x10, 64, 0x100000000, (void *)(uintptr_t)0x40);
    assert_int_equal(received[0], 0x10);
    assert_int_equal(received[1], 64);
    assert_int_equal(received[2], 0x100000000);
    assert_int_equal(received[3], 0x40);
}

TEST_FILE(test_type)
{
    TEST_ADD_ROWS(list, size_row, size_rows);
    TEST_ADD_ROWS(list, member_row, member_rows);
    TEST_ADD_ROWS(list, no_member_row, no_member_rows);
    TEST_ADD_ROWS(list, enumerator_row, enumerator_rows);
    TEST_ADD_ROWS(list, case_row, case_rows);
    test_add(list, "structure_without_a_union_has_no_case",
        structure_without_a_union_has_no_case, NULL);
    test_add(list, "nested_members_lie_where_drivers_look",
        nested_members_lie_where_drivers_look, NULL);
    test_add(list, "members_of_the_union_lie_over_each_other",
        members_of_the_union_lie_over_each_other, NULL);
    test_add(list, "overflow_handler_gets_both_arguments",
        overflow_handler_gets_both_arguments, NULL);
    test_add(list, "event_buffer_handler_gets_four_arguments",
        event_buffer_handler_gets_four_arguments, NULL);
}
