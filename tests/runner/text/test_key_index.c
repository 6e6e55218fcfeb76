/* test_key_index.c - keys added to an index and found again. */
#include "scenarios/runner/text/key_index.h"

#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "tests/rows.h"

enum { MANY = 10000, NOWHERE = 77 };

static struct find_row {
    const char *name;
    const char *key;
    size_t length;
    bool want;
    size_t want_at;
} find_rows[] = {
    {"first_key_is_found", "one", 3, true, 5},
    {"second_key_is_found", "three", 5, true, 9},
    {"key_of_no_bytes_is_found", "", 0, true, 2},
    {"other_key_is_not_found", "two", 3, false, NOWHERE},
    {"beginning_of_a_key_is_not_found", "thre", 4, false, NOWHERE},
    {"longer_key_is_not_found", "ones", 4, false, NOWHERE},
    {"bytes_behind_a_nul_count", "one\0", 4, false, NOWHERE},
};

static void find_row(void **state)
{
    const struct find_row *row = *state;
    struct key_index *index = key_index_new(NULL);
    size_t at = NOWHERE;

    key_index_add(index, "one", 3, 5);
    key_index_add(index, "three", 5, 9);
    key_index_add(index, "", 0, 2);
    assert_int_equal(
        key_index_find(index, row->key, row->length, &at), row->want);
    assert_int_equal(at, row->want_at);
    talloc_free(index);
}

static void key_is_copied(void **state)
{
    struct key_index *index = key_index_new(NULL);
    char key[] = "key";
    size_t at = NOWHERE;

    (void)state;
    key_index_add(index, key, 3, 1);
    memset(key, 'x', 3);
    assert_true(key_index_find(index, "key", 3, &at));
    assert_false(key_index_find(index, "xxx", 3, &at));
    talloc_free(index);
}

static void many_keys_are_found_where_they_are(void **state)
{
    struct key_index *index = key_index_new(NULL);

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        char key[16];

        snprintf(key, sizeof(key), "%zu", i);
        key_index_add(index, key, strlen(key), 3 * i);
    }
    for (size_t i = 0; i < MANY; i++) {
        size_t at = NOWHERE;
        char key[16];

        snprintf(key, sizeof(key), "%zu", i);
        assert_true(key_index_find(index, key, strlen(key), &at));
        assert_int_equal(at, 3 * i);
    }
    talloc_free(index);
}

TEST_FILE(test_key_index)
{
    TEST_ADD_ROWS(list, find_row, find_rows);
    test_add(list, "key_is_copied", key_is_copied, NULL);
    test_add(list, "many_keys_are_found_where_they_are",
        many_keys_are_found_where_they_are, NULL);
}
