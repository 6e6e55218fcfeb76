/* test_device_register.c - which register of a device an access is to, and what
 * a read of it would give; an access of what no register has is not modelled.
 */
#include "api/mm/device_register.h"
#include "tests/api/booted_kernel.h"

enum { FIRST, SECOND, THIRD, REGISTERS, NOBODYS = -1, NOT_MODELLED = -2 };

/* A gap lies between the first and the second one. */
static const struct given_register registers[REGISTERS] = {
    [FIRST] = {.name = "FIRST", .at = 0, .bytes = 4, .reset = 0x11223344},
    [SECOND] = {.name = "SECOND",
        .at = 8,
        .bytes = 8,
        .reset = 0x8877665544332211},
    [THIRD] = {.name = "THIRD", .at = 16, .bytes = 1, .reset = 0xA5},
};
static const struct given_range range = {.name = "bar0",
    .kind = GIVEN_REGISTERS,
    .base = 0xFEB00800,
    .bytes = 0x20,
    .reg = registers,
    .register_count = REGISTERS};

static struct access_row {
    const char *name;
    uint64_t address, bytes;
    bool silent;
    int want; /* a register, or one of the above */
    uint32_t offset;
    uint64_t value;
} access_rows[] = {
    {"whole_register", 0xFEB00800, 4, false, FIRST, 0, 0x11223344},
    {"its_first_half", 0xFEB00800, 2, false, FIRST, 0, 0x3344},
    {"its_last_half", 0xFEB00802, 2, false, FIRST, 2, 0x1122},
    {"its_last_byte", 0xFEB00803, 1, false, FIRST, 3, 0x11},
    {"three_bytes_of_it", 0xFEB00800, 3, false, NOT_MODELLED, 0, 0},
    {"it_and_what_is_behind", 0xFEB00800, 8, false, NOT_MODELLED, 0, 0},
    {"across_its_end", 0xFEB00803, 2, false, NOT_MODELLED, 0, 0},
    {"the_gap", 0xFEB00804, 4, false, NOT_MODELLED, 0, 0},
    {"last_byte_of_the_gap", 0xFEB00807, 1, false, NOT_MODELLED, 0, 0},
    {"whole_register_of_8_bytes", 0xFEB00808, 8, false, SECOND, 0,
        0x8877665544332211},
    {"its_last_4_bytes", 0xFEB0080C, 4, false, SECOND, 4, 0x88776655},
    {"its_last_one_of_8_bytes", 0xFEB0080F, 1, false, SECOND, 7, 0x88},
    {"16_bytes_of_it", 0xFEB00808, 16, false, NOT_MODELLED, 0, 0},
    {"register_of_a_byte", 0xFEB00810, 1, false, THIRD, 0, 0xA5},
    {"byte_behind_the_last_register", 0xFEB00811, 1, false, NOT_MODELLED, 0, 0},
    {"last_byte_of_the_range", 0xFEB0081F, 1, false, NOT_MODELLED, 0, 0},
    {"byte_behind_the_range", 0xFEB00820, 1, false, NOBODYS, 0, UINT64_MAX},
    {"byte_before_the_range", 0xFEB007FF, 1, false, NOBODYS, 0, UINT64_MAX},
    {"across_the_beginning", 0xFEB007FF, 2, false, NOT_MODELLED, 0, 0},
    {"register_that_does_not_answer", 0xFEB00800, 4, true, NOBODYS, 0,
        UINT64_MAX},
    {"gap_that_does_not_answer", 0xFEB00804, 4, true, NOBODYS, 0, UINT64_MAX},
};

struct access {
    struct booted_kernel booted;
    const struct access_row *row;
    struct device_place place;
};

static void find_now(void *argument)
{
    struct access *access = argument;

    access->place = device_find(&access->booted.kernel, access->row->address,
        access->row->bytes, false);
}

static void access_row(void **state)
{
    const struct given_memory given = {.range = &range, .count = 1};
    struct access access = {.row = *state};
    const struct access_row *row = access.row;
    struct kernel *kernel = &access.booted.kernel;

    booted_init_usual(&access.booted);
    given_memory_start(kernel, &given);
    given_memory_state(kernel, &range)->silent = row->silent;
    if (row->want == NOT_MODELLED) {
        booted_run_to_stop(&access.booted, 0, find_now, &access);
        assert_int_equal(kernel->end.kind, RUN_NOT_MODELLED);
    } else {
        booted_run(&access.booted, 0, find_now, &access);
        assert_ptr_equal(access.place.reg,
            row->want == NOBODYS ? NULL : &registers[row->want]);
        assert_int_equal(access.place.offset, row->offset);
        assert_int_equal(
            access.place.bytes, row->want == NOBODYS ? 0 : row->bytes);
        assert_int_equal(device_peek(&access.place), row->value);
    }
    booted_release(&access.booted);
}

TEST_FILE(test_device_register)
{
    TEST_ADD_ROWS(list, access_row, access_rows);
}
