/* test_mdl_in_mapping.c - MDLs that lie in memory which another MDL shows: they
 * end with that, and so do their own mappings (MDL-03). */
#include "api/boot/exports.h"
#include "api/mm/mdl.h"
#include "tests/api/booted_kernel.h"

enum { PAGES = 80, TO_WRITE = 1, PRIORITY = 16 };

/* Each MDL but the first lies where the one before is mapped. */
struct nest {
    struct booted_kernel booted;
    int pages; /* of these */
    uint8_t *page[PAGES];
    MDL *mdl[PAGES];
};

static void describe(MDL *mdl, uint8_t *page)
{
    *mdl = (MDL){.Size = sizeof(MDL) + 8,
        .StartVa = page,
        .ByteCount = MEMORY_PAGE_BYTES};
}

static void nest_now(void *argument)
{
    struct nest *nest = argument;

    nest->mdl[0] = IoAllocateMdl(nest->page[0], MEMORY_PAGE_BYTES, 0, 0, NULL);
    for (int i = 0; i < nest->pages; i++) {
        MmProbeAndLockPages(nest->mdl[i], 0, TO_WRITE);
        if (i + 1 < nest->pages) {
            nest->mdl[i + 1] = MmMapLockedPagesSpecifyCache(
                nest->mdl[i], 0, MmCached, NULL, 0, PRIORITY);
            describe(nest->mdl[i + 1], nest->page[i + 1]);
        }
    }
}

static void unlock_now(void *argument)
{
    MmUnlockPages(((struct nest *)argument)->mdl[0]);
}

static struct depth_row {
    const char *name;
    int pages;
    bool not_modelled;
} depth_rows[] = {
    {"three", 3, false},
    {"as_many_as_can_be", 61, false},
    {"one_more", 62, true},
    {"very_many", PAGES, true},
};

static void mdls_in_a_mapping_end_with_it(void **state)
{
    const struct depth_row *row = *state;
    struct nest nest;
    const struct kernel *kernel = &nest.booted.kernel;

    nest = (struct nest){.pages = row->pages};
    booted_init_usual(&nest.booted);
    for (int i = 0; i < row->pages; i++) {
        nest.page[i] = booted_block(&nest.booted, MEMORY_PAGE_BYTES, 0);
    }
    booted_run(&nest.booted, 0, nest_now, &nest);
    if (row->not_modelled) {
        booted_run_to_stop(&nest.booted, 0, unlock_now, &nest);
        assert_int_equal(kernel->end.kind, RUN_NOT_MODELLED);
    } else {
        booted_run(&nest.booted, 0, unlock_now, &nest);
        assert_int_equal(
            booted_broken(&nest.booted, RULE_MDL_FREED_LOCKED), row->pages - 1);
        assert_int_equal(kernel->rules.count, row->pages - 1);
        assert_ptr_equal(kernel->mdls->first, mdl_find(kernel, nest.mdl[0]));
        assert_ptr_equal(kernel->mdls->last, kernel->mdls->first);
        assert_int_equal(kernel->mdls->locks.count, 0);
    }
    booted_release(&nest.booted);
}

TEST_FILE(test_mdl_in_mapping)
{
    TEST_ADD_ROWS(list, mdls_in_a_mapping_end_with_it, depth_rows);
}
