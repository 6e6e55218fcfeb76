/* test_io_device.c - IoCreateDevice and IoDeleteDevice (pages of those names).
 */
#include "api/boot/exports.h"
#include "api/io/io.h"
#include "tests/api/io/io_scene.h"

/* One call of IoCreateDevice by a driver that has \Device\Taken and the link
 * \??\Taken. */
struct creation {
    struct io_scene scene;
    PUNICODE_STRING name;
    ULONG extension, characteristics;
    BOOLEAN exclusive;
    PDEVICE_OBJECT *out;
    PDRIVER_OBJECT driver;
    NTSTATUS status;
    bool raised;
    struct exception_record record;
};

static const struct io_plan usual = {.device = {"\\Device\\Taken"},
    .link = "\\?\?\\Taken",
    .target = "\\Device\\Taken"};

static void creation_init(struct creation *creation, const char *name)
{
    *creation = (struct creation){.extension = 24};
    scene_init(&creation->scene, &usual);
    scene_load(&creation->scene);
    creation->name = scene_string(&creation->scene.booted, name);
    creation->out = creation->scene.device_out;
    creation->driver = creation->scene.driver->guest;
}

static void create_now(void *argument)
{
    struct creation *creation = argument;

    creation->status = IoCreateDevice(creation->driver, creation->extension,
        creation->name, 0x22, creation->characteristics, creation->exclusive,
        creation->out);
}

static void create_caught(void *argument)
{
    struct creation *creation = argument;

    creation->raised = booted_catch(create_now, creation, &creation->record);
}

static struct status_row {
    const char *name;
    const char *device;
    ULONG extension;
    uint32_t want;
} status_rows[] = {
    {"named_device", "\\Device\\New", 24, 0},
    {"unnamed_device", NULL, 24, 0},
    {"device_without_an_extension", "\\Device\\New", 0, 0},
    {"name_that_is_taken", "\\Device\\Taken", 24, 0xC0000035},
    {"name_that_is_taken_in_other_case", "\\device\\TAKEN", 24, 0xC0000035},
    {"name_of_a_link", "\\DosDevices\\Taken", 24, 0xC0000035},
    {"name_of_the_driver", "\\Driver\\sampler", 24, 0xC0000035},
    {"name_that_is_no_path", "New", 24, 0xC000003B},
    {"name_in_no_directory", "\\Nowhere\\New", 24, 0xC000003A},
    {"extension_of_4_gib", "\\Device\\New", 0xFFFFFFFF, 0xC000009A},
};

static void status_row(void **state)
{
    const struct status_row *row = *state;
    struct creation creation;

    creation_init(&creation, row->device);
    creation.extension = row->extension;
    *creation.out = NULL;
    booted_run(&creation.scene.booted, 0, create_now, &creation);
    assert_int_equal((uint32_t)creation.status, row->want);
    assert_int_equal(*creation.out != NULL, row->want == 0);
    scene_release(&creation.scene);
}

static void device_is_as_documented(void **state)
{
    struct creation creation;
    const DEVICE_OBJECT *device;
    const DEVOBJ_EXTENSION *more;
    const uint8_t *extension;

    (void)state;
    creation_init(&creation, "\\Device\\New");
    creation.exclusive = 1;
    creation.characteristics = 0x100;
    booted_run(&creation.scene.booted, 0, create_now, &creation);
    device = *creation.out;
    extension = device->DeviceExtension;
    more = device->DeviceObjectExtension;
    assert_int_equal((uintptr_t)device % 16, 0);
    assert_int_equal(device->Type, 3);
    assert_int_equal(device->Size, 328 + 24);
    assert_int_equal(device->ReferenceCount, 0);
    assert_ptr_equal(device->DriverObject, creation.driver);
    assert_int_equal(device->Flags, 0x80 | 0x40 | 0x8);
    assert_int_equal(device->Characteristics, 0x100);
    assert_int_equal(device->DeviceType, 0x22);
    assert_int_equal(device->StackSize, 1);
    assert_int_equal(device->AlignmentRequirement, 0);
    assert_int_equal(more->Type, 13);
    assert_ptr_equal(more->DeviceObject, device);
    assert_int_equal((uintptr_t)extension % 16, 0);
    for (unsigned i = 0; i < 24; i++) {
        assert_int_equal(extension[i], 0);
    }
    /* The newest is the first of the driver's list. */
    assert_ptr_equal(creation.driver->DeviceObject, device);
    assert_ptr_equal(device->NextDevice, creation.scene.notes.device[0]);
    scene_release(&creation.scene);
}

