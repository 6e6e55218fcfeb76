/* test_touch.c - an instruction touches what it may not: which rule that
 * breaks, by what lies there. */
#include "api/boot/exports.h"
#include "api/mm/touch.h"
#include "tests/api/booted_kernel.h"

enum thing {
    THING_NOTHING, /* of drivers' memory, not handed out */
    THING_KERNEL,  /* an address of the kernel, no memory */
    THING_USER,    /* one below it */
    THING_LOWEST,  /* of the kernel's */
    THING_HIGHEST, /* of those below it */
    THING_NO_ACCESS,
    THING_RESERVED, /* by MmAllocateMappingAddress */
    THING_FREED,    /* a block that was */
    THING_BEHIND,   /* the byte behind a block */
    THING_DATA,     /* a block, which may be read and written */
    THING_READABLE, /* one that may be read */
    THING_PAGEABLE,
    THING_ENTRIES, /* of an event buffer whose handler runs */
    THING_CLOSED,  /* of one whose handler does not */
};

static struct touch_row {
    const char *name;
    enum thing thing;
    enum touch_access access;
    KIRQL level;
    const char *want; /* a rule; NULL: an exception that code can catch */
    const char *what; /* the bug check says was touched */
} touch_rows[] = {
    {"memory_that_nobody_has", THING_NOTHING, TOUCH_READ, 0, "mm.bad_address",
        "no memory"},
    {"raised_memory_that_nobody_has", THING_NOTHING, TOUCH_READ, 2,
        "mm.raised_access", "no memory"},
    {"address_of_the_kernel", THING_KERNEL, TOUCH_WRITE, 0, "mm.bad_address",
        "no memory"},
    {"address_of_user_mode", THING_USER, TOUCH_WRITE, 0, NULL, NULL},
    {"first_address_of_the_kernel", THING_LOWEST, TOUCH_READ, 0,
        "mm.bad_address", "no memory"},
    {"last_address_below_it", THING_HIGHEST, TOUCH_READ, 0, NULL, NULL},
    {"block_without_access", THING_NO_ACCESS, TOUCH_READ, 0, "mm.bad_address",
        "no access"},
    {"raised_block_without_access", THING_NO_ACCESS, TOUCH_WRITE, 2,
        "mm.raised_access", "no access"},
    {"reserved_addresses", THING_RESERVED, TOUCH_READ, 0, "mm.bad_address",
        "reserved addresses"},
    {"raised_address_of_user_mode", THING_USER, TOUCH_READ, 2,
        "mm.raised_access", "no memory"},
    {"freed_block", THING_FREED, TOUCH_READ, 0, "mm.use_after_free",
        "freed memory"},
    {"byte_behind_a_block", THING_BEHIND, TOUCH_WRITE, 0, "mm.overrun",
        "end of a block"},
    {"data_executed", THING_DATA, TOUCH_EXECUTE, 0, "mm.no_execute", "data"},
    {"raised_data_executed", THING_DATA, TOUCH_EXECUTE, 2, "mm.no_execute",
        "data"},
    {"read_only_block_written", THING_READABLE, TOUCH_WRITE, 0, "mm.read_only",
        "read-only memory"},
    {"raised_read_only_block_written", THING_READABLE, TOUCH_WRITE, 2,
        "mm.read_only", "read-only memory"},
    {"raised_pageable_block", THING_PAGEABLE, TOUCH_READ, 2, "mm.paged_access",
        "pageable memory"},
    {"entries_executed", THING_ENTRIES, TOUCH_EXECUTE, 15, "mm.no_execute",
        "data"},
    {"entries_kept", THING_CLOSED, TOUCH_READ, 0, "hal.event_buffer.closed",
        "an event buffer"},
};

static const uint64_t fixed[] = {
    [THING_KERNEL] = 0xFFFFF80000000000,
    [THING_USER] = 0x10,
    [THING_LOWEST] = 0x800000000000,
    [THING_HIGHEST] = 0x7FFFFFFFFFFF,
    [THING_CLOSED] = 0,
};

