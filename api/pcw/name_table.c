/* name_table.c - things found by their names: lists in buckets by a hash of the
 * name. */
#include "api/pcw/name_table.h"

#include <assert.h>
#include <stdlib.h>

#include "api/pcw/pcw.h"

enum { FIRST_BUCKETS = 16 };

bool name_table_check(const struct name_table *table)
{
    assert((table->bucket_count & (table->bucket_count - 1)) == 0);
    assert((table->bucket == NULL) == (table->bucket_count == 0));
    assert(table->count <= table->bucket_count);
    return true;
}

static struct name_entry **bucket_of(
    const struct name_table *table, uint32_t hash)
{
    return &table->bucket[hash & (table->bucket_count - 1)];
}

bool name_entry_check(
    const struct name_table *table, const struct name_entry *entry)
{
    const struct name_entry *next = entry->next;

    assert(table->count > 0);
    assert(entry->hash == pcw_text_hash(entry->name));
    assert(*entry->link == entry);
    assert(next == NULL || next->link == &entry->next);
    assert(next == NULL ||
           bucket_of(table, next->hash) == bucket_of(table, entry->hash));
    return true;
}

static void enter(struct name_table *table, struct name_entry *entry)
{
    struct name_entry **bucket = bucket_of(table, entry->hash);

    entry->link = bucket;
    entry->next = *bucket;
    if (*bucket != NULL) {
        (*bucket)->link = &entry->next;
    }
    *bucket = entry;
}

/* No fewer buckets than entries, so that a look-up takes no longer with more;
 * by steps so large that few are put into their bucket again. */
static void grow(struct name_table *table)
{
    struct name_entry **old = table->bucket;
    size_t old_count = table->bucket_count;

    if (table->count < old_count) {
        return;
    }
    table->bucket_count = old_count == 0 ? FIRST_BUCKETS : 4 * old_count;
    table->bucket = pcw_alloc(table->bucket_count * sizeof(*table->bucket));
    for (size_t i = 0; i < old_count; i++) {
        while (old[i] != NULL) {
            struct name_entry *entry = old[i];

            old[i] = entry->next;
            enter(table, entry);
        }
    }
    free(old);
}

void name_table_insert(struct name_table *table, struct name_entry *entry)
{
    grow(table);
    enter(table, entry);
    table->count++;
    assert(name_table_check(table) && *entry->link == entry);
}

void name_table_remove(struct name_table *table, struct name_entry *entry)
{
    assert(table->count > 0 && *entry->link == entry);
    *entry->link = entry->next;
    if (entry->next != NULL) {
        entry->next->link = entry->link;
    }
    table->count--;
}

/* The first one of the name from `entry` on. */
static struct name_entry *find_from(
    struct name_entry *entry, struct pcw_text name, uint32_t hash)
{
    while (entry != NULL &&
           !(entry->hash == hash && pcw_text_equal(entry->name, name))) {
        entry = entry->next;
    }
    return entry;
}

struct name_entry *name_table_find(
    const struct name_table *table, struct pcw_text name, uint32_t hash)
{
    return table->count == 0 ? NULL
                             : find_from(*bucket_of(table, hash), name, hash);
}

struct name_entry *name_entry_next(const struct name_entry *entry)
{
    return find_from(entry->next, entry->name, entry->hash);
}

void name_table_free(struct name_table *table)
{
    free(table->bucket);
}
