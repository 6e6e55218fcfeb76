/* test_value.c - values as a scenario writes them, and the bytes that a driver
 * would pass (facts.md 2.1, 3.1; docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/value.h"
#include "tests/runner/language/values_scope.h"

/* One value that is no structure. */
static struct scalar_row {
    const char *name;
    const char *text;
    enum nt_type type;
    uint64_t want_value;
    const char *want; /* the error; "": none */
} scalar_rows[] = {
    {"decimal_number", "12", NT_ULONG, 12, ""},
    {"hexadecimal_number", "0x1F", NT_ULONG, 31, ""},
    {"highest_of_four_bytes", "0xFFFFFFFF", NT_ULONG, 0xFFFFFFFF, ""},
    {"one_more_than_four_bytes", "0x100000000", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0206]: 0x100000000 is too large for a ULONG\n"
        "    1 | 0x100000000\n"
        "      | ^~~~~~~~~~~ it has 32 bits: at most 0xFFFFFFFF, which is "
        "4294967295\n"},
    {"highest_of_two_bytes", "65535", NT_USHORT, 65535, ""},
    {"one_more_than_two_bytes", "65536", NT_USHORT, 0,
        "t.yaml:1:1: error[NTP0206]"},
    {"highest_of_one_byte", "255", NT_UCHAR, 255, ""},
    {"one_more_than_one_byte", "256", NT_UCHAR, 0,
        "t.yaml:1:1: error[NTP0206]"},
    {"highest_of_eight_bytes", "18446744073709551615", NT_ULONG64,
        0xFFFFFFFFFFFFFFFF, ""},
    {"leading_zero", "0755", NT_ULONG, 0, "t.yaml:1:1: error[NTP0205]"},
    {"underscore", "1_000", NT_ULONG, 0, "t.yaml:1:1: error[NTP0205]"},
    {"sexagesimal", "12:30:45", NT_ULONG, 0, "t.yaml:1:1: error[NTP0205]"},
    {"number_in_quotes", "\"16\"", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0205]: '16' is not a ULONG\n"
        "    1 | \"16\"\n"
        "      | ^~~~ a text in quotes is never a ULONG; leave them out\n"},
    {"constant", "MAX_HW_COUNTERS", NT_ULONG, 16, ""},
    {"status_by_name", "STATUS_NOT_SUPPORTED", NT_NTSTATUS, 0xC00000BB, ""},
    {"status_by_number", "0xC00000BB", NT_NTSTATUS, 0xC00000BB, ""},
    {"unknown_status", "STATUS_NOT_SUPORTED", NT_NTSTATUS, 0,
        "t.yaml:1:1: error[NTP0203]: unknown status 'STATUS_NOT_SUPORTED'\n"
        "    1 | STATUS_NOT_SUPORTED\n"
        "      | ^~~~~~~~~~~~~~~~~~~ did you mean 'STATUS_NOT_SUPPORTED'?\n"},
    {"level_by_name", "PROFILE_LEVEL", NT_KIRQL, 15, ""},
    {"level_by_number", "13", NT_KIRQL, 13, ""},
    {"enumerator", "ResourceTypeOverflow",
        NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE, 3, ""},
    {"enumeration_by_number", "9", NT_PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE,
        9, ""},
    {"true", "true", NT_BOOLEAN, 1, ""},
    {"no_for_a_boolean", "no", NT_BOOLEAN, 0,
        "t.yaml:1:1: error[NTP0203]: 'no' is not a BOOLEAN\n"},
    {"no_for_a_number", "no", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0203]: 'no' is not a ULONG\n"},
    {"null_handle", "null", NT_HANDLE, 0, ""},
    {"null_pointer", "null", NT_PVOID, 0, ""},
    {"null_callback", "null", NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER, 0, ""},
    {"null_number", "null", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0203]: 'null' is not a ULONG\n"},
    {"null_in_quotes", "\"null\"", NT_HANDLE, 0, "t.yaml:1:1: error[NTP0205]"},
    {"tilde_is_not_null", "~", NT_HANDLE, 0, "t.yaml:1:1: error[NTP0203]"},
    {"handle_by_number", "0x1234", NT_HANDLE, 0x1234, ""},
    {"callback_by_number", "0x1234", NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER, 0,
        "t.yaml:1:1: error[NTP0205]: '0x1234' is not a "
        "PPHYSICAL_COUNTER_OVERFLOW_HANDLER\n"},
    {"callback_by_name", "$ovf", NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER, 0x1234,
        ""},
    {"variable", "$count", NT_ULONG, 3, ""},
    {"variable_in_quotes", "\"$count\"", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0205]: '$count' is not a ULONG\n"},
    {"expression", "$(count + 1)", NT_ULONG, 4, ""},
    {"expression_of_another_type", "$(count == 1)", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0205]: $(count == 1) is a truth value, "
        "expected ULONG\n"},
    {"expression_of_an_unknown_name", "$(count + cuont)", NT_ULONG, 0,
        "t.yaml:1:11: error[NTP0216]: no variable 'cuont' is set before this "
        "place\n"},
    {"expression_beyond_the_type", "$(1 << 32)", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0206]: $(1 << 32) is 4294967296, which no ULONG "
        "is\n"},
    {"expression_below_zero", "$(1 - 2)", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0206]: $(1 - 2) is -1, which no ULONG is\n"},
    {"status_as_a_condition", "$(st == STATUS_INVALID_PARAMETER)", NT_BOOLEAN,
        1, ""},
    {"status_compared_with_a_level", "$(st == PASSIVE_LEVEL)", NT_BOOLEAN, 0,
        "t.yaml:1:6: error[NTP0216]: '==' does not take NTSTATUS and KIRQL\n"},
    {"list_for_one_value", "[1]", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0205]: expected one value of type ULONG\n"},
    {"word_for_a_number", "many", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0203]: 'many' is not a ULONG\n"},
};

