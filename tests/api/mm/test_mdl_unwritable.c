/* test_mdl_unwritable.c - an MDL that cannot be written is not advanced: its
 * pages stay locked and mapped where they were (MDL-12b). */
#include "api/boot/exports.h"
#include "api/mm/mdl.h"
#include "tests/api/booted_kernel.h"

enum { PAGES = 2, TO_READ = 0, NORMAL_NOT_EXECUTABLE = 0x40000010 };

struct advance {
    struct booted_kernel booted;
    MDL *mdl; /* a page of its own */
    uint8_t *buffer;
    uint64_t mapped_at; /* from where it was */
    uint32_t locked;
    bool raised;
    struct exception_record record;
};

static void advance_now(void *argument)
{
    struct advance *advance = argument;

    MmAdvanceMdl(advance->mdl, MEMORY_PAGE_BYTES);
}

static void advance_caught(void *argument)
{
    struct advance *advance = argument;
    struct memory *memory = &advance->booted.machine.memory;
    const struct mdl *kept;
    PVOID mapping;

    *advance->mdl = (MDL){.Size = sizeof(MDL) + PAGES * 8,
        .StartVa = advance->buffer,
        .ByteCount = PAGES * MEMORY_PAGE_BYTES};
    MmProbeAndLockPages(advance->mdl, 0, TO_READ);
    mapping = MmMapLockedPagesSpecifyCache(
        advance->mdl, 0, 1, NULL, 0, NORMAL_NOT_EXECUTABLE);
    memory_set(memory, advance->mdl, 1, MEMORY_READ, false);
    advance->raised = booted_catch(advance_now, advance, &advance->record);
    memory_set(memory, advance->mdl, 1, MEMORY_READ | MEMORY_WRITE, false);
    kept = mdl_find(kernel_current(), advance->mdl);
    advance->locked = kept->locked_pages;
    advance->mapped_at = kept->mapped_at - (uintptr_t)mapping;
    MmUnmapLockedPages(mapping, advance->mdl);
    MmUnlockPages(advance->mdl);
}

static void pages_stay_where_they_are(void **state)
{
    struct advance advance = {.raised = false};

    (void)state;
    booted_init_usual(&advance.booted);
    advance.mdl = booted_block(&advance.booted, MEMORY_PAGE_BYTES, 0);
    advance.buffer =
        booted_block(&advance.booted, PAGES * MEMORY_PAGE_BYTES, 0);
    booted_run(&advance.booted, 0, advance_caught, &advance);
    assert_true(advance.raised);
    assert_int_equal((uint32_t)advance.record.code, 0xC0000005);
    assert_int_equal(advance.locked, PAGES);
    assert_int_equal(advance.mapped_at, 0);
    assert_int_equal(advance.booted.kernel.rules.count, 0);
    booted_release(&advance.booted);
}

TEST_FILE(test_mdl_unwritable)
{
    test_add(
        list, "pages_stay_where_they_are", pages_stay_where_they_are, NULL);
}
