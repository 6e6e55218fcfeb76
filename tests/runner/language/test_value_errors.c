/* test_value_errors.c - structures and blocks that are wrong, with the error's
 * place (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/value.h"
#include "tests/runner/language/values_scope.h"

static struct error_row {
    const char *name;
    const char *text;
    enum nt_type type;
    bool array;
    const char *want;
} error_rows[] = {
    {"unknown_member_has_a_suggestion", "{Indx: 7}", NT_HARDWARE_COUNTER, false,
        "t.yaml:1:2: error[NTP0202]: no member 'Indx' here\n"
        "    1 | {Indx: 7}\n"
        "      |  ^~~~ did you mean 'Index'?\n"},
    {"member_of_the_union_outside_of_it", "{Descriptors: [{CounterIndex: 1}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false,
        "t.yaml:1:17: error[NTP0202]: no member 'CounterIndex' here\n"},
    {"unknown_member_of_the_union", "{Descriptors: [{u: {Index: 1}}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false,
        "t.yaml:1:21: error[NTP0202]: no member 'Index' here\n"},
    {"unknown_member_of_the_range", "{Descriptors: [{u: {Range: {Start: 1}}}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false,
        "t.yaml:1:29: error[NTP0202]: no member 'Start' here\n"},
    {"two_members_of_the_union",
        "{Descriptors: [{u: {CounterIndex: 1, IdentificationTag: 2}}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false,
        "t.yaml:1:20: error[NTP0205]: name exactly one member of the union "
        "'u'\n"},
    {"no_member_of_the_union", "{Descriptors: [{u: {}}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false,
        "t.yaml:1:20: error[NTP0205]: name exactly one member of the union "
        "'u'\n"},
    {"number_for_the_union", "{Descriptors: [{u: 5}]}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false,
        "t.yaml:1:20: error[NTP0205]: expected a structure, {Member: value}\n"},
    {"number_for_the_descriptors", "{Descriptors: 5}",
        NT_PHYSICAL_COUNTER_RESOURCE_LIST, false,
        "t.yaml:1:15: error[NTP0205]: expected a list, [a, b]\n"},
    {"number_for_a_structure", "5", NT_HARDWARE_COUNTER, false,
        "t.yaml:1:1: error[NTP0205]: expected a structure, {Member: value}\n"},
    {"list_for_a_pointer_to_one", "[{Index: 1}]", NT_HARDWARE_COUNTER, false,
        "t.yaml:1:1: error[NTP0205]: expected one HARDWARE_COUNTER, not a "
        "list\n"},
    {"repeat_for_a_pointer_to_one", "{repeat: 1, item: 5}", NT_ULONG, false,
        "t.yaml:1:1: error[NTP0205]"},
    {"structure_for_a_number", "{Index: 1}", NT_ULONG, false,
        "t.yaml:1:1: error[NTP0205]"},
    {"array_member_that_is_too_long", "{Reserved: [1, 2, 3, 4]}",
        NT_GROUP_AFFINITY, false,
        "t.yaml:1:12: error[NTP0206]: 'Reserved' has only 3 elements\n"},
    {"negative_number_below_its_type", "[-2147483649]", NT_LONG, true,
        "t.yaml:1:2: error[NTP0205]: '-2147483649' is not a LONG\n"},
    {"array_member_that_is_no_list", "{Reserved: 1}", NT_GROUP_AFFINITY, false,
        "t.yaml:1:12: error[NTP0205]: expected a list, [a, b]\n"},
    {"member_out_of_range", "{Group: 65536}", NT_GROUP_AFFINITY, false,
        "t.yaml:1:9: error[NTP0206]: 65536 is too large for a USHORT\n"},
    {"wrong_member_in_the_second_element", "[{Index: 1}, {Indx: 2}]",
        NT_HARDWARE_COUNTER, true,
        "t.yaml:1:15: error[NTP0202]: no member 'Indx' here\n"},
    {"repeat_without_an_item", "{repeat: 3}", NT_HARDWARE_COUNTER, true,
        "t.yaml:1:1: error[NTP0205]: repeat is written as {repeat: count, "
        "item: value}\n"},
    {"repeat_with_something_else", "{repeat: 3, item: {}, other: 1}",
        NT_HARDWARE_COUNTER, true, "t.yaml:1:1: error[NTP0205]"},
    {"repeat_of_a_word", "{repeat: many, item: {}}", NT_HARDWARE_COUNTER, true,
        "t.yaml:1:10: error[NTP0203]: 'many' is not a ULONG\n"},
    {"repeat_of_more_than_65536", "{repeat: 65537, item: {}}",
        NT_HARDWARE_COUNTER, true,
        "t.yaml:1:10: error[NTP0109]: more than 65536 elements\n"},
    {"wrong_item_of_a_repeat_is_one_error", "{repeat: 1000, item: {Indx: 1}}",
        NT_HARDWARE_COUNTER, true,
        "t.yaml:1:23: error[NTP0202]: no member 'Indx' here\n"},
    {"buffer_of_more_than_65536", "{buffer: 65537}", NT_HARDWARE_COUNTER, true,
        "t.yaml:1:10: error[NTP0109]: more than 65536 elements\n"},
    {"byte_that_is_too_large", "{bytes: [256]}", NT_HARDWARE_COUNTER, true,
        "t.yaml:1:10: error[NTP0206]: 256 is too large for a UCHAR\n"},
    {"bytes_that_are_no_list", "{bytes: 1}", NT_HARDWARE_COUNTER, true,
        "t.yaml:1:9: error[NTP0205]: expected a list"},
    {"address_that_is_a_word", "{at: home}", NT_HARDWARE_COUNTER, true,
        "t.yaml:1:6: error[NTP0203]: 'home' is not a ULONG_PTR\n"},
    {"buffer_beside_something_else", "{buffer: 1, bytes: [1]}",
        NT_HARDWARE_COUNTER, true,
        "t.yaml:1:2: error[NTP0202]: no member 'buffer' here\n"},
    {"null_in_quotes", "\"null\"", NT_HARDWARE_COUNTER, true,
        "t.yaml:1:1: error[NTP0205]"},
};

static void error_row(void **state)
{
    const struct error_row *row = *state;
    struct values_scope made;
    struct value_block block;

    scope_init(&made, row->text);
    assert_false(value_block(&made.scope, made.file.memory,
        text_file_tree(&made.file), row->type, row->array, &block));
    text_file_assert_errors(&made.file, row->want);
    scope_release(&made);
}

/* While running, what is wrong becomes the step's failure. */
static void value_that_is_not_set_fails_the_step(void **state)
{
    struct values_scope made;
    struct value_block block;

    (void)state;
    scope_init(&made, "[{Index: $wide}]");
    scope_run(&made);
    made.binding[1].set = false;
    assert_false(value_block(&made.scope, made.file.memory,
        text_file_tree(&made.file), NT_HARDWARE_COUNTER, true, &block));
    assert_string_equal(
        made.scope.failure, "$wide is read before a step has set it");
    text_file_assert_errors(&made.file, "");
    scope_release(&made);
}

static struct list_row {
    const char *name;
    const char *text;
    bool want;
} list_rows[] = {
    {"sequence_is_a_list", "[1]", true},
    {"repeat_is_a_list", "{repeat: 1, item: 2}", true},
    {"mapping_is_no_list", "{item: 2}", false},
    {"value_is_no_list", "repeat", false},
};

static void list_row(void **state)
{
    const struct list_row *row = *state;
    struct text_file file;

    text_file_init(&file, row->text);
    assert_int_equal(value_is_list(text_file_tree(&file)), row->want);
    text_file_release(&file);
}

TEST_FILE(test_value_errors)
{
    TEST_ADD_ROWS(list, error_row, error_rows);
    TEST_ADD_ROWS(list, list_row, list_rows);
    test_add(list, "value_that_is_not_set_fails_the_step",
        value_that_is_not_set_fails_the_step, NULL);
}
