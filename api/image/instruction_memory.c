/* instruction_memory.c - the memory that an instruction touches: its operands
 * as Zydis sees them, hidden ones included. */
#include "api/image/instruction_memory.h"

#include <Zydis/Zydis.h>
#include <assert.h>

enum { NO_REGISTER = 0xFF, STACK_POINTER = 4, HIGH_BYTE = 8 };

struct decoded {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

/* The number of the general register that holds `reg`, or NO_REGISTER. */
static uint8_t number_of(ZydisRegister reg)
{
    ZydisRegister whole =
        ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

    if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15) {
        return NO_REGISTER;
    }
    return (uint8_t)(whole - ZYDIS_REGISTER_RAX);
}

static bool is_memory(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
           operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}

/* False when more than the general registers goes into the address. */
static bool address_of(const struct decoded *decoded,
    const ZydisDecodedOperand *operand, const uint64_t *registers,
    uint64_t *address)
{
    uint8_t base = number_of(operand->mem.base);
    uint8_t index = number_of(operand->mem.index);

    if (operand->mem.type != ZYDIS_MEMOP_TYPE_MEM ||
        operand->mem.segment == ZYDIS_REGISTER_FS ||
        operand->mem.segment == ZYDIS_REGISTER_GS ||
        decoded->instruction.address_width != 64 ||
        (base == NO_REGISTER && operand->mem.base != ZYDIS_REGISTER_NONE) ||
        (index == NO_REGISTER && operand->mem.index != ZYDIS_REGISTER_NONE)) {
        return false;
    }
    *address = operand->mem.disp.has_displacement
                   ? (uint64_t)operand->mem.disp.value
                   : 0;
    if (base != NO_REGISTER) {
        *address += registers[base];
    }
    if (index != NO_REGISTER) {
        assert(operand->mem.scale != 0);
        *address += registers[index] * operand->mem.scale;
    }
    return true;
}

static uint64_t bits_of(ZydisRegister reg)
{
    switch (ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, reg)) {
    case 8:
        return reg >= ZYDIS_REGISTER_AH && reg <= ZYDIS_REGISTER_BH
                   ? UINT64_C(0xFF) << HIGH_BYTE
                   : UINT64_C(0xFF);
    case 16:
        return UINT64_C(0xFFFF);
    default:
        return UINT64_MAX; /* 32 bits clear the upper half */
    }
}

/* Whether `operand` needs the true value of the register, or may or may not
 * replace it. What it surely replaces is added to *written. */
static bool needs(const struct decoded *decoded,
    const ZydisDecodedOperand *operand, uint8_t reg, uint64_t *written)
{
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        return number_of(operand->mem.base) == reg ||
               number_of(operand->mem.index) == reg;
    }
    if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER ||
        number_of(operand->reg.value) != reg) {
        return false;
    }
    if (decoded->instruction.meta.category == ZYDIS_CATEGORY_STRINGOP) {
        return false; /* RSI and RDI, which they go by, are only added to */
    }
    if (operand->actions != (operand->actions & ZYDIS_OPERAND_ACTION_WRITE)) {
        return true;
    }
    *written |= bits_of(operand->reg.value);
    return false;
}

static bool can_move(const struct decoded *decoded,
    const ZydisDecodedOperand *access, uint8_t reg, uint64_t *written)
{
    *written = 0;
    if (reg == NO_REGISTER || reg == STACK_POINTER) {
        return false;
    }
    for (unsigned i = 0; i < decoded->instruction.operand_count; i++) {
        if (&decoded->operand[i] != access &&
            needs(decoded, &decoded->operand[i], reg, written)) {
            return false;
        }
    }
    return true;
}

