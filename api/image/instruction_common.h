/* instruction_common.h - where the next instruction begins, and where a branch
 * goes, behind one of those that compilers write most. */
#ifndef API_IMAGE_INSTRUCTION_COMMON_H
#define API_IMAGE_INSTRUCTION_COMMON_H

#include "api/image/instruction.h"

/* As instruction_decode() says it, but for operand_bytes, which is 0, where the
 * instruction is a common one: it is INSTRUCTION_OTHER then. False, with *out
 * as it was, says nothing of the instruction. */
bool instruction_common(
    const uint8_t *bytes, size_t available, struct instruction *out);

/* Bytes of the common instructions one after another, from the first byte on
 * and of these bytes alone, that neither branch nor end: none of them is of a
 * kind of its own. What begins less than INSTRUCTION_MAX_BYTES before the end
 * does not count. */
size_t instruction_common_run(const uint8_t *bytes, size_t available);

#endif
