/* instruction_common.c - the instructions that compilers write most, told by
 * their opcodes alone, in a tenth of the time that a decoder takes: nearly all
 * of an image, and none that the machine answers (Intel SDM volume 2, appendix
 * A). What has a prefix other than 66H and REX is left to the decoder. */
#include "api/image/instruction_common.h"

#include <assert.h>
#include <string.h>

/* What an opcode is followed by; 0: it is no common one. */
enum {
    PLAIN = 8, /* it is one, and this says nothing else */
    MODRM = 16,
    ENDS = 32,      /* it does not go on behind it */
    GROUP = 64,     /* some rows of the ModRM byte's reg are common */
    RELATIVE = 128, /* the immediate is the way to where it branches */
    IMM8 = 1,
    IMM32 = 4, /* 16 bits with 66H, which is left to the decoder */
    REL8 = RELATIVE | IMM8,
    REL32 = RELATIVE | IMM32,
    IMMEDIATE = 7, /* bytes of it */
};

/* The first four rows of an operation between a register and an operand, and
 * those with AL and EAX. */
#define ALU(opcode)                                                            \
    [opcode] = MODRM, [(opcode) + 1] = MODRM, [(opcode) + 2] = MODRM,          \
    [(opcode) + 3] = MODRM, [(opcode) + 4] = IMM8, [(opcode) + 5] = IMM32
#define FOUR(opcode, what)                                                     \
    [opcode] = (what), [(opcode) + 1] = (what), [(opcode) + 2] = (what),       \
    [(opcode) + 3] = (what)
#define EIGHT(opcode, what) FOUR(opcode, what), FOUR((opcode) + 4, what)

static const uint8_t one_byte[256] = {
    ALU(0x00),
    ALU(0x08),
    ALU(0x10),
    ALU(0x18),
    ALU(0x20),
    ALU(0x28),
    ALU(0x30),
    ALU(0x38),
    EIGHT(0x50, PLAIN),
    EIGHT(0x58, PLAIN), /* PUSH, POP */
    [0x63] = MODRM,
    [0x68] = IMM32,
    [0x69] = MODRM | IMM32,
    [0x6A] = IMM8,
    [0x6B] = MODRM | IMM8,
    EIGHT(0x70, REL8),
    EIGHT(0x78, REL8), /* Jcc */
    [0x80] = MODRM | IMM8,
    [0x81] = MODRM | IMM32,
    [0x83] = MODRM | IMM8,
    [0x84] = MODRM,
    [0x85] = MODRM,
    [0x86] = MODRM,
    [0x87] = MODRM,
    [0x88] = MODRM,
    [0x89] = MODRM,
    [0x8A] = MODRM,
    [0x8B] = MODRM,
    [0x8D] = MODRM | GROUP,
    [0x90] = PLAIN,
    [0x98] = PLAIN,
    [0x99] = PLAIN,
    [0xA8] = IMM8,
    [0xA9] = IMM32,
    EIGHT(0xB0, IMM8),
    EIGHT(0xB8, IMM32),
    [0xC0] = MODRM | IMM8 | GROUP,
    [0xC1] = MODRM | IMM8 | GROUP,
    [0xC3] = ENDS,
    [0xC6] = MODRM | IMM8 | GROUP,
    [0xC7] = MODRM | IMM32 | GROUP,
    [0xC9] = PLAIN,
    [0xD0] = MODRM | GROUP,
    [0xD1] = MODRM | GROUP,
    [0xD2] = MODRM | GROUP,
    [0xD3] = MODRM | GROUP,
    [0xE8] = REL32,
    [0xE9] = REL32 | ENDS,
    [0xEB] = REL8 | ENDS,
    [0xF6] = MODRM | GROUP,
    [0xF7] = MODRM | GROUP,
    [0xFE] = MODRM | GROUP,
    [0xFF] = MODRM | GROUP,
};

