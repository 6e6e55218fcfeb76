/* test_mm_not_modelled.c - what a routine or an instruction does with memory
 * that a machine is given, and the model does not know. */
#include "api/boot/exports.h"
#include "api/mm/given_memory.h"
#include "api/mm/load.h"
#include "api/mm/store.h"
#include "tests/api/booted_kernel.h"

enum { TO_WRITE = 1, PRIORITY = 16, VIRTUAL = 2 };

#define REGISTERS 0xFEB00000u
#define RAM UINT64_C(0x1000000000)

static const struct given_register registers[] = {
    {.name = "ID", .at = 0, .bytes = 4}};
static const struct given_range ranges[] = {{.name = "bar0",
                                                .kind = GIVEN_REGISTERS,
                                                .base = REGISTERS,
                                                .bytes = 0x1000,
                                                .reg = registers,
                                                .register_count = 1},
    {.name = "ram", .kind = GIVEN_RAM, .base = RAM, .bytes = 0x1000}};
static const struct given_memory given = {.range = ranges, .count = 2};

/* The last page before the registers, and theirs. */
static uint8_t *map_across(void)
{
    return MmMapIoSpace(
        REGISTERS - MEMORY_PAGE_BYTES, 2 * MEMORY_PAGE_BYTES, MmNonCached);
}

static void copy_to_registers(void *argument)
{
    uint8_t *registers_at = MmMapIoSpace(REGISTERS, 4, MmNonCached);
    ULONG64 *done = MmAllocateContiguousMemory(sizeof(*done), UINT64_MAX);

    (void)argument;
    MmCopyMemory(registers_at, (ULONGLONG)(uintptr_t)&given, 4, VIRTUAL, done);
}

static void store_across(void *argument)
{
    const uint64_t value = 0;

    store_bytes(argument, (uintptr_t)map_across() + MEMORY_PAGE_BYTES - 4,
        &value, sizeof(value));
}

static void load_across(void *argument)
{
    load_value(argument, (uintptr_t)map_across() + MEMORY_PAGE_BYTES - 2, 4);
}

static void map_given(KPROCESSOR_MODE mode)
{
    uint8_t *ram = MmMapIoSpace(RAM, MEMORY_PAGE_BYTES, MmCached);
    MDL *mdl = IoAllocateMdl(ram, 100, 0, 0, NULL);

    MmProbeAndLockPages(mdl, 0, TO_WRITE);
    MmMapLockedPagesSpecifyCache(mdl, mode, MmCached, NULL, 0, PRIORITY);
}

static void map_for_the_system(void *argument)
{
    (void)argument;
    map_given(0);
}

static struct end_row {
    const char *name;
    void (*function)(void *argument);
    const char *want;
} end_rows[] = {
    {"routine_that_is_given_registers", copy_to_registers,
        "MmCopyMemory is given registers of a device, at physical address "
        "0xFEB00000, which only a driver's own code can access"},
    {"store_of_memory_and_registers", store_across,
        "the step writes to memory and, from physical address 0xFEB00000 on, "
        "registers of a device at once: make two steps of it"},
    {"load_of_memory_and_registers", load_across,
        "the step reads memory and, from physical address 0xFEB00000 on, "
        "registers of a device at once: make two steps of it"},
    {"given_memory_mapped_by_an_mdl", map_for_the_system,
        "MmMapLockedPagesSpecifyCache of memory that the scenario gives, at "
        "physical address 0x1000000000, is not modelled"},
};

static void end_row(void **state)
{
    const struct end_row *row = *state;
    struct booted_kernel booted;

    booted_init_usual(&booted);
    given_memory_start(&booted.kernel, &given);
    booted_run_to_stop(&booted, 0, row->function, &booted.kernel);
    assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
    assert_string_equal(booted.kernel.end.reason, row->want);
    booted_release(&booted);
}

TEST_FILE(test_mm_not_modelled)
{
    TEST_ADD_ROWS(list, end_row, end_rows);
}
