/* test_show_result.c - what a call gave back, as the trace has it. */
#include <stdio.h>

#include "api/core/show.h"
#include "tests/api/booted_kernel.h"

/* A scalar on Windows 10 on x64, with one set. */
/* An output is shown by its size: what lies there does not matter yet. */
static void output_is_shown_by_its_block(void **state)
{
    struct booted_kernel booted;
    uint64_t argument[ROUTINE_PARAMETERS] = {0, 2};
    char text[SHOW_CALL_BYTES];

    (void)state;
    booted_init_usual(&booted);
    argument[0] = (uint64_t)(uintptr_t)booted_block(&booted, 32, 0xA5);
    argument[2] = (uint64_t)(uintptr_t)booted_block(&booted, 4, 0xA5);
    show_call(&booted.kernel, ROUTINE_KeQueryHardwareCounterConfiguration,
        argument, text, sizeof(text));
    assert_string_equal(text,
        "KeQueryHardwareCounterConfiguration(CounterArray=block(32), "
        "MaximumCount=2, Count=block(4))");
    booted_release(&booted);
}

static struct result_row {
    const char *name;
    enum routine routine;
    uint64_t result;
    const char *want;
} result_rows[] = {
    {"status_of_a_call", ROUTINE_HalFreeHardwareCounters, 0xC000000D,
        "STATUS_INVALID_PARAMETER"},
    {"level_of_a_call", ROUTINE_KfRaiseIrql, 1, "APC_LEVEL"},
    {"nothing_of_a_void_call", ROUTINE_KeLowerIrql, 0, ""},
};

static void result_row(void **state)
{
    const struct result_row *row = *state;
    struct booted_kernel booted;
    char text[SHOW_VALUE_BYTES] = "before";

    booted_init_usual(&booted);
    show_result(&booted.kernel, row->routine, row->result, text, sizeof(text));
    assert_string_equal(text, row->want);
    booted_release(&booted);
}

TEST_FILE(test_show_result)
{
    TEST_ADD_ROWS(list, result_row, result_rows);
    test_add(list, "output_is_shown_by_its_block", output_is_shown_by_its_block,
        NULL);
}
