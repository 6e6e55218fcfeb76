/* test_memory_late.c - pages that are closed to the guest at once, and to the
 * host when code goes on that might touch them. */
#define _POSIX_C_SOURCE 200809L
#include "sim/memory/memory.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

#define ADDRESS UINT64_C(0x190000000000)

enum { PAGE = 4096, PAGES = 32, BLOCKS = 2 };

struct scene {
    struct memory memory;
    uint8_t *block[BLOCKS]; /* of three pages each */
};

static void scene_init(struct scene *scene)
{
    assert_true(memory_reserve(&scene->memory, ADDRESS, (size_t)PAGES * PAGE));
    for (int i = 0; i < BLOCKS; i++) {
        scene->block[i] = memory_alloc(&scene->memory, 3 * PAGE, 0);
        assert_non_null(scene->block[i]);
    }
}

/* Each page of a block is as this says to the host. */
static void assert_host(const struct scene *scene, int block, const char *want)
{
    for (int page = 0; page < 3; page++) {
        assert_int_equal(host_byte_is_open(scene->block[block] + page * PAGE),
            want[page] == 'o');
    }
}

static void close_late(struct scene *scene, int block, size_t first, size_t n)
{
    memory_close_late(&scene->memory, scene->block[block] + first * PAGE, n);
}

static void open(struct scene *scene, int block, size_t first, size_t n)
{
    assert_true(memory_set(&scene->memory, scene->block[block] + first * PAGE,
        n, MEMORY_READ | MEMORY_WRITE, false));
}

static void guest_is_shut_out_at_once_and_the_host_later(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    close_late(&scene, 0, 1, 2);
    for (int page = 0; page < 3; page++) {
        uint8_t *at = scene.block[0] + page * PAGE;

        assert_int_equal(
            memory_allows(&scene.memory, at, 1, MEMORY_READ), page == 0);
        assert_int_equal(
            memory_allows(&scene.memory, at, 1, MEMORY_WRITE), page == 0);
        assert_int_equal(memory_is_open(&scene.memory, at, 1), page == 0);
    }
    assert_host(&scene, 0, "ooo");
    memory_settle(&scene.memory);
    assert_host(&scene, 0, "o--");
    assert_host(&scene, 1, "ooo");
    memory_release(&scene.memory);
}

static void opened_again_in_time_they_stay_open(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    close_late(&scene, 0, 0, 3);
    open(&scene, 0, 0, 3);
    memory_settle(&scene.memory);
    assert_host(&scene, 0, "ooo");
    close_late(&scene, 0, 0, 3);
    memory_settle(&scene.memory);
    assert_host(&scene, 0, "---");
    open(&scene, 0, 0, 3);
    assert_host(&scene, 0, "ooo");
    memory_release(&scene.memory);
}

/* One range at a time is late: another one, of other pages or of more or fewer,
 * comes behind it. */
static struct second_row {
    const char *name;
    int block;
    size_t first, pages;
    const char *want; /* of block 0, before anything is settled */
} second_rows[] = {
    {"the_same_again_is_late_still", 0, 0, 2, "ooo"},
    {"another_block_comes_behind", 1, 0, 2, "--o"},
    {"another_first_page_comes_behind", 0, 1, 2, "--o"},
    {"fewer_pages_come_behind", 0, 0, 1, "--o"},
    {"more_pages_come_behind", 0, 0, 3, "--o"},
};

static void second_row(void **state)
{
    const struct second_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    close_late(&scene, 0, 0, 2);
    close_late(&scene, row->block, row->first, row->pages);
    assert_host(&scene, 0, row->want);
    memory_settle(&scene.memory);
    for (size_t page = 0; page < row->pages; page++) {
        assert_false(host_byte_is_open(
            scene.block[row->block] + (row->first + page) * PAGE));
    }
    assert_host(&scene, 0,
        row->block == 0 && row->first + row->pages == 3 ? "---" : "--o");
    memory_release(&scene.memory);
}

static void freed_block_is_closed_at_once(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    close_late(&scene, 1, 0, 3);
    memory_free(&scene.memory, scene.block[1]);
    assert_host(&scene, 1, "---");
    memory_settle(&scene.memory);
    assert_host(&scene, 0, "ooo");
    assert_host(&scene, 1, "---");
    memory_release(&scene.memory);
}

static void nothing_is_late_behind_a_reset(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    close_late(&scene, 0, 0, 3);
    memory_reset(&scene.memory);
    assert_host(&scene, 0, "---");
    assert_ptr_equal(memory_alloc(&scene.memory, PAGE, 0), scene.block[0]);
    memory_settle(&scene.memory);
    assert_host(&scene, 0, "o--");
    memory_release(&scene.memory);
}

TEST_FILE(test_memory_late)
{
    test_add(list, "guest_is_shut_out_at_once_and_the_host_later",
        guest_is_shut_out_at_once_and_the_host_later, NULL);
    test_add(list, "opened_again_in_time_they_stay_open",
        opened_again_in_time_they_stay_open, NULL);
    TEST_ADD_ROWS(list, second_row, second_rows);
    test_add(list, "freed_block_is_closed_at_once",
        freed_block_is_closed_at_once, NULL);
    test_add(list, "nothing_is_late_behind_a_reset",
        nothing_is_late_behind_a_reset, NULL);
}
