/* test_user_memory.c - where a program's addresses end: 64 KiB below those of
 * the system. */
#include "api/boot/exports.h"
#include "api/mm/user_memory.h"
#include "tests/api/booted_kernel.h"

enum { NO_MANS_LAND = 64 << 10 };

/* Bytes that are probed, from a distance before the first address that is no
 * program's. */
static struct probe_row {
    const char *name;
    uint64_t before, bytes;
    bool want_raised;
} probe_rows[] = {
    {"last_byte", 1, 1, false},
    {"last_8_bytes", 8, 8, false},
    {"across_the_end", 8, 9, true},
    {"first_byte_that_is_none", 0, 1, true},
    {"nothing_behind_the_end", 0, 0, false},
    {"all_of_them_and_around", 8, UINT64_MAX, true},
    {"around_to_the_first_byte", 8, UINT64_MAX - 7, true},
};

struct probed {
    struct booted_kernel booted;
    uint64_t address, bytes;
    bool raised;
    struct exception_record record;
};

static void probe_it(void *argument)
{
    const struct probed *probed = argument;

    ProbeForRead((PVOID)(uintptr_t)probed->address, probed->bytes, 1);
}

static void probe_now(void *argument)
{
    struct probed *probed = argument;

    probed->raised = booted_catch(probe_it, probed, &probed->record);
}

static void probe_row(void **state)
{
    const struct probe_row *row = *state;
    struct probed probed = {.bytes = row->bytes};
    const struct kernel *kernel = &probed.booted.kernel;

    booted_init_usual(&probed.booted);
    probed.address = user_memory_probe_address(kernel) - row->before;
    booted_run(&probed.booted, 0, probe_now, &probed);
    assert_int_equal(probed.raised, row->want_raised);
    if (row->want_raised) {
        assert_int_equal((uint32_t)probed.record.code, 0xC0000005);
        assert_int_equal((uintptr_t)probed.record.address, probed.address);
    }
    booted_release(&probed.booted);
}

static void system_begins_64_kib_behind_programs(void **state)
{
    struct booted_kernel booted;
    const struct kernel *kernel = &booted.kernel;
    const struct memory *memory = &booted.machine.memory;
    uint64_t system;

    (void)state;
    booted_init_usual(&booted);
    system = user_memory_system_start(kernel);
    assert_int_equal(system,
        (uintptr_t)memory->base + memory->user_pages * MEMORY_PAGE_BYTES);
    assert_int_equal(user_memory_probe_address(kernel), system - NO_MANS_LAND);
    assert_int_equal(user_memory_highest(kernel), system - NO_MANS_LAND - 1);
    booted_release(&booted);
}

TEST_FILE(test_user_memory)
{
    TEST_ADD_ROWS(list, probe_row, probe_rows);
    test_add(list, "system_begins_64_kib_behind_programs",
        system_begins_64_kib_behind_programs, NULL);
}
