/* test_page_lock.c - what a page that is locked may be used for, and what it
 * may again when the last lock is gone. */
#include "api/mm/page_lock.h"
#include "tests/api/booted_kernel.h"

enum { ALL = MEMORY_READ | MEMORY_WRITE | MEMORY_EXECUTE, PAGES = 3 };

static struct lock_row {
    const char *name;
    unsigned access;
    bool pageable;
} lock_rows[] = {
    {"readable", MEMORY_READ, false},
    {"writable", MEMORY_READ | MEMORY_WRITE, false},
    {"pageable_readable", MEMORY_READ, true},
    {"pageable_writable", MEMORY_READ | MEMORY_WRITE, true},
    {"pageable_code", MEMORY_READ | MEMORY_EXECUTE, true},
    {"pageable_for_all", ALL, true},
};

/* Whether each page of three is as it was given, but for the one that is locked
 * and not pageable. */
static void check(const struct memory *memory, const uint8_t *block,
    const struct lock_row *row, int locked)
{
    for (int i = 0; i < PAGES; i++) {
        const uint8_t *page = block + (size_t)i * MEMORY_PAGE_BYTES;

        for (unsigned one = MEMORY_READ; one <= MEMORY_EXECUTE; one <<= 1) {
            assert_int_equal(
                memory_allows(memory, page, MEMORY_PAGE_BYTES, one),
                (row->access & one) != 0);
        }
        assert_int_equal(
            memory_is_pageable(memory, page, 1), row->pageable && i != locked);
    }
}

static void lock_row(void **state)
{
    const struct lock_row *row = *state;
    struct booted_kernel booted;
    struct kernel *kernel = &booted.kernel;
    struct memory *memory = &booted.machine.memory;
    const struct memory_block *found;
    uint8_t *block;
    uint64_t page;

    booted_init_usual(&booted);
    block = booted_block(&booted, (size_t)PAGES * MEMORY_PAGE_BYTES, 0);
    page = (uintptr_t)block + MEMORY_PAGE_BYTES;
    found = memory_find(memory, block);
    assert_true(memory_set(memory, block, PAGES, row->access, row->pageable));
    check(memory, block, row, -1);
    assert_int_equal(page_lock_in(kernel, found), 0);
    page_lock_add(kernel, page);
    page_lock_add(kernel, page);
    check(memory, block, row, 1);
    assert_int_equal(page_lock_count(kernel, page), 2);
    assert_int_equal(page_lock_in(kernel, found), page);
    page_lock_drop(kernel, page);
    check(memory, block, row, 1);
    assert_int_equal(page_lock_count(kernel, page), 1);
    page_lock_drop(kernel, page);
    check(memory, block, row, -1);
    assert_int_equal(page_lock_count(kernel, page), 0);
    assert_int_equal(page_lock_in(kernel, found), 0);
    booted_release(&booted);
}

TEST_FILE(test_page_lock)
{
    TEST_ADD_ROWS(list, lock_row, lock_rows);
}
