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

/* Where the branches of a run lead to, in their order: from its first byte on.
 */
enum { INSTRUCTION_TARGETS = 32 };

struct instruction_targets {
    size_t count;
    int64_t to[INSTRUCTION_TARGETS];
};

/* Bytes of the common instructions one after another, from the first byte on
 * and of `size` bytes alone, behind which it goes on: none of them is of a kind
 * of its own. What begins less than INSTRUCTION_MAX_BYTES before the end of all
 * that are available does not count, nor what comes behind as many branches as
 * there are targets. */
size_t instruction_common_run(const uint8_t *bytes, size_t size,
    size_t available, struct instruction_targets *targets);

#endif