/* Behind 0FH. */
static const uint8_t two_bytes[256] = {
    [0x1F] = MODRM | GROUP,
    EIGHT(0x40, MODRM),
    EIGHT(0x48, MODRM), /* CMOVcc */
    EIGHT(0x80, REL32),
    EIGHT(0x88, REL32),
    EIGHT(0x90, MODRM),
    EIGHT(0x98, MODRM), /* Jcc, SETcc */
    [0xA3] = MODRM,
    [0xAB] = MODRM,
    [0xAF] = MODRM,
    [0xB3] = MODRM,
    [0xB6] = MODRM,
    [0xB7] = MODRM,
    [0xBB] = MODRM,
    [0xBE] = MODRM,
    [0xBF] = MODRM,
};

enum {
    OPERAND_SIZE = 0x66,
    REX = 0x40,
    REX_MASK = 0xF0,
    REX_W = 8,
    ESCAPE = 0x0F,
    MOV_IMMEDIATE = 0xB8,
    LEA = 0x8D,
    MOD_REGISTER = 3,
    RM = 7, /* of a ModRM byte, and the base of a SIB byte */
    MOD_AND_RM = 0xC7,
    SIB = 4, /* with mod 0 */
    NO_BASE = 5,
};

/* Of each ModRM byte, how many bytes it and what belongs to it have, where no
 * SIB byte says that there is no base. */
#define EIGHT_ROWS(...)                                                        \
    __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__,           \
        __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
static const uint8_t operands[256] = {
    EIGHT_ROWS(1, 1, 1, 1, 2, 5, 1, 1),
    EIGHT_ROWS(2, 2, 2, 2, 3, 2, 2, 2),
    EIGHT_ROWS(5, 5, 5, 5, 6, 5, 5, 5),
    EIGHT_ROWS(1, 1, 1, 1, 1, 1, 1, 1),
};

/* Whether there is none. */
static inline bool has_no_base(unsigned modrm, unsigned sib)
{
    return (modrm & MOD_AND_RM) == SIB && (sib & RM) == NO_BASE;
}

/* Bytes of the ModRM byte and what belongs to it; at least two are there. */
static size_t operand_bytes(const uint8_t *modrm)
{
    return operands[modrm[0]] + (has_no_base(modrm[0], modrm[1]) ? 4U : 0U);
}

/* What follows where the group's row is a common one; 0: it is none. */
static unsigned of_row(unsigned follows, uint8_t opcode, uint8_t modrm)
{
    unsigned row = modrm >> 3 & 7;

    switch (opcode) {
    case LEA:
        return modrm >> 6 != MOD_REGISTER ? follows : 0;
    case 0xC6: /* MOV */
    case 0xC7:
    case 0x1F: /* NOP */
        return row == 0 ? follows : 0;
    case 0xF6: /* TEST, NOT, NEG, MUL ... */
        return row == 0 ? follows | IMM8 : row == 1 ? 0 : follows;
    case 0xF7:
        return row == 0 ? follows | IMM32 : row == 1 ? 0 : follows;
    case 0xFE: /* INC, DEC */
        return row <= 1 ? follows : 0;
    case 0xFF: /* the same, CALL, JMP, PUSH */
        return row == 4 ? follows | ENDS : row <= 2 || row == 6 ? follows : 0;
    default: /* shifts */
        return row != 6 ? follows : 0;
    }
}

/* Whether 66H or REX.W make something else of it than is said here. */
static bool is_changed(
    unsigned follows, uint8_t opcode, bool narrowed, bool wide)
{
    if (narrowed && ((follows & (RELATIVE | ENDS)) != 0 ||
                        (follows & IMMEDIATE) == IMM32 || opcode == 0xFF)) {
        return true;
    }
    return wide && (opcode & 0xF8) == MOV_IMMEDIATE && (follows & MODRM) == 0;
}

static int32_t relative_of(const uint8_t *at, unsigned follows)
{
    int32_t relative;

    if ((follows & IMMEDIATE) == IMM8) {
        return (int8_t)at[0];
    }
    memcpy(&relative, at, sizeof(relative));
    return relative;
}

/* Bytes of the common instruction that begins there, of which as many are there
 * as the longest has; and what follows its opcode, where that is. 0: it is
 * none. */