static void device_without_an_extension_has_a_null_one(void **state)
{
    struct creation creation;

    (void)state;
    creation_init(&creation, "\\Device\\New");
    creation.extension = 0;
    booted_run(&creation.scene.booted, 0, create_now, &creation);
    assert_null((*creation.out)->DeviceExtension);
    scene_release(&creation.scene);
}

static void extension_of_a_byte_is_one(void **state)
{
    struct creation creation;
    const DEVICE_OBJECT *device;

    (void)state;
    creation_init(&creation, "\\Device\\New");
    creation.extension = 1;
    booted_run(&creation.scene.booted, 0, create_now, &creation);
    device = *creation.out;
    assert_int_equal(device->Size, 328 + 1);
    assert_ptr_equal(device->DeviceExtension, (const uint8_t *)device + 336);
    scene_release(&creation.scene);
}

/* As bus drivers have them. */
static void device_of_windows_itself_is_ready(void **state)
{
    struct creation creation;
    const struct io_device *device;

    (void)state;
    creation_init(&creation, NULL);
    device = io_device_make(
        &creation.scene.booted.kernel, creation.scene.driver, "\\Device\\Own");
    assert_int_equal(device->guest->DeviceType, 0x2A); /* a bus extender */
    assert_int_equal(device->guest->Flags, 0x40);
    assert_int_equal(device->guest->Characteristics, 0);
    assert_int_equal(device->guest->StackSize, 1);
    assert_null(device->guest->DeviceExtension);
    assert_int_equal(device->guest->DeviceQueue.Type, 20);
    scene_release(&creation.scene);
}

static void generated_name_is_in_device(void **state)
{
    struct creation creation;
    struct io_device *device;
    char text[OBJECT_NAME_TEXT_BYTES];

    (void)state;
    creation_init(&creation, NULL);
    creation.characteristics = 0x80;
    booted_run(&creation.scene.booted, 0, create_now, &creation);
    device = io_device_at(&creation.scene.booted.kernel, *creation.out);
    assert_non_null(device);
    object_name_text(&device->object.name, text);
    assert_string_equal(text, "\\Device\\00000001");
    scene_release(&creation.scene);
}

static void bad_result_pointer_raises_and_makes_nothing(void **state)
{
    struct creation creation;
    struct io_device *before;

    (void)state;
    creation_init(&creation, "\\Device\\New");
    before = creation.scene.driver->devices;
    creation.out = NULL;
    booted_run(&creation.scene.booted, 0, create_caught, &creation);
    assert_true(creation.raised);
    assert_int_equal((uint32_t)creation.record.code, 0xC0000005);
    assert_ptr_equal(creation.scene.driver->devices, before);
    scene_release(&creation.scene);
}

static void bad_name_buffer_raises(void **state)
{
    struct creation creation;

    (void)state;
    creation_init(&creation, "\\Device\\New");
    creation.name->Buffer = NULL;
    booted_run(&creation.scene.booted, 0, create_caught, &creation);
    assert_true(creation.raised);
    scene_release(&creation.scene);
}

static void driver_object_that_is_none_stops_the_machine(void **state)
{
    struct creation creation;

    (void)state;
    creation_init(&creation, "\\Device\\New");
    creation.driver = (PDRIVER_OBJECT)(void *)creation.out;
    booted_run_to_stop(&creation.scene.booted, 0, create_now, &creation);
    assert_int_equal(creation.scene.booted.kernel.bugcheck.code, 0xC9);
    assert_int_equal(
        booted_broken(&creation.scene.booted, RULE_IO_NOT_OBJECT), 1);
    scene_release(&creation.scene);
}

