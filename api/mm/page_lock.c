/* page_lock.c - pages that are locked, by their addresses. */
#include "api/mm/page_lock.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/mm/mdl.h"

static const char for_what[] = "locked pages";

struct page_lock {
    struct stored stored; /* first: it is found by it */
    uint32_t count;
    unsigned access; /* that the guest has */
    bool pageable;   /* it was, and is to be again */
};

static struct page_locks *locks_of(const struct kernel *kernel)
{
    return &kernel->mdls->locks;
}

static struct page_lock *find(const struct kernel *kernel, uint64_t page)
{
    assert(page % MEMORY_PAGE_BYTES == 0);
    return (struct page_lock *)(void *)storage_find(
        &locks_of(kernel)->table, page);
}

static unsigned access_of(const struct memory *memory, const void *page)
{
    unsigned access = MEMORY_NONE;

    for (unsigned one = MEMORY_READ; one <= MEMORY_EXECUTE; one <<= 1) {
        access |= memory_allows(memory, page, 1, one) ? one : 0;
    }
    return access;
}

void page_lock_add(struct kernel *kernel, uint64_t page)
{
    struct memory *memory = &kernel->machine->memory;
    struct page_lock *lock = find(kernel, page);
    void *at = (void *)(uintptr_t)page;

    if (lock != NULL) {
        lock->count++;
        return;
    }
    lock =
        record_take(kernel, &locks_of(kernel)->pool, sizeof(*lock), for_what);
    *lock = (struct page_lock){
        .stored = {.address = page},
        .count = 1,
        .access = access_of(memory, at),
        /* HAL-OVF-08b [C] */
        .pageable = memory_is_pageable(memory, at, 1) &&
                    !ruling_is(kernel, RULED_HAL_OVF_08b_closed),
    };
    storage_enter(kernel, &locks_of(kernel)->table, &lock->stored, for_what);
    if (lock->pageable) {
        run_needs(kernel,
            memory_set(memory, at, 1, lock->access, false) ? at : NULL,
            for_what);
    }
    locks_of(kernel)->count++;
}

void page_lock_drop(struct kernel *kernel, uint64_t page)
{
    struct memory *memory = &kernel->machine->memory;
    struct page_lock *lock = find(kernel, page);
    uint8_t *at = (uint8_t *)(uintptr_t)page;
    const struct memory_block *block = memory_near(memory, at);

    assert(lock != NULL && lock->count > 0);
    lock->count--;
    if (lock->count > 0) {
        return;
    }
    /* A block of less than a page begins in the middle of one. */
    if (lock->pageable && block != NULL && !block->freed &&
        at < block->start + block->size) {
        memory_set(memory, at, 1, lock->access, true);
    }
    storage_remove(&locks_of(kernel)->table, &lock->stored);
    locks_of(kernel)->count--;
    record_give(&locks_of(kernel)->pool, lock);
}

uint32_t page_lock_count(const struct kernel *kernel, uint64_t page)
{
    const struct page_lock *lock = find(kernel, page);

    return lock == NULL ? 0 : lock->count;
}

uint64_t page_lock_in(
    const struct kernel *kernel, const struct memory_block *block)
{
    uint64_t page =
        (uintptr_t)block->start / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES;

    if (locks_of(kernel)->count == 0) {
        return 0;
    }
    for (size_t i = 0; i < block->pages; i++, page += MEMORY_PAGE_BYTES) {
        if (page_lock_count(kernel, page) > 0) {
            return page;
        }
    }
    return 0;
}
