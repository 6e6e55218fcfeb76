/* key_index.c - keys of bytes in a table with open addresses, at most half
 * full.
 */
#include "scenarios/runner/text/key_index.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <talloc.h>

#include "api/text/fnv.h"

enum { FIRST_ROOM = 64 /* a power of two */ };

struct slot {
    uint64_t hash;
    const void *key; /* child of the index; NULL: free */
    size_t length;
    size_t at;
};

struct key_index {
    struct slot *slot;
    size_t room, count;
};

static uint64_t hash_bytes(const void *key, size_t length)
{
    const uint8_t *bytes = key;
    uint64_t hash = FNV1A_EMPTY;

    for (size_t i = 0; i < length; i++) {
        hash = fnv1a_byte(hash, bytes[i]);
    }
    return hash ^ hash >> 32;
}

struct key_index *key_index_new(void *context)
{
    struct key_index *index = talloc_zero(context, struct key_index);

    assert(index != NULL);
    index->room = FIRST_ROOM;
    index->slot = talloc_zero_array(index, struct slot, FIRST_ROOM);
    assert(index->slot != NULL);
    return index;
}

/* The key's slot, or the free one where it belongs. */
static struct slot *find_slot(const struct key_index *index, uint64_t hash,
    const void *key, size_t length)
{
    size_t i = hash & (index->room - 1);

    while (index->slot[i].key != NULL &&
           (index->slot[i].hash != hash || index->slot[i].length != length ||
               memcmp(index->slot[i].key, key, length) != 0)) {
        i = (i + 1) & (index->room - 1);
    }
    return &index->slot[i];
}

bool key_index_find(
    const struct key_index *index, const void *key, size_t length, size_t *at)
{
    const struct slot *slot =
        find_slot(index, hash_bytes(key, length), key, length);

    if (slot->key == NULL) {
        return false;
    }
    *at = slot->at;
    return true;
}

static void grow(struct key_index *index)
{
    struct key_index old = *index;

    index->room = 2 * old.room;
    index->slot = talloc_zero_array(index, struct slot, (unsigned)index->room);
    assert(index->slot != NULL);
    for (size_t i = 0; i < old.room; i++) {
        const struct slot *slot = &old.slot[i];

        if (slot->key != NULL) {
            *find_slot(index, slot->hash, slot->key, slot->length) = *slot;
        }
    }
    talloc_free(old.slot);
}

void key_index_add(
    struct key_index *index, const void *key, size_t length, size_t at)
{
    uint64_t hash = hash_bytes(key, length);
    struct slot *slot;

    if (2 * (index->count + 1) > index->room) {
        grow(index);
    }
    slot = find_slot(index, hash, key, length);
    assert(slot->key == NULL);
    *slot = (struct slot){hash, talloc_memdup(index, key, length), length, at};
    assert(slot->key != NULL);
    index->count++;
}
