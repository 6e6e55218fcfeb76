/* test_mdl_in_mapping.c - MDLs that lie in memory which another MDL shows: they
 * end with that, and so do their own mappings (MDL-03). */
#include "api/boot/exports.h"
#include "api/mm/mdl.h"
#include "tests/api/booted_kernel.h"

enum { PAGES = 3, TO_WRITE = 1, PRIORITY = 16 };

/* Each MDL but the first lies where the one before is mapped. */
struct nest {
    struct booted_kernel booted;
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
    for (int i = 0; i < PAGES; i++) {
        MmProbeAndLockPages(nest->mdl[i], 0, TO_WRITE);
        if (i + 1 < PAGES) {
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

static void mdls_in_a_mapping_end_with_it(void **state)
{
    struct nest nest;
    const struct kernel *kernel = &nest.booted.kernel;

    (void)state;
    nest = (struct nest){.mdl = {NULL}};
    booted_init_usual(&nest.booted);
    for (int i = 0; i < PAGES; i++) {
        nest.page[i] = booted_block(&nest.booted, MEMORY_PAGE_BYTES, 0);
    }
    booted_run(&nest.booted, 0, nest_now, &nest);
    booted_run(&nest.booted, 0, unlock_now, &nest);
    assert_int_equal(booted_broken(&nest.booted, RULE_MDL_FREED_LOCKED), 2);
    assert_int_equal(kernel->rules.count, 2);
    assert_ptr_equal(kernel->mdls->first, mdl_find(kernel, nest.mdl[0]));
    assert_ptr_equal(kernel->mdls->last, kernel->mdls->first);
    assert_int_equal(kernel->mdls->locks.count, 0);
    booted_release(&nest.booted);
}

TEST_FILE(test_mdl_in_mapping)
{
    test_add(list, "mdls_in_a_mapping_end_with_it",
        mdls_in_a_mapping_end_with_it, NULL);
}
