/* instruction.h - x64 instructions as far as the machine has to know them:
 * which one it answers, where the next one begins, where a branch goes.
 * Knows nothing of signals, images or the machine. */
#ifndef API_IMAGE_INSTRUCTION_H
#define API_IMAGE_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INSTRUCTION_MAX_BYTES = 15,
    INSTRUCTION_NO_REGISTER = 0xFF,
    /* Vectors of INT n that mean something to Windows. */
    INSTRUCTION_FAST_FAIL = 0x29,
    INSTRUCTION_ASSERT = 0x2C,
    INSTRUCTION_DEBUG_SERVICE = 0x2D,
};

/* INSTRUCTION_OTHER, the host's own business, and a kind for each row. */
enum instruction_kind {
    INSTRUCTION_OTHER,
#define INSTRUCTION_FORM(name, ...) INSTRUCTION_##name,
#define INSTRUCTION(name, ...) INSTRUCTION_##name,
#include "api/image/instructions.def"
    INSTRUCTION_KINDS
};

/* How it gets to us (instructions.def). */
enum instruction_host {
    INSTRUCTION_TRAPS,
    INSTRUCTION_MAY_TRAP,
    INSTRUCTION_PATCHED,
};

/* What the machine does with it (instructions.def). */
enum instruction_machine {
    INSTRUCTION_EMULATED,
    INSTRUCTION_UNDEFINED,
    INSTRUCTION_NOT_MODELLED,
};

struct instruction_row {
    const char *name;
    enum instruction_host host;
    enum instruction_machine machine;
    uint8_t vector; /* of the INT n that replaces it, 0: none */
};

/* By kind; INSTRUCTION_OTHER has no row. */
extern const struct instruction_row instruction_rows[INSTRUCTION_KINDS];

struct instruction {
    enum instruction_kind kind;
    uint8_t length; /* 1 to 15 bytes, prefixes included */
    /* The general register in the order of x64 encoding that a MOV_CR8, MOV_CR,
     * MOV_DR, MOV_FROM_SEGMENT, RDRAND and the like names, or
     * INSTRUCTION_NO_REGISTER. */
    uint8_t reg;
    /* Of the control, debug or segment register; of INT n; the port of IN and
     * OUT unless port_in_dx. */
    uint8_t number;
    uint8_t operand_bytes; /* 1, 2, 4 or 8 */
    bool port_in_dx;
    bool
        to_special; /* MOV_CR8, MOV_CR, MOV_DR: the general one is the source */
    bool ends;      /* what follows is reached by a branch only */
    bool branches;  /* directly, to the next instruction plus `relative` */
    int32_t relative;
};

/* Is true: ends the process where it is none that was decoded. */
bool instruction_check(const struct instruction *instruction);

/* Decodes the instruction at `bytes`, of which `available` may be read. Returns
 * false, and leaves *out alone, when there is no whole valid one. */
bool instruction_decode(
    const uint8_t *bytes, size_t available, struct instruction *out);

struct instruction_memo {
    uint8_t bytes[INSTRUCTION_MAX_BYTES];
    struct instruction instruction; /* length 0: nothing is kept here */
};

/* As instruction_decode(), out of a table of `count` entries, zero at first,
 * where it can be had. */
bool instruction_memo_decode(struct instruction_memo *table, size_t count,
    const uint8_t *bytes, size_t available, struct instruction *out);

#endif
