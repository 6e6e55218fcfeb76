/* test_io_remove_lock.c - how long a remove lock may be held, to the cycle, and
 * how often (RLOCK-03). */
#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

#define MINUTE (UINT64_C(60) * 1000000 * 2500) /* cycles */

enum { RELEASE_CYCLES = 25 }; /* until its body runs */

static struct held_row {
    const char *name;
    ULONG minutes, watermark;
    uint64_t held; /* cycles; at most so many */
    int times;     /* it is acquired */
    unsigned told;
} held_rows[] = {
    {"for_a_cycle_less_than_the_minute", 1, 0, MINUTE - 1, 1, 0},
    {"for_the_minute", 1, 0, MINUTE, 1, 0},
    {"for_a_cycle_more", 1, 0, MINUTE + 1, 1, 1},
    {"for_two_minutes", 2, 0, 2 * MINUTE, 1, 0},
    {"for_a_cycle_more_than_two_minutes", 2, 0, 2 * MINUTE + 1, 1, 1},
    {"for_long_without_a_limit", 0, 0, 3 * MINUTE, 1, 0},
    {"once_where_once_is_allowed", 0, 1, MINUTE, 1, 0},
    {"twice_where_once_is_allowed", 0, 1, MINUTE, 2, 1},
    {"often_without_a_limit", 0, 0, MINUTE, 5, 0},
};

/* In the driver's memory. */
static IO_REMOVE_LOCK *lock;
static const struct held_row *held;

static void hold_now(void *argument)
{
    (void)argument;
    IoInitializeRemoveLockEx(
        lock, 1, held->minutes, held->watermark, sizeof(*lock));
    for (int i = 0; i < held->times; i++) {
        IoAcquireRemoveLockEx(
            lock, (PVOID)(uintptr_t)(i + 1), "", 1, sizeof(*lock));
    }
    cpu_spin(kernel_cpu(kernel_current()), held->held - RELEASE_CYCLES);
    for (int i = held->times; i > 0; i--) {
        IoReleaseRemoveLockEx(lock, (PVOID)(uintptr_t)i, sizeof(*lock));
    }
}

static void held_row(void **state)
{
    struct booted_kernel booted;

    held = *state;
    booted_init_usual(&booted);
    lock = booted_block(&booted, sizeof(*lock), 0);
    booted_run(&booted, 0, hold_now, NULL);
    assert_int_equal(
        booted_broken(&booted, RULE_REMOVE_LOCK_LIMIT), held->told);
    assert_int_equal(booted.kernel.rules.count, held->told);
    booted_release(&booted);
}

/* Who releases it runs on a processor that may be behind. */
static struct elsewhere_row {
    const char *name;
    int64_t behind; /* the acquire, cycles */
    unsigned told;
} elsewhere_rows[] = {
    {"elsewhere_before_it_was_acquired", -1, 0},
    {"elsewhere_at_the_same_time", 0, 0},
    {"elsewhere_a_cycle_later", 1, 0},
    {"elsewhere_behind_the_minute", MINUTE + 1, 1},
};

static uint64_t acquired;

static void acquire_now(void *argument)
{
    struct cpu *cpu = kernel_cpu(kernel_current());

    (void)argument;
    cpu_spin(cpu, 1000000);
    IoInitializeRemoveLockEx(lock, 1, 1, 0, sizeof(*lock));
    IoAcquireRemoveLockEx(lock, NULL, "", 1, sizeof(*lock));
    acquired = cpu->time;
}

static void release_now(void *argument)
{
    const struct elsewhere_row *row = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());

    cpu_spin(
        cpu, acquired + (uint64_t)row->behind - RELEASE_CYCLES - cpu->time);
    IoReleaseRemoveLockEx(lock, NULL, sizeof(*lock));
}

static void elsewhere_row(void **state)
{
    struct elsewhere_row *row = *state;
    struct booted_kernel booted;

    booted_init_usual(&booted);
    lock = booted_block(&booted, sizeof(*lock), 0);
    booted_run(&booted, 0, acquire_now, NULL);
    booted_run(&booted, 1, release_now, row);
    assert_int_equal(booted.kernel.rules.count, row->told);
    booted_release(&booted);
}

TEST_FILE(test_io_remove_lock)
{
    TEST_ADD_ROWS(list, held_row, held_rows);
    TEST_ADD_ROWS(list, elsewhere_row, elsewhere_rows);
}
