/* test_mm_again.c - what a driver has given back is there again: as many MDLs
 * and as much memory, one after the other, as a long run needs. */
#include "api/boot/exports.h"
#include "api/mm/mdl.h"
#include "api/mm/probing.h"
#include "tests/api/booted_kernel.h"

enum { SIZE = 64 << 20 };

struct again {
    struct booted_kernel booted;
    unsigned times;
    unsigned done; /* times that succeeded */
    uint8_t *buffer;
};

static void mdls_now(void *argument)
{
    struct again *again = argument;

    for (unsigned i = 0; i < again->times; i++) {
        MDL *mdl = IoAllocateMdl(again->buffer, 100, 0, 0, NULL);

        if (mdl == NULL) {
            return;
        }
        IoFreeMdl(mdl);
        again->done++;
    }
}

/* Each in a page where none was, until the region is gone round. */
static void many_mdls_are_made_one_after_the_other(void **state)
{
    struct again again = {.times = 200000};
    size_t used;

    (void)state;
    booted_init_usual(&again.booted);
    again.booted.machine.trace.off = true;
    again.buffer = booted_block(&again.booted, 100, 0);
    booted_run(&again.booted, 0, mdls_now, &again);
    assert_int_equal(again.done, again.times);
    used = again.booted.machine.arena.used;
    again.times = 1000;
    booted_run(&again.booted, 0, mdls_now, &again);
    assert_int_equal(again.booted.machine.arena.used, used);
    booted_release(&again.booted);
}

static void contiguous_now(void *argument)
{
    struct again *again = argument;

    for (unsigned i = 0; i < again->times; i++) {
        uint8_t *bytes = MmAllocateContiguousMemory(SIZE, UINT64_MAX);

        if (bytes == NULL || bytes[0] != 0xCD || bytes[SIZE - 1] != 0xCD) {
            return;
        }
        bytes[0] = 1;
        bytes[SIZE - 1] = 2;
        MmFreeContiguousMemory(bytes);
        again->done++;
    }
}

static void pages_now(void *argument)
{
    struct again *again = argument;

    for (unsigned i = 0; i < again->times; i++) {
        PMDL mdl = MmAllocatePagesForMdl(0, UINT64_MAX, 0, SIZE);

        if (mdl == NULL) {
            return;
        }
        MmFreePagesFromMdl(mdl);
        ExFreePool(mdl);
        again->done++;
    }
}

/* 1 GiB altogether, of which 256 MiB can be there at once. */
static struct again_row {
    const char *name;
    void (*function)(void *argument);
} again_rows[] = {
    {"contiguous_memory_that_was_freed_is_there_again", contiguous_now},
    {"pages_that_were_freed_are_there_again", pages_now},
};

static void again_row(void **state)
{
    const struct again_row *row = *state;
    struct again again = {.times = (1 << 30) / SIZE};

    booted_init_usual(&again.booted);
    again.booted.machine.trace.off = true;
    booted_run(&again.booted, 0, row->function, &again);
    assert_int_equal(again.done, again.times);
    assert_in_range(
        again.booted.machine.memory.frames.used, 1, SIZE / MEMORY_PAGE_BYTES);
    booted_release(&again.booted);
}

static void locks_now(void *argument)
{
    struct again *again = argument;
    MDL *mdl = IoAllocateMdl(again->buffer, 100, 0, 0, NULL);

    for (unsigned i = 0; i < again->times; i++) {
        MmProbeAndLockPages(mdl, 0, 1);
        MmMapLockedPagesSpecifyCache(mdl, 0, MmCached, NULL, 0, 16);
        MmUnlockPages(mdl);
        again->done++;
    }
    IoFreeMdl(mdl);
}

static void io_space_now(void *argument)
{
    struct again *again = argument;

    for (unsigned i = 0; i < again->times; i++) {
        MmUnmapIoSpace(MmMapIoSpace(0xFED10000, 8, MmNonCached), 8);
        again->done++;
    }
}

static void pages_of_one_now(void *argument)
{
    struct again *again = argument;

    for (unsigned i = 0; i < again->times; i++) {
        PMDL mdl = MmAllocatePagesForMdl(0, UINT64_MAX, 0, 1);

        MmFreePagesFromMdl(mdl);
        ExFreePool(mdl);
        again->done++;
    }
}

/* Two ranges, the second of which grows at either end. */
static void probes_now(void *argument)
{
    struct again *again = argument;
    struct kernel *kernel = &again->booted.kernel;

    for (unsigned i = 0; i < again->times; i++) {
        struct probing probing;

        probing_begin(kernel, &probing);
        probing_add(kernel, again->buffer, 10);
        probing_add(kernel, again->buffer + 50, 10);
        probing_add(kernel, again->buffer + 60, 10);
        probing_add(kernel, again->buffer + 40, 10);
        probing_add(kernel, again->buffer + 45, 10);
        probing_leave(kernel, &probing);
        probing_end(kernel, &probing);
        again->done++;
    }
}

static struct room_row {
    const char *name;
    void (*function)(void *argument);
} room_rows[] = {
    {"many_locks_take_the_room_of_one", locks_now},
    {"many_mappings_take_the_room_of_one", io_space_now},
    {"many_runs_of_pages_take_the_room_of_one", pages_of_one_now},
    {"what_is_probed_for_many_requests_takes_the_room_of_one", probes_now},
};

static void room_row(void **state)
{
    const struct room_row *row = *state;
    struct again again = {.times = 10};
    size_t used;

    booted_init_usual(&again.booted);
    again.booted.machine.trace.off = true;
    again.buffer = booted_block(&again.booted, 100, 0);
    booted_run(&again.booted, 0, row->function, &again);
    used = again.booted.machine.arena.used;
    again.times = 1000;
    booted_run(&again.booted, 0, row->function, &again);
    assert_int_equal(again.done, 1010);
    assert_int_equal(again.booted.machine.arena.used, used);
    booted_release(&again.booted);
}

TEST_FILE(test_mm_again)
{
    TEST_ADD_ROWS(list, again_row, again_rows);
    test_add(list, "many_mdls_are_made_one_after_the_other",
        many_mdls_are_made_one_after_the_other, NULL);
    TEST_ADD_ROWS(list, room_row, room_rows);
}
