/* test_arena.c - handing out, running full, giving back, and where it lies. */
#include "sim/base/arena.h"
#include "tests/rows.h"

#include <string.h>

#define SIZE ((size_t)1024 * 1024)

static void reserve(struct arena *arena)
{
    assert_true(arena_reserve(arena, SIZE));
}

static struct size_row {
    const char *name;
    size_t size, want_used;
} size_rows[] = {
    {"no_bytes_use_nothing", 0, 0},
    {"one_byte_uses_sixteen", 1, 16},
    {"sixteen_bytes_use_sixteen", 16, 16},
    {"seventeen_bytes_use_thirty_two", 17, 32},
    {"all_bytes_use_all", 1048576, 1048576},
};

static void size_row(void **state)
{
    const struct size_row *row = *state;
    struct arena arena;

    reserve(&arena);
    assert_ptr_equal(arena_alloc(&arena, row->size), arena.base);
    assert_int_equal(arena.used, row->want_used);
    arena_release(&arena);
}

static struct full_row {
    const char *name;
    size_t limit, first, second;
} full_rows[] = {
    {"one_byte_more_than_the_arena_is_refused", 1048576, 0, 1048577},
    {"one_byte_after_the_last_is_refused", 1048576, 1048576, 1},
    {"byte_past_a_lowered_limit_is_refused", 4096, 4096, 1},
    {"rounding_past_a_limit_is_refused", 20, 16, 4},
    {"size_that_rounds_past_zero_is_refused", 1048576, 16, SIZE_MAX},
    {"size_that_wraps_the_mark_is_refused", 1048576, 16, SIZE_MAX - 15},
};

static void full_row(void **state)
{
    const struct full_row *row = *state;
    struct arena arena;
    size_t used;

    reserve(&arena);
    arena_reset(&arena, row->limit, 0);
    assert_non_null(arena_alloc(&arena, row->first));
    used = arena.used;

    assert_null(arena_alloc(&arena, row->second));
    assert_int_equal(arena.used, used);
    arena_release(&arena);
}

static void blocks_lie_one_after_another(void **state)
{
    struct arena arena;
    uint8_t *first, *second;

    (void)state;
    reserve(&arena);
    first = arena_alloc(&arena, 20);
    second = arena_alloc(&arena, 1);

    assert_ptr_equal(second, first + 32);
    arena_release(&arena);
}

static void arena_that_refused_still_gives_what_fits(void **state)
{
    struct arena arena;

    (void)state;
    reserve(&arena);
    arena_reset(&arena, 64, 0);
    assert_null(arena_alloc(&arena, 65));
    assert_non_null(arena_alloc(&arena, 64));
    arena_release(&arena);
}

static struct clear_row {
    const char *name;
    size_t size; /* of a block that is soiled before the reset */
} clear_rows[] = {
    {"small_block_is_zero_again_after_a_reset", 64},
    {"largest_block_cleared_by_hand_is_zero_again", 262144},
    {"block_given_back_to_the_host_is_zero_again", 262160},
};

static void clear_row(void **state)
{
    const struct clear_row *row = *state;
    struct arena arena;
    uint8_t *block;

    reserve(&arena);
    block = arena_alloc(&arena, row->size);
    memset(block, 0xA5, row->size);
    arena_reset(&arena, SIZE, 0);

    assert_int_equal(arena.used, 0);
    assert_ptr_equal(arena_alloc(&arena, row->size), block);
    for (size_t i = 0; i < row->size; i++) {
        assert_int_equal(block[i], 0);
    }
    arena_release(&arena);
}

static void reset_raises_a_limit_again(void **state)
{
    struct arena arena;

    (void)state;
    reserve(&arena);
    arena_reset(&arena, 16, 0);
    arena_reset(&arena, 32, 0);
    assert_non_null(arena_alloc(&arena, 32));
    arena_release(&arena);
}

static void all_that_was_reserved_may_be_used(void **state)
{
    struct arena arena;

    (void)state;
    reserve(&arena);
    assert_int_equal(arena.limit, 1048576);
    arena_release(&arena);
}

