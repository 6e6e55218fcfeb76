/* test_io_driver.c - a driver's life: DRIVER_OBJECT, DriverEntry, DriverUnload,
 * and what it leaves (pages DRIVER_OBJECT, DRIVER_INITIALIZE, DRIVER_UNLOAD).
 */
#include "api/io/io.h"
#include "tests/api/io/io_scene.h"

static bool is_text(const UNICODE_STRING *string, const char *text)
{
    const uint16_t *wide = string->Buffer;
    size_t length = strlen(text);

    if (string->Length != 2 * length) {
        return false;
    }
    for (size_t i = 0; i <= length; i++) {
        if (wide[i] != (uint8_t)text[i]) {
            return false;
        }
    }
    return true;
}

/* The text and its NUL are memory that can be read. */
static bool is_whole(const struct io_scene *scene, const UNICODE_STRING *string)
{
    return string->MaximumLength == string->Length + sizeof(WCHAR) &&
           memory_is_open(&scene->booted.machine.memory, string->Buffer,
               string->MaximumLength);
}

/* At the next 16th byte behind it its memory ends. */
static bool is_last(const struct io_scene *scene, const UNICODE_STRING *string)
{
    uintptr_t end = (uintptr_t)string->Buffer + string->MaximumLength;

    return !memory_is_open(
        &scene->booted.machine.memory, (void *)((end + 15) / 16 * 16), 1);
}

static void object_is_as_documented(void **state)
{
    const struct io_plan plan = {.entry_status = STATUS_SUCCESS};
    struct io_scene scene;
    const DRIVER_OBJECT *object;
    const DRIVER_EXTENSION *extension;

    (void)state;
    scene_init(&scene, &plan);
    object = scene.driver->guest;
    extension = object->DriverExtension;
    assert_int_equal((uintptr_t)object % 16, 0);
    assert_int_equal((uintptr_t)extension % 16, 0);
    assert_int_equal(object->Type, 4);
    assert_int_equal(object->Size, 336);
    assert_int_equal(object->Flags, 2); /* DRVO_LEGACY_DRIVER */
    assert_int_equal((uintptr_t)object->DriverStart, 0x180000000);
    assert_int_equal(object->DriverSize, 0x5000);
    assert_true(is_text(&object->DriverName, "\\Driver\\sampler"));
    assert_true(
        is_text(object->HardwareDatabase, "\\Registry\\Machine\\Hardware"));
    assert_true(is_text(&extension->ServiceKeyName, "sampler"));
    assert_true(is_whole(&scene, &object->DriverName));
    assert_true(is_whole(&scene, object->HardwareDatabase));
    assert_true(is_whole(&scene, &extension->ServiceKeyName));
    assert_ptr_equal(extension->DriverObject, object);
    assert_null(extension->AddDevice);
    assert_int_equal(extension->Count, 0);
    assert_null(object->DriverUnload);
    assert_null(object->DeviceObject);
    assert_null(object->FastIoDispatch);
    for (unsigned i = 0; i < 28; i++) {
        assert_int_equal((uintptr_t)object->MajorFunction[i], 0x1803F0000000);
    }
    scene_release(&scene);
}

static void name_of_another_driver_is_refused(void **state)
{
    const struct io_plan plan = {.entry_status = STATUS_SUCCESS};
    struct io_scene scene;
    struct kernel *kernel = &scene.booted.kernel;

    (void)state;
    scene_init(&scene, &plan);
    assert_int_equal((uint32_t)io_driver_check_name(kernel, "SAMPLER"),
        0xC0000035); /* STATUS_OBJECT_NAME_COLLISION */
    assert_int_equal((uint32_t)io_driver_check_name(kernel, ""),
        0xC0000033); /* STATUS_OBJECT_NAME_INVALID */
    assert_int_equal(io_driver_check_name(kernel, "sample"), 0);
    assert_null(io_driver_make(kernel, &scene.booted.driver, "SAMPLER", 0, 0));
    assert_null(io_driver_make(kernel, &scene.booted.driver, "", 0, 0));
    assert_null(io_driver_make(kernel, &scene.booted.driver, "a\\b", 0, 0));
    assert_non_null(
        io_driver_make(kernel, &scene.booted.driver, "sample", 0, 0));
    scene_release(&scene);
}

