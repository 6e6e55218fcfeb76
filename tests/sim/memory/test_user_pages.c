/* test_user_pages.c - pages of programs' blocks, closed to the host and opened
 * by page; what the guest may do is said as before. */
#define _POSIX_C_SOURCE 200809L
#include "sim/memory/memory.h"
#include "sim/memory/user_pages.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

#define ADDRESS UINT64_C(0x190000000000)

enum { PAGE = 4096, PAGES = 16, USER_PAGES = 8 };

struct scene {
    struct memory memory;
    uint8_t *first;  /* of two pages */
    uint8_t *second; /* of one */
    uint8_t *kernel;
};

static void scene_init(struct scene *scene)
{
    assert_true(memory_reserve(&scene->memory, ADDRESS, (size_t)PAGES * PAGE));
    memory_give_user(&scene->memory, USER_PAGES);
    scene->first = memory_user_alloc(&scene->memory, 8192, 0x5A);
    scene->second = memory_user_alloc(&scene->memory, 4096, 0x5B);
    scene->kernel = memory_alloc(&scene->memory, 4096, 0x5C);
    assert_non_null(scene->first);
    assert_non_null(scene->second);
    assert_non_null(scene->kernel);
}

static void closed_pages_are_the_programs_alone(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    user_pages_close(&scene.memory);
    assert_false(host_byte_is_open(scene.first));
    assert_false(host_byte_is_open(scene.first + 4096));
    assert_false(host_byte_is_open(scene.second));
    assert_true(host_byte_is_open(scene.kernel));
    assert_true(memory_is_open(&scene.memory, scene.first, 8192));
    assert_true(memory_is_usable(&scene.memory, scene.first, 8192));
    memory_release(&scene.memory);
}

static void pages_of_the_bytes_are_opened(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    user_pages_close(&scene.memory);
    assert_true(user_pages_open(&scene.memory, scene.first + 4095, 1));
    assert_true(host_byte_is_open(scene.first));
    assert_false(host_byte_is_open(scene.first + 4096));
    assert_true(user_pages_open(&scene.memory, scene.first + 4095, 2));
    assert_true(host_byte_is_open(scene.first + 4096));
    assert_int_equal(scene.first[4096], 0x5A);
    assert_false(host_byte_is_open(scene.second));
    memory_release(&scene.memory);
}

static void what_is_open_or_nobodys_is_not_opened(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    assert_false(user_pages_open(&scene.memory, scene.first, 8192));
    user_pages_close(&scene.memory);
    assert_false(user_pages_open(&scene.memory, scene.first, 0));
    assert_false(user_pages_open(&scene.memory, scene.first + 8192, 1));
    assert_false(user_pages_open(&scene.memory, scene.second + 8192, 1));
    assert_false(user_pages_open(&scene.memory, scene.kernel, 1));
    assert_false(host_byte_is_open(scene.first + 8192));
    memory_release(&scene.memory);
}

static void all_are_opened_but_guards_and_freed_ones(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    user_pages_close(&scene.memory);
    memory_free(&scene.memory, scene.second);
    user_pages_open_all(&scene.memory);
    assert_true(host_byte_is_open(scene.first));
    assert_true(host_byte_is_open(scene.first + 8191));
    assert_false(host_byte_is_open(scene.first + 8192));
    assert_false(host_byte_is_open(scene.second));
    memory_release(&scene.memory);
}

static void block_made_meanwhile_is_open(void **state)
{
    struct scene scene;
    uint8_t *third;

    (void)state;
    scene_init(&scene);
    user_pages_close(&scene.memory);
    third = memory_user_alloc(&scene.memory, 10, 0x5D);
    assert_non_null(third);
    assert_true(host_byte_is_open(third));
    user_pages_close(&scene.memory);
    assert_false(host_byte_is_open(third));
    memory_release(&scene.memory);
}

TEST_FILE(test_user_pages)
{
    test_add(list, "closed_pages_are_the_programs_alone",
        closed_pages_are_the_programs_alone, NULL);
    test_add(list, "pages_of_the_bytes_are_opened",
        pages_of_the_bytes_are_opened, NULL);
    test_add(list, "what_is_open_or_nobodys_is_not_opened",
        what_is_open_or_nobodys_is_not_opened, NULL);
    test_add(list, "all_are_opened_but_guards_and_freed_ones",
        all_are_opened_but_guards_and_freed_ones, NULL);
    test_add(list, "block_made_meanwhile_is_open", block_made_meanwhile_is_open,
        NULL);
}
