/* test_record_pool.c - records that are taken, given back and taken again. */
#include "sim/base/record_pool.h"

#include <string.h>

#include "sim/base/arena.h"
#include "tests/rows.h"

enum { ARENA_BYTES = 1 << 16, RECORD_BYTES = 48 };

static void given_back_is_used_again(void **state)
{
    struct record_pool pool = {.first = NULL};
    struct arena arena;
    uint8_t *a, *b;
    size_t used;

    (void)state;
    assert_true(arena_reserve(&arena, ARENA_BYTES));
    arena_reset(&arena, ARENA_BYTES, 0);
    a = record_pool_take(&pool, &arena, RECORD_BYTES);
    b = record_pool_take(&pool, &arena, RECORD_BYTES);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    used = arena.used;
    record_give(&pool, a);
    record_give(&pool, b);
    assert_ptr_equal(record_pool_take(&pool, &arena, RECORD_BYTES), b);
    assert_ptr_equal(record_pool_take(&pool, &arena, RECORD_BYTES), a);
    assert_int_equal(arena.used, used);
    assert_ptr_not_equal(record_pool_take(&pool, &arena, RECORD_BYTES), a);
    assert_true(arena.used > used);
    arena_release(&arena);
}

/* What was in it is not seen by whoever has it next. */
static void taken_again_is_zero(void **state)
{
    static const uint8_t zero[RECORD_BYTES];
    struct record_pool pool = {.first = NULL};
    struct arena arena;
    uint8_t *record;

    (void)state;
    assert_true(arena_reserve(&arena, ARENA_BYTES));
    arena_reset(&arena, ARENA_BYTES, 0);
    record = record_pool_take(&pool, &arena, RECORD_BYTES);
    memset(record, 0xA5, RECORD_BYTES);
    record_give(&pool, record);
    assert_int_equal(record[sizeof(void *)], 0xA5);
    assert_int_equal(record[RECORD_BYTES - 1], 0xA5);
    assert_ptr_equal(record_pool_take(&pool, &arena, RECORD_BYTES), record);
    assert_memory_equal(record, zero, RECORD_BYTES);
    arena_release(&arena);
}

static void a_full_arena_has_none(void **state)
{
    struct record_pool pool = {.first = NULL};
    struct arena arena;
    void *record;

    (void)state;
    assert_true(arena_reserve(&arena, ARENA_BYTES));
    arena_reset(&arena, 2 * RECORD_BYTES, RECORD_BYTES); /* half is ours */
    record = record_pool_take(&pool, &arena, RECORD_BYTES);
    assert_non_null(record);
    assert_null(record_pool_take(&pool, &arena, RECORD_BYTES));
    record_give(&pool, record);
    assert_ptr_equal(record_pool_take(&pool, &arena, RECORD_BYTES), record);
    arena_release(&arena);
}

TEST_FILE(test_record_pool)
{
    test_add(list, "given_back_is_used_again", given_back_is_used_again, NULL);
    test_add(list, "taken_again_is_zero", taken_again_is_zero, NULL);
    test_add(list, "a_full_arena_has_none", a_full_arena_has_none, NULL);
}
