/* instruction_memo.c - one entry for each hash of an instruction's begin. */
#include "api/image/instruction_memo.h"

#include <assert.h>
#include <string.h>

/* Opcodes of two bytes, and prefixes, differ in the second one. */
static unsigned entry_of(const uint8_t *bytes, size_t available)
{
    unsigned second = available > 1 ? bytes[1] : 0;

    return (bytes[0] ^ second ^ second >> 4) % INSTRUCTION_MEMO_ENTRIES;
}

bool instruction_memo_decode(struct instruction_memo *memo,
    const uint8_t *bytes, size_t available, struct instruction *out)
{
    struct instruction_memo_entry *entry;
    uint8_t length;

    if (available == 0) {
        return false;
    }
    entry = &memo->entry[entry_of(bytes, available)];
    length = entry->instruction.length;
    /* Its own bytes alone decide what an instruction is. */
    if (length != 0 && length <= available &&
        memcmp(entry->bytes, bytes, length) == 0) {
        *out = entry->instruction;
        return true;
    }
    if (!instruction_decode(bytes, available, out)) {
        return false;
    }
    assert(out->length <= INSTRUCTION_MAX_BYTES);
    memcpy(entry->bytes, bytes, out->length);
    entry->instruction = *out;
    return true;
}
