/* instruction_memo.c - a table by a hash of the first bytes, whether they are
 * the instruction's own or not: then it is kept more than once. */
#include "api/image/instruction_memo.h"

#include <assert.h>
#include <string.h>

enum { HASHED_BYTES = 4, HASH_FACTOR = 37 };

static size_t hash(const uint8_t *bytes, size_t available)
{
    size_t value = 0;

    for (size_t i = 0; i < HASHED_BYTES && i < available; i++) {
        value = value * HASH_FACTOR + bytes[i];
    }
    return value;
}

bool instruction_memo_decode(struct instruction_memo *table, size_t count,
    const uint8_t *bytes, size_t available, struct instruction *out)
{
    struct instruction_memo *memo = &table[hash(bytes, available) % count];
    uint8_t length = memo->instruction.length;

    /* Its own bytes alone decide what an instruction is. */
    if (length != 0 && length <= available &&
        memcmp(memo->bytes, bytes, length) == 0) {
        *out = memo->instruction;
        return true;
    }
    if (!instruction_decode(bytes, available, out)) {
        return false;
    }
    assert(out->length <= INSTRUCTION_MAX_BYTES);
    memcpy(memo->bytes, bytes, out->length);
    memo->instruction = *out;
    return true;
}
