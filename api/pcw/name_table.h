/* name_table.h - things found by their names, case ignored, in a time that does
 * not grow with their number. Several may have one name. It does not know what
 * the things are: an entry is a part of each, and theirs. */
#ifndef API_PCW_NAME_TABLE_H
#define API_PCW_NAME_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/pcw/text.h"

struct name_entry {
    struct pcw_text name;     /* stays as it is in a table */
    uint32_t hash;            /* pcw_text_hash() of it */
    struct name_entry *next;  /* in its bucket */
    struct name_entry **link; /* what leads to this one */
};

/* All zero: an empty one. */
struct name_table {
    struct name_entry **bucket;
    size_t bucket_count; /* a power of 2, and no less than `count`; or 0 */
    size_t count;        /* entries */
};

/* Is true: ends the process where something of it is not as it always is. The
 * second looks at an entry's neighbours. */
bool name_table_check(const struct name_table *table);
bool name_entry_check(
    const struct name_table *table, const struct name_entry *entry);

/* `name` and `hash` are the entry's already. */
void name_table_insert(struct name_table *table, struct name_entry *entry);
void name_table_remove(struct name_table *table, struct name_entry *entry);

/* Some entry whose name, of that pcw_text_hash(), differs by case at most;
 * NULL: there is none. */
struct name_entry *name_table_find(
    const struct name_table *table, struct pcw_text name, uint32_t hash);

/* Another one of the same name: all of them are those from the first that was
 * found on. */
struct name_entry *name_entry_next(const struct name_entry *entry);

/* The table's own memory. */
void name_table_free(struct name_table *table);

#endif
