/* mutation.c - splitmix64 numbers choose places, and what is written there. */
#include "tests/fuzz/mutation.h"

#include <stdbool.h>
#include <string.h>

#include "api/pe/pe.h"

enum {
    EDITS_MAX = 8,
    UNWIND_BYTES = 32, /* of each function, from where its information begins */
};

/* Numbers that limits and signs are made of, and addresses that mean something
 * to the machine. */
static const uint64_t numbers[] = {
    0,
    1,
    8,
    0x7F,
    0x80,
    0xFF,
    0x1000,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x100000,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0x0000800000000000,
    0x0000180200000000, /* guest memory */
    0x0000180400006000, /* a guest stack */
    0x7FFFFFFFFFFFFFFF,
    0x8000000000000000,
    0xFFFFF78000000014, /* KUSER_SHARED_DATA */
    0xFFFFFFFFFFFFFFF8,
};

/* Instructions that change what a process cannot do without, or that leave the
 * driver's code in an unusual way. */
static const struct {
    uint8_t length;
    uint8_t byte[10];
} instructions[] = {
    {2, {0x0F, 0x05}},                   /* syscall */
    {2, {0x0F, 0x34}},                   /* sysenter */
    {2, {0xCD, 0x80}},                   /* int 80h */
    {2, {0xCD, 0x29}},                   /* int 29h */
    {1, {0xCC}},                         /* int3 */
    {1, {0xF1}},                         /* icebp */
    {1, {0xF4}},                         /* hlt */
    {2, {0x0F, 0x0B}},                   /* ud2 */
    {5, {0xF3, 0x48, 0x0F, 0xAE, 0xD0}}, /* wrfsbase rax */
    {5, {0xF3, 0x48, 0x0F, 0xAE, 0xD9}}, /* wrgsbase rcx */
    {2, {0x8E, 0xE0}},                   /* mov fs, eax */
    {2, {0x8E, 0xE8}},                   /* mov gs, eax */
    {2, {0x8E, 0xD0}},                   /* mov ss, eax */
    {4, {0x0F, 0xAE, 0x14, 0x24}},       /* ldmxcsr [rsp] */
    {4, {0x6A, 0x00, 0x0F, 0xAE}},       /* push 0, and half of another */
    {7, {0x6A, 0x00, 0x0F, 0xAE, 0x14, 0x24, 0x58}},       /* MXCSR = 0 */
    {8, {0x6A, 0x00, 0xD9, 0x2C, 0x24, 0x58, 0xD9, 0xEE}}, /* x87 unmasked */
    {3, {0xD8, 0xF0, 0x9B}},                               /* fdiv, fwait */
    {6, {0x68, 0x00, 0x01, 0x04, 0x00, 0x9D}},             /* popfq AC TF */
    {6, {0x68, 0x00, 0x40, 0x00, 0x00, 0x9D}},             /* popfq NT */
    {6, {0x68, 0x00, 0x00, 0x04, 0x00, 0x9D}},             /* popfq AC */
    {1, {0x9D}},                                           /* popfq */
    {1, {0xFD}},                                           /* std */
    {1, {0xFA}},                                           /* cli */
    {2, {0x48, 0xCF}},                                     /* iretq */
    {1, {0xCB}},                                           /* retf */
    {4, {0x6A, 0x23, 0x51, 0xCB}},             /* retf to 32-bit code */
    {2, {0x48, 0x94}},                         /* xchg rsp, rax */
    {3, {0x48, 0x89, 0xCC}},                   /* mov rsp, rcx */
    {4, {0x48, 0x83, 0xEC, 0x01}},             /* sub rsp, 1 */
    {7, {0x48, 0x81, 0xEC, 0x00, 0x60, 0, 0}}, /* sub rsp, 6000h */
    {7, {0x48, 0x81, 0xC4, 0x00, 0x10, 0, 0}}, /* add rsp, 1000h */
    {3, {0x48, 0x31, 0xE4}},                   /* xor rsp, rsp */
    {1, {0xC3}},                               /* ret */
    {2, {0xEB, 0xFE}},                         /* jmp here */
    {2, {0xFF, 0xE0}},                         /* jmp rax */
    {2, {0xFF, 0xD1}},                         /* call rcx */
    {2, {0x0F, 0x32}},                         /* rdmsr */
    {2, {0x0F, 0x30}},                         /* wrmsr */
    {4, {0x44, 0x0F, 0x22, 0xC0}},             /* mov cr8, rax */
    {2, {0xF3, 0xAA}},                         /* rep stosb */
    {3, {0xF3, 0x48, 0xA5}},                   /* rep movsq */
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void add(struct mutation_range *range, size_t *count, uint64_t begin,
    uint64_t end, size_t size)
{
    end = end < size ? end : size;
    if (*count < MUTATION_RANGES && begin < end) {
        range[(*count)++] =
            (struct mutation_range){(uint32_t)begin, (uint32_t)end};
    }
}

/* What the file has for these bytes of the image. */
static void add_table(
    struct mutation_map *map, const struct pe *pe, uint32_t rva, uint32_t bytes)
{
    for (size_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->section[i];
        uint32_t offset = rva - section->rva;

        if (rva >= section->rva && offset < section->raw_size) {
            uint64_t begin = (uint64_t)section->raw + offset;

            add(map->table, &map->table_count, begin, begin + bytes, pe->size);
        }
    }
}

void mutation_map(struct mutation_map *map, const uint8_t *bytes, size_t size)
{
    struct pe_problems problems;
    struct pe pe;

    *map = (struct mutation_map){.table_count = 0};
    if (!pe_read(&pe, bytes, size, &problems)) {
        pe_problems_release(&problems);
        add(map->table, &map->table_count, 0, size, size);
        add(map->code, &map->code_count, 0, size, size);
        return;
    }
    add(map->table, &map->table_count, 0, pe.headers_size, size);
    for (size_t i = 0; i < pe.data_count && i < MUTATION_RANGES / 2; i++) {
        add_table(
            map, &pe, pe.data[i].begin, pe.data[i].end - pe.data[i].begin);
    }
    for (size_t i = 0; i < pe.function_count; i++) {
        add_table(map, &pe, pe.function[i].unwind, UNWIND_BYTES);
    }
    for (size_t i = 0; i < pe.section_count; i++) {
        const struct pe_section *section = &pe.section[i];

        if (section->executable) {
            add(map->code, &map->code_count, section->raw,
                (uint64_t)section->raw + section->raw_size, size);
        }
    }
    pe_release(&pe);
}

/* Room for `length` bytes in the file, or less where it ends. */
static size_t put(
    uint8_t *bytes, size_t size, size_t at, const void *from, size_t length)
{
    length = length < size - at ? length : size - at;
    memcpy(bytes + at, from, length);
    return length;
}

static void edit(
    uint64_t *state, bool in_code, uint8_t *bytes, size_t size, size_t at)
{
    uint64_t random = next(state),
             value = numbers[next(state) % COUNT(numbers)];
    unsigned instruction = (unsigned)(next(state) % COUNT(instructions));
    uint64_t last = size - at >= 4 ? 4 : size - at;
    uint32_t sum = 0;

    switch (random % 6 + (in_code ? 1 : 0)) {
    case 0:
    case 1:
        bytes[at] ^= (uint8_t)(1U << (random >> 8) % 8);
        break;
    case 2:
        bytes[at] = (uint8_t)(random >> 8);
        break;
    case 3:
        put(bytes, size, at, &value, (size_t)1 << (random >> 8) % 4);
        break;
    case 4: /* a little more or less */
        memcpy(&sum, bytes + at, (size_t)last);
        sum += (uint32_t)((random >> 8) % 33) - 16;
        put(bytes, size, at, &sum, 4);
        break;
    case 5: /* something else of the file, if it does not end there */
        value = next(state) % size;
        last = size - value < 16 ? size - value : 16;
        last = size - at < last ? size - at : last;
        memmove(bytes + at, bytes + value, (size_t)last);
        break;
    default:
        put(bytes, size, at, instructions[instruction].byte,
            instructions[instruction].length);
        break;
    }
}

void mutation_apply(const struct mutation_map *map, uint64_t seed,
    uint64_t number, uint8_t *bytes, size_t size)
{
    uint64_t state = seed;
    bool in_code;
    size_t edits;

    state = next(&state) + number;
    in_code = next(&state) % 2 != 0 && map->code_count > 0;
    edits = 1 + next(&state) % EDITS_MAX;
    for (size_t i = 0; i < edits; i++) {
        const struct mutation_range *range = in_code ? map->code : map->table;
        size_t count = in_code ? map->code_count : map->table_count;

        range += next(&state) % count;
        edit(&state, in_code, bytes, size,
            range->begin + next(&state) % (range->end - range->begin));
    }
}
