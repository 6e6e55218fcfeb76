/* test_show.c - values as text: names where there are names, numbers where
 * there are none, addresses never. */
#include <stdio.h>

#include "api/core/show.h"
#include "api/hal/arbiter.h"
#include "tests/api/booted_kernel.h"

/* A scalar on Windows 10 on x64, with one set. */
static struct scalar_row {
    const char *name;
    enum nt_type type;
    uint64_t value;
    const char *want;
} scalar_rows[] = {
    {"ulong_is_decimal", NT_ULONG, 4294967295, "4294967295"},
    {"uchar_is_decimal", NT_UCHAR, 255, "255"},
    {"ushort_is_decimal", NT_USHORT, 65535, "65535"},
    {"ulong64_is_decimal", NT_ULONG64, 0x40000001, "1073741825"},
    {"ulonglong_is_hexadecimal", NT_ULONGLONG, 0x8000000000000001,
        "0x8000000000000001"},
    {"kaffinity_is_hexadecimal", NT_KAFFINITY, 15, "0xf"},
    {"boolean_0_is_false", NT_BOOLEAN, 0, "false"},
    {"boolean_2_is_true", NT_BOOLEAN, 2, "true"},
    {"irql_0_is_passive", NT_KIRQL, 0, "PASSIVE_LEVEL"},
    {"irql_15_is_profile", NT_KIRQL, 15, "PROFILE_LEVEL"},
    {"irql_3_is_a_number", NT_KIRQL, 3, "0x3"},
    {"status_has_its_name", NT_NTSTATUS, 0xC000009A,
        "STATUS_INSUFFICIENT_RESOURCES"},
    {"unknown_status_is_a_number", NT_NTSTATUS, 0xC0001234, "0xc0001234"},
    {"enumerator_has_its_name", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 3,
        "ResourceTypeOverflow"},
    {"unknown_enumerator_is_a_number",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 9, "0x9"},
    {"handle_0_is_null", NT_HANDLE, 0, "null"},
    {"handle_of_nothing_is_a_number", NT_HANDLE, 0x7, "0x7"},
    {"callback_0_is_null", NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER, 0, "null"},
    {"callback_has_no_address", NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER, 0x401000,
        "callback"},
    {"pointer_0_is_null", NT_PVOID, 0, "null"},
    {"pointer_to_nothing_is_wild", NT_PVOID, 0x10, "wild"},
};

static void scalar_row(void **state)
{
    const struct scalar_row *row = *state;
    struct booted_kernel booted;
    char text[SHOW_VALUE_BYTES];

    booted_init_usual(&booted);
    show_value(&booted.kernel, row->type, &row->value, text, sizeof(text));
    assert_string_equal(text, row->want);
    booted_release(&booted);
}

static void irql_has_the_name_of_its_architecture(void **state)
{
    const KIRQL irql = 27;
    struct booted_kernel booted;
    char text[SHOW_VALUE_BYTES];

    (void)state;
    booted_init(&booted, OS_WIN7, ARCH_X86, 1, 1);
    show_value(&booted.kernel, NT_KIRQL, &irql, text, sizeof(text));
    assert_string_equal(text, "PROFILE_LEVEL");
    booted_release(&booted);
}

static void sets_are_shown_by_number_also_when_freed(void **state)
{
    const struct counter_claim claim = {.counters = 1, .affinity = {1}};
    struct booted_kernel booted;
    struct arbiter *arbiter;
    uint64_t old;
    struct counter_set *first, *second;
    char text[SHOW_VALUE_BYTES];

    (void)state;
    booted_init_usual(&booted);
    arbiter = booted.kernel.arbiter;
    first =
        arbiter_grant(arbiter, &booted.machine.arena, &claim, &booted.driver);
    old = first->handle;
    arbiter_end(first);
    arbiter_reclaim(arbiter, first);
    second =
        arbiter_grant(arbiter, &booted.machine.arena, &claim, &booted.driver);
    show_value(&booted.kernel, NT_HANDLE, &second->handle, text, sizeof(text));
    assert_string_equal(text, "set#2");
    show_value(&booted.kernel, NT_HANDLE, &old, text, sizeof(text));
    assert_string_equal(text, "set#1");
    booted_release(&booted);
}

static void pointer_is_shown_by_its_block(void **state)
{
    struct booted_kernel booted;
    char text[SHOW_VALUE_BYTES];
    uint8_t *block, *inside;

    (void)state;
    booted_init_usual(&booted);
    block = booted_block(&booted, 24, 0);
    inside = block + 23;
    show_value(&booted.kernel, NT_PVOID, &block, text, sizeof(text));
    assert_string_equal(text, "block(24)");
    show_value(&booted.kernel, NT_PVOID, &inside, text, sizeof(text));
    assert_string_equal(text, "block(24)+23");
    booted_release(&booted);
}

