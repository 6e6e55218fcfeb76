/* test_pcw_store.c - memory of a request: aligned, apart, used again. */
#include "api/pcw/query_memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/rows.h"

/* The first chunk, and what a later one is made of. */
enum { CHUNK = 256 * 1024, LARGE_PAGE = 2 * 1024 * 1024 };

static struct size_row {
    const char *name;
    size_t size, count;
} size_rows[] = {
    {"nothing", 0, 3},
    {"one_byte", 1, 1000},
    {"sixteen_bytes", 16, 20000},
    {"seventeen_bytes", 17, 20000},
    {"half_a_chunk", CHUNK / 2, 7},
    {"a_chunk", CHUNK, 4},
    {"a_byte_more_than_a_chunk", CHUNK + 1, 4},
    {"ten_chunks", 10 * CHUNK, 3},
    {"a_large_page_with_its_head", LARGE_PAGE - 32, 3},
    {"a_byte_more_than_a_large_page", LARGE_PAGE - 31, 3},
    {"a_large_page", LARGE_PAGE, 3},
};

/* Every byte of every piece is its own; twice, the second time in memory that
 * was there before. */
static void size_row(void **state)
{
    const struct size_row *row = *state;
    struct query_memory *store = query_memory_new();
    uint8_t **piece = calloc(row->count, sizeof(*piece));

    assert_non_null(piece);
    for (unsigned round = 0; round < 2; round++) {
        for (size_t i = 0; i < row->count; i++) {
            piece[i] = query_memory_take(store, row->size);
            assert_int_equal((uintptr_t)piece[i] % 16, 0);
            memset(piece[i], (int)(i & 0xFF), row->size);
        }
        for (size_t i = 0; i < row->count; i++) {
            if (row->size > 0) {
                assert_int_equal(piece[i][0], i & 0xFF);
                assert_int_equal(piece[i][row->size - 1], i & 0xFF);
            }
        }
        query_memory_reset(store);
    }
    free(piece);
    query_memory_free(store);
}

static void memory_is_used_again(void **state)
{
    static const size_t sizes[] = {100, CHUNK, 5, 9 * CHUNK, CHUNK - 16, 64};
    void *first[6];
    struct query_memory *store = query_memory_new();

    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 6; i++) {
            void *piece = query_memory_take(store, sizes[i]);

            first[i] = round == 0 ? piece : first[i];
            assert_ptr_equal(piece, first[i]);
            memset(piece, 1, sizes[i]);
        }
        query_memory_reset(store);
    }
    query_memory_free(store);
}

/* A chunk that is too small now is kept for later. */
static void order_of_sizes_may_change(void **state)
{
    struct query_memory *store = query_memory_new();
    void *small, *large;

    (void)state;
    query_memory_take(store, CHUNK);
    small = query_memory_take(store, CHUNK);
    query_memory_reset(store);
    query_memory_take(store, CHUNK);
    large = query_memory_take(store, 3 * LARGE_PAGE / 2);
    memset(large, 1, 3 * LARGE_PAGE / 2);
    assert_ptr_not_equal(large, small);
    assert_ptr_equal(query_memory_take(store, 3 * LARGE_PAGE / 4), small);
    query_memory_reset(store);
    query_memory_take(store, CHUNK);
    assert_ptr_equal(query_memory_take(store, 16), large);
    query_memory_free(store);
}

static void copies_have_the_bytes(void **state)
{
    struct query_memory *store = query_memory_new();
    const char *copy = query_memory_copy(store, "name", 5);

    (void)state;
    assert_string_equal(copy, "name");
    assert_non_null(query_memory_copy(store, NULL, 0));
    query_memory_free(store);
    query_memory_free(NULL);
}

TEST_FILE(test_pcw_store)
{
    TEST_ADD_ROWS(list, size_row, size_rows);
    test_add(list, "memory_is_used_again", memory_is_used_again, NULL);
    test_add(
        list, "order_of_sizes_may_change", order_of_sizes_may_change, NULL);
    test_add(list, "copies_have_the_bytes", copies_have_the_bytes, NULL);
}
