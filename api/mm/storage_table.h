/* storage_table.h - what the kernel knows of objects in drivers' memory, by the
 * address of their storage. Knows nothing of what they are. */
#ifndef API_MM_STORAGE_TABLE_H
#define API_MM_STORAGE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/record_pool.h"

struct arena;
struct kernel;

/* An object. It lies in the owner's record, which the owner keeps. */
struct stored {
    uint64_t address; /* of its storage */
    struct stored *next;
};

struct storage_page;

/* Zero: there is none. */
struct storage_table {
    struct storage_page **bucket;
    struct record_pool pool; /* of pages */
};

/* The object whose storage begins there; NULL: there is none. */
struct stored *storage_find(
    const struct storage_table *table, uint64_t address);

/* The object, at whose address there is none yet, is known from now on. False:
 * the guest's share of the arena is used up. */
bool storage_add(
    struct storage_table *table, struct arena *arena, struct stored *stored);

/* The same for a record of ours, `what`: where the arena is used up the run
 * ends (run_needs()). */
void storage_enter(struct kernel *kernel, struct storage_table *table,
    struct stored *stored, const char *what);

/* The object, which is known, is known no more. */
void storage_remove(struct storage_table *table, struct stored *stored);

/* The first object in a list whose storage begins in these bytes, all of which
 * are known no more, by page and line; NULL: there is none. */
struct stored *storage_take_all(
    struct storage_table *table, uint64_t start, uint64_t size);

#endif