static void names_have_their_room_at_any_length(void **state)
{
    const struct io_plan plan = {.entry_status = STATUS_SUCCESS};
    char name[100] = "";
    struct io_scene scene;

    (void)state;
    scene_init(&scene, &plan);
    for (size_t length = 0; length + 1 < sizeof(name); length++) {
        const struct io_driver *driver;
        const DRIVER_EXTENSION *extension;

        name[length] = 'a';
        driver = io_driver_make(
            &scene.booted.kernel, &scene.booted.driver, name, 0, 0);
        extension = driver->guest->DriverExtension;
        assert_true(is_whole(&scene, &driver->guest->DriverName));
        assert_true(is_whole(&scene, &extension->ServiceKeyName));
        assert_true(is_last(&scene, &extension->ServiceKeyName));
        assert_true(is_whole(&scene, driver->registry_path));
        assert_true(is_last(&scene, driver->registry_path));
    }
    scene_release(&scene);
}

static void entry_gets_the_registry_path_and_it_goes_away(void **state)
{
    static const char want[] =
        "\\Registry\\Machine\\System\\CurrentControlSet\\Services\\sampler";
    const struct io_plan plan = {.entry_status = STATUS_SUCCESS};
    struct io_scene scene;
    const void *path;

    (void)state;
    scene_init(&scene, &plan);
    path = scene.driver->registry_path;
    assert_true(is_whole(&scene, path));
    scene_load(&scene);
    assert_int_equal(scene.status, 0);
    assert_int_equal(scene.notes.path_length, 2 * strlen(want));
    for (size_t i = 0; i < strlen(want); i++) {
        assert_int_equal(scene.notes.path[i], want[i]);
    }
    assert_null(memory_find(&scene.booted.machine.memory, path));
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    scene_release(&scene);
}

static void devices_of_entry_are_ready_after_it(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    struct io_scene scene;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    assert_int_equal(scene.notes.flags, 0x80 | 0x40);
    assert_int_equal(scene.notes.device[0]->Flags, 0x40);
    scene_release(&scene);
}

static void failed_entry_reports_what_it_left(void **state)
{
    const struct io_plan plan = {
        .device = {"\\Device\\A", "\\Device\\B"},
        .link = "\\?\?\\A",
        .target = "\\Device\\A",
        .entry_status = STATUS_UNSUCCESSFUL,
    };
    struct io_scene scene;
    struct kernel *kernel = &scene.booted.kernel;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    assert_int_equal((uint32_t)scene.status, 0xC0000001);
    assert_int_equal(booted_broken(&scene.booted, RULE_LEAK_DEVICE), 2);
    assert_int_equal(booted_broken(&scene.booted, RULE_LEAK_SYMBOLIC_LINK), 1);
    assert_int_equal(kernel->rules.count, 3);
    assert_null(kernel->io->drivers);
    assert_null(kernel->io->objects);
    assert_null(kernel->io->links);
    /* The name is free again. */
    assert_non_null(
        io_driver_make(kernel, &scene.booted.driver, "sampler", 0, 0));
    scene_release(&scene);
}

static void unload_calls_the_driver_and_removes_it(void **state)
{
    const struct io_plan plan = {
        .device = {"\\Device\\A", "\\Device\\B", ""},
        .link = "\\DosDevices\\A",
        .target = "\\Device\\A",
        .unload_deletes = true,
    };
    struct io_scene scene;
    const void *object;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    object = scene.driver->guest;
    booted_run(&scene.booted, 0, scene_unload_now, &scene);
    assert_int_equal(scene.status, 0);
    assert_int_equal(scene.notes.unloads, 1);
    assert_int_equal(scene.notes.link_status, 0);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    assert_null(scene.booted.kernel.io->drivers);
    assert_null(scene.booted.kernel.io->objects);
    assert_null(memory_find(&scene.booted.machine.memory, object));
    scene_release(&scene);
}

static void unload_reports_what_was_left(void **state)
{
    const struct io_plan plan = {
        .device = {"\\Device\\A"}, .link = "\\?\?\\A", .target = "\\Device\\A"};
    struct io_scene scene;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    booted_run(&scene.booted, 0, scene_unload_now, &scene);
    assert_int_equal(scene.status, 0);
    assert_int_equal(booted_broken(&scene.booted, RULE_LEAK_DEVICE), 1);
    assert_int_equal(booted_broken(&scene.booted, RULE_LEAK_SYMBOLIC_LINK), 1);
    assert_null(scene.booted.kernel.io->objects);
    scene_release(&scene);
}

