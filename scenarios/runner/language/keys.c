/* keys.c - the mappings of the language and their keys: the rows of keys.def.
 */
#include "scenarios/runner/language/keys.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "api/text/fnv.h"
#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/value.h"
#include "sim/base/limits.h"

const struct key_row key_rows[] = {
#define KEY(mapping, key, presence, form_, help)                               \
    {MAPPING_##mapping, key, presence, &(const struct form){FORM_##form_},     \
        help},
#include "scenarios/runner/language/keys.def"
};

const size_t key_row_count = sizeof(key_rows) / sizeof(key_rows[0]);

static const char *const mappings[] = {
#define MAPPING(name, ...) #name,
#include "scenarios/runner/language/keys.def"
};

static const char *const places[] = {
#define MAPPING(name, place) place,
#include "scenarios/runner/language/keys.def"
};

const char *mapping_place(enum mapping mapping)
{
    return places[mapping];
}

const char *mapping_name(enum mapping mapping)
{
    return mappings[mapping];
}

/* Rows by mapping and key, in a table with open addresses; made once. */
enum { SLOTS = 2048 /* a power of two, at least twice the rows */ };

_Static_assert(2 * sizeof(key_rows) / sizeof(key_rows[0]) <= SLOTS,
    "half of the slots stay free, so that a search ends soon");

static uint16_t slots[SLOTS]; /* number of a row, from 1; 0: free */
static struct key_rows_of rows_of[MAPPING_COUNT];
static pthread_once_t indexed = PTHREAD_ONCE_INIT;

static size_t first_slot(enum mapping mapping, const char *key)
{
    uint64_t hash = fnv1a_byte(fnv1a(key), (uint8_t)mapping);

    return (hash ^ hash >> 32) & (SLOTS - 1);
}

static void index_rows(void)
{
    for (size_t i = 0; i < key_row_count; i++) {
        const struct key_row *row = &key_rows[i];
        struct key_rows_of *of = &rows_of[row->mapping];
        size_t at = first_slot(row->mapping, row->key);

        while (slots[at] != 0) {
            at = (at + 1) & (SLOTS - 1);
        }
        slots[at] = (uint16_t)(i + 1);
        of->first = of->count == 0 ? row : of->first;
        assert(of->first + of->count == row); /* they stand together */
        of->count++;
    }
}

struct key_rows_of key_rows_of(enum mapping mapping)
{
    pthread_once(&indexed, index_rows);
    return rows_of[mapping];
}

const struct key_row *key_find(enum mapping mapping, const char *key)
{
    size_t at = first_slot(mapping, key);

    pthread_once(&indexed, index_rows);
    for (; slots[at] != 0; at = (at + 1) & (SLOTS - 1)) {
        const struct key_row *row = &key_rows[slots[at] - 1];

        if (row->mapping == mapping && strcmp(row->key, key) == 0) {
            return row;
        }
    }
    return NULL;
}
