/* test_io_file.c - symbolic links, and how files are opened through them (pages
 * IoCreateSymbolicLink, IoDeleteSymbolicLink, Initializing a Device Object). */
#include "api/boot/exports.h"
#include "tests/api/io/io_scene.h"

static const struct io_plan usual = {.device = {"\\Device\\Taken"},
    .link = "\\?\?\\Taken",
    .target = "\\Device\\Taken"};

/* Links. */
struct linking {
    struct io_scene scene;
    PUNICODE_STRING link, target;
    NTSTATUS status;
};

static void link_now(void *argument)
{
    struct linking *linking = argument;

    linking->status =
        linking->target == NULL
            ? IoDeleteSymbolicLink(linking->link)
            : IoCreateSymbolicLink(linking->link, linking->target);
}

static struct link_row {
    const char *name;
    const char *link, *target; /* target NULL: delete */
    uint32_t want;
} link_rows[] = {
    {"new_link", "\\?\?\\New", "\\Device\\Taken", 0},
    {"link_to_nowhere", "\\?\?\\New", "\\Device\\None", 0},
    {"link_that_is_there", "\\DosDevices\\TAKEN", "\\Device\\Taken",
        0xC0000035},
    {"link_with_a_device_s_name", "\\Device\\Taken", "\\Device\\Taken",
        0xC0000035},
    {"link_that_is_no_path", "New", "\\Device\\Taken", 0xC000003B},
    {"target_that_is_no_path", "\\?\?\\New", "Taken", 0xC000003B},
    {"delete_of_a_link", "\\DosDevices\\Taken", NULL, 0},
    {"delete_of_nothing", "\\?\?\\None", NULL, 0xC0000034},
    {"delete_of_a_device", "\\Device\\Taken", NULL, 0xC0000024},
    {"delete_of_no_path", "None", NULL, 0xC000003B},
};

static void link_row(void **state)
{
    const struct link_row *row = *state;
    struct linking linking = {.status = 99};

    scene_init(&linking.scene, &usual);
    scene_load(&linking.scene);
    linking.link = scene_string(&linking.scene.booted, row->link);
    linking.target = scene_string(&linking.scene.booted, row->target);
    booted_run(&linking.scene.booted, 0, link_now, &linking);
    assert_int_equal((uint32_t)linking.status, row->want);
    scene_release(&linking.scene);
}

/* Opening. */
struct opening {
    struct io_scene scene;
    const char *name;
    NTSTATUS status;
    struct io_file *file;
    PUNICODE_STRING late;
    PVOID *pointed; /* at a file object */
};

static void open_now(void *argument)
{
    struct opening *opening = argument;

    opening->status = program_open(
        kernel_current(), opening->scene.driver, opening->name, &opening->file);
}

static struct open_row {
    const char *name;
    const char *path;
    uint32_t want;
} open_rows[] = {
    {"by_device_name", "\\Device\\Taken", 0},
    {"by_link", "\\?\?\\Taken", 0},
    {"by_dos_name", "\\DosDevices\\taken", 0},
    {"by_win32_name", "\\\\.\\Taken", 0},
    {"first_device", NULL, 0},
    {"nothing_there", "\\?\?\\None", 0xC0000034},
    {"no_path", "Taken", 0xC000003B},
    {"driver_s_name", "\\Driver\\sampler", 0xC0000024},
};

static void open_row(void **state)
{
    const struct open_row *row = *state;
    struct opening opening = {.name = row->path};

    scene_init(&opening.scene, &usual);
    scene_load(&opening.scene);
    booted_run(&opening.scene.booted, 0, open_now, &opening);
    assert_int_equal((uint32_t)opening.status, row->want);
    assert_int_equal(opening.scene.notes.requests, row->want == 0 ? 1 : 0);
    if (row->want == 0) {
        assert_ptr_equal(
            opening.file->guest->DeviceObject, opening.scene.notes.device[0]);
        assert_int_equal(opening.file->guest->Type, 5);
        /* Who asks for its security descriptor gets the device's. */
        assert_ptr_equal(
            opening.file->counted.secures, &opening.file->device->counted);
    }
    scene_release(&opening.scene);
}

