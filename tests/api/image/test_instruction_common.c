/* test_instruction_common.c - instructions told by their opcodes alone, beside
 * what the decoder says of the same bytes. */
#include <string.h>

#include "api/image/instruction_common.h"
#include "sim/base/splitmix.h"
#include "tests/rows.h"

enum { BYTES = INSTRUCTION_MAX_BYTES, TAILS = 3 };

/* What compilers write is told without the decoder; Intel SDM volume 2. */
static struct common_row {
    const char *name;
    uint8_t bytes[BYTES];
    bool want;
    uint8_t length;
    bool ends, branches;
    int32_t relative;
} common_rows[] = {
    {"mov_rax_rcx", {0x48, 0x89, 0xC8}, true, 3, false, false, 0},
    {"mov_rsp_0x20_eax", {0x89, 0x44, 0x24, 0x20}, true, 4, false, false, 0},
    {"mov_eax_of_disp32_without_base", {0x8B, 0x04, 0x25, 0x10, 0, 0, 0}, true,
        7, false, false, 0},
    {"lea_rax_rip", {0x48, 0x8D, 0x05, 0x10, 0, 0, 0}, true, 7, false, false,
        0},
    {"sub_rsp_0x28", {0x48, 0x83, 0xEC, 0x28}, true, 4, false, false, 0},
    {"jne_back", {0x75, 0xFE}, true, 2, false, true, -2},
    {"jae_far", {0x0F, 0x83, 0x00, 0x01, 0, 0}, true, 6, false, true, 256},
    {"call", {0xE8, 0xFB, 0xFF, 0xFF, 0xFF}, true, 5, false, true, -5},
    {"jmp", {0xEB, 0x10}, true, 2, true, true, 16},
    {"jmp_rax", {0xFF, 0xE0}, true, 2, true, false, 0},
    {"ret", {0xC3}, true, 1, true, false, 0},
    {"nop_word", {0x66, 0x0F, 0x1F, 0x44, 0, 0}, true, 6, false, false, 0},
    {"test_byte", {0xF6, 0x01, 0x40}, true, 3, false, false, 0},
    {"neg", {0xF7, 0xD8}, true, 2, false, false, 0},
    {"mov_of_64_bits", {0x48, 0xB8, 1, 2, 3, 4, 5, 6, 7, 8}, false, 0, false,
        false, 0},
    {"mov_r8d_of_32_bits", {0x41, 0xB8, 1, 2, 3, 4}, true, 6, false, false, 0},
    {"add_of_16_bits", {0x66, 0x81, 0xC1, 0, 1}, false, 0, false, false, 0},
    {"lea_of_a_register", {0x8D, 0xC0}, false, 0, false, false, 0},
    {"rdmsr", {0x0F, 0x32}, false, 0, false, false, 0},
    {"int3", {0xCC}, false, 0, false, false, 0},
    {"pause", {0xF3, 0x90}, false, 0, false, false, 0},
    {"mov_cr8", {0x44, 0x0F, 0x20, 0xC0}, false, 0, false, false, 0},
    {"far_call", {0xFF, 0x18}, false, 0, false, false, 0},
};

static void common_row(void **state)
{
    const struct common_row *row = *state;
    struct instruction found = {.length = 0};

    assert_int_equal(instruction_common(row->bytes, BYTES, &found), row->want);
    assert_int_equal(found.length, row->length);
    assert_int_equal(found.ends, row->ends);
    assert_int_equal(found.branches, row->branches);
    assert_int_equal(found.relative, row->relative);
}

/* Of the opcodes of a map, which are told: all (x), none (.) or some (o) of
 * those that differ by the byte behind them, which tells instructions of one
 * opcode apart, or is itself the opcode behind a prefix. */
static struct map_row {
    const char *name;
    uint8_t escape[2], escape_bytes;
    const char *want[16];
} map_rows[] = {
    {"opcodes_of_one_byte", {0}, 0,
        {"xxxxxx..xxxxxx.o", /* 0 */
            "xxxxxx..xxxxxx..", "xxxxxx..xxxxxx..", "xxxxxx..xxxxxx..",
            "oooooooooooooooo", /* 4 */
            "xxxxxxxxxxxxxxxx", "...x..o.xxxx....", "xxxxxxxxxxxxxxxx",
            "xx.xxxxxxxxx.o..", /* 8 */
            "x.......xx......", "........xx......", "xxxxxxxxxxxxxxxx",
            "oo.x..oo.x......", /* C */
            "oooo............", "........xx.x....", "......oo......oo"}},
    {"opcodes_behind_0f", {0x0F}, 1,
        {"................", /* 0 */
            "...............o", "................", "................",
            "xxxxxxxxxxxxxxxx", /* 4 */
            "................", "................", "................",
            "xxxxxxxxxxxxxxxx", /* 8 */
            "xxxxxxxxxxxxxxxx", "...x.......x...x", "...x..xx...x..xx",
            "................", /* C */
            "................", "................", "................"}},
};

