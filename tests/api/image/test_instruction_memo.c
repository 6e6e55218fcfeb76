/* test_instruction_memo.c - the same instruction, whatever was decoded before.
 */
#include "api/image/instruction.h"
#include "tests/rows.h"

/* Decodes `before` and then `bytes` with one memo. A length of 0: it is none.
 */
static struct memo_row {
    const char *name;
    uint8_t before[4], bytes[4];
    size_t before_available, available;
    enum instruction_kind want;
    uint8_t want_length;
} memo_rows[] = {
    {"same_again", {0x0F, 0x32}, {0x0F, 0x32}, 2, 2, INSTRUCTION_RDMSR, 2},
    {"what_follows_does_not_matter", {0x0F, 0x32, 0x90}, {0x0F, 0x32, 0xC3}, 3,
        3, INSTRUCTION_RDMSR, 2},
    {"another_takes_the_entry", {0x0F, 0x32}, {0xFE, 0x00}, 2, 2,
        INSTRUCTION_OTHER, 2},
    {"other_operand", {0x44, 0x0F, 0x20, 0xC0}, {0x44, 0x0F, 0x20, 0xC1}, 4, 4,
        INSTRUCTION_MOV_CR8, 4},
    {"cut_off_is_none", {0x0F, 0x32}, {0x0F, 0x32}, 2, 1, INSTRUCTION_OTHER, 0},
    {"nothing_is_none", {0}, {0}, 4, 0, INSTRUCTION_OTHER, 0},
    {"first_of_one_byte", {0x06}, {0xFA}, 1, 1, INSTRUCTION_CLI, 1},
};

static void memo_row(void **state)
{
    const struct memo_row *row = *state;
    struct instruction_memo memo = {.instruction = {.length = 0}};
    struct instruction found = {.length = 0};
    struct instruction plain = {.length = 0};

    instruction_memo_decode(
        &memo, 1, row->before, row->before_available, &found);
    found = (struct instruction){.length = 0};
    assert_int_equal(
        instruction_memo_decode(&memo, 1, row->bytes, row->available, &found),
        row->want_length > 0);
    assert_int_equal(found.kind, row->want);
    assert_int_equal(found.length, row->want_length);
    instruction_decode(row->bytes, row->available, &plain);
    assert_int_equal(found.reg, plain.reg);
    assert_int_equal(found.number, plain.number);
}

TEST_FILE(test_instruction_memo)
{
    TEST_ADD_ROWS(list, memo_row, memo_rows);
}
