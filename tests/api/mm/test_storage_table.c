/* test_storage_table.c - objects by the address of their storage: many on a
 * page, many pages, and those of a block. */
#include "api/mm/storage_table.h"
#include "sim/base/arena.h"
#include "tests/rows.h"

enum { PAGE = 4096, OBJECTS = 4096, STEP = 24 };

static struct stored object[OBJECTS];

static void fill(struct storage_table *table, struct arena *arena)
{
    assert_true(arena_reserve(arena, 4 << 20));
    arena_reset(arena, 4 << 20, 0);
    *table = (struct storage_table){.bucket = NULL};
    for (unsigned i = 0; i < OBJECTS; i++) {
        object[i] = (struct stored){.address = PAGE + (uint64_t)STEP * i};
        assert_true(storage_add(table, arena, &object[i]));
    }
}

static void each_is_found_by_its_first_byte_alone(void **state)
{
    struct storage_table table;
    struct arena arena;

    (void)state;
    fill(&table, &arena);
    for (unsigned i = 0; i < OBJECTS; i++) {
        assert_ptr_equal(storage_find(&table, object[i].address), &object[i]);
        assert_null(storage_find(&table, object[i].address + 8));
    }
    arena_release(&arena);
}

static void one_that_was_removed_is_found_no_more(void **state)
{
    struct storage_table table;
    struct arena arena;

    (void)state;
    fill(&table, &arena);
    storage_remove(&table, &object[7]);
    assert_null(storage_find(&table, object[7].address));
    assert_ptr_equal(storage_find(&table, object[8].address), &object[8]);
    assert_true(storage_add(&table, &arena, &object[7]));
    assert_ptr_equal(storage_find(&table, object[7].address), &object[7]);
    arena_release(&arena);
}

/* Two pages and a half: the block begins and ends amid a line. */
static void those_of_a_block_are_taken_and_no_others(void **state)
{
    const uint64_t start = 2 * PAGE + 40, end = start + 2 * PAGE + 2000;
    struct storage_table table;
    struct arena arena;
    unsigned taken = 0, left = 0;

    (void)state;
    fill(&table, &arena);
    for (struct stored *stored = storage_take_all(&table, start, end - start);
         stored != NULL; stored = stored->next) {
        assert_in_range(stored->address, start, end - 1);
        taken++;
    }
    for (unsigned i = 0; i < OBJECTS; i++) {
        uint64_t address = PAGE + (uint64_t)STEP * i;

        left += storage_find(&table, address) != NULL;
        assert_int_equal(storage_find(&table, address) == NULL,
            address >= start && address < end);
    }
    assert_int_equal(taken + left, OBJECTS);
    assert_int_equal(taken, 424);
    arena_release(&arena);
}

static void without_memory_there_is_no_object(void **state)
{
    struct storage_table table = {.bucket = NULL};
    struct stored one = {.address = PAGE};
    struct arena arena;

    (void)state;
    assert_true(arena_reserve(&arena, 64 << 10));
    arena_reset(&arena, 64 << 10, 64 << 10);
    assert_null(storage_take_all(&table, 0, PAGE));
    assert_false(storage_add(&table, &arena, &one));
    assert_null(storage_find(&table, PAGE));
    arena_release(&arena);
}

/* Pages whose numbers differ by the number of buckets. */
static void pages_of_one_bucket_are_told_apart(void **state)
{
    enum { PAGES = 3, BUCKETS = 1024 };
    struct storage_table table = {.bucket = NULL};
    struct stored far[PAGES];
    struct arena arena;

    (void)state;
    assert_true(arena_reserve(&arena, 1 << 20));
    arena_reset(&arena, 1 << 20, 0);
    for (unsigned i = 0; i < PAGES; i++) {
        far[i] =
            (struct stored){.address = PAGE * (1 + (uint64_t)BUCKETS * i) + 8};
        assert_true(storage_add(&table, &arena, &far[i]));
    }
    for (unsigned i = 0; i < PAGES; i++) {
        assert_ptr_equal(storage_find(&table, far[i].address), &far[i]);
    }
    assert_null(storage_find(&table, PAGE * (1 + (uint64_t)BUCKETS * PAGES)));
    arena_release(&arena);
}

