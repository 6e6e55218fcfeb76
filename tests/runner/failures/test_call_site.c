/* test_call_site.c - what a call of an actor is named, and what is said of it.
 */
#include "scenarios/runner/failures/call_site.h"

#include "scenarios/runner/scenario/scenario.h"
#include "tests/api/booted_kernel.h"

static struct site_row {
    const char *name;
    enum routine routine;
    struct fault_way way;
    const char *want_name, *want_place;
} site_rows[] = {
    {"status", ROUTINE_IoCreateDevice,
        {(uint32_t)STATUS_INSUFFICIENT_RESOURCES, false},
        "IoCreateDevice@no_step",
        "IoCreateDevice returned STATUS_INSUFFICIENT_RESOURCES at no step"},
    {"null", ROUTINE_ExAllocatePool2, {0, false}, "ExAllocatePool2@no_step",
        "ExAllocatePool2 returned NULL at no step"},
    {"exception", ROUTINE_ExAllocatePool2, {0, true}, "ExAllocatePool2@no_step",
        "ExAllocatePool2 raised STATUS_INSUFFICIENT_RESOURCES at no step"},
    {"false", ROUTINE_ExTryToAcquireFastMutex, {0, false},
        "ExTryToAcquireFastMutex@no_step",
        "ExTryToAcquireFastMutex returned FALSE at no step"},
    {"wait", ROUTINE_KeWaitForSingleObject, {(uint32_t)STATUS_TIMEOUT, false},
        "KeWaitForSingleObject@no_step",
        "KeWaitForSingleObject returned STATUS_TIMEOUT at no step"},
};

struct made {
    struct kernel *kernel;
    const struct site_row *row;
    struct call_site site;
};

static void make(void *argument)
{
    static const struct scenario scenario = {.os = OS_WIN11};
    struct made *made = argument;

    call_site_make(&made->site, made->kernel, &scenario, made->row->routine,
        &made->row->way);
}

static void site_row(void **state)
{
    struct booted_kernel booted;
    struct made made = {&booted.kernel, *state, {.name = ""}};

    booted_init_usual(&booted);
    booted_run(&booted, 0, make, &made);
    assert_string_equal(made.site.name, made.row->want_name);
    assert_string_equal(made.site.place, made.row->want_place);
    booted_release(&booted);
}

TEST_FILE(test_call_site)
{
    TEST_ADD_ROWS(list, site_row, site_rows);
}