static void NTAPI handler(ULONGLONG OverflowBits, HANDLE OwningHandle)
{
    (void)OverflowBits;
    (void)OwningHandle;
}

static const GROUP_AFFINITY affinity = {
    .Mask = 0xF, .Group = 1, .Reserved = {0, 2, 65535}};
static const HARDWARE_COUNTER counter = {.Reserved = 1, .Index = 1073741826};
static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR single = {
    .Flags = 4, .u = {.CounterIndex = 5}};
static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR range = {
    .Type = ResourceTypeRange, .u = {.Range = {2, 3}}};
static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR overflow = {
    .Type = ResourceTypeOverflow, .u = {.OverflowHandler = handler}};
static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR events = {
    .Type = ResourceTypeEventBuffer,
    .u = {.EventBufferConfiguration = {NULL, 64, 10}}};
static const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR unknown = {
    .Type = (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE)9};

static struct struct_row {
    const char *name;
    enum nt_type type;
    const void *value;
    const char *want;
} struct_rows[] = {
    {"structure_has_its_members", NT_HARDWARE_COUNTER, &counter,
        "{Type=PMCCounter, Reserved=1, Index=1073741826}"},
    {"array_has_its_elements", NT_GROUP_AFFINITY, &affinity,
        "{Mask=0xf, Group=1, Reserved=[0, 2, 65535]}"},
    {"union_of_a_single_has_the_index", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR,
        &single, "{Type=ResourceTypeSingle, Flags=4, u={CounterIndex=5}}"},
    {"union_of_a_range_has_both_ends", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR,
        &range,
        "{Type=ResourceTypeRange, Flags=0, u={Range={Begin=2, End=3}}}"},
    {"union_of_an_overflow_has_the_handler",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, &overflow,
        "{Type=ResourceTypeOverflow, Flags=0, u={OverflowHandler=callback}}"},
    {"union_may_have_a_structure", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR,
        &events,
        "{Type=ResourceTypeEventBuffer, Flags=0, u={EventBufferConfiguration="
        "{OverflowHandler=null, CustomEventBufferEntrySize=64, "
        "EventThreshold=10}}}"},
    {"union_of_an_unknown_type_is_unknown",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, &unknown,
        "{Type=0x9, Flags=0, u=?}"},
};

static void struct_row(void **state)
{
    const struct struct_row *row = *state;
    struct booted_kernel booted;
    char text[SHOW_VALUE_BYTES];

    booted_init_usual(&booted);
    show_value(&booted.kernel, row->type, row->value, text, sizeof(text));
    assert_string_equal(text, row->want);
    booted_release(&booted);
}

static struct cut_row {
    const char *name;
    size_t size;
    const char *want;
} cut_rows[] = {
    {"text_that_just_fits_is_whole", 44,
        "{Mask=0xf, Group=1, Reserved=[0, 2, 65535]}"},
    {"text_one_byte_too_long_loses_one", 43,
        "{Mask=0xf, Group=1, Reserved=[0, 2, 65535]"},
    {"text_is_cut_within_a_member", 9, "{Mask=0x"},
    {"text_of_one_byte_is_its_end", 1, ""},
};

static void cut_row(void **state)
{
    const struct cut_row *row = *state;
    struct booted_kernel booted;
    char text[64];

    booted_init_usual(&booted);
    memset(text, '~', sizeof(text));
    show_value(&booted.kernel, NT_GROUP_AFFINITY, &affinity, text, row->size);
    assert_string_equal(text, row->want);
    assert_int_equal(text[row->size], '~');
    booted_release(&booted);
}

static struct call_row {
    const char *name;
    enum routine routine;
    uint64_t argument[ROUTINE_PARAMETERS];
    const char *want;
} call_rows[] = {
    {"call_has_every_argument_by_name", ROUTINE_HalAllocateHardwareCounters,
        {0, 2, 0x10, 0},
        "HalAllocateHardwareCounters(GroupAffinty=null, GroupCount=2, "
        "ResourceList=wild, CounterSetHandle=null)"},
    {"call_with_a_level", ROUTINE_KfRaiseIrql, {2},
        "KfRaiseIrql(NewIrql=DISPATCH_LEVEL)"},
    {"call_without_arguments", ROUTINE_KeGetCurrentIrql, {0},
        "KeGetCurrentIrql()"},
};

