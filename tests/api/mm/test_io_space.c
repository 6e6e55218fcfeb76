/* test_io_space.c - pages of physical memory that are opened to one instruction
 * of native code and closed behind it, each by itself. */
#include "api/boot/exports.h"
#include "api/mm/given_memory.h"
#include "api/mm/io_space.h"
#include "tests/api/booted_kernel.h"

enum { PAGES = 3, AT = 8 };

#define NOBODYS 0xFED10000u
#define REGISTERS 0xFEB00000u

static const struct given_register registers[] = {
    {.name = "ID", .at = 0, .bytes = 4}};
static const struct given_range range = {.name = "bar0",
    .kind = GIVEN_REGISTERS,
    .base = REGISTERS,
    .bytes = (uint64_t)PAGES * MEMORY_PAGE_BYTES,
    .reg = registers,
    .register_count = 1};
static const struct given_memory given = {.range = &range, .count = 1};

struct scene {
    struct booted_kernel booted;
    uint64_t physical;
    uint8_t *block;
};

static void map_now(void *argument)
{
    struct scene *scene = argument;

    scene->block = MmMapIoSpace(
        scene->physical, (SIZE_T)PAGES * MEMORY_PAGE_BYTES, MmNonCached);
}

static void init(struct scene *scene, uint64_t physical)
{
    *scene = (struct scene){.physical = physical};
    booted_init_usual(&scene->booted);
    given_memory_start(&scene->booted.kernel, &given);
    booted_run(&scene->booted, 0, map_now, scene);
    assert_non_null(scene->block);
}

/* What may be done to each page: to the middle one this, to the others that. */
static void check(const struct scene *scene, unsigned middle, unsigned others)
{
    const struct memory *memory = &scene->booted.machine.memory;

    for (int i = 0; i < PAGES; i++) {
        const uint8_t *page = scene->block + (size_t)i * MEMORY_PAGE_BYTES;

        for (unsigned one = MEMORY_READ; one <= MEMORY_EXECUTE; one <<= 1) {
            assert_int_equal(
                memory_allows(memory, page, MEMORY_PAGE_BYTES, one),
                ((i == 1 ? middle : others) & one) != 0);
        }
    }
}

static void store_to_nobody_s_page_is_dropped(void **state)
{
    struct scene scene;
    uint8_t *at;
    uint64_t address;

    (void)state;
    init(&scene, NOBODYS);
    at = scene.block + MEMORY_PAGE_BYTES + AT;
    address = (uintptr_t)at;
    check(&scene, MEMORY_READ, MEMORY_READ);
    assert_true(io_space_is_hole(&scene.booted.kernel, address));
    io_space_begin(&scene.booted.kernel, address);
    check(&scene, MEMORY_READ | MEMORY_WRITE, MEMORY_READ);
    *at = 0x5A;
    io_space_end(&scene.booted.kernel, address);
    check(&scene, MEMORY_READ, MEMORY_READ);
    assert_int_equal(*at, 0xFF);
    booted_release(&scene.booted);
}

static void device_s_page_has_one_value_for_one_instruction(void **state)
{
    struct scene scene;
    uint8_t *at;
    uint64_t address, physical;

    (void)state;
    init(&scene, REGISTERS);
    at = scene.block + MEMORY_PAGE_BYTES + AT;
    address = (uintptr_t)at;
    check(&scene, MEMORY_NONE, MEMORY_NONE);
    assert_false(io_space_is_hole(&scene.booted.kernel, address));
    assert_true(
        io_space_is_device(&scene.booted.kernel, address, true, &physical));
    assert_int_equal(physical, REGISTERS + MEMORY_PAGE_BYTES + AT);
    io_space_open_device(&scene.booted.kernel, address, 0x44332211, 4);
    check(&scene, MEMORY_READ | MEMORY_WRITE, MEMORY_NONE);
    assert_int_equal(at[-1], 0xFF);
    assert_memory_equal(at, "\x11\x22\x33\x44\xFF", 5);
    assert_int_equal(scene.block[MEMORY_PAGE_BYTES], 0xFF);
    assert_int_equal(scene.block[2 * MEMORY_PAGE_BYTES - 1], 0xFF);
    io_space_open_device(
        &scene.booted.kernel, address + MEMORY_PAGE_BYTES, 0, 1);
    io_space_close_device(&scene.booted.kernel, address);
    assert_false(
        memory_allows(&scene.booted.machine.memory, at, 1, MEMORY_READ));
    assert_int_equal(at[MEMORY_PAGE_BYTES], 0);
    io_space_close_device(&scene.booted.kernel, address + MEMORY_PAGE_BYTES);
    check(&scene, MEMORY_NONE, MEMORY_NONE);
    booted_release(&scene.booted);
}

TEST_FILE(test_io_space)
{
    test_add(list, "store_to_nobody_s_page_is_dropped",
        store_to_nobody_s_page_is_dropped, NULL);
    test_add(list, "device_s_page_has_one_value_for_one_instruction",
        device_s_page_has_one_value_for_one_instruction, NULL);
}