/* A program's name ends with a NUL, a driver's does not. */
static struct long_row {
    const char *name;
    bool of_driver;
    size_t length;
    uint32_t want;
} long_rows[] = {
    {"longest_of_a_program", false, 263, 0},
    {"too_long_for_a_program", false, 264, 0xC0000106},
    {"longest_of_a_driver", true, 264, 0},
    {"too_long_for_a_driver", true, 265, 0xC0000106},
};

static void point_now(void *argument)
{
    struct opening *opening = argument;
    struct io_scene *scene = &opening->scene;

    opening->status = IoGetDeviceObjectPointer(
        opening->late, 1, opening->pointed, scene->device_out);
}

static void long_row(void **state)
{
    const struct long_row *row = *state;
    static const char start[] = "\\Device\\Taken\\";
    char name[300];
    struct opening opening = {.name = name};
    struct booted_kernel *booted = &opening.scene.booted;

    memset(name, 'x', sizeof(name));
    memcpy(name, start, strlen(start));
    name[row->length] = '\0';
    scene_init(&opening.scene, &usual);
    scene_load(&opening.scene);
    opening.late = scene_string(booted, name);
    opening.pointed = booted_block(booted, sizeof(PVOID), 0);
    booted_run(booted, 0, row->of_driver ? point_now : open_now, &opening);
    assert_int_equal((uint32_t)opening.status, row->want);
    assert_int_equal(opening.scene.notes.requests > 0, row->want == 0);
    scene_release(&opening.scene);
}

/* With a name of its own it has a descriptor of its own. */
static void named_file_is_not_its_device(void **state)
{
    struct opening opening = {.name = "\\Device\\Taken\\"};

    (void)state;
    scene_init(&opening.scene, &usual);
    scene_load(&opening.scene);
    booted_run(&opening.scene.booted, 0, open_now, &opening);
    assert_int_equal(opening.status, 0);
    assert_int_equal(opening.file->guest->FileName.Length, 2);
    assert_int_equal(opening.file->guest->FileName.MaximumLength, 2);
    assert_null(opening.file->counted.secures);
    scene_release(&opening.scene);
}

static void create_that_fails_leaves_no_file(void **state)
{
    const struct io_plan plan = {
        .device = {"\\Device\\A"}, .create = STATUS_ACCESS_DENIED};
    struct opening opening = {.name = NULL};

    (void)state;
    scene_init(&opening.scene, &plan);
    scene_load(&opening.scene);
    booted_run(&opening.scene.booted, 0, open_now, &opening);
    assert_int_equal((uint32_t)opening.status, 0xC0000022);
    assert_null(opening.file);
    assert_int_equal(opening.scene.notes.device[0]->ReferenceCount, 0);
    scene_release(&opening.scene);
}

static void exclusive_device_opens_once(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\A"}, .exclusive = true};
    struct opening opening = {.name = NULL};

    (void)state;
    scene_init(&opening.scene, &plan);
    scene_load(&opening.scene);
    booted_run(&opening.scene.booted, 0, open_now, &opening);
    assert_int_equal(opening.status, 0);
    booted_run(&opening.scene.booted, 0, open_now, &opening);
    assert_int_equal((uint32_t)opening.status, 0xC0000022);
    scene_release(&opening.scene);
}

/* Made after DriverEntry, so the driver has to say when it is ready. */
static void make_late(void *argument)
{
    struct opening *opening = argument;

    IoCreateDevice(opening->scene.driver->guest, 0, opening->late, 0x22, 0, 0,
        opening->scene.device_out);
}

