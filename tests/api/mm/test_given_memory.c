/* test_given_memory.c - where physical memory can be given to a machine: up to
 * its own RAM, between its parts and behind it, and no farther. */
#include "api/mm/given_memory.h"
#include "tests/rows.h"

static const char ends[] = "physical addresses end at 0x400000000000";
static const char taken[] =
    "the machine has RAM of its own there, up to 0xA0000, from "
    "0x100000 to 0x80000000 and from 0x100000000 to 0x1000000000";
static const char odd[] = "RAM and ROM are whole pages, multiples of 0x1000";

static struct place_row {
    const char *name;
    enum given_kind kind;
    uint64_t base, bytes;
    const char *want; /* NULL: it can lie there */
} place_rows[] = {
    {"lowest_byte", GIVEN_REGISTERS, 0, 1, taken},
    {"lowest_page", GIVEN_RAM, 0, 0x1000, taken},
    {"last_byte_below_the_firmware", GIVEN_REGISTERS, 0x9FFFF, 1, taken},
    {"up_to_the_firmware_and_a_byte", GIVEN_REGISTERS, 0x9FFFF, 2, taken},
    {"all_of_the_firmware", GIVEN_ROM, 0xA0000, 0x60000, NULL},
    {"one_register_at_the_firmware", GIVEN_REGISTERS, 0xA0000, 1, NULL},
    {"firmware_and_a_byte", GIVEN_REGISTERS, 0xA0000, 0x60001, taken},
    {"low_ram", GIVEN_RAM, 0x100000, 0x1000, taken},
    {"last_byte_of_low_ram", GIVEN_REGISTERS, 0x7FFFFFFF, 1, taken},
    {"all_between_low_and_high_ram", GIVEN_RAM, 0x80000000, 0x80000000, NULL},
    {"between_and_a_byte", GIVEN_REGISTERS, 0x80000000, 0x80000001, taken},
    {"high_ram", GIVEN_RAM, 0x100000000, 0x1000, taken},
    {"last_byte_of_high_ram", GIVEN_REGISTERS, 0xFFFFFFFFF, 1, taken},
    {"behind_high_ram", GIVEN_RAM, 0x1000000000, 0x1000, NULL},
    {"all_behind_high_ram", GIVEN_RAM, 0x1000000000, 0x3FF000000000, NULL},
    {"behind_high_ram_and_a_byte", GIVEN_REGISTERS, 0x1000000000,
        0x3FF000000001, ends},
    {"last_byte_of_all", GIVEN_REGISTERS, 0x3FFFFFFFFFFF, 1, NULL},
    {"byte_behind_all", GIVEN_REGISTERS, 0x400000000000, 1, ends},
    {"far_behind_all", GIVEN_REGISTERS, UINT64_MAX, 1, ends},
    {"ram_that_begins_amid_a_page", GIVEN_RAM, 0x80000800, 0x1000, odd},
    {"ram_that_ends_amid_a_page", GIVEN_RAM, 0x80000000, 0x1001, odd},
    {"rom_that_begins_amid_a_page", GIVEN_ROM, 0x80000001, 0x1000, odd},
    {"rom_that_ends_amid_a_page", GIVEN_ROM, 0x80000000, 0x800, odd},
    {"registers_amid_a_page", GIVEN_REGISTERS, 0x80000801, 3, NULL},
};

static void place_row(void **state)
{
    const struct place_row *row = *state;
    const char *problem =
        given_memory_problem(row->kind, row->base, row->bytes);

    assert_int_equal(problem == NULL, row->want == NULL);
    if (row->want != NULL) {
        assert_string_equal(problem, row->want);
    }
}

TEST_FILE(test_given_memory)
{
    TEST_ADD_ROWS(list, place_row, place_rows);
}
