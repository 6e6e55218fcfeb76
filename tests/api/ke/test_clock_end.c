/* test_clock_end.c - the last tick that the clock counts: whatever is further
 * away is due at it (TMR-14). */
#include "api/ke/clock.h"

#include "tests/api/booted_kernel.h"

/* 2,500 cycles a microsecond: 2^62 cycles are 1,844,674,407,370,955
 * microseconds. */
#define LAST_UNITS UINT64_C(18446744073709550)

enum { TICK = 156250 };

static struct end_row {
    const char *name;
    uint64_t since, units, want;
} end_rows[] = {
    {"too_long_an_interval", TICK, UINT64_MAX, 118059162071},
    {"too_late_a_beginning", TICK, LAST_UNITS - 1, 118059162071},
    {"last_but_one", TICK, LAST_UNITS - 2 * TICK, 118059162071},
    {"two_ticks_before", 0, LAST_UNITS - 2 * TICK, 118059162070},
};

struct question {
    const struct end_row *row;
    uint64_t tick;
};

static void ask(void *argument)
{
    struct question *question = argument;

    question->tick = clock_tick_after(
        kernel_current(), question->row->since, question->row->units);
}

static void end_row(void **state)
{
    struct question question = {.row = *state};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    booted_run(&booted, 0, ask, &question);
    assert_int_equal(question.tick, question.row->want);
    booted_release(&booted);
}

TEST_FILE(test_clock_end)
{
    TEST_ADD_ROWS(list, end_row, end_rows);
}