/* Those of one line are linked, the one that came last first. */
static void each_of_a_line_can_be_removed(void **state)
{
    for (unsigned gone = 0; gone < 3; gone++) {
        struct storage_table table = {.bucket = NULL};
        struct stored near[3];
        struct arena arena;

        assert_true(arena_reserve(&arena, 1 << 20));
        arena_reset(&arena, 1 << 20, 0);
        for (unsigned i = 0; i < 3; i++) {
            near[i] = (struct stored){.address = PAGE + (uint64_t)8 * i};
            assert_true(storage_add(&table, &arena, &near[i]));
        }
        storage_remove(&table, &near[gone]);
        for (unsigned i = 0; i < 3; i++) {
            assert_ptr_equal(storage_find(&table, near[i].address),
                i == gone ? NULL : &near[i]);
        }
        arena_release(&arena);
    }
    (void)state;
}

/* One object at a time, each where none was: by itself, or with its block. */
static void pages_without_an_object_are_used_again(void **state)
{
    enum { TIMES = 100000 };
    struct storage_table table = {.bucket = NULL};
    struct arena arena;
    size_t used = 0;

    (void)state;
    assert_true(arena_reserve(&arena, 1 << 20));
    arena_reset(&arena, 1 << 20, 0);
    for (uint64_t i = 1; i <= TIMES; i++) {
        struct stored one = {.address = PAGE * i + 8};

        assert_true(storage_add(&table, &arena, &one));
        used = i == 1 ? arena.used : used;
        if (i % 2 == 0) {
            storage_remove(&table, &one);
        } else {
            assert_ptr_equal(storage_take_all(&table, PAGE * i, PAGE), &one);
        }
        assert_null(storage_find(&table, one.address));
    }
    assert_int_equal(arena.used, used);
    arena_release(&arena);
}

/* The first of three pages in a bucket, the second, the last. */
static void page_that_goes_leaves_its_bucket_s_others(void **state)
{
    enum { PAGES = 3, BUCKETS = 1024 };

    for (unsigned gone = 0; gone < PAGES; gone++) {
        struct storage_table table = {.bucket = NULL};
        struct stored far[PAGES];
        struct arena arena;

        assert_true(arena_reserve(&arena, 1 << 20));
        arena_reset(&arena, 1 << 20, 0);
        for (unsigned i = 0; i < PAGES; i++) {
            far[i] = (struct stored){
                .address = PAGE * (1 + (uint64_t)BUCKETS * i) + 8};
            assert_true(storage_add(&table, &arena, &far[i]));
        }
        storage_remove(&table, &far[gone]);
        for (unsigned i = 0; i < PAGES; i++) {
            assert_ptr_equal(storage_find(&table, far[i].address),
                i == gone ? NULL : &far[i]);
        }
        arena_release(&arena);
    }
    (void)state;
}

TEST_FILE(test_storage_table)
{
    test_add(list, "pages_without_an_object_are_used_again",
        pages_without_an_object_are_used_again, NULL);
    test_add(list, "page_that_goes_leaves_its_bucket_s_others",
        page_that_goes_leaves_its_bucket_s_others, NULL);
    test_add(list, "pages_of_one_bucket_are_told_apart",
        pages_of_one_bucket_are_told_apart, NULL);
    test_add(list, "each_of_a_line_can_be_removed",
        each_of_a_line_can_be_removed, NULL);
    test_add(list, "each_is_found_by_its_first_byte_alone",
        each_is_found_by_its_first_byte_alone, NULL);
    test_add(list, "one_that_was_removed_is_found_no_more",
        one_that_was_removed_is_found_no_more, NULL);
    test_add(list, "those_of_a_block_are_taken_and_no_others",
        those_of_a_block_are_taken_and_no_others, NULL);
    test_add(list, "without_memory_there_is_no_object",
        without_memory_there_is_no_object, NULL);
}
