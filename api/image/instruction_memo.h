/* instruction_memo.h - instructions that were decoded, since code repeats a few
 * again and again. They are found by their bytes, and what bytes mean never
 * changes: nothing here can be out of date. */
#ifndef API_IMAGE_INSTRUCTION_MEMO_H
#define API_IMAGE_INSTRUCTION_MEMO_H

#include "api/image/instruction.h"

struct instruction_memo {
    uint8_t bytes[INSTRUCTION_MAX_BYTES];
    struct instruction instruction; /* length 0: nothing is kept here */
};

/* As instruction_decode(), out of a table of `count` entries, zero at first,
 * where it can be had. */
bool instruction_memo_decode(struct instruction_memo *table, size_t count,
    const uint8_t *bytes, size_t available, struct instruction *out);

#endif
