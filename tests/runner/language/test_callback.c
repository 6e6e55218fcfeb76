/* test_callback.c - the addresses that drivers' callbacks have, and calls that
 * arrive there as Windows makes them. */
#include "api/ke/code.h"
#include "scenarios/runner/language/callback.h"
#include "tests/rows.h"

enum { CALLBACKS = 16 };

/* What was told of the last call. */
struct told {
    unsigned calls;
    size_t n;
    uint64_t bits, handle, last;
};

static uint64_t tell(
    void *context, size_t n, const uint64_t argument[CODE_ARGUMENTS])
{
    struct told *told = context;

    told->calls++;
    told->n = n;
    told->bits = argument[0];
    told->handle = argument[1];
    told->last = argument[5];
    return 0x77 + n;
}

static void every_callback_tells_its_number_and_arguments(void **state)
{
    struct told told = {0};

    (void)state;
    callback_on_call(tell, &told);
    for (size_t n = 0; n < CALLBACKS; n++) {
        code_function *call = callback_at(callback_address(n));

        assert_int_equal(
            call(UINT64_C(0x8000000000000000) + n, 0x1000 + 4 * n, 0, 0, 0, 6),
            0x77 + n);
        assert_int_equal(told.calls, n + 1);
        assert_int_equal(told.n, n);
        assert_int_equal(told.bits, UINT64_C(0x8000000000000000) + n);
        assert_int_equal(told.handle, 0x1000 + 4 * n);
        assert_int_equal(told.last, 6);
    }
    callback_on_call(NULL, NULL);
}

static void every_callback_has_an_address_of_its_own(void **state)
{
    (void)state;
    for (size_t n = 0; n < CALLBACKS; n++) {
        assert_int_not_equal(callback_address(n), 0);
        for (size_t k = 0; k < n; k++) {
            assert_int_not_equal(callback_address(n), callback_address(k));
        }
    }
}

static struct nowhere_row {
    const char *name;
    uint64_t address;
} nowhere_rows[] = {
    {"null_is_no_callback", 0},
    {"address_below_the_first_is_no_callback", 0x1802FFFFFFF0},
    {"address_between_two_is_no_callback", 0x180300000008},
    {"last_one_is_at_0xf0_and_no_more_follow", 0x180300000100},
};

static void nowhere_row(void **state)
{
    const struct nowhere_row *row = *state;

    assert_null(callback_at(row->address));
    assert_non_null(callback_at(0x1803000000F0));
}

static void last_one_who_asked_is_told(void **state)
{
    struct told first = {0}, second = {0};
    code_function *call = callback_at(0x180300000000);

    (void)state;
    callback_on_call(tell, &first);
    callback_on_call(tell, &second);
    call(1, 0, 0, 0, 0, 0);
    assert_int_equal(first.calls, 0);
    assert_int_equal(second.calls, 1);
    callback_on_call(NULL, NULL);
}

TEST_FILE(test_callback)
{
    TEST_ADD_ROWS(list, nowhere_row, nowhere_rows);
    test_add(list, "every_callback_tells_its_number_and_arguments",
        every_callback_tells_its_number_and_arguments, NULL);
    test_add(list, "every_callback_has_an_address_of_its_own",
        every_callback_has_an_address_of_its_own, NULL);
    test_add(
        list, "last_one_who_asked_is_told", last_one_who_asked_is_told, NULL);
}
