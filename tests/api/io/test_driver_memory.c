/* test_driver_memory.c - the memory routines that drivers are linked with,
 * under other names: this program has the host's. */
#define memcpy driver_memcpy
#define memmove driver_memmove
#define memset driver_memset
#define memcmp driver_memcmp
#include "api/driver_support/memory.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp

#include <string.h>

#include "tests/rows.h"

static void copies_and_returns_the_target(void **state)
{
    char to[] = "........";

    (void)state;
    assert_ptr_equal(driver_memcpy(to + 1, "abc", 3), to + 1);
    assert_string_equal(to, ".abc....");
    driver_memcpy(to, "xyz", 0);
    assert_string_equal(to, ".abc....");
}

static void moves_upward_over_itself(void **state)
{
    char text[] = "abcdef..";

    (void)state;
    assert_ptr_equal(driver_memmove(text + 2, text, 6), text + 2);
    assert_string_equal(text, "ababcdef");
}

static void moves_downward_over_itself(void **state)
{
    char text[] = "..abcdef";

    (void)state;
    assert_ptr_equal(driver_memmove(text, text + 2, 6), text);
    assert_string_equal(text, "abcdefef");
}

static void sets_the_low_byte_of_the_value(void **state)
{
    char text[] = "........";

    (void)state;
    assert_ptr_equal(driver_memset(text + 2, 0x7B41, 3), text + 2);
    assert_string_equal(text, "..AAA...");
}

static void compares_bytes_as_unsigned(void **state)
{
    (void)state;
    assert_true(driver_memcmp("a\x80", "a\x7f", 2) > 0);
    assert_true(driver_memcmp("a\x7f", "a\x80", 2) < 0);
    assert_int_equal(driver_memcmp("a\x80", "a\x7f", 1), 0);
    assert_int_equal(driver_memcmp("a", "b", 0), 0);
}

TEST_FILE(test_driver_memory)
{
    test_add(list, "copies_and_returns_the_target",
        copies_and_returns_the_target, NULL);
    test_add(list, "moves_upward_over_itself", moves_upward_over_itself, NULL);
    test_add(
        list, "moves_downward_over_itself", moves_downward_over_itself, NULL);
    test_add(list, "sets_the_low_byte_of_the_value",
        sets_the_low_byte_of_the_value, NULL);
    test_add(
        list, "compares_bytes_as_unsigned", compares_bytes_as_unsigned, NULL);
}