/* Two of them, the second one of no bytes. */
static void extend_and_unload(void *argument)
{
    struct io_scene *scene = argument;
    PDRIVER_OBJECT driver = scene->driver->guest;
    PVOID *block = (PVOID *)(void *)scene->device_out;

    IoAllocateDriverObjectExtension(driver, scene, 24, block);
    scene->kept = *block;
    IoAllocateDriverObjectExtension(driver, block, 0, block);
    scene_unload_now(scene);
}

static void extensions_go_with_their_driver(void **state)
{
    const struct io_plan plan = {.unload_deletes = true};
    struct io_scene scene;
    const struct memory *memory = &scene.booted.machine.memory;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    booted_run(&scene.booted, 0, extend_and_unload, &scene);
    assert_int_equal(scene.status, 0);
    assert_non_null(scene.kept);
    assert_null(memory_find(memory, scene.kept));
    assert_null(memory_find(memory, *scene.device_out));
    scene_release(&scene);
}

static void driver_without_unload_stays(void **state)
{
    const struct io_plan plan = {.no_unload = true};
    struct io_scene scene;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    booted_run(&scene.booted, 0, scene_unload_now, &scene);
    assert_int_equal((uint32_t)scene.status, 0xC0000010);
    assert_ptr_equal(scene.booted.kernel.io->drivers, scene.driver);
    scene_release(&scene);
}

static void driver_with_an_open_file_stays(void **state)
{
    const struct io_plan plan = {
        .device = {"\\Device\\A"}, .unload_deletes = true};
    struct io_scene scene;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    booted_run(&scene.booted, 0, scene_open_now, &scene);
    booted_run(&scene.booted, 0, scene_unload_now, &scene);
    assert_int_equal((uint32_t)scene.status, 0x80000011);
    assert_int_equal(scene.notes.unloads, 0);
    booted_run(&scene.booted, 0, scene_close_now, &scene);
    booted_run(&scene.booted, 0, scene_unload_now, &scene);
    assert_int_equal(scene.status, 0);
    assert_int_equal(scene.notes.unloads, 1);
    scene_release(&scene);
}

static void enter_at_null(void *argument)
{
    struct io_scene *scene = argument;

    io_driver_entry(kernel_current(), scene->driver, 0);
}

static void entry_without_code_stops_the_machine(void **state)
{
    const struct io_plan plan = {.no_unload = true};
    struct io_scene scene;

    (void)state;
    scene_init(&scene, &plan);
    booted_run_to_stop(&scene.booted, 0, enter_at_null, &scene);
    assert_int_equal(scene.booted.kernel.bugcheck.code, 0xD1);
    assert_string_equal(
        scene.booted.kernel.bugcheck.parameter[0].name, "DriverEntry");
    assert_int_equal(booted_broken(&scene.booted, RULE_CODE_NOT_CODE), 1);
    scene_release(&scene);
}

TEST_FILE(test_io_driver)
{
    test_add(list, "object_is_as_documented", object_is_as_documented, NULL);
    test_add(list, "name_of_another_driver_is_refused",
        name_of_another_driver_is_refused, NULL);
    test_add(list, "names_have_their_room_at_any_length",
        names_have_their_room_at_any_length, NULL);
    test_add(list, "entry_gets_the_registry_path_and_it_goes_away",
        entry_gets_the_registry_path_and_it_goes_away, NULL);
    test_add(list, "devices_of_entry_are_ready_after_it",
        devices_of_entry_are_ready_after_it, NULL);
    test_add(list, "failed_entry_reports_what_it_left",
        failed_entry_reports_what_it_left, NULL);
    test_add(list, "unload_calls_the_driver_and_removes_it",
        unload_calls_the_driver_and_removes_it, NULL);
    test_add(list, "unload_reports_what_was_left", unload_reports_what_was_left,
        NULL);
    test_add(list, "extensions_go_with_their_driver",
        extensions_go_with_their_driver, NULL);
    test_add(
        list, "driver_without_unload_stays", driver_without_unload_stays, NULL);
    test_add(list, "driver_with_an_open_file_stays",
        driver_with_an_open_file_stays, NULL);
    test_add(list, "entry_without_code_stops_the_machine",
        entry_without_code_stops_the_machine, NULL);
}