static void call_row(void **state)
{
    const struct call_row *row = *state;
    struct booted_kernel booted;
    char text[SHOW_CALL_BYTES];

    booted_init_usual(&booted);
    show_call(&booted.kernel, row->routine, row->argument, text, sizeof(text));
    assert_string_equal(text, row->want);
    booted_release(&booted);
}

/* Pointers are shown by what the routine would read there. */
static struct pointer_row {
    const char *name;
    ULONG count; /* GroupCount and Count; one element is there */
    const char *want;
} pointer_rows[] = {
    {"list_of_no_elements", 0,
        "GroupAffinty=[], GroupCount=0, ResourceList={Count=0, "
        "Descriptors=[]}"},
    {"list_of_one_element", 1,
        "GroupAffinty=[{Mask=0x1, Group=0, Reserved=[0, 0, 0]}], GroupCount=1, "
        "ResourceList={Count=1, Descriptors=[{Type=ResourceTypeSingle, "
        "Flags=0, u={CounterIndex=0}}]}"},
    {"list_that_ends_too_early", 2,
        "GroupAffinty=[{Mask=0x1, Group=0, Reserved=[0, 0, 0]}, ?], "
        "GroupCount=2, "
        "ResourceList={Count=2, Descriptors=[{Type=ResourceTypeSingle, "
        "Flags=0, u={CounterIndex=0}}, ?]}"},
};

static void pointer_row(void **state)
{
    static const GROUP_AFFINITY mask = {.Mask = 1};
    const struct pointer_row *row = *state;
    const PHYSICAL_COUNTER_RESOURCE_LIST list = {.Count = row->count};
    struct booted_kernel booted;
    char text[SHOW_CALL_BYTES], want[SHOW_CALL_BYTES];
    uint64_t argument[ROUTINE_PARAMETERS] = {0};

    booted_init_usual(&booted);
    argument[0] =
        (uint64_t)(uintptr_t)booted_copy(&booted, &mask, sizeof(mask));
    argument[1] = row->count;
    argument[2] =
        (uint64_t)(uintptr_t)booted_copy(&booted, &list, sizeof(list));
    argument[3] = (uint64_t)(uintptr_t)booted_block(&booted, 8, 0);
    show_call(&booted.kernel, ROUTINE_HalAllocateHardwareCounters, argument,
        text, sizeof(text));
    snprintf(want, sizeof(want),
        "HalAllocateHardwareCounters(%s, CounterSetHandle=block(8))",
        row->want);
    assert_string_equal(text, want);
    booted_release(&booted);
}

/* Ten counters with the indexes 0 to 9: the first four stand for all. */
static void long_list_is_shortened(void **state)
{
    HARDWARE_COUNTER ten[10] = {{0}};
    struct booted_kernel booted;
    uint64_t argument[ROUTINE_PARAMETERS] = {0, 10};
    char text[SHOW_CALL_BYTES];

    (void)state;
    booted_init_usual(&booted);
    for (unsigned i = 0; i < 10; i++) {
        ten[i].Index = i;
    }
    argument[0] = (uint64_t)(uintptr_t)booted_copy(&booted, ten, sizeof(ten));
    show_call(&booted.kernel, ROUTINE_KeSetHardwareCounterConfiguration,
        argument, text, sizeof(text));
    assert_string_equal(text,
        "KeSetHardwareCounterConfiguration(CounterArray=["
        "{Type=PMCCounter, Reserved=0, Index=0}, "
        "{Type=PMCCounter, Reserved=0, Index=1}, "
        "{Type=PMCCounter, Reserved=0, Index=2}, "
        "{Type=PMCCounter, Reserved=0, Index=3}, ... 10 in all], Count=10)");
    booted_release(&booted);
}

TEST_FILE(test_show)
{
    TEST_ADD_ROWS(list, scalar_row, scalar_rows);
    TEST_ADD_ROWS(list, struct_row, struct_rows);
    TEST_ADD_ROWS(list, cut_row, cut_rows);
    TEST_ADD_ROWS(list, call_row, call_rows);
    TEST_ADD_ROWS(list, pointer_row, pointer_rows);
    test_add(list, "long_list_is_shortened", long_list_is_shortened, NULL);
    test_add(list, "irql_has_the_name_of_its_architecture",
        irql_has_the_name_of_its_architecture, NULL);
    test_add(list, "sets_are_shown_by_number_also_when_freed",
        sets_are_shown_by_number_also_when_freed, NULL);
    test_add(list, "pointer_is_shown_by_its_block",
        pointer_is_shown_by_its_block, NULL);
}
