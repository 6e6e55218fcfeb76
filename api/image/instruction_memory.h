/* instruction_memory.h - the memory operand of an instruction that faulted, and
 * how the same instruction can be made to use another place. */
#ifndef API_IMAGE_INSTRUCTION_MEMORY_H
#define API_IMAGE_INSTRUCTION_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INSTRUCTION_REGISTERS = 16 };

enum instruction_way {
    INSTRUCTION_WRITES, /* it writes there, perhaps after reading */
    INSTRUCTION_FIXED,  /* it reads, and no register may be moved for it */
    INSTRUCTION_MOVES,  /* it reads, and goes where `reg` goes */
    INSTRUCTION_LOADS,  /* MOV AL, AX, EAX or RAX from a 64-bit address */
};

struct instruction_memory {
    enum instruction_way way;
    uint64_t address; /* of the first byte */
    uint32_t bytes;
    bool reads, writes; /* both of one that changes what is there */
    uint8_t length;     /* of the instruction */
    uint8_t reg;   /* what is moved or loaded, in the order of x64 encoding */
    uint8_t scale; /* 1, 2, 4, 8: address units a unit of `reg` */
    /* The bits of `reg` that the instruction replaces; 0 also where it adds to
     * it, as string instructions do. */
    uint64_t written;
};

/* Describes the access of the instruction at `bytes`, of which `available` may
 * be read, to `fault`. `registers` are the 16 general ones in the order of x64
 * encoding. Returns false when the instruction does not access that byte by an
 * address that the general registers give. */
bool instruction_memory(const uint8_t *bytes, size_t available,
    const uint64_t registers[INSTRUCTION_REGISTERS], uint64_t fault,
    struct instruction_memory *out);

/* Calls touch() with each stretch of memory that the instruction at `bytes`
 * accesses by an address that the general registers give, its stack's as well.
 * Returns false when there is no whole valid instruction, or what it accesses
 * cannot be known so. */
bool instruction_reaches(const uint8_t *bytes, size_t available,
    const uint64_t registers[INSTRUCTION_REGISTERS],
    void (*touch)(void *context, uint64_t address, uint64_t bytes),
    void *context);

#endif
