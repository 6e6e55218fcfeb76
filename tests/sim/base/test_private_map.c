/* test_private_map.c - memory of ours lies where it is drawn. */
#include "sim/base/private_map.h"

#include <stdint.h>
#include <sys/mman.h>

#include "tests/rows.h"

enum { PAGE = 4096, MAPS = 64 };

static struct bound_row {
    const char *name;
    size_t size;
} bound_rows[] = {
    {"page_lies_in_the_range", PAGE},
    {"gib_lies_in_the_range", (size_t)1 << 30},
    {"tenth_of_the_range_lies_in_it", (size_t)0x080000000000},
};

static void bound_row(void **state)
{
    const struct bound_row *row = *state;
    void *at = private_map(row->size, false);

    assert_non_null(at);
    assert_in_range((uintptr_t)at, 0x200000000000, 0x700000000000 - row->size);
    assert_int_equal((uintptr_t)at % PAGE, 0);
    munmap(at, row->size);
}

/* Of 2^34 places 64 draws hit one twice, or two beside each other, once in four
 * million times. */
static void no_two_are_alike(void **state)
{
    void *at[MAPS];

    (void)state;
    for (int i = 0; i < MAPS; i++) {
        at[i] = private_map(PAGE, true);
        assert_non_null(at[i]);
        for (int k = 0; k < i; k++) {
            intptr_t apart = (intptr_t)at[i] - (intptr_t)at[k];

            assert_false(apart >= -PAGE && apart <= PAGE);
        }
    }
    for (int i = 0; i < MAPS; i++) {
        munmap(at[i], PAGE);
    }
}

static void open_memory_is_zero_and_can_be_written(void **state)
{
    uint8_t *at = private_map(PAGE, true);

    (void)state;
    assert_non_null(at);
    assert_int_equal(at[PAGE - 1], 0);
    at[PAGE - 1] = 5;
    assert_int_equal(at[PAGE - 1], 5);
    munmap(at, PAGE);
}

static void more_than_the_host_has_is_refused(void **state)
{
    (void)state;
    assert_null(private_map((size_t)1 << 62, true));
}

TEST_FILE(test_private_map)
{
    TEST_ADD_ROWS(list, bound_row, bound_rows);
    test_add(list, "no_two_are_alike", no_two_are_alike, NULL);
    test_add(list, "open_memory_is_zero_and_can_be_written",
        open_memory_is_zero_and_can_be_written, NULL);
    test_add(list, "more_than_the_host_has_is_refused",
        more_than_the_host_has_is_refused, NULL);
}