static uint64_t address_of(struct booted_kernel *booted, enum thing thing)
{
    struct memory *memory = &booted->machine.memory;
    uint8_t *block;

    if (thing == THING_NOTHING) {
        return (uintptr_t)memory->base +
               (memory->page_count - 1) * MEMORY_PAGE_BYTES;
    }
    if (fixed[thing] != 0) {
        return fixed[thing];
    }
    block = booted_block(booted, MEMORY_PAGE_BYTES, 0);
    if (thing == THING_FREED) {
        memory_free(memory, block);
    } else if (thing == THING_READABLE) {
        assert_true(memory_set(memory, block, 1, MEMORY_READ, false));
    } else if (thing == THING_PAGEABLE) {
        assert_true(
            memory_set(memory, block, 1, MEMORY_READ | MEMORY_WRITE, true));
    } else if (thing == THING_ENTRIES || thing == THING_CLOSED) {
        memory_attach(
            memory, block, booted->kernel.event_buffers, MEMORY_PAGE_BYTES);
    }
    if (thing == THING_CLOSED || thing == THING_NO_ACCESS) {
        assert_true(memory_set(memory, block, 1, MEMORY_NONE, false));
    }
    return (uintptr_t)block + (thing == THING_BEHIND ? MEMORY_PAGE_BYTES : 0);
}

struct act {
    uint64_t address;
    enum touch_access access;
    KIRQL level;
    bool reserves; /* the address */
    bool raised;
    struct exception_record record;
};

static void touch_it(void *argument)
{
    struct act *act = argument;
    struct kernel *kernel = kernel_current();
    struct touch touch;

    if (act->reserves) {
        act->address = (uintptr_t)MmAllocateMappingAddress(4096, 1) + 4095;
    }
    if (act->level > 0) {
        KfRaiseIrql(act->level);
    }
    touch = touch_now(kernel, act->address, act->access);
    touch_refuse(&touch);
}

static void touch_main(void *argument)
{
    struct act *act = argument;

    act->raised = booted_catch(touch_it, act, &act->record);
}

static void touch_row(void **state)
{
    const struct touch_row *row = *state;
    struct booted_kernel booted;
    struct act act = {.access = row->access, .level = row->level};

    booted_init_usual(&booted);
    act.reserves = row->thing == THING_RESERVED;
    act.address = address_of(&booted, row->thing);
    if (row->want != NULL) {
        booted_run_to_stop(&booted, 0, touch_main, &act);
        assert_int_equal(booted.kernel.rules.count, 1);
        assert_string_equal(
            rule_rows[booted.kernel.rules.event[0].rule].id, row->want);
        assert_string_equal(
            booted.kernel.bugcheck.parameter[0].name, row->what);
        assert_int_equal(booted.kernel.bugcheck.parameter[1].value, row->level);
        assert_int_equal(
            booted.kernel.bugcheck.parameter[2].value, row->access);
        assert_string_equal(
            booted.kernel.bugcheck.parameter[3].name, "the driver's code");
    } else {
        booted_run(&booted, 0, touch_main, &act);
        assert_true(act.raised);
        assert_int_equal((uint32_t)act.record.code, 0xC0000005);
        assert_int_equal((uintptr_t)act.record.address, act.address);
        assert_int_equal(act.record.write, row->access == TOUCH_WRITE);
        assert_int_equal(booted.kernel.rules.count, 0);
    }
    booted_release(&booted);
}

static void store_for_an_answer(void *argument)
{
    struct touch touch =
        touch_now(kernel_current(), *(uint64_t *)argument, TOUCH_WRITE);

    touch.store = (struct answer_store){.routine = "NtpmuRoutine",
        .argument = 1,
        .at = touch.address,
        .size = 4};
    touch_refuse(&touch);
}

static void what_an_answer_stores_is_its_routines(void **state)
{
    struct booted_kernel booted;
    uint64_t address;

    (void)state;
    booted_init_usual(&booted);
    address = address_of(&booted, THING_READABLE);
    booted_run_to_stop(&booted, 0, store_for_an_answer, &address);
    assert_string_equal(
        booted.kernel.bugcheck.parameter[3].name, "NtpmuRoutine");
    booted_release(&booted);
}

TEST_FILE(test_touch)
{
    TEST_ADD_ROWS(list, touch_row, touch_rows);
    test_add(list, "what_an_answer_stores_is_its_routines",
        what_an_answer_stores_is_its_routines, NULL);
}
