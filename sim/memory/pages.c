/* pages.c - the guest's page table: what each page lets the guest do, the
 * protection that the host has for it, and pageable pages, which are closed to
 * the host until somebody touches them. */
#include "sim/memory/pages.h"

#include <assert.h>
#include <sys/mman.h>

#include "sim/memory/memory.h"

/* A page's byte: the access that the guest has in bits 0-2, the host's
 * protection at the moment in bits 4-6. */
#define PAGE_ACCESS 0x07U
#define PAGE_PAGEABLE 0x08U
#define PAGE_HOST 0x70U
#define PAGE_HOST_SHIFT 4

static unsigned page_host(const struct memory *memory, size_t page)
{
    assert(page < memory->page_count);
    return (memory->page[page] & PAGE_HOST) >> PAGE_HOST_SHIFT;
}

/* The protection that the host is to have now. */
static unsigned page_wanted(const struct memory *memory, size_t page)
{
    unsigned flags = memory->page[page];

    return (flags & PAGE_PAGEABLE) != 0 ? MEMORY_NONE : flags & PAGE_ACCESS;
}

/* The host's protection of `count` pages becomes `host`, which none has. */
static bool memory_protect(
    struct memory *memory, size_t first, size_t count, unsigned host)
{
    int protection;

    assert((host & ~PAGE_ACCESS) == 0);
    assert(first + count <= memory->page_count);
    protection = ((host & MEMORY_READ) != 0 ? PROT_READ : 0) |
                 ((host & MEMORY_WRITE) != 0 ? PROT_WRITE : 0) |
                 ((host & MEMORY_EXECUTE) != 0 ? PROT_EXEC : 0);

    if (mprotect(memory->base + first * MEMORY_PAGE_BYTES,
            count * MEMORY_PAGE_BYTES, protection) != 0) {
        return false;
    }
    for (size_t page = first; page < first + count; page++) {
        memory->page[page] = (uint8_t)((memory->page[page] & ~PAGE_HOST) |
                                       host << PAGE_HOST_SHIFT);
    }
    return true;
}

/* Run by run of pages that need the same. */
bool pages_apply(struct memory *memory, size_t first, size_t count)
{
    size_t end = first + count;

    assert(end <= memory->page_count);
    for (size_t page = first; page < end;) {
        unsigned wanted = page_wanted(memory, page);
        size_t run = page;

        while (run < end && page_wanted(memory, run) == wanted &&
               page_host(memory, run) != wanted) {
            run++;
        }
        if (run > page && !memory_protect(memory, page, run - page, wanted)) {
            return false;
        }
        page = run > page ? run : page + 1;
    }
    return true;
}

void pages_replaced(struct memory *memory, size_t page, unsigned host)
{
    assert((host & ~PAGE_ACCESS) == 0);
    memory->page[page] =
        (uint8_t)((memory->page[page] & ~PAGE_HOST) | host << PAGE_HOST_SHIFT);
}

bool pages_are_closed(const struct memory *memory, size_t page)
{
    return page_host(memory, page) == MEMORY_NONE;
}

bool pages_readable(struct memory *memory, size_t page)
{
    unsigned host = page_host(memory, page);

    return (host & MEMORY_READ) != 0 ||
           memory_protect(memory, page, 1, host | MEMORY_READ);
}

size_t page_of(const struct memory *memory, const void *address)
{
    uintptr_t offset = (uintptr_t)address - (uintptr_t)memory->base;
    size_t page = offset / MEMORY_PAGE_BYTES;

    if ((uintptr_t)address < (uintptr_t)memory->base || page >= memory->used ||
        (page >= memory->user_used && page < memory->user_pages)) {
        return memory->page_count;
    }
    return page;
}

void page_set(
    struct memory *memory, size_t page, unsigned access, bool pageable)
{
    unsigned flags = access | (pageable ? PAGE_PAGEABLE : 0);

    assert((access & ~PAGE_ACCESS) == 0);
    memory->page[page] = (uint8_t)((memory->page[page] & PAGE_HOST) | flags);
}

/* Whether `flags` are set in some page (`all` false) or in every one of those
 * that hold the bytes. */