static void initializing_device_cannot_be_opened(void **state)
{
    struct opening opening = {.name = "\\Device\\New"};

    (void)state;
    scene_init(&opening.scene, &usual);
    scene_load(&opening.scene);
    opening.late = scene_string(&opening.scene.booted, "\\Device\\New");
    booted_run(&opening.scene.booted, 0, make_late, &opening);
    booted_run(&opening.scene.booted, 0, open_now, &opening);
    assert_int_equal((uint32_t)opening.status, 0xC000000E);
    (*opening.scene.device_out)->Flags &= ~0x80U;
    booted_run(&opening.scene.booted, 0, open_now, &opening);
    assert_int_equal(opening.status, 0);
    scene_release(&opening.scene);
}

static void link_in_a_circle_leads_nowhere(void **state)
{
    const struct io_plan plan = {
        .device = {"\\Device\\A"}, .link = "\\?\?\\A", .target = "\\?\?\\A"};
    struct opening opening = {.name = "\\?\?\\A"};

    (void)state;
    scene_init(&opening.scene, &plan);
    scene_load(&opening.scene);
    booted_run(&opening.scene.booted, 0, open_now, &opening);
    assert_int_equal((uint32_t)opening.status, 0xC0000034);
    scene_release(&opening.scene);
}

static void close_cleans_up_first(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\A"}};
    struct io_scene scene;

    (void)state;
    scene_init(&scene, &plan);
    scene_load(&scene);
    booted_run(&scene.booted, 0, scene_open_now, &scene);
    booted_run(&scene.booted, 0, scene_close_now, &scene);
    assert_int_equal(scene.notes.requests, 3);
    assert_int_equal(scene.notes.major[0], 0x00);
    assert_int_equal(scene.notes.major[1], 0x12);
    assert_int_equal(scene.notes.major[2], 0x02);
    assert_int_equal(scene.notes.device[0]->ReferenceCount, 0);
    scene_release(&scene);
}

/* The device without a name stands above the other one then. */
static void attach_now(void *argument)
{
    struct opening *opening = argument;
    struct io_scene *scene = &opening->scene;

    opening->status = IoAttachDevice(
        scene->notes.device[1], scene->name[0], scene->device_out);
    if (NT_SUCCESS(opening->status)) {
        IoDetachDevice(*scene->device_out);
    }
}

/* Whoever attaches neither reads nor writes the target (IO-47c). */
static void attach_asks_for_no_rights(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\A", ""}};
    struct opening opening = {.status = 99};
    struct io_scene *scene = &opening.scene;

    (void)state;
    scene_init(scene, &plan);
    scene_load(scene);
    scene->notes.desired_access = 99;
    booted_run(&scene->booted, 0, attach_now, &opening);
    assert_int_equal(opening.status, 0);
    assert_ptr_equal(*scene->device_out, scene->notes.device[0]);
    assert_int_equal(scene->notes.major[0], 0x00);
    assert_int_equal(scene->notes.desired_access, 0);
    scene_release(scene);
}

TEST_FILE(test_io_file)
{
    TEST_ADD_ROWS(list, link_row, link_rows);
    TEST_ADD_ROWS(list, open_row, open_rows);
    TEST_ADD_ROWS(list, long_row, long_rows);
    test_add(list, "named_file_is_not_its_device", named_file_is_not_its_device,
        NULL);
    test_add(list, "create_that_fails_leaves_no_file",
        create_that_fails_leaves_no_file, NULL);
    test_add(
        list, "exclusive_device_opens_once", exclusive_device_opens_once, NULL);
    test_add(list, "initializing_device_cannot_be_opened",
        initializing_device_cannot_be_opened, NULL);
    test_add(list, "link_in_a_circle_leads_nowhere",
        link_in_a_circle_leads_nowhere, NULL);
    test_add(list, "close_cleans_up_first", close_cleans_up_first, NULL);
    test_add(
        list, "attach_asks_for_no_rights", attach_asks_for_no_rights, NULL);
}
