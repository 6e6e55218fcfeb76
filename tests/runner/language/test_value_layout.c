/* test_value_layout.c - typed values one after another (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/value_layout.h"
#include "tests/runner/language/values_scope.h"

static struct layout_row {
    const char *name;
    const char *text;
    size_t want_size;
    uint8_t want[24];
} layout_rows[] = {
    {"little_endian_numbers", "[{ULONG: 5}, {USHORT: 0x102}]", 6,
        {5, 0, 0, 0, 2, 1}},
    {"nothing_is_padded", "[{UCHAR: 1}, {ULONG64: 2}]", 9,
        {1, 2, 0, 0, 0, 0, 0, 0, 0}},
    {"constants_of_the_type", "[{NTSTATUS: STATUS_NOT_SUPPORTED}]", 4,
        {0xBB, 0, 0, 0xC0}},
    {"variable", "[{ULONG: $count}, {HANDLE: $h}]", 12,
        {3, 0, 0, 0, 0x04, 0x10, 0, 0, 0, 0, 0, 0}},
    {"bytes_and_text", "[{bytes: [1, 2]}, {text: \"ab\"}, {text: c}]", 5,
        {1, 2, 0x61, 0x62, 0x63}},
    {"structure", "[{UCHAR: 9}, {PROCESSOR_NUMBER: {Group: 1, Number: 2}}]", 5,
        {9, 1, 0, 2, 0}},
};

static void layout_row(void **state)
{
    const struct layout_row *row = *state;
    struct values_scope made;
    struct value_block block;
    const struct node *node;

    scope_init(&made, row->text);
    node = text_file_tree(&made.file);
    assert_true(value_is_layout(node));
    assert_true(value_layout(&made.scope, made.file.memory, node, &block));
    text_file_assert_errors(&made.file, "");
    scope_run(&made);
    assert_true(value_layout(&made.scope, made.file.memory, node, &block));
    assert_int_equal(block.size, row->want_size);
    assert_memory_equal(block.bytes, row->want, row->want_size);
    scope_release(&made);
}

static struct other_row {
    const char *name;
    const char *text;
} other_rows[] = {
    {"list_of_bytes", "[1, 2]"},
    {"empty_list", "[]"},
    {"raw_bytes", "{bytes: [1]}"},
};

static void other_row(void **state)
{
    const struct other_row *row = *state;
    struct values_scope made;

    scope_init(&made, row->text);
    assert_false(value_is_layout(text_file_tree(&made.file)));
    scope_release(&made);
}

TEST_FILE(test_value_layout)
{
    TEST_ADD_ROWS(list, layout_row, layout_rows);
    TEST_ADD_ROWS(list, other_row, other_rows);
}
