/* test_mm_again.c - what a driver has given back is there again: as many MDLs
 * and as much memory, one after the other, as a long run needs. */
#include "api/boot/exports.h"
#include "api/mm/mdl.h"
#include "tests/api/booted_kernel.h"

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

TEST_FILE(test_mm_again)
{
    test_add(list, "many_mdls_are_made_one_after_the_other",
        many_mdls_are_made_one_after_the_other, NULL);
}