static void find_way(const struct decoded *decoded,
    const ZydisDecodedOperand *access, struct instruction_memory *out)
{
    uint8_t base = number_of(access->mem.base);
    uint8_t index = number_of(access->mem.index);

    out->way = INSTRUCTION_MOVES;
    out->reg = base;
    out->scale = 1;
    if ((access->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) {
        out->way = INSTRUCTION_WRITES;
        return;
    }
    if (access->encoding == ZYDIS_OPERAND_ENCODING_DISP16_32_64) {
        out->way = INSTRUCTION_LOADS;
        out->reg = 0;
        out->written = bits_of(decoded->operand[0].reg.value);
        return;
    }
    if (base != index && can_move(decoded, access, base, &out->written)) {
        return;
    }
    out->reg = index;
    out->scale = access->mem.scale;
    if (base == index || !can_move(decoded, access, index, &out->written)) {
        out->way = INSTRUCTION_FIXED;
    }
}

/* What is moved, or loaded, is a register that the address has room for. */
static bool way_check(const struct instruction_memory *memory)
{
    bool moves = memory->way == INSTRUCTION_MOVES;

    assert(memory->way <= INSTRUCTION_LOADS);
    assert(memory->bytes > 0 && memory->length > 0);
    assert(!moves || memory->reg < INSTRUCTION_REGISTERS);
    assert(!moves || memory->reg != STACK_POINTER);
    assert(!moves || (memory->scale > 0 && memory->scale <= 8 &&
                         (memory->scale & (memory->scale - 1)) == 0));
    assert(memory->way != INSTRUCTION_LOADS ||
           (memory->reg == 0 && memory->bytes <= sizeof(uint64_t)));
    return true;
}

static bool decode(
    const uint8_t *bytes, size_t available, struct decoded *decoded)
{
    ZydisDecoder decoder;

    ZydisDecoderInit(
        &decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(
        &decoder, bytes, available, &decoded->instruction, decoded->operand));
}

/* Whether the address counts from where the next instruction is. */
static bool is_relative(const struct decoded *decoded,
    const ZydisDecodedOperand *operand, const uint8_t *bytes, uint64_t *address)
{
    if (operand->mem.base != ZYDIS_REGISTER_RIP ||
        operand->mem.index != ZYDIS_REGISTER_NONE ||
        operand->mem.segment == ZYDIS_REGISTER_GS ||
        operand->mem.segment == ZYDIS_REGISTER_FS) {
        return false;
    }
    *address = (uintptr_t)bytes + decoded->instruction.length +
               (uint64_t)operand->mem.disp.value;
    return true;
}

bool instruction_reaches(const uint8_t *bytes, size_t available,
    const uint64_t registers[INSTRUCTION_REGISTERS],
    void (*touch)(void *context, uint64_t address, uint64_t bytes),
    void *context)
{
    struct decoded decoded;
    bool known = decode(bytes, available, &decoded);

    for (unsigned i = 0; known && i < decoded.instruction.operand_count; i++) {
        const ZydisDecodedOperand *operand = &decoded.operand[i];
        uint64_t address;

        if (!is_memory(operand)) {
            continue;
        }
        if (is_relative(&decoded, operand, bytes, &address) ||
            address_of(&decoded, operand, registers, &address)) {
            touch(context, address, operand->size / 8);
        } else {
            known = false;
        }
    }
    return known;
}

bool instruction_memory(const uint8_t *bytes, size_t available,
    const uint64_t registers[INSTRUCTION_REGISTERS], uint64_t fault,
    struct instruction_memory *out)
{
    struct decoded decoded;

    if (!decode(bytes, available, &decoded)) {
        return false;
    }
    for (unsigned i = 0; i < decoded.instruction.operand_count; i++) {
        const ZydisDecodedOperand *operand = &decoded.operand[i];
        uint64_t address;

        if (!is_memory(operand) ||
            !address_of(&decoded, operand, registers, &address) ||
            fault - address >= operand->size / 8) {
            continue;
        }
        *out = (struct instruction_memory){
            .address = address,
            .bytes = operand->size / 8,
            .reads = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0,
            .writes = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0,
            .length = decoded.instruction.length,
        };
        find_way(&decoded, operand, out);
        assert(way_check(out));
        assert(fault - out->address < out->bytes);
        return true;
    }
    return false;
}
