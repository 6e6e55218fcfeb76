/* test_pcw_freed.c - the data of an open instance lies in memory that the I/O
 * manager gives a driver, and takes back (PCW-CRE-07a, PCW-CLS-04, PCW-CLS-05).
 */
#include "api/boot/exports.h"
#include "api/pcw/instance.h"
#include "tests/api/io/io_scene.h"
#include "tests/api/pcw/pcw_scene.h"

static const PCW_COUNTER_DESCRIPTOR counter[] = {{.Id = 1, .Size = 8}};

static const struct pcw_set disk = {
    .name = PCW_TEXT_ROW(u"Disk"), .counter = counter, .count = 1};

/* A request stays with the driver, lost. */
static const struct io_plan plan = {
    .device = {"\\Device\\A"}, .leave = true, .returns = STATUS_SUCCESS};

struct freed_scene {
    struct io_scene io;
    uint64_t registration, instance;
};

static void freed_init(struct freed_scene *scene)
{
    *scene = (struct freed_scene){.registration = 0};
    scene_init(&scene->io, &plan);
    scene_load(&scene->io);
    scene->registration = pcw_register(&scene->io.booted, &disk);
}

static void delete_device(void *argument)
{
    IoDeleteDevice(((struct freed_scene *)argument)->io.notes.device[0]);
}

static void close_file(void *argument)
{
    scene_close_now(&((struct freed_scene *)argument)->io);
}

static struct device_row {
    const char *name;
    bool in_device; /* else in memory of nobody's */
    bool closed;    /* the instance is, before */
    bool opened;    /* the device is, so it stays until the file is closed */
    unsigned want;
} device_rows[] = {
    {"extension_of_a_deleted_device", true, false, false, 1},
    {"extension_of_a_device_that_is_deleted_later", true, false, true, 1},
    {"extension_without_data", false, false, false, 0},
    {"extension_of_a_closed_instance", true, true, false, 0},
};

static void device_row(void **state)
{
    const struct device_row *row = *state;
    struct freed_scene scene;
    struct booted_kernel *booted = &scene.io.booted;
    const struct rule_log *log = &booted->kernel.rules;
    void *data;

    freed_init(&scene);
    data = row->in_device ? scene.io.notes.device[0]->DeviceExtension
                          : booted_block(booted, 8, 0);
    scene.instance = pcw_create(
        booted, scene.registration, PCW_TEXT(u"C:"), (uint8_t *)data, 8);
    if (row->closed) {
        pcw_close(booted, scene.instance);
    }
    if (row->opened) {
        booted_run(booted, 0, scene_open_now, &scene.io);
    }
    booted_run(booted, 0, delete_device, &scene);
    if (row->opened) {
        assert_int_equal(log->count, 0);
        booted_run(booted, 0, close_file, &scene);
    }
    assert_int_equal(log->count, row->want);
    assert_int_equal(booted_broken(booted, RULE_PCW_BLOCK_FREED), row->want);
    if (row->want > 0) {
        assert_int_equal(log->event[0].routine, ROUTINE_IoDeleteDevice);
    }
    scene_release(&scene.io);
}

static void ask_device(void *argument)
{
    struct freed_scene *scene = argument;
    const uint8_t input[16] = {0};

    program_control(kernel_current(), scene->io.file, 0x222000, input,
        sizeof(input), NULL, 0, &scene->io.result);
}

static void complete_request(void *argument)
{
    PIRP irp = ((struct freed_scene *)argument)->io.kept;

    irp->IoStatus.Status = STATUS_SUCCESS;
    IofCompleteRequest(irp, 0);
}

static struct request_row {
    const char *name;
    bool in_irp; /* else in the system buffer */
    bool closed;
    unsigned want;
} request_rows[] = {
    {"buffer_of_a_completed_request", false, false, 1},
    {"buffer_of_a_closed_instance", false, true, 0},
    {"completed_request_itself", true, false, 1},
};

/* The instance is made while the driver has the request. */
static void request_row(void **state)
{
    const struct request_row *row = *state;
    struct freed_scene scene;
    struct booted_kernel *booted = &scene.io.booted;
    const struct rule_log *log = &booted->kernel.rules;
    PIRP irp;

    freed_init(&scene);
    booted_run(booted, 0, scene_open_now, &scene.io);
    booted_run(booted, 0, ask_device, &scene);
    irp = scene.io.kept;
    assert_int_equal(booted_broken(booted, RULE_IO_DISPATCH_LOST), 1);
    scene.instance = pcw_create(booted, scene.registration, PCW_TEXT(u"C:"),
        row->in_irp ? (uint8_t *)&irp->IoStatus
                    : irp->AssociatedIrp.SystemBuffer,
        8);
    if (row->closed) {
        pcw_close(booted, scene.instance);
    }
    booted_run(booted, 0, complete_request, &scene);
    assert_int_equal(log->count, 1 + row->want);
    assert_int_equal(booted_broken(booted, RULE_PCW_BLOCK_FREED), row->want);
    if (row->want > 0) {
        assert_int_equal(log->event[1].routine, ROUTINE_IofCompleteRequest);
    }
    scene_release(&scene.io);
}

TEST_FILE(test_pcw_freed)
{
    TEST_ADD_ROWS(list, device_row, device_rows);
    TEST_ADD_ROWS(list, request_row, request_rows);
}
