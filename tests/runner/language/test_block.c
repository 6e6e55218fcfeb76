/* test_block.c - blocks that a call is given, good and bad: what the guest sees
 * of them. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/block.h"
#include "tests/runner/run/scenario_run.h"

enum { REGION_BYTES = 64 * MEMORY_PAGE_BYTES };

/* A block of eight bytes, 1 to 8, in a state. */
static struct place_row {
    const char *name;
    enum block_state state;
    size_t want_open;     /* bytes from its start on that the guest can write */
    unsigned want_offset; /* of its start from a boundary of eight */
} place_rows[] = {
    {"good_block_ends_at_its_guard", BLOCK_GOOD, 8, 0},
    {"short_block_has_a_byte_less", BLOCK_SHORT, 7, 1},
    {"unaligned_block_begins_before_a_boundary", BLOCK_UNALIGNED, 9, 7},
    {"freed_block_is_gone", BLOCK_FREED, 0, 0},
    {"unmapped_block_never_was", BLOCK_UNMAPPED, 0, 0},
};

static void place_row(void **state)
{
    const struct place_row *row = *state;
    uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct value_block block = {
        .state = row->state, .bytes = bytes, .size = 8, .count = 1};
    struct memory memory;
    uint8_t *at;
    size_t open = 0;

    assert_true(memory_reserve(&memory, 0, REGION_BYTES));
    at = block_place(&memory, &block);
    assert_non_null(at);
    assert_int_equal((uintptr_t)at % 8, row->want_offset);
    while (memory_is_open(&memory, at + open, 1)) {
        open++;
    }
    assert_int_equal(open, row->want_open);
    assert_int_equal(block_is_there(&block), open > 0);
    assert_true(memory_is_region(&memory, (uintptr_t)at));
    if (open > 0) {
        assert_memory_equal(at, bytes, open < 8 ? open : 8);
    }
    if (row->state == BLOCK_FREED) {
        assert_true(memory_near(&memory, at)->freed);
    }
    if (row->state == BLOCK_UNMAPPED) {
        assert_null(memory_near(&memory, at));
    }
    memory_release(&memory);
}

static void nothing_is_placed_in_a_full_region(void **state)
{
    uint8_t byte = 0;
    struct value_block block = {.bytes = &byte, .size = 1, .count = 1};
    struct memory memory;
    size_t placed = 0;

    (void)state;
    assert_true(memory_reserve(&memory, 0, REGION_BYTES));
    while (block_place(&memory, &block) != NULL) {
        placed++;
    }
    assert_true(placed > 1);
    block.state = BLOCK_UNMAPPED;
    block.size = MEMORY_PAGE_BYTES;
    assert_null(block_place(&memory, &block));
    memory_release(&memory);
}

#define QUERY(args, expect)                                                    \
    HEAD "steps:\n- call: KeQueryHardwareCounterConfiguration\n  args: {" args \
         "}\n  expect: {" expect ", covers: [T-01]}\n"
#define VALUE(but)                                                             \
    "CounterArray: {value: {buffer: 1}, but: " but "}, "                       \
    "MaximumCount: 1"
#define SET(but)                                                               \
    HEAD "steps:\n- call: KeSetHardwareCounterConfiguration\n  args: "         \
         "{CounterArray: {value: [{Type: PMCCounter, Index: 0}], but: " but    \
         "}, Count: 1}\n  expect: {raises: ACCESS_VIOLATION, covers: "         \
         "[T-01]}\n"

/* What a kernel routine makes of them. */
static struct scenario_run_row run_rows[] = {
    {"short_input_is_read_too_far", SET("short"), RESULT_PASS, 0, NULL, NULL},
    {"freed_input_cannot_be_read", SET("freed"), RESULT_PASS, 0, NULL, NULL},
    {"unmapped_input_cannot_be_read", SET("unmapped"), RESULT_PASS, 0, NULL,
        NULL},
    {"unaligned_input_is_read",
        HEAD "rulings: {KHC-SET-11b: silent}\nsteps:\n- call: "
             "KeSetHardwareCounterConfiguration\n  args: "
             "{CounterArray: {value: [{Type: PMCCounter, Index: 0}], but: "
             "unaligned}, Count: 1}\n  expect: {status: STATUS_SUCCESS, "
             "covers: [T-01]}\n",
        RESULT_PASS, 0, NULL, NULL},
    {"freed_output_cannot_be_written",
        HEAD "rulings: {KHC-SET-11b: silent}\nsteps:\n"
             "- {call: KeSetHardwareCounterConfiguration, args: "
             "{CounterArray: [{Type: PMCCounter, Index: 0}], Count: 1}}\n"
             "- call: KeQueryHardwareCounterConfiguration\n  args: {" VALUE(
                 "freed") "}\n  expect: {raises: ACCESS_VIOLATION, covers: "
                          "[T-01]}\n",
        RESULT_PASS, 0, NULL, NULL},
};

/* While the file is read. */
static struct scenario_error_row error_rows[] = {
    {"state_that_there_is_not", QUERY(VALUE("shrot"), "status: any"), 1,
        "t.yaml:6:50: error[NTP0203]: unknown state 'shrot'\n"
        "    6 |   args: {CounterArray: {value: {buffer: 1}, but: shrot}, "
        "MaximumCount: 1}\n"
        "      |                                                  ^~~~~ did "
        "you mean 'short'?\n"},
    {"value_is_missing",
        QUERY("CounterArray: {but: short}, MaximumCount: 1", "status: any"), 1,
        "t.yaml:6:24: error[NTP0205]: but is written as {value: block, but: "
        "short}\n"},
    {"null_is_no_block",
        QUERY("CounterArray: {value: null, but: freed}, MaximumCount: 1",
            "status: any"),
        1,
        "t.yaml:6:32: error[NTP0215]: only a block with bytes can be bad in a "
        "way of its own\n"},
    {"address_is_no_block",
        QUERY("CounterArray: {value: {at: 0x10}, but: freed}, MaximumCount: 1",
            "status: any"),
        1,
        "t.yaml:6:32: error[NTP0215]: only a block with bytes can be bad in a "
        "way of its own\n"},
};

TEST_FILE(test_block)
{
    TEST_ADD_ROWS(list, place_row, place_rows);
    test_add(list, "nothing_is_placed_in_a_full_region",
        nothing_is_placed_in_a_full_region, NULL);
    TEST_ADD_ROWS(list, scenario_run_row, run_rows);
    TEST_ADD_ROWS(list, scenario_error_row, error_rows);
}
