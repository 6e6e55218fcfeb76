/* kuser.h - reads of KUSER_SHARED_DATA by a driver's own instructions, which
 * fault on the host: the same instruction reads a copy of the page instead.
 * Knows nothing of signals; whoever catches the fault does as the plan says. */
#ifndef API_IMAGE_KUSER_H
#define API_IMAGE_KUSER_H

#include "api/image/instruction_memory.h"

#define KUSER_ADDRESS UINT64_C(0xFFFFF78000000000)

enum { KUSER_BYTES = 4096 };

enum kuser_plan {
    KUSER_ELSEWHERE,  /* not, or not wholly, in the page: an ordinary fault */
    KUSER_WRITE,      /* the page is read-only: an ordinary fault */
    KUSER_UNREADABLE, /* by this instruction; refused by its address */
    KUSER_STEP,       /* kuser_begin(), execute it with TF set, kuser_end() */
    KUSER_LOAD,       /* kuser_load(), go on behind the instruction */
};

struct kuser_read {
    struct instruction_memory memory;
    uint64_t delta;    /* what is added to memory.reg */
    uint64_t original; /* of memory.reg */
};

/* What to do about the instruction at `bytes` that faulted at `fault`; `copy`
 * is the address of our page, a multiple of its size. *out is for the other
 * three routines. */
enum kuser_plan kuser_plan(struct kuser_read *out, const uint8_t *bytes,
    size_t available, const uint64_t registers[INSTRUCTION_REGISTERS],
    uint64_t fault, uint64_t copy);

/* Points the register at the copy. A repeated string instruction takes a step,
 * and a plan, for each repetition. */
void kuser_begin(
    const struct kuser_read *read, uint64_t registers[INSTRUCTION_REGISTERS]);

/* Points it back, but keeps what the instruction put into it. */
void kuser_end(
    const struct kuser_read *read, uint64_t registers[INSTRUCTION_REGISTERS]);

/* Loads RAX or its low part out of the copy at `page`; the instruction is
 * read->memory.length bytes long. */
void kuser_load(const struct kuser_read *read, const void *page,
    uint64_t registers[INSTRUCTION_REGISTERS]);

#endif
