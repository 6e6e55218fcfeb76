/* instruction.c - instructions decoded by Zydis and found in instructions.def,
 * and a memo of those that trapped. Zydis' minimal mode is enough, and more
 * would double the time that a scan of an image takes. */
#include "api/image/instruction.h"

#include <Zydis/Zydis.h>
#include <assert.h>
#include <string.h>

const struct instruction_row instruction_rows[INSTRUCTION_KINDS] = {
#define ROW(name, text, host, machine, vector)                                 \
    [INSTRUCTION_##name] = {                                                   \
        text, INSTRUCTION_##host, INSTRUCTION_##machine, vector},
#define INSTRUCTION_FORM(...) ROW(__VA_ARGS__)
#define INSTRUCTION(...) ROW(__VA_ARGS__)
#include "api/image/instructions.def"
#undef ROW
};

_Static_assert(INSTRUCTION_KINDS <= UINT8_MAX, "a kind is kept in a byte");

enum { REGISTERS = 16 };

bool instruction_check(const struct instruction *instruction)
{
    assert(instruction->kind < INSTRUCTION_KINDS);
    assert(instruction->length > 0);
    assert(instruction->length <= INSTRUCTION_MAX_BYTES);
    assert(instruction->reg < REGISTERS ||
           instruction->reg == INSTRUCTION_NO_REGISTER);
    assert(instruction->kind != INSTRUCTION_MOV_CR8 ||
           instruction->reg < REGISTERS);
    assert(instruction->branches || instruction->relative == 0);
    return true;
}

static const uint8_t kind_of_mnemonic[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
#define INSTRUCTION_FORM(...)
#define INSTRUCTION(name, ...) [ZYDIS_MNEMONIC_##name] = INSTRUCTION_##name,
#include "api/image/instructions.def"
};

enum {
    MODRM_REGISTER = 3, /* mod: the operand is a register */
    VECTOR_LINUX = 0x80,
    CR8 = 8,
};

/* Moves whose other side is not a general register, by their opcodes. */
static enum instruction_kind move_kind(const ZydisDecodedInstruction *decoded)
{
    if (decoded->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT) {
        return decoded->opcode == 0x8C ? INSTRUCTION_MOV_FROM_SEGMENT
                                       : INSTRUCTION_OTHER;
    }
    if (decoded->opcode_map != ZYDIS_OPCODE_MAP_0F) {
        return INSTRUCTION_OTHER;
    }
    if (decoded->opcode == 0x21 || decoded->opcode == 0x23) {
        return INSTRUCTION_MOV_DR;
    }
    if (decoded->opcode != 0x20 && decoded->opcode != 0x22) {
        return INSTRUCTION_OTHER;
    }
    return decoded->raw.modrm.reg == 0 && decoded->raw.rex.R != 0
               ? INSTRUCTION_MOV_CR8
               : INSTRUCTION_MOV_CR;
}

static enum instruction_kind kind_of(const ZydisDecodedInstruction *decoded)
{
    if (decoded->mnemonic == ZYDIS_MNEMONIC_MOV) {
        return move_kind(decoded);
    }
    /* With REX.B it is XCHG R8, RAX, whatever the prefix. */
    if (decoded->mnemonic == ZYDIS_MNEMONIC_PAUSE && decoded->raw.rex.B != 0) {
        return INSTRUCTION_OTHER;
    }
    if (decoded->mnemonic == ZYDIS_MNEMONIC_INT &&
        decoded->raw.imm[0].value.u == VECTOR_LINUX) {
        return INSTRUCTION_INT_80;
    }
    return (enum instruction_kind)kind_of_mnemonic[decoded->mnemonic];
}

static bool ends(const ZydisDecodedInstruction *decoded)
{
    switch ((unsigned)decoded->mnemonic) {
    case ZYDIS_MNEMONIC_JMP:
    case ZYDIS_MNEMONIC_RET:
    case ZYDIS_MNEMONIC_IRET:
    case ZYDIS_MNEMONIC_IRETD:
    case ZYDIS_MNEMONIC_IRETQ:
    case ZYDIS_MNEMONIC_SYSRET:
    case ZYDIS_MNEMONIC_SYSEXIT:
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
        return true;
    case ZYDIS_MNEMONIC_INT:
        return decoded->raw.imm[0].value.u == INSTRUCTION_FAST_FAIL;
    default:
        return false;
    }
}

/* What the rows' own operands say; `out` has the kind already. */
static void decode_operands(
    const ZydisDecodedInstruction *decoded, struct instruction *out)
{
    const struct ZydisDecodedInstructionModRm_ *modrm = &decoded->raw.modrm;
    unsigned b = decoded->raw.rex.B != 0 ? 8 : 0;
    unsigned r = decoded->raw.rex.R != 0 ? 8 : 0;

    if (modrm->offset != 0 && modrm->mod == MODRM_REGISTER) {
        out->reg = (uint8_t)(modrm->rm | b);
    }
    out->number = (uint8_t)decoded->raw.imm[0].value.u;
    switch ((unsigned)out->kind) {
    case INSTRUCTION_MOV_CR8:
    case INSTRUCTION_MOV_CR:
    case INSTRUCTION_MOV_DR:
        /* The processor takes the operand for a register, whatever mod is. */
        out->reg = (uint8_t)(modrm->rm | b);
        out->number = (uint8_t)(modrm->reg | r);
        out->to_special = (decoded->opcode & 2) != 0;
        break;
    case INSTRUCTION_MOV_FROM_SEGMENT:
        out->number = modrm->reg;
        break;
    case INSTRUCTION_RDPID:
        out->operand_bytes = 8; /* without REX.W too */
        break;
    case INSTRUCTION_IN:
    case INSTRUCTION_OUT:
        out->port_in_dx = decoded->opcode >= 0xEC;
        break;
    default:
        break;
    }
}

bool instruction_decode(
    const uint8_t *bytes, size_t available, struct instruction *out)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction decoded;

    ZydisDecoderInit(
        &decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisDecoderEnableMode(&decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
            &decoder, NULL, bytes, available, &decoded))) {
        return false;
    }
    *out = (struct instruction){
        .kind = kind_of(&decoded),
        .length = decoded.length,
        .reg = INSTRUCTION_NO_REGISTER,
        .operand_bytes = (uint8_t)(decoded.operand_width / 8),
        .ends = ends(&decoded),
        .branches = decoded.raw.imm[0].is_relative != 0,
    };
    if (out->branches) {
        out->relative = (int32_t)decoded.raw.imm[0].value.s;
    }
    if (out->kind != INSTRUCTION_OTHER) {
        decode_operands(&decoded, out);
    }
    assert(instruction_check(out) && out->length <= available);
    return true;
}

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

    assert(length <= INSTRUCTION_MAX_BYTES && count > 0);
    /* Its own bytes alone decide what an instruction is. */
    if (length != 0 && length <= available &&
        memcmp(memo->bytes, bytes, length) == 0) {
        *out = memo->instruction;
        return true;
    }
    if (!instruction_decode(bytes, available, out)) {
        return false;
    }
    memcpy(memo->bytes, bytes, out->length);
    memo->instruction = *out;
    return true;
}
