/* test_instruction_reach.c - the memory that an instruction accesses, as its
 * operands say. Encodings are from the processor manual's tables. */
#include "api/image/instruction_memory.h"
#include "tests/rows.h"

enum { STRETCHES = 4 };

struct seen {
    unsigned count;
    struct {
        uint64_t address, bytes;
    } stretch[STRETCHES];
};

static void touch(void *context, uint64_t address, uint64_t bytes)
{
    struct seen *seen = context;

    assert_true(seen->count < STRETCHES);
    seen->stretch[seen->count].address = address;
    seen->stretch[seen->count++].bytes = bytes;
}

static struct reach_row {
    const char *name;
    uint8_t bytes[8];
    size_t length;
    bool want;
    unsigned want_count;
    uint64_t want_address; /* of the first; from the code on with `relative` */
    uint64_t want_bytes;
    bool relative;
} reach_rows[] = {
    {"mov_between_registers", {0x89, 0xD8}, 2, true, 0, 0, 0, false},
    {"lea_touches_nothing", {0x48, 0x8D, 0x43, 0x08}, 4, true, 0, 0, 0, false},
    {"mov_from_memory", {0x8B, 0x43, 0x10}, 3, true, 1, 0x3010, 4, false},
    {"mov_to_memory_with_an_index", {0x48, 0x89, 0x04, 0x8B}, 4, true, 1,
        0x3000 + 4 * 0x1000, 8, false},
    {"add_to_a_place_beside_the_code", {0x83, 0x05, 0x10, 0, 0, 0, 1}, 7, true,
        1, 7 + 0x10, 4, true},
    {"push_stores_on_its_stack", {0x53}, 1, true, 1, 0x4000, 8, false},
    {"movs_reads_and_writes", {0xA4}, 1, true, 2, 0x7000, 1, false},
    {"what_gs_leads_to_is_not_known",
        {0x65, 0x48, 0x8B, 0x04, 0x25, 0x88, 0, 0}, 8, false, 0, 0, 0, false},
    {"half_an_instruction", {0x8B, 0x43}, 2, false, 0, 0, 0, false},
};

/* RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI hold 0, 1000h, 2000h and so on. */
static void reach_row(void **state)
{
    const struct reach_row *row = *state;
    uint64_t registers[INSTRUCTION_REGISTERS];
    struct seen seen = {0};

    for (unsigned i = 0; i < INSTRUCTION_REGISTERS; i++) {
        registers[i] = UINT64_C(0x1000) * i;
    }
    assert_int_equal(
        instruction_reaches(row->bytes, row->length, registers, touch, &seen),
        row->want);
    assert_int_equal(seen.count, row->want_count);
    if (row->want_count > 0) {
        assert_int_equal(seen.stretch[0].address,
            row->want_address + (row->relative ? (uintptr_t)row->bytes : 0));
        assert_int_equal(seen.stretch[0].bytes, row->want_bytes);
    }
}

TEST_FILE(test_instruction_reach)
{
    TEST_ADD_ROWS(list, reach_row, reach_rows);
}
