/* test_io_work_item.c - a work item of a device has 88 bytes, whoever has
 * allocated it. */
#include "tests/api/io/io_scene.h"

enum { ITEM_BYTES = 88 };

struct items {
    struct io_scene scene;
    PVOID own; /* the driver's memory, no byte more than there has to be */
    ULONG size;
    size_t allocated;
};

static const struct io_plan usual = {.device = {"\\Device\\Works"}};

static void make_now(void *argument)
{
    struct items *items = argument;
    PDEVICE_OBJECT device = items->scene.notes.device[0];
    PVOID item = IoAllocateWorkItem(device);

    items->size = IoSizeofWorkItem();
    items->allocated =
        memory_find(&kernel_current()->machine->memory, item)->size;
    IoFreeWorkItem(item);
    IoInitializeWorkItem(device, items->own);
    IoUninitializeWorkItem(items->own);
}

static void work_item_has_88_bytes(void **state)
{
    struct items items;

    (void)state;
    scene_init(&items.scene, &usual);
    scene_load(&items.scene);
    items.own = booted_block(&items.scene.booted, ITEM_BYTES, 0);
    booted_run(&items.scene.booted, 0, make_now, &items);
    assert_int_equal(items.size, ITEM_BYTES);
    assert_int_equal(items.allocated, ITEM_BYTES);
    assert_int_equal(items.scene.booted.kernel.rules.count, 0);
    scene_release(&items.scene);
}

TEST_FILE(test_io_work_item)
{
    test_add(list, "work_item_has_88_bytes", work_item_has_88_bytes, NULL);
}
