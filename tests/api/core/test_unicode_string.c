/* test_unicode_string.c - a string that a driver sees has nothing between its
 * members of what was there before. */
#include "api/core/unicode_string.h"
#include "tests/rows.h"

static void nothing_stays_between_its_members(void **state)
{
    static WCHAR text[4];
    UNICODE_STRING string;
    uint8_t seen[sizeof(string)];

    (void)state;
    memset(&string, 0xAA, sizeof(string));
    unicode_string_set(&string, text, 6, 8);
    assert_int_equal(string.Length, 6);
    assert_int_equal(string.MaximumLength, 8);
    assert_ptr_equal(string.Buffer, text);
    memcpy(seen, &string, sizeof(seen));
    assert_memory_equal(seen, "\x06\0\x08\0\0\0\0\0", 8);
}

TEST_FILE(test_unicode_string)
{
    test_add(list, "nothing_stays_between_its_members",
        nothing_stays_between_its_members, NULL);
}
