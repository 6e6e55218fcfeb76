/* storage_table.c - finds the kernel's record of an object in a driver's memory
 * by the object's address: a hash table by page and line. */
#include "api/mm/storage_table.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "sim/base/arena.h"

enum {
    BUCKETS = 1024, /* of pages */
    PAGE_SHIFT = 12,
    LINE_SHIFT = 6,
    LINES = 1 << (PAGE_SHIFT - LINE_SHIFT),
};

struct storage_page {
    uint64_t number;
    struct stored *line[LINES];
    unsigned count;            /* objects on it, at least one */
    struct storage_page *next; /* in its bucket */
};

static struct storage_page *find_page(
    const struct storage_table *table, uint64_t number)
{
    struct storage_page *page;

    if (table->bucket == NULL) {
        return NULL;
    }
    page = table->bucket[number % BUCKETS];
    while (page != NULL && page->number != number) {
        page = page->next;
    }
    return page;
}

static struct stored **line_of(struct storage_page *page, uint64_t address)
{
    return &page->line[address >> LINE_SHIFT & (LINES - 1)];
}

struct stored *storage_find(const struct storage_table *table, uint64_t address)
{
    struct storage_page *page = find_page(table, address >> PAGE_SHIFT);
    struct stored *stored = page == NULL ? NULL : *line_of(page, address);

    while (stored != NULL && stored->address != address) {
        stored = stored->next;
    }
    return stored;
}

/* So many objects less are on the page; it is given back with the last. */
static void leave_page(
    struct storage_table *table, struct storage_page *page, unsigned count)
{
    struct storage_page **link = &table->bucket[page->number % BUCKETS];

    assert(page->count >= count);
    page->count -= count;
    if (page->count > 0) {
        return;
    }
    while (*link != page) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = page->next;
    record_give(&table->pool, page);
}

static struct storage_page *make_page(
    struct storage_table *table, struct arena *arena, uint64_t number)
{
    struct storage_page *page = find_page(table, number);
    struct storage_page **bucket;

    if (page != NULL) {
        return page;
    }
    if (table->bucket == NULL) {
        table->bucket =
            arena_alloc_for_guest(arena, BUCKETS * sizeof(*table->bucket));
    }
    page = table->bucket == NULL
               ? NULL
               : record_pool_take(&table->pool, arena, sizeof(*page));
    if (page == NULL) {
        return NULL;
    }
    bucket = &table->bucket[number % BUCKETS];
    page->number = number;
    page->next = *bucket;
    *bucket = page;
    return page;
}

bool storage_add(
    struct storage_table *table, struct arena *arena, struct stored *stored)
{
    struct storage_page *page =
        make_page(table, arena, stored->address >> PAGE_SHIFT);
    struct stored **line;

    assert(storage_find(table, stored->address) == NULL);
    if (page == NULL) {
        return false;
    }
    line = line_of(page, stored->address);
    stored->next = *line;
    *line = stored;
    page->count++;
    return true;
}

void storage_enter(struct kernel *kernel, struct storage_table *table,
    struct stored *stored, const char *what)
{
    run_needs(kernel,
        storage_add(table, &kernel->machine->arena, stored) ? stored : NULL,
        what);
}

void storage_remove(struct storage_table *table, struct stored *stored)
{
    struct storage_page *page = find_page(table, stored->address >> PAGE_SHIFT);
    struct stored **link = line_of(page, stored->address);

    while (*link != stored) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = stored->next;
    stored->next = NULL;
    leave_page(table, page, 1);
}

/* Takes those of one line that begin in the bytes, and puts them behind the
 * last one, whose link is *last. Returns how many. */
static unsigned take_line(
    struct stored **link, uint64_t start, uint64_t end, struct stored ***last)
{
    unsigned count = 0;

    while (*link != NULL) {
        struct stored *stored = *link;

        if (stored->address < start || stored->address >= end) {
            link = &stored->next;
            continue;
        }
        *link = stored->next;
        stored->next = NULL;
        **last = stored;
        *last = &stored->next;
        count++;
    }
    return count;
}

static void take_from(struct storage_table *table, struct storage_page *page,
    uint64_t start, uint64_t end, struct stored ***last)
{
    unsigned count = 0;

    for (unsigned i = 0; i < LINES; i++) {
        count += take_line(&page->line[i], start, end, last);
    }
    leave_page(table, page, count);
}

struct stored *storage_take_all(
    struct storage_table *table, uint64_t start, uint64_t size)
{
    uint64_t end = start + size;
    struct stored *taken = NULL, **last = &taken;

    if (table->bucket == NULL) {
        return NULL;
    }
    for (uint64_t number = start >> PAGE_SHIFT; number << PAGE_SHIFT < end;
         number++) {
        struct storage_page *page = find_page(table, number);

        if (page != NULL) {
            take_from(table, page, start, end, &last);
        }
    }
    return taken;
}