/* Deleting. */
static void delete_first(void *argument)
{
    struct io_scene *scene = argument;

    IoDeleteDevice(scene->notes.device[0]);
}

static void delete_second(void *argument)
{
    struct io_scene *scene = argument;

    IoDeleteDevice(scene->notes.device[1]);
}

static void deleted_device_leaves_the_list(void **state)
{
    const struct io_plan plan = {
        .device = {"\\Device\\A", "\\Device\\B", "\\Device\\C"}};
    struct io_scene scene;
    struct object_name name;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    booted_run(&scene.booted, 0, delete_second, &scene);
    assert_ptr_equal(scene.driver->guest->DeviceObject, scene.notes.device[2]);
    assert_ptr_equal(scene.notes.device[2]->NextDevice, scene.notes.device[0]);
    assert_null(
        memory_find(&scene.booted.machine.memory, scene.notes.device[1]));
    object_name_parse_text(&name, "\\Device\\B");
    assert_null(object_find(scene.booted.kernel.io->objects, &name));
    booted_run(&scene.booted, 0, delete_first, &scene);
    assert_null(scene.notes.device[2]->NextDevice);
    scene_release(&scene);
}

static void second_deletion_stops_the_machine(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\A"}};
    struct io_scene scene;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    booted_run(&scene.booted, 0, delete_first, &scene);
    booted_run_to_stop(&scene.booted, 0, delete_first, &scene);
    assert_int_equal(scene.booted.kernel.bugcheck.code, 0xC9);
    scene_release(&scene);
}

static void deleted_device_stays_until_its_file_is_closed(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\A"}};
    struct io_scene scene;
    const struct memory *memory = &scene.booted.machine.memory;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    booted_run(&scene.booted, 0, scene_open_now, &scene);
    assert_int_equal(scene.notes.device[0]->ReferenceCount, 1);
    booted_run(&scene.booted, 0, delete_first, &scene);
    assert_non_null(memory_find(memory, scene.notes.device[0]));
    assert_null(io_device_at(&scene.booted.kernel, scene.notes.device[0]));
    booted_run(&scene.booted, 0, scene_close_now, &scene);
    assert_null(memory_find(memory, scene.notes.device[0]));
    assert_null(scene.driver->devices);
    assert_null(scene.driver->guest->DeviceObject);
    scene_release(&scene);
}

TEST_FILE(test_io_device)
{
    TEST_ADD_ROWS(list, status_row, status_rows);
    test_add(list, "device_is_as_documented", device_is_as_documented, NULL);
    test_add(list, "device_without_an_extension_has_a_null_one",
        device_without_an_extension_has_a_null_one, NULL);
    test_add(
        list, "extension_of_a_byte_is_one", extension_of_a_byte_is_one, NULL);
    test_add(list, "device_of_windows_itself_is_ready",
        device_of_windows_itself_is_ready, NULL);
    test_add(
        list, "generated_name_is_in_device", generated_name_is_in_device, NULL);
    test_add(list, "bad_result_pointer_raises_and_makes_nothing",
        bad_result_pointer_raises_and_makes_nothing, NULL);
    test_add(list, "bad_name_buffer_raises", bad_name_buffer_raises, NULL);
    test_add(list, "driver_object_that_is_none_stops_the_machine",
        driver_object_that_is_none_stops_the_machine, NULL);
    test_add(list, "deleted_device_leaves_the_list",
        deleted_device_leaves_the_list, NULL);
    test_add(list, "second_deletion_stops_the_machine",
        second_deletion_stops_the_machine, NULL);
    test_add(list, "deleted_device_stays_until_its_file_is_closed",
        deleted_device_stays_until_its_file_is_closed, NULL);
}
