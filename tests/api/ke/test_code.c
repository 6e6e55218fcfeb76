/* test_code.c - calls of code by its address: what interrupts have closed is
 * closed to the host before it runs. */
#define _POSIX_C_SOURCE 200809L
#include "api/ke/code.h"
#include "tests/api/booted_kernel.h"
#include "tests/sim/base/host_byte.h"

struct scene {
    struct booted_kernel booted;
    uint8_t *page;
    uint64_t open; /* as the code saw it */
};

static uint64_t NTAPI look(uint64_t page, uint64_t second, uint64_t third,
    uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    (void)second;
    (void)third;
    (void)fourth;
    (void)fifth;
    (void)sixth;
    return host_byte_is_open((void *)(uintptr_t)page);
}

static void close_and_call(void *argument)
{
    struct scene *scene = argument;
    const uint64_t arguments[CODE_ARGUMENTS] = {(uintptr_t)scene->page};

    memory_close_late(&scene->booted.machine.memory, scene->page, 1);
    scene->open = code_call(&scene->booted.kernel, (uintptr_t)look, arguments);
}

static void code_finds_closed_what_was_to_be_closed(void **state)
{
    struct scene scene = {.open = true};

    (void)state;
    booted_init_usual(&scene.booted);
    scene.page =
        memory_alloc(&scene.booted.machine.memory, MEMORY_PAGE_BYTES, 0);
    assert_non_null(scene.page);
    booted_run(&scene.booted, 0, close_and_call, &scene);
    assert_int_equal(scene.open, false);
    booted_release(&scene.booted);
}

TEST_FILE(test_code)
{
    test_add(list, "code_finds_closed_what_was_to_be_closed",
        code_finds_closed_what_was_to_be_closed, NULL);
}
