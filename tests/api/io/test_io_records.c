/* test_io_records.c - what comes and goes over and over takes no more memory
 * than once: the next one has the record of the last one. */
#include "api/boot/exports.h"
#include "api/io/io.h"
#include "tests/api/io/io_scene.h"

/* In the driver's memory. */
struct coming {
    struct io_scene scene;
    OBJECT_ATTRIBUTES *attributes;
    PVOID *object;
    HANDLE *handle;
    IO_STATUS_BLOCK *block;
};

static void open_and_close(struct coming *coming)
{
    scene_open_now(&coming->scene);
    scene_close_now(&coming->scene);
}

static void make_and_delete(struct coming *coming)
{
    PDEVICE_OBJECT *device = coming->scene.device_out;

    IoCreateDevice(
        coming->scene.driver->guest, 0, NULL, 0x22, 0, false, device);
    IoDeleteDevice(*device);
}

static void NTAPI nothing(PVOID context, PVOID first, PVOID second)
{
    (void)context;
    (void)first;
    (void)second;
}

static void register_and_unregister(struct coming *coming)
{
    ExCreateCallback(coming->object, coming->attributes, 1, 0);
    ExUnregisterCallback(ExRegisterCallback(*coming->object, nothing, NULL));
    ObfDereferenceObject(*coming->object);
}

static void directory(struct coming *coming)
{
    ZwCreateDirectoryObject(coming->handle, 3, coming->attributes);
    ZwClose(*coming->handle);
}

/* One that would stay is made to go. */
static void permanent_directory(struct coming *coming)
{
    coming->attributes->Attributes |= 0x10; /* OBJ_PERMANENT */
    ZwCreateDirectoryObject(coming->handle, 3, coming->attributes);
    ZwMakeTemporaryObject(*coming->handle);
    ZwClose(*coming->handle);
}

/* To a driver that has no routine for such a request. */
static void send(struct coming *coming, PIRP irp)
{
    IO_STACK_LOCATION *location = irp->Tail.Overlay.CurrentStackLocation;

    location[-1].MajorFunction = 15; /* IRP_MJ_INTERNAL_DEVICE_CONTROL */
    IofCallDriver(coming->scene.notes.device[0], irp);
}

/* A part of a master that has another one, too. */
static void send_a_part(struct coming *coming)
{
    PIRP master = IoAllocateIrp(1, 0);

    master->AssociatedIrp.IrpCount = 2;
    send(coming, IoMakeAssociatedIrp(master, 1));
}

static void send_a_built_one(struct coming *coming)
{
    send(coming,
        IoBuildDeviceIoControlRequest(0x222000, coming->scene.notes.device[0],
            NULL, 0, NULL, 0, 1, NULL, coming->block));
}

static void extend_and_unload(struct coming *coming)
{
    IoAllocateDriverObjectExtension(
        coming->scene.driver->guest, coming, 8, coming->object);
    scene_unload_now(&coming->scene);
}

static struct record_row {
    const char *name;
    size_t pool; /* in struct io */
    void (*come_and_go)(struct coming *coming);
} record_rows[] = {
    {"file", offsetof(struct io, file_pool), open_and_close},
    {"request", offsetof(struct io, request_pool), open_and_close},
    {"associated_request", offsetof(struct io, request_pool), send_a_part},
    {"built_request", offsetof(struct io, request_pool), send_a_built_one},
    {"device", offsetof(struct io, device_pool), make_and_delete},
    {"callback_object", offsetof(struct io, callback_pool),
        register_and_unregister},
    {"callback_routine", offsetof(struct io, registration_pool),
        register_and_unregister},
    {"directory", offsetof(struct io, directory_pool), directory},
    {"permanent_directory", offsetof(struct io, directory_pool),
        permanent_directory},
    {"driver", offsetof(struct io, driver_pool), extend_and_unload},
    {"extension", offsetof(struct io, extension_pool), extend_and_unload},
};

static const struct record_row *row_now;

static void come_and_go(void *argument)
{
    row_now->come_and_go(argument);
}

static void record_row(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    struct coming coming;
    struct booted_kernel *booted = &coming.scene.booted;
    const struct record_pool *pool;

    row_now = *state;
    scene_init(&coming.scene, &plan);
    scene_load(&coming.scene);
    coming.attributes = booted_block(booted, sizeof(OBJECT_ATTRIBUTES), 0);
    *coming.attributes =
        (OBJECT_ATTRIBUTES){.Length = sizeof(*coming.attributes),
            .ObjectName = scene_string(booted, "\\Device\\Own"),
            .Attributes = 0x200}; /* OBJ_KERNEL_HANDLE */
    coming.object = booted_block(booted, sizeof(PVOID), 0);
    coming.handle = booted_block(booted, sizeof(HANDLE), 0);
    coming.block = booted_block(booted, sizeof(*coming.block), 0);
    pool = (const void *)((const char *)booted->kernel.io + row_now->pool);
    assert_null(pool->first);
    booted_run(booted, 0, come_and_go, &coming);
    assert_non_null(pool->first);
    scene_release(&coming.scene);
}

TEST_FILE(test_io_records)
{
    TEST_ADD_ROWS(list, record_row, record_rows);
}