static void each_arena_lies_elsewhere(void **state)
{
    struct arena arena, second;

    (void)state;
    reserve(&arena);
    reserve(&second);
    assert_ptr_not_equal(second.base, arena.base);
    second.base[0] = 7;
    assert_int_equal(arena.base[0], 0);
    arena_release(&second);
    arena_release(&arena);
}

static void released_arena_may_be_reserved_again(void **state)
{
    struct arena arena;

    (void)state;
    reserve(&arena);
    arena_release(&arena);
    assert_null(arena.base);
    reserve(&arena);
    assert_non_null(arena.base);
    arena_release(&arena);
}

static void size_that_the_host_lacks_is_refused(void **state)
{
    struct arena arena = {0};

    (void)state;
    assert_false(arena_reserve(&arena, (size_t)1 << 62));
    assert_null(arena.base);
}

/* On a guest's behalf, of 1,024 bytes with 512 in reserve. */
static struct guest_row {
    const char *name;
    size_t ours; /* bytes that are used already */
    size_t size;
    size_t want_used; /* afterwards; SIZE_MAX: it was refused */
} guest_rows[] = {
    {"guest_gets_what_is_not_in_reserve", 0, 512, 512},
    {"guest_gets_no_byte_of_the_reserve", 0, 513, SIZE_MAX},
    {"what_we_have_used_is_not_the_guest_s", 256, 256, 512},
    {"byte_more_than_is_left_to_the_guest", 256, 257, SIZE_MAX},
    {"guest_gets_nothing_of_the_reserve_alone", 512, 1, SIZE_MAX},
    {"guest_gets_nothing_of_a_reserve_in_use", 768, 1, SIZE_MAX},
    {"guest_gets_nothing_of_a_full_arena", 1024, 16, SIZE_MAX},
    {"guest_s_size_that_rounds_past_zero", 0, SIZE_MAX, SIZE_MAX},
};

static void guest_row(void **state)
{
    const struct guest_row *row = *state;
    struct arena arena;
    bool right = row->want_used != SIZE_MAX;

    reserve(&arena);
    arena_reset(&arena, 1024, 512);
    assert_non_null(arena_alloc(&arena, row->ours));
    assert_int_equal(arena_alloc_for_guest(&arena, row->size) != NULL, right);
    assert_int_equal(arena.used, right ? row->want_used : row->ours);
    arena_release(&arena);
}

static void reserve_is_left_to_ourselves(void **state)
{
    struct arena arena;

    (void)state;
    reserve(&arena);
    arena_reset(&arena, 1024, 512);
    assert_non_null(arena_alloc_for_guest(&arena, 512));
    assert_null(arena_alloc_for_guest(&arena, 1));
    assert_non_null(arena_alloc(&arena, 512));
    assert_null(arena_alloc(&arena, 1));
    arena_release(&arena);
}

TEST_FILE(test_arena)
{
    TEST_ADD_ROWS(list, size_row, size_rows);
    TEST_ADD_ROWS(list, full_row, full_rows);
    TEST_ADD_ROWS(list, clear_row, clear_rows);
    test_add(list, "blocks_lie_one_after_another", blocks_lie_one_after_another,
        NULL);
    test_add(list, "arena_that_refused_still_gives_what_fits",
        arena_that_refused_still_gives_what_fits, NULL);
    test_add(
        list, "reset_raises_a_limit_again", reset_raises_a_limit_again, NULL);
    test_add(list, "all_that_was_reserved_may_be_used",
        all_that_was_reserved_may_be_used, NULL);
    test_add(
        list, "each_arena_lies_elsewhere", each_arena_lies_elsewhere, NULL);
    test_add(list, "released_arena_may_be_reserved_again",
        released_arena_may_be_reserved_again, NULL);
    test_add(list, "size_that_the_host_lacks_is_refused",
        size_that_the_host_lacks_is_refused, NULL);
    TEST_ADD_ROWS(list, guest_row, guest_rows);
    test_add(list, "reserve_is_left_to_ourselves", reserve_is_left_to_ourselves,
        NULL);
}
