/* kuser.c - reads of KUSER_SHARED_DATA's address: a register is moved for the
 * length of one instruction. */
#include "api/image/kuser.h"

#include <assert.h>
#include <string.h>

enum kuser_plan kuser_plan(struct kuser_read *out, const uint8_t *bytes,
    size_t available, const uint64_t registers[INSTRUCTION_REGISTERS],
    uint64_t fault, uint64_t copy)
{
    struct instruction_memory *memory = &out->memory;

    assert(copy % KUSER_BYTES == 0);
    if (fault - KUSER_ADDRESS >= KUSER_BYTES) {
        return KUSER_ELSEWHERE;
    }
    if (!instruction_memory(bytes, available, registers, fault, memory)) {
        return KUSER_UNREADABLE;
    }
    if (memory->address < KUSER_ADDRESS ||
        memory->address - KUSER_ADDRESS + memory->bytes > KUSER_BYTES) {
        return KUSER_ELSEWHERE;
    }
    switch (memory->way) {
    case INSTRUCTION_WRITES:
        return KUSER_WRITE;
    case INSTRUCTION_LOADS:
        return KUSER_LOAD;
    case INSTRUCTION_FIXED:
        return KUSER_UNREADABLE;
    case INSTRUCTION_MOVES:
        break;
    }
    /* A multiple of the page's size, which every scale divides. */
    out->delta = (copy - KUSER_ADDRESS) / memory->scale;
    out->original = registers[memory->reg];
    assert(memory->address + out->delta * memory->scale - copy ==
           memory->address - KUSER_ADDRESS);
    return KUSER_STEP;
}

void kuser_begin(
    const struct kuser_read *read, uint64_t registers[INSTRUCTION_REGISTERS])
{
    assert(read->memory.way == INSTRUCTION_MOVES);
    assert(registers[read->memory.reg] == read->original);
    registers[read->memory.reg] += read->delta;
}

void kuser_end(
    const struct kuser_read *read, uint64_t registers[INSTRUCTION_REGISTERS])
{
    uint64_t *reg = &registers[read->memory.reg];
    uint64_t written = read->memory.written;

    assert(read->memory.way == INSTRUCTION_MOVES);
    *reg = written == 0 ? *reg - read->delta
                        : (read->original & ~written) | (*reg & written);
}

void kuser_load(const struct kuser_read *read, const void *page,
    uint64_t registers[INSTRUCTION_REGISTERS])
{
    uint64_t value = 0;
    uint64_t written = read->memory.written;

    assert(read->memory.way == INSTRUCTION_LOADS);
    assert(read->memory.bytes <= sizeof(value));
    assert(read->memory.address - KUSER_ADDRESS + read->memory.bytes <=
           KUSER_BYTES);
    /* The architecture is little-endian, and so is every host of it. */
    memcpy(&value,
        (const uint8_t *)page + (read->memory.address - KUSER_ADDRESS),
        read->memory.bytes);
    registers[0] = (registers[0] & ~written) | (value & written);
}
