/* test_mdl_chain.c - an IRP's chain of MDLs, as drivers leave it to
 * IoAllocateMdl (MDL-02). */
#include "api/boot/exports.h"
#include "api/mm/mdl.h"
#include "tests/api/booted_kernel.h"

enum { CHAINED = 100, BYTES = 64, NOWHERE = -1 };

struct chaining {
    struct booted_kernel booted;
    uint8_t *buffer;
    IRP *irp;
    MDL *chained[CHAINED];
    int back_to; /* the last one's Next is that one, or an address of none */
    MDL *made;
    bool raised;
};

/* Without one for NOWHERE: an address where nothing is. */
static void chain_now(void *argument)
{
    struct chaining *chaining = argument;
    MDL *last;

    for (int i = 0; i < CHAINED; i++) {
        chaining->chained[i] =
            IoAllocateMdl(chaining->buffer, BYTES, i > 0, 0, chaining->irp);
    }
    last = chaining->chained[CHAINED - 1];
    last->Next = chaining->back_to == NOWHERE
                     ? (MDL *)(void *)(uintptr_t)16
                     : chaining->chained[chaining->back_to];
}

static void append(void *argument)
{
    struct chaining *chaining = argument;

    chaining->made =
        IoAllocateMdl(chaining->buffer, BYTES, 1, 0, chaining->irp);
}

static void append_caught(void *argument)
{
    struct chaining *chaining = argument;
    struct exception_record record;

    chaining->raised = booted_catch(append, argument, &record);
}

static void chaining_init(struct chaining *chaining, int back_to)
{
    *chaining = (struct chaining){.back_to = back_to};
    booted_init_usual(&chaining->booted);
    chaining->buffer = booted_block(&chaining->booted, BYTES, 0);
    chaining->irp = booted_block(&chaining->booted, sizeof(IRP), 0);
    booted_run(&chaining->booted, 0, chain_now, chaining);
}

static unsigned count_kept(const struct chaining *chaining)
{
    unsigned count = 0;

    for (const struct mdl *mdl = chaining->booted.kernel.mdls->first;
         mdl != NULL; mdl = mdl->next) {
        count++;
    }
    return count;
}

static struct ring_row {
    const char *name;
    int back_to;
} ring_rows[] = {
    {"chain_that_comes_back_to_its_first", 0},
    {"chain_that_comes_back_to_its_middle", 37},
    {"chain_whose_last_is_its_own_next", CHAINED - 1},
};

static void ring_row(void **state)
{
    const struct ring_row *row = *state;
    struct chaining chaining;
    const struct kernel *kernel = &chaining.booted.kernel;
    unsigned kept;

    chaining_init(&chaining, row->back_to);
    kept = count_kept(&chaining);
    booted_run_to_stop(&chaining.booted, 0, append, &chaining);
    assert_int_equal(kernel->end.kind, RUN_TIMEOUT);
    assert_non_null(strstr(
        kernel->end.reason, "IoAllocateMdl comes to no end of the IRP's MDLs"));
    assert_int_equal(count_kept(&chaining), kept);
    booted_release(&chaining.booted);
}

static void chain_that_leads_nowhere_raises_and_makes_none(void **state)
{
    struct chaining chaining;

    (void)state;
    chaining_init(&chaining, NOWHERE);
    booted_run(&chaining.booted, 0, append_caught, &chaining);
    assert_true(chaining.raised);
    assert_int_equal(count_kept(&chaining), CHAINED);
    booted_release(&chaining.booted);
}

TEST_FILE(test_mdl_chain)
{
    TEST_ADD_ROWS(list, ring_row, ring_rows);
    test_add(list, "chain_that_leads_nowhere_raises_and_makes_none",
        chain_that_leads_nowhere_raises_and_makes_none, NULL);
}