static bool pages_have(const struct memory *memory, const void *start,
    size_t size, unsigned flags, bool all)
{
    size_t first = page_of(memory, start);
    size_t end, room, offset = (uintptr_t)start - (uintptr_t)memory->base;

    if (size == 0) {
        return all;
    }
    if (first == memory->page_count) {
        return false;
    }
    if (first < memory->user_pages) {
        flags &= ~PAGE_HOST; /* user_pages.h */
    }
    if (size <= MEMORY_PAGE_BYTES - offset % MEMORY_PAGE_BYTES) { /* usual */
        return (memory->page[first] & flags) == flags;
    }
    end = first < memory->user_pages ? memory->user_used : memory->used;
    room = end * MEMORY_PAGE_BYTES;
    if (size > room - offset) {
        return false;
    }
    for (size_t page = first; page <= (offset + size - 1) / MEMORY_PAGE_BYTES;
         page++) {
        if (((memory->page[page] & flags) == flags) != all) {
            return !all;
        }
    }
    return all;
}

bool memory_allows(const struct memory *memory, const void *start, size_t size,
    unsigned access)
{
    return pages_have(memory, start, size, access, true);
}

bool memory_allows_unpaged(const struct memory *memory, const void *start,
    size_t size, unsigned access)
{
    size_t first = page_of(memory, start);

    if (size > 0 && first < memory->page_count &&
        size <= MEMORY_PAGE_BYTES - (uintptr_t)start % MEMORY_PAGE_BYTES) {
        return (memory->page[first] & (access | PAGE_PAGEABLE)) == access;
    }
    return memory_allows(memory, start, size, access) &&
           !memory_is_pageable(memory, start, size);
}

bool memory_is_open(const struct memory *memory, const void *start, size_t size)
{
    return memory_allows(memory, start, size, MEMORY_READ | MEMORY_WRITE);
}

bool memory_is_pageable(
    const struct memory *memory, const void *start, size_t size)
{
    return pages_have(memory, start, size, PAGE_PAGEABLE, false);
}

bool memory_is_resident(
    const struct memory *memory, const void *start, size_t size)
{
    return pages_have(memory, start, size,
        MEMORY_READ | MEMORY_READ << PAGE_HOST_SHIFT, true);
}

size_t memory_resident_bytes(
    const struct memory *memory, const void *start, size_t most)
{
    while (!memory_is_resident(memory, start, most)) {
        most--; /* of none it is true */
    }
    return most;
}

bool memory_is_usable(
    const struct memory *memory, const void *start, size_t size)
{
    return pages_have(memory, start, size,
        MEMORY_READ | MEMORY_WRITE | MEMORY_READ << PAGE_HOST_SHIFT, true);
}

bool memory_page_in(struct memory *memory, const void *address)
{
    size_t page = page_of(memory, address);
    unsigned access;

    if (page == memory->page_count) {
        return false;
    }
    access = memory->page[page] & PAGE_ACCESS;
    if ((memory->page[page] & PAGE_PAGEABLE) == 0 ||
        page_host(memory, page) == access) {
        return false; /* not pageable, or opened */
    }
    if (!memory_protect(memory, page, 1, access)) {
        memory_page_out(memory); /* the host's limit of ranges that differ */
        if (!memory_protect(memory, page, 1, access)) {
            return false;
        }
    }
    memory->opened[memory->opened_count++] = page;
    assert(memory->opened_count <= memory->used);
    return true;
}

/* None is before page 0: SIZE_MAX is past all. */
static bool page_is_opened(const struct memory *memory, size_t page)
{
    return page < memory->used && (memory->page[page] & PAGE_PAGEABLE) != 0 &&
           page_host(memory, page) != MEMORY_NONE;
}

void memory_page_out(struct memory *memory)
{
    assert(memory->opened_count <= memory->used);
    for (size_t i = 0; i < memory->opened_count; i++) {
        size_t first = memory->opened[i];
        size_t end = first;

        /* With its neighbours: the host need not split a range to close it. A
         * page that was closed or freed meanwhile is left alone. */
        while (page_is_opened(memory, end)) {
            end++;
        }
        while (end > first && page_is_opened(memory, first - 1)) {
            first--;
        }
        if (end > first) {
            pages_apply(memory, first, end - first);
        }
    }
    memory->opened_count = 0;
}