static void map_row(void **state)
{
    const struct map_row *row = *state;

    for (unsigned opcode = 0; opcode < 256; opcode++) {
        unsigned told = 0;
        struct instruction found;

        for (unsigned behind = 0; behind < 256; behind++) {
            uint8_t bytes[BYTES] = {0};

            memcpy(bytes, row->escape, sizeof(row->escape));
            bytes[row->escape_bytes] = (uint8_t)opcode;
            bytes[row->escape_bytes + 1] = (uint8_t)behind;
            told += instruction_common(bytes, BYTES, &found);
        }
        assert_int_equal(told == 0     ? '.'
                         : told == 256 ? 'x'
                                       : 'o',
            row->want[opcode / 16][opcode % 16]);
    }
}

static void instruction_near_the_end_is_the_decoders(void **state)
{
    static const uint8_t ret[BYTES] = {0xC3};
    struct instruction found;

    (void)state;
    assert_true(instruction_common(ret, BYTES, &found));
    assert_false(instruction_common(ret, BYTES - 1, &found));
}

/* A run ends where the instruction alone says that it does, and notes where it
 * leads to. */
static void runs_as_far(const uint8_t bytes[BYTES])
{
    struct instruction first;
    struct instruction_targets targets;
    bool common = instruction_common(bytes, BYTES, &first);
    bool goes_on = common && !first.ends;

    assert_int_equal(instruction_common_run(bytes, BYTES, BYTES, &targets),
        goes_on ? first.length : 0);
    assert_int_equal(targets.count, goes_on && first.branches);
    if (targets.count > 0) {
        assert_int_equal(targets.to[0], first.length + first.relative);
    }
}

/* JE back by 4, for ever: as many as are noted, each from where it stands. */
static void a_run_ends_behind_the_last_target_that_is_noted(void **state)
{
    uint8_t bytes[2 * (INSTRUCTION_TARGETS + BYTES)];
    struct instruction_targets targets;

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i += 2) {
        bytes[i] = 0x74;
        bytes[i + 1] = 0xFC;
    }
    assert_int_equal(
        instruction_common_run(bytes, sizeof(bytes), sizeof(bytes), &targets),
        2 * INSTRUCTION_TARGETS);
    assert_int_equal(targets.count, INSTRUCTION_TARGETS);
    assert_int_equal(targets.to[0], -2);
    assert_int_equal(
        targets.to[INSTRUCTION_TARGETS - 1], 2 * INSTRUCTION_TARGETS - 4);
}

/* Nor what has bytes behind them, be it a branch. */
static void a_run_is_of_its_own_bytes_alone(void **state)
{
    static const uint8_t je[2 * BYTES] = {0x90, 0x0F, 0x84, 1, 0, 0, 0};
    struct instruction_targets targets;

    (void)state;
    assert_int_equal(instruction_common_run(je, 6, sizeof(je), &targets), 1);
    assert_int_equal(targets.count, 0);
    assert_int_equal(instruction_common_run(je, 7, sizeof(je), &targets), 7);
    assert_int_equal(targets.count, 1);
}

/* Whether the decoder says so, too. */
static void agrees(const uint8_t bytes[BYTES])
{
    struct instruction common, decoded;

    runs_as_far(bytes);
    if (!instruction_common(bytes, BYTES, &common)) {
        return;
    }
    assert_true(instruction_decode(bytes, BYTES, &decoded));
    assert_int_equal(decoded.kind, INSTRUCTION_OTHER);
    decoded.operand_bytes = 0;
    assert_memory_equal(&common, &decoded, sizeof(common));
}

/* Every opcode of both maps, with every ModRM byte, behind these prefixes. */
static void it_agrees_with_the_decoder_on_every_opcode(void **state)
{
    static const struct {
        uint8_t bytes[2], count;
    } prefixes[] = {{{0}, 0}, {{0x66}, 1}, {{0x40}, 1}, {{0x41}, 1},
        {{0x4F}, 1}, {{0x48}, 1}, {{0x66, 0x48}, 2}, {{0x66, 0x44}, 2}};
    struct splitmix stream = {.state = 1};

    (void)state;
    for (size_t p = 0; p < sizeof(prefixes) / sizeof(prefixes[0]); p++) {
        for (uint32_t n = 0; n < 2 * 256 * 256 * TAILS; n++) {
            uint8_t bytes[BYTES];
            size_t at = prefixes[p].count;

            for (size_t i = 0; i < BYTES; i++) {
                bytes[i] = (uint8_t)splitmix_next(&stream);
            }
            memcpy(bytes, prefixes[p].bytes, at);
            if (n % 2 != 0) {
                bytes[at++] = 0x0F;
            }
            bytes[at] = (uint8_t)(n / 2);
            bytes[at + 1] = (uint8_t)(n / 512);
            agrees(bytes);
        }
    }
}

TEST_FILE(test_instruction_common)
{
    TEST_ADD_ROWS(list, common_row, common_rows);
    TEST_ADD_ROWS(list, map_row, map_rows);
    test_add(list, "instruction_near_the_end_is_the_decoders",
        instruction_near_the_end_is_the_decoders, NULL);
    test_add(list, "a_run_ends_behind_the_last_target_that_is_noted",
        a_run_ends_behind_the_last_target_that_is_noted, NULL);
    test_add(list, "a_run_is_of_its_own_bytes_alone",
        a_run_is_of_its_own_bytes_alone, NULL);
    test_add(list, "it_agrees_with_the_decoder_on_every_opcode",
        it_agrees_with_the_decoder_on_every_opcode, NULL);
}
