/* test_io_opaque.c - objects that are nobody's to look into have no bytes, so
 * that a driver that does is caught. */
#include "tests/api/io/io_scene.h"

struct opened {
    struct io_scene scene;
    OBJECT_ATTRIBUTES *attributes;
    HANDLE *handle;
    PVOID *object;
    size_t size;
};

static const struct io_plan usual = {.device = {"\\Device\\Opaque"},
    .link = "\\?\?\\Opaque",
    .target = "\\Device\\Opaque"};

static NTSTATUS open_link(struct opened *opened)
{
    return ZwOpenSymbolicLinkObject(opened->handle, 1, opened->attributes);
}

static NTSTATUS open_section(struct opened *opened)
{
    return ZwOpenSection(opened->handle, 6, opened->attributes);
}

static struct opaque_row {
    const char *name, *path;
    NTSTATUS (*open)(struct opened *opened);
} opaque_rows[] = {
    {"symbolic_link", "\\?\?\\Opaque", open_link},
    {"section", "\\Device\\PhysicalMemory", open_section},
};

static const struct opaque_row *opaque;

static void open_now(void *argument)
{
    struct opened *opened = argument;

    opened->scene.status = opaque->open(opened);
    ObReferenceObjectByHandle(
        *opened->handle, 0, NULL, 0, opened->object, NULL);
    opened->size =
        memory_find(&kernel_current()->machine->memory, *opened->object)->size;
}

static void opaque_row(void **state)
{
    struct opened opened = {.size = 1};
    struct booted_kernel *booted = &opened.scene.booted;

    opaque = *state;
    scene_init(&opened.scene, &usual);
    scene_load(&opened.scene);
    opened.attributes = booted_block(booted, sizeof(*opened.attributes), 0);
    opened.handle = booted_block(booted, sizeof(*opened.handle), 0);
    opened.object = booted_block(booted, sizeof(*opened.object), 0);
    *opened.attributes =
        (OBJECT_ATTRIBUTES){.Length = sizeof(*opened.attributes),
            .ObjectName = scene_string(booted, opaque->path),
            .Attributes = 0x200}; /* OBJ_KERNEL_HANDLE */
    booted_run(booted, 0, open_now, &opened);
    assert_int_equal(opened.scene.status, STATUS_SUCCESS);
    assert_int_equal(opened.size, 0);
    scene_release(&opened.scene);
}

TEST_FILE(test_io_opaque)
{
    TEST_ADD_ROWS(list, opaque_row, opaque_rows);
}
