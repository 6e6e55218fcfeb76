/* test_io_room.c - what a driver is given begins at a 16th byte, is as large as
 * it says, and ends with its memory: at the next 16th byte. */
#include "api/boot/exports.h"
#include "tests/api/io/io_scene.h"

enum { MOST = 40 };

struct room {
    struct io_scene scene;
    size_t size; /* bytes that are asked for */
    const uint8_t *start;
};

static void device_extension(struct room *room)
{
    PDEVICE_OBJECT *device = room->scene.device_out;

    IoCreateDevice(
        room->scene.driver->guest, (ULONG)room->size, NULL, 0x22, 0, 0, device);
    room->start = (*device)->DeviceExtension;
}

static void driver_extension(struct room *room)
{
    PVOID *block = (PVOID *)(void *)room->scene.device_out;

    IoAllocateDriverObjectExtension(room->scene.driver->guest,
        (PVOID)(uintptr_t)room->size, (ULONG)room->size, block);
    room->start = *block;
}

/* The part behind the device's, which begins with a backslash. */
static void file_name(struct room *room)
{
    static const char path[] = "\\Device\\Sampler\\aaaaaaaaaaaaaaaaaaaaaaaaa";
    char name[sizeof(path)] = "";
    struct io_file *file;

    memcpy(name, path, strlen("\\Device\\Sampler") + room->size / 2);
    program_open(kernel_current(), room->scene.driver, name, &file);
    room->start = (const uint8_t *)file->guest->FileName.Buffer;
}

static void file_object(struct room *room)
{
    scene_open_now(&room->scene);
    room->start = (const uint8_t *)room->scene.file->guest;
}

static void driver_object(struct room *room)
{
    room->start = (const uint8_t *)room->scene.driver->guest;
}

static struct room_row {
    const char *name;
    size_t least, step; /* sizes that are asked for; step 0: it has its own */
    void (*give)(struct room *room);
} room_rows[] = {
    {"device_extension", 1, 1, device_extension},
    {"driver_extension", 1, 1, driver_extension},
    {"file_name", 2, 2, file_name},
    {"file_object", sizeof(FILE_OBJECT), 0, file_object},
    {"driver_object", sizeof(DRIVER_OBJECT), 0, driver_object},
};

static const struct room_row *row_now;

static void give(void *argument)
{
    row_now->give(argument);
}

static void check_one(struct room *room)
{
    struct booted_kernel *booted = &room->scene.booted;
    const struct memory *memory = &booted->machine.memory;

    room->start = NULL;
    booted_run(booted, 0, give, room);
    assert_non_null(room->start);
    assert_int_equal((uintptr_t)room->start % 16, 0);
    assert_true(memory_is_open(memory, room->start, room->size));
    assert_false(
        memory_is_open(memory, room->start + (room->size + 15) / 16 * 16, 1));
}

static void room_row(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    struct room room;

    row_now = *state;
    scene_init(&room.scene, &plan);
    scene_load(&room.scene);
    room.size = row_now->least;
    do {
        check_one(&room);
        room.size += row_now->step;
    } while (row_now->step > 0 && room.size <= MOST);
    scene_release(&room.scene);
}

/* Of the last IRP_MJ_CREATE, while that was there. */
static struct seen {
    const IO_SECURITY_CONTEXT *at;
    IO_SECURITY_CONTEXT context;
} seen;

static uint64_t NTAPI create(uint64_t device, uint64_t irp, uint64_t third,
    uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    PIRP request = (PIRP)(uintptr_t)irp;
    const IO_STACK_LOCATION *location =
        request->Tail.Overlay.CurrentStackLocation;

    seen.at = location->Parameters.Create.SecurityContext;
    seen.context = *seen.at;
    return scene_dispatch(device, irp, third, fourth, fifth, sixth);
}

static void security_context_is_there_in_create_alone(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    code_function *dispatch = create;
    struct io_scene scene;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    scene.driver->guest->MajorFunction[0] = (void *)(uintptr_t)dispatch;
    booted_run(&scene.booted, 0, scene_open_now, &scene);
    assert_int_equal((uintptr_t)seen.at % 16, 0);
    assert_null(memory_find(&scene.booted.machine.memory, seen.at));
    assert_null(seen.context.SecurityQos);
    assert_null(seen.context.AccessState);
    assert_int_equal(seen.context.DesiredAccess, 0x12019F);
    assert_int_equal(seen.context.FullCreateOptions, 0);
    scene_release(&scene);
}

TEST_FILE(test_io_room)
{
    TEST_ADD_ROWS(list, room_row, room_rows);
    test_add(list, "security_context_is_there_in_create_alone",
        security_context_is_there_in_create_alone, NULL);
}
