/* test_store.c - a driver's store instruction: what it writes, and what it may
 * not (IRQL-04, POOL-05). Rules are in scenarios/language/store*.yaml. */
#include "api/core/exception.h"
#include "api/mm/store.h"
#include "api/pcw/counter_format.h"
#include "tests/api/booted_kernel.h"

struct stored {
    uint8_t *to;
    uint64_t cycles; /* that it took */
};

static void store_four(void *argument)
{
    static const uint8_t bytes[] = {1, 2, 3, 4};
    struct stored *stored = argument;
    struct kernel *kernel = kernel_current();
    uint64_t before = kernel_cpu(kernel)->time;

    store_bytes(kernel, (uint64_t)(uintptr_t)stored->to, bytes, sizeof(bytes));
    stored->cycles = kernel_cpu(kernel)->time - before;
}

static void store_writes_and_passes_time(void **state)
{
    struct booted_kernel booted;
    struct stored stored;
    uint8_t *block;

    (void)state;
    booted_init_usual(&booted);
    block = booted_block(&booted, 8, 0xA5);
    stored.to = block + 4;
    booted_run(&booted, 0, store_four, &stored);
    assert_memory_equal(block, "\xA5\xA5\xA5\xA5\x01\x02\x03\x04", 8);
    assert_int_equal(stored.cycles, 4);
    booted_release(&booted);
}

/* One byte of four lies behind the block: none is written. */
static void store_that_does_not_fit_writes_nothing(void **state)
{
    struct booted_kernel booted;
    struct stored stored;
    uint8_t *block;

    (void)state;
    booted_init_usual(&booted);
    block = booted_block(&booted, 8, 0xA5);
    stored.to = block + 5;
    booted_run_to_stop(&booted, 0, store_four, &stored);
    assert_int_equal(booted_broken(&booted, RULE_MM_OVERRUN), 1);
    assert_memory_equal(block, "\xA5\xA5\xA5\xA5\xA5\xA5\xA5\xA5", 8);
    booted_release(&booted);
}

/* Cycles at MHz, and the ticks of 100 ns that they are. */
static struct clock_row {
    const char *name;
    uint32_t mhz;
    uint64_t cycles, want;
} clock_rows[] = {
    {"no_time", 1000, 0, 0},
    {"second", 1000, 1000000000, 10000000},
    {"tick_is_100_ns", 1000, 100, 1},
    {"part_of_a_tick_is_cut_off", 1000, 199, 1},
    {"frequency_that_is_no_multiple", 3, 10, 33},
    {"many_cycles", 2500, UINT64_C(1) << 62, 18446744073709551},
};

static void clock_row(void **state)
{
    const struct clock_row *row = *state;
    struct counter_sample sample = {.value = 5};

    counter_clock_read(row->mhz, row->cycles, &sample);
    assert_int_equal(sample.perf_time, row->want);
    assert_int_equal(sample.time_100ns, row->want);
    assert_int_equal(sample.perf_freq, 10000000);
    assert_int_equal(sample.value, 5);
}

TEST_FILE(test_store)
{
    test_add(list, "store_writes_and_passes_time", store_writes_and_passes_time,
        NULL);
    test_add(list, "store_that_does_not_fit_writes_nothing",
        store_that_does_not_fit_writes_nothing, NULL);
    TEST_ADD_ROWS(list, clock_row, clock_rows);
}