static void scalar_row(void **state)
{
    const struct scalar_row *row = *state;
    struct values_scope made;
    const struct node *node;
    uint64_t value = 99;
    bool right = row->want[0] == '\0';

    scope_init(&made, row->text);
    node = text_file_tree(&made.file);
    assert_int_equal(value_scalar(&made.scope, node, row->type, &value), right);
    text_file_assert_errors(&made.file, row->want);
    scope_run(&made);
    assert_int_equal(value_scalar(&made.scope, node, row->type, &value), right);
    if (right) {
        assert_int_equal(value, row->want_value);
    }
    scope_release(&made);
}

/* What a pointer to an array, or to one, is given; bytes in hexadecimal. */
static struct block_row {
    const char *name;
    const char *text;
    enum nt_type type;
    bool array;
    size_t want_count;
    const char *want_bytes;
} block_rows[] = {
    {"counter_in_16_bytes",
        "{Type: PMCCounter, Reserved: 2, Index: 0x40000001}",
        NT_HARDWARE_COUNTER, false, 1, "00000000 02000000 0100004000000000"},
    {"members_that_are_left_out_are_0", "{Index: 7}", NT_HARDWARE_COUNTER,
        false, 1, "00000000 00000000 0700000000000000"},
    {"array_of_two_counters", "[{Index: 1}, {Reserved: 1}]",
        NT_HARDWARE_COUNTER, true, 2,
        "00000000 00000000 0100000000000000 00000000 01000000 "
        "0000000000000000"},
    {"repeat_counts_from_0", "{repeat: 3, item: {Index: $i}}",
        NT_HARDWARE_COUNTER, true, 3,
        "00000000 00000000 0000000000000000 00000000 00000000 0100000000000000 "
        "00000000 00000000 0200000000000000"},
    {"repeat_of_a_variable", "{repeat: $count, item: {Index: 9}}",
        NT_HARDWARE_COUNTER, true, 3,
        "00000000 00000000 0900000000000000 00000000 00000000 0900000000000000 "
        "00000000 00000000 0900000000000000"},
    {"repeat_of_nothing", "{repeat: 0, item: {Index: 9}}", NT_HARDWARE_COUNTER,
        true, 0, ""},
    {"empty_array", "[]", NT_HARDWARE_COUNTER, true, 0, ""},
    {"affinity_in_16_bytes",
        "{Mask: 0x8000000000000001, Group: 2, Reserved: [1, 2, 3]}",
        NT_GROUP_AFFINITY, false, 1, "0100000000000080 0200 010002000300"},
    {"array_member_may_be_short", "{Mask: 1, Reserved: [7]}", NT_GROUP_AFFINITY,
        false, 1, "0100000000000000 0000 070000000000"},
    {"repeat_inside_of_a_repeat_has_its_own_index",
        "{repeat: 2, item: {Reserved: {repeat: 3, item: $i}, Group: $i}}",
        NT_GROUP_AFFINITY, true, 2,
        "0000000000000000 0000 000001000200 0000000000000000 0100 "
        "000001000200"},
    {"list_of_one_descriptor",
        "{Descriptors: [{Type: ResourceTypeSingle, u: {CounterIndex: 5}}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1,
        "01000000 00000000 00000000 00000000 05000000 "
        "000000000000000000000000"},
    {"list_of_a_range_with_flags",
        "{Descriptors: [{Type: ResourceTypeRange, Flags: 1, u: {Range: {Begin: "
        "2, End: 3}}}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1,
        "01000000 00000000 01000000 01000000 02000000 03000000 "
        "0000000000000000"},
    {"list_of_a_handler",
        "{Descriptors: [{Type: ResourceTypeOverflow, u: {OverflowHandler: "
        "$ovf}}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1,
        "01000000 00000000 03000000 00000000 3412000000000000 "
        "0000000000000000"},
    {"list_of_an_event_buffer",
        "{Descriptors: [{Type: ResourceTypeEventBuffer, u: "
        "{EventBufferConfiguration: "
        "{OverflowHandler: null, CustomEventBufferEntrySize: 64, "
        "EventThreshold: 10}}}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1,
        "01000000 00000000 04000000 00000000 0000000000000000 40000000 "
        "0a000000"},
    {"list_of_a_tag",
        "{Descriptors: [{Type: ResourceTypeIdenitificationTag, u: "
        "{IdentificationTag: 0x12345678}}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1,
        "01000000 00000000 05000000 00000000 78563412 "
        "000000000000000000000000"},
    {"count_of_two_descriptors_is_counted",
        "{Descriptors: [{Type: 0}, {Type: 1}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1,
        "02000000 00000000 00000000 00000000 00000000000000000000000000000000"
        "01000000 00000000 00000000000000000000000000000000"},
    {"count_that_is_written_may_lie", "{Count: 3, Descriptors: [{Type: 0}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1,
        "03000000 00000000 00000000 00000000 00000000000000000000000000000000"},
    {"list_without_descriptors_is_its_head", "{Count: 1}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1, "01000000 00000000"},
    {"empty_list_of_descriptors_is_its_head", "{Descriptors: []}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1, "00000000 00000000"},
    {"repeat_of_descriptors",
        "{Descriptors: {repeat: 2, item: {Type: 0, u: {CounterIndex: $i}}}}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false, 1,
        "02000000 00000000 00000000 00000000 00000000 000000000000000000000000"
        "00000000 00000000 01000000 000000000000000000000000"},
    {"raw_bytes", "{bytes: [1, 0x2, 255]}", NT_HARDWARE_COUNTER, true, 3,
        "0102ff"},
    {"output_is_filled_with_a5", "{buffer: 1}", NT_ULONG, false, 1, "a5a5a5a5"},
    {"output_of_two_counters", "{buffer: 2}", NT_HARDWARE_COUNTER, true, 2,
        "a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5"},
    {"output_of_nothing", "{buffer: 0}", NT_HARDWARE_COUNTER, true, 0, ""},
    {"one_number", "7", NT_ULONG, false, 1, "07000000"},
    {"one_handle", "$h", NT_HANDLE, false, 1, "0410000000000000"},
};

static char *hexadecimal(void *memory, const uint8_t *bytes, size_t size)
{
    char *text = talloc_strdup(memory, "");

    for (size_t i = 0; i < size; i++) {
        text = talloc_asprintf_append_buffer(text, "%02x", bytes[i]);
    }
    return text;
}

static char *without_spaces(void *memory, const char *text)
{
    char *copy = talloc_strdup(memory, text), *to = copy;

    for (const char *from = text; *from != '\0'; from++) {
        if (*from != ' ') {
            *to++ = *from;
        }
    }
    *to = '\0';
    return copy;
}

static void block_row(void **state)
{
    const struct block_row *row = *state;
    struct values_scope made;
    struct value_block block;
    const struct node *node;

    scope_init(&made, row->text);
    node = text_file_tree(&made.file);
    assert_true(value_block(
        &made.scope, made.file.memory, node, row->type, row->array, &block));
    text_file_assert_errors(&made.file, "");
    scope_run(&made);
    assert_true(value_block(
        &made.scope, made.file.memory, node, row->type, row->array, &block));
    assert_false(block.is_address);
    assert_int_equal(block.count, row->want_count);
    assert_string_equal(hexadecimal(made.file.memory, block.bytes, block.size),
        without_spaces(made.file.memory, row->want_bytes));
    assert_false(made.scope.in_repeat);
    scope_release(&made);
}

static struct address_row {
    const char *name;
    const char *text;
    uint64_t want;
} address_rows[] = {
    {"null_pointer_is_address_0", "null", 0},
    {"wild_address_is_passed_as_it_is", "{at: 0x10}", 0x10},
    {"highest_address_is_passed_as_it_is", "{at: 0xFFFFFFFFFFFFFFFF}",
        0xFFFFFFFFFFFFFFFF},
};

static void address_row(void **state)
{
    const struct address_row *row = *state;
    struct values_scope made;
    struct value_block block;

    scope_init(&made, row->text);
    assert_true(value_block(&made.scope, made.file.memory,
        text_file_tree(&made.file), NT_HARDWARE_COUNTER, true, &block));
    assert_true(block.is_address);
    assert_int_equal(block.address, row->want);
    scope_release(&made);
}

TEST_FILE(test_value)
{
    TEST_ADD_ROWS(list, scalar_row, scalar_rows);
    TEST_ADD_ROWS(list, block_row, block_rows);
    TEST_ADD_ROWS(list, address_row, address_rows);
}