static inline size_t common_bytes(
    const uint8_t *bytes, unsigned *follows, size_t *behind)
{
    bool narrowed = bytes[0] == OPERAND_SIZE, wide = false;
    size_t at = narrowed;
    uint8_t opcode;

    if ((bytes[at] & REX_MASK) == REX) {
        wide = (bytes[at++] & REX_W) != 0;
    }
    opcode = bytes[at++];
    *follows = one_byte[opcode];
    if (opcode == ESCAPE) {
        opcode = bytes[at++];
        *follows = two_bytes[opcode];
    }
    if ((*follows & GROUP) != 0) {
        *follows = of_row(*follows, opcode, bytes[at]);
    }
    if (*follows == 0 ||
        ((narrowed || wide) && is_changed(*follows, opcode, narrowed, wide))) {
        return 0;
    }
    if ((*follows & MODRM) != 0) {
        at += operand_bytes(bytes + at);
    }
    *behind = at;
    return at + (*follows & IMMEDIATE);
}

bool instruction_common(
    const uint8_t *bytes, size_t available, struct instruction *out)
{
    unsigned follows;
    size_t length, behind;

    if (available < INSTRUCTION_MAX_BYTES) {
        return false; /* near the end all is left to the decoder */
    }
    length = common_bytes(bytes, &follows, &behind);
    if (length == 0) {
        return false;
    }
    *out = (struct instruction){
        .length = (uint8_t)length,
        .reg = INSTRUCTION_NO_REGISTER,
        .ends = (follows & ENDS) != 0,
        .branches = (follows & RELATIVE) != 0,
    };
    if (out->branches) {
        out->relative = relative_of(bytes + behind, follows);
    }
    assert(out->length <= available);
    return true;
}

/* As common_bytes(), of those that neither end nor branch and have one byte of
 * an opcode, behind REX or without: most of all code. What comes next waits for
 * this, so nothing that seldom matters lies between a byte and the length. 0:
 * ask common_bytes(). */
__attribute__((always_inline)) static inline size_t quick_behind(
    const uint8_t *at, bool rex)
{
    unsigned opcode = at[0], modrm = at[1];
    unsigned follows = one_byte[opcode];
    size_t length = 1U + rex + (follows & IMMEDIATE);

    if ((follows == 0 || follows >= ENDS) &&
        (opcode != LEA || modrm >> 6 == MOD_REGISTER)) {
        return 0;
    }
    if ((follows & MODRM) == 0) {
        return rex && (opcode & 0xF8) == MOV_IMMEDIATE ? 0 : length;
    }
    return has_no_base(modrm, at[2]) ? 0 : length + operands[modrm];
}

/* Foreseen rather than worked out: what comes next does not wait for it. */
static inline size_t quick_bytes(const uint8_t *bytes)
{
    return __builtin_expect((bytes[0] & REX_MASK) == REX, true)
               ? quick_behind(bytes + 1, true)
               : quick_behind(bytes, false);
}

/* Bytes of what is none of those, or branches: `at` behind the first byte of
 * the run. 0: the run ends before it. */
static size_t other_bytes(const uint8_t *bytes, size_t at, size_t size,
    struct instruction_targets *targets)
{
    unsigned follows;
    size_t behind;
    size_t length = common_bytes(bytes + at, &follows, &behind);

    if (length > size - at || (follows & ENDS) != 0) {
        return 0;
    }
    if (length > 0 && (follows & RELATIVE) != 0) {
        targets->to[targets->count++] =
            (int64_t)(at + length) + relative_of(bytes + at + behind, follows);
    }
    return length;
}

/* Where the last one may begin: behind it are as many bytes as the longest has.
 */
static size_t last_begin(size_t size, size_t available)
{
    size_t long_enough = available < INSTRUCTION_MAX_BYTES
                             ? 0
                             : available - INSTRUCTION_MAX_BYTES + 1;

    return size < long_enough ? size : long_enough;
}

size_t instruction_common_run(const uint8_t *bytes, size_t size,
    size_t available, struct instruction_targets *targets)
{
    size_t at = 0, end = last_begin(size, available);

    targets->count = 0;
    assert(size <= available);
    while (at < end && targets->count < INSTRUCTION_TARGETS) {
        size_t length;

        /* What is not among these may bring a target, and nothing else does. */
        while ((length = quick_bytes(bytes + at)) != 0 && at + length < end) {
            at += length;
        }
        if (length == 0) {
            length = other_bytes(bytes, at, size, targets);
        }
        if (length == 0 || length > size - at) {
            break;
        }
        at += length;
    }
    return at;
}
