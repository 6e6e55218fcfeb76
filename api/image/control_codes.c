/* control_codes.c - finds control codes in machine code: numbers that are
 * compared with or subtracted, as compilers write a switch. What is not found
 * is no loss, for it is a hint. */
#include "api/image/control_codes.h"

#include <Zydis/Zydis.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/pe/pe.h"

enum {
    DEVICE_LAST = 0x60,      /* FILE_DEVICE_* of the WDK's headers */
    DEVICE_VENDOR = 0x8000,  /* from here on */
    DEVICE_NONE = 0xFFFF,    /* small negative numbers, of offsets */
    FUNCTION_VENDOR = 0x800, /* from here on; those before are Microsoft's */
    SPAN_MOST = 0x1000,      /* of a switch, in codes' numbers */
};

struct search {
    const struct symbols *symbols;
    const uint8_t *image;
    struct control_code *found;
    size_t count;
    uint32_t base;      /* was subtracted; 0: nothing was */
    unsigned shift;     /* the rest was rotated by so many bits */
    uint32_t candidate; /* was compared with; 0: nothing was */
    uint32_t span;      /* of the rest, which was; 0: nothing was */
    uint32_t at;        /* where */
};

bool control_code_is_likely(uint32_t code)
{
    uint32_t device = code >> 16, function = code >> 2 & 0xFFF;

    return ((device > 0 && device <= DEVICE_LAST) ||
               (device >= DEVICE_VENDOR && device < DEVICE_NONE)) &&
           function >= FUNCTION_VENDOR;
}

static void add(struct search *search, uint32_t code)
{
    struct control_code *at = search->found;
    size_t i = search->count;
    const char *name;
    uint32_t offset;

    for (size_t k = 0; k < search->count; k++) {
        if (search->found[k].code == code) {
            return;
        }
    }
    if (!control_code_is_likely(code) || search->count == CONTROL_CODES_MAX) {
        return;
    }
    for (; i > 0 && at[i - 1].code > code; i--) {
        at[i] = at[i - 1];
    }
    at[i].code = code;
    search->count++;
    name = symbols_at(search->symbols, search->at, &offset);
    if (name == NULL) {
        snprintf(at[i].function, sizeof(at[i].function), "0x%x",
            (unsigned)search->at);
    } else {
        snprintf(at[i].function, sizeof(at[i].function), "%.40s+0x%x", name,
            (unsigned)offset);
    }
}

/* The number of an instruction's last visible operand; 0: it is none. */
static uint32_t immediate(const ZydisDecodedInstruction *instruction,
    const ZydisDecodedOperand *operand)
{
    size_t count = instruction->operand_count_visible;

    return count > 0 && operand[count - 1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE
               ? (uint32_t)operand[count - 1].imm.value.u
               : 0;
}

/* What is left after a subtraction is compared with small numbers. */
static void subtract(struct search *search, uint32_t number)
{
    search->shift = 0;
    search->span = 0;
    if (control_code_is_likely(number)) {
        search->base = number;
    } else if (search->base != 0 && number < SPAN_MOST) {
        search->base += number;
    } else {
        search->base = 0;
    }
    search->candidate = search->base;
}

static void compare(struct search *search, uint32_t number)
{
    search->span = 0;
    search->candidate = 0;
    if (control_code_is_likely(number)) {
        search->candidate = number;
    } else if (search->base != 0 && number < SPAN_MOST) {
        search->candidate = search->base + (number << search->shift);
        search->span = number << search->shift;
    }
}

/* A table of jumps follows: codes of one method, one behind the other. */
static void add_span(struct search *search)
{
    for (uint32_t i = 0; i <= search->span; i += 4) {
        add(search, search->base + i);
    }
}

/* A branch on what was compared: an equal one says that it is a code, others
 * that it is a bound, and what was left of before may still be tested. */
static void branch(struct search *search, ZydisMnemonic mnemonic)
{
    if (mnemonic == ZYDIS_MNEMONIC_JZ || mnemonic == ZYDIS_MNEMONIC_JNZ ||
        mnemonic == ZYDIS_MNEMONIC_SETZ || mnemonic == ZYDIS_MNEMONIC_SETNZ ||
        mnemonic == ZYDIS_MNEMONIC_CMOVZ || mnemonic == ZYDIS_MNEMONIC_CMOVNZ) {
        if (search->candidate != 0) {
            add(search, search->candidate);
        }
    } else if (mnemonic == ZYDIS_MNEMONIC_JNBE && search->base != 0 &&
               search->span > 0) {
        add_span(search);
    }
}

static void look_at(struct search *search,
    const ZydisDecodedInstruction *instruction,
    const ZydisDecodedOperand *operand)
{
    uint32_t number = immediate(instruction, operand);

    switch ((unsigned)instruction->mnemonic) {
    case ZYDIS_MNEMONIC_CMP:
        compare(search, number);
        break;
    case ZYDIS_MNEMONIC_SUB:
        subtract(search, number);
        break;
    case ZYDIS_MNEMONIC_ADD:
        subtract(search, 0 - number);
        break;
    case ZYDIS_MNEMONIC_LEA:
        if (control_code_is_likely(0 - (uint32_t)operand[1].mem.disp.value)) {
            subtract(search, 0 - (uint32_t)operand[1].mem.disp.value);
        }
        break;
    case ZYDIS_MNEMONIC_ROR:
    case ZYDIS_MNEMONIC_ROL:
    case ZYDIS_MNEMONIC_SHR:
        search->shift = number == 30 ? 2 : number < 8 ? number : 0;
        break;
    case ZYDIS_MNEMONIC_RET:
        search->base = search->candidate = 0;
        break;
    default:
        branch(search, instruction->mnemonic);
    }
}

static void search_section(struct search *search, const ZydisDecoder *decoder,
    const struct pe_section *section)
{
    uint32_t at = section->rva, end = section->rva + section->size;

    search->base = search->candidate = 0;
    while (at < end) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];

        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder, search->image + at,
                end - at, &instruction, operand))) {
            at++;
            search->base = search->candidate = 0;
            continue;
        }
        search->at = at;
        look_at(search, &instruction, operand);
        at += instruction.length;
    }
}

size_t control_codes_find(const uint8_t *bytes, size_t size,
    struct control_code code[CONTROL_CODES_MAX])
{
    struct pe_problems problems;
    struct search search = {.found = code};
    ZydisDecoder decoder;
    struct pe pe;
    uint8_t *image;

    if (!pe_read(&pe, bytes, size, &problems)) {
        pe_problems_release(&problems);
        return 0;
    }
    image = calloc(pe.image_size, 1);
    assert(image != NULL);
    pe_place(&pe, image, pe.preferred_base);
    search.symbols = pe_symbols(&pe);
    search.image = image;
    ZydisDecoderInit(
        &decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (size_t i = 0; i < pe.section_count; i++) {
        if (pe.section[i].executable) {
            search_section(&search, &decoder, &pe.section[i]);
        }
    }
    free(image);
    pe_release(&pe);
    return search.count;
}
