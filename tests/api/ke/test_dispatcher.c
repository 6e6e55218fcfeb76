/* test_dispatcher.c - a thread leaves its processor until it is ready, and what
 * has come before does not last longer than for one time. */
#include "api/ke/dispatcher.h"

#include "tests/api/booted_kernel.h"

enum { LATER = 100000 };

struct parked {
    struct strand *strand;
    uint64_t first, second; /* when it went on */
};

static void park_twice(void *argument)
{
    struct parked *parked = argument;
    struct kernel *kernel = kernel_current();

    parked->strand = strand_current(kernel->machine);
    dispatcher_ready(kernel, parked->strand);
    dispatcher_park(kernel, SWITCH_EXECUTIVE);
    parked->first = kernel_cpu(kernel)->time;
    dispatcher_park(kernel, SWITCH_EXECUTIVE);
    parked->second = kernel_cpu(kernel)->time;
}

static void make_ready_later(void *argument)
{
    const struct parked *parked = argument;
    struct kernel *kernel = kernel_current();

    cpu_spin(kernel_cpu(kernel), LATER);
    dispatcher_ready(kernel, parked->strand);
}

static void what_came_before_lasts_for_one_park(void **state)
{
    struct parked parked = {.strand = NULL};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_spawn(&booted, 1, make_ready_later, &parked);
    booted_run(&booted, 0, park_twice, &parked);
    assert_in_range(parked.first, 1, LATER - 1);
    assert_in_range(parked.second, LATER, UINT64_MAX);
    booted_release(&booted);
}

TEST_FILE(test_dispatcher)
{
    test_add(list, "what_came_before_lasts_for_one_park",
        what_came_before_lasts_for_one_park, NULL);
}
