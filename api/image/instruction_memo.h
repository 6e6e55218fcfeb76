/* instruction_memo.h - the last instructions that were decoded, since a driver
 * traps at the same few again and again. They are found by their bytes, and
 * what bytes mean never changes: nothing here can be out of date. */
#ifndef API_IMAGE_INSTRUCTION_MEMO_H
#define API_IMAGE_INSTRUCTION_MEMO_H

#include "api/image/instruction.h"

enum { INSTRUCTION_MEMO_ENTRIES = 16 };

struct instruction_memo_entry {
    uint8_t bytes[INSTRUCTION_MAX_BYTES];
    struct instruction instruction; /* length 0: the entry is empty */
};

/* Empty when zero. */
struct instruction_memo {
    struct instruction_memo_entry entry[INSTRUCTION_MEMO_ENTRIES];
};

/* As instruction_decode(). */
bool instruction_memo_decode(struct instruction_memo *memo,
    const uint8_t *bytes, size_t available, struct instruction *out);

#endif
