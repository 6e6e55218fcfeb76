/* test_io_by_handle.c - what a driver gets of a request that another one has
 * sent by the handle of a file (IO-29d, IO-31, IO-34). */
#include "api/boot/exports.h"
#include "api/io/io.h"
#include "tests/api/io/io_scene.h"

static const LONGLONG OFFSET = 0x123456789;

enum {
    BYTES = 64,
    KEY = 0x5A5A,
    ACCESS = 0x100003,
    SYNCHRONOUS = 0x20,
    KERNEL_HANDLE = 0x200,
    BUFFERED = 0x4, /* of a device */
    DIRECT = 0x10,
    SYSTEM = 0x10 | 0x20, /* of an IRP: BUFFERED_IO, DEALLOCATE_BUFFER */
    INPUT = 0x40,
    READ = 3,
    WRITE = 4,
    CONTROL = 14,
};

/* Which of the driver's blocks. */
enum side { NEITHER, IN, OUT };

static struct sent_row {
    const char *name;
    UCHAR major;
    ULONG options, device, method; /* of the file, the device, a control */
    ULONG input, output;           /* bytes; of a transfer the first one */
    bool event;
    ULONG want_flags; /* of the IRP */
    bool want_buffer, want_mdl;
    enum side want_user;
} sent_rows[] = {
    {"buffered_read", READ, SYNCHRONOUS, BUFFERED, 0, 40, 0, false,
        SYSTEM | INPUT, true, false, IN},
    {"buffered_write", WRITE, 0, BUFFERED, 0, 40, 0, true, SYSTEM, true, false,
        NEITHER},
    {"empty_read", READ, 0, BUFFERED, 0, 0, 0, false, 0, false, false, NEITHER},
    {"direct_read", READ, 0, DIRECT, 0, 40, 0, true, 0, false, true, NEITHER},
    {"direct_write", WRITE, SYNCHRONOUS, DIRECT, 0, 40, 0, false, 0, false,
        true, NEITHER},
    {"read_of_neither", READ, 0, 0, 0, 40, 0, false, 0, false, false, IN},
    {"write_of_neither", WRITE, SYNCHRONOUS, 0, 0, 40, 0, true, 0, false, false,
        IN},
    {"buffered_control", CONTROL, SYNCHRONOUS, 0, 0, 4, 40, true,
        SYSTEM | INPUT, true, false, OUT},
    {"control_of_input_alone", CONTROL, 0, 0, 0, 4, 0, false, SYSTEM, true,
        false, NEITHER},
    {"control_of_output_alone", CONTROL, 0, 0, 0, 0, 4, true, SYSTEM | INPUT,
        true, false, OUT},
    {"control_that_reads_pages", CONTROL, 0, 0, 1, 4, 40, false, SYSTEM, true,
        true, NEITHER},
    {"control_that_writes_pages", CONTROL, SYNCHRONOUS, 0, 2, 4, 40, false,
        SYSTEM, true, true, NEITHER},
    {"control_of_neither", CONTROL, 0, 0, 3, 4, 40, true, 0, false, false, OUT},
};

/* In the driver's memory. */
struct sent {
    struct io_scene scene;
    const struct sent_row *row;
    OBJECT_ATTRIBUTES *attributes;
    HANDLE *file, *event;
    IO_STATUS_BLOCK *answer;
    LARGE_INTEGER *offset;
    ULONG *key;
    uint8_t *input, *output;
    PVOID *object; /* the event */
    NTSTATUS status;
    LONG set_before, set_after; /* the event */
};

static NTSTATUS send(struct sent *sent)
{
    const struct sent_row *row = sent->row;
    HANDLE event = row->event ? *sent->event : NULL;

    if (row->major == CONTROL) {
        return ZwDeviceIoControlFile(*sent->file, event, NULL, NULL,
            sent->answer, 0x222000 | row->method, sent->input, row->input,
            sent->output, row->output);
    }
    return row->major == READ
               ? ZwReadFile(*sent->file, event, NULL, NULL, sent->answer,
                     sent->input, row->input, sent->offset, sent->key)
               : ZwWriteFile(*sent->file, event, NULL, NULL, sent->answer,
                     sent->input, row->input, sent->offset, sent->key);
}

static void send_now(void *argument)
{
    struct sent *sent = argument;
    PDEVICE_OBJECT device = sent->scene.notes.device[0];

    device->Flags =
        (device->Flags & ~(ULONG)(BUFFERED | DIRECT)) | sent->row->device;
    ZwOpenFile(sent->file, ACCESS, sent->attributes, sent->answer, 7,
        sent->row->options);
    sent->attributes->ObjectName = NULL;
    ZwCreateEvent(sent->event, 0x1F0003, sent->attributes, 0, 0);
    ObReferenceObjectByHandle(*sent->event, 0, NULL, 0, sent->object, NULL);
    sent->status = send(sent);
}

/* Of a control that nobody waits for the driver says so, and completes it. */
static bool pends(const struct sent_row *row)
{
    return row->major == CONTROL && row->options != SYNCHRONOUS;
}

static void begin(struct sent *sent, const struct sent_row *row)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"},
        .mark_pending = pends(row),
        .returns = pends(row) ? STATUS_PENDING : STATUS_SUCCESS};
    struct booted_kernel *booted = &sent->scene.booted;
    code_function *dispatch = scene_dispatch;

    *sent = (struct sent){.row = row};
    scene_init(&sent->scene, &plan);
    scene_load(&sent->scene);
    sent->scene.driver->guest->MajorFunction[READ] =
        (void *)(uintptr_t)dispatch;
    sent->scene.driver->guest->MajorFunction[WRITE] =
        (void *)(uintptr_t)dispatch;
    sent->attributes = booted_block(booted, sizeof(*sent->attributes), 0);
    *sent->attributes = (OBJECT_ATTRIBUTES){.Length = sizeof(OBJECT_ATTRIBUTES),
        .ObjectName = sent->scene.name[0],
        .Attributes = KERNEL_HANDLE};
    sent->file = booted_block(booted, sizeof(HANDLE), 0);
    sent->event = booted_block(booted, sizeof(HANDLE), 0);
    sent->object = booted_block(booted, sizeof(PVOID), 0);
    sent->answer = booted_block(booted, sizeof(*sent->answer), 0);
    sent->offset = booted_block(booted, sizeof(*sent->offset), 0);
    sent->offset->QuadPart = OFFSET;
    sent->key = booted_block(booted, sizeof(ULONG), 0);
    *sent->key = KEY;
    sent->input = booted_block(booted, BYTES, 'a');
    sent->output = booted_block(booted, BYTES, 'z');
}

static void check_irp(const struct sent *sent)
{
    const struct sent_row *row = sent->row;
    const IRP *irp = &sent->scene.notes.irp;
    const void *user[] = {NULL, sent->input, sent->output};

    assert_int_equal(irp->RequestorMode, 0);
    assert_int_equal(irp->Flags & (SYSTEM | INPUT), row->want_flags);
    assert_ptr_equal(irp->UserIosb, sent->answer);
    assert_ptr_equal(irp->UserEvent, row->event ? *sent->object : NULL);
    assert_int_equal(irp->AssociatedIrp.SystemBuffer != NULL, row->want_buffer);
    assert_int_equal(irp->MdlAddress != NULL, row->want_mdl);
    assert_ptr_equal(irp->UserBuffer, user[row->want_user]);
}

static void check_location(const struct sent *sent)
{
    const struct sent_row *row = sent->row;
    const IO_STACK_LOCATION *location = &sent->scene.notes.location;

    assert_int_equal(location->MajorFunction, row->major);
    if (row->major == CONTROL) {
        assert_int_equal(location->Parameters.DeviceIoControl.IoControlCode,
            0x222000 | row->method);
        assert_int_equal(
            location->Parameters.DeviceIoControl.InputBufferLength, row->input);
        assert_int_equal(
            location->Parameters.DeviceIoControl.OutputBufferLength,
            row->output);
        assert_ptr_equal(location->Parameters.DeviceIoControl.Type3InputBuffer,
            row->method == 3 ? sent->input : NULL);
    } else {
        assert_int_equal(location->Parameters.Read.Length, row->input);
        assert_int_equal(location->Parameters.Read.Key, KEY);
        assert_int_equal(location->Parameters.Read.ByteOffset.QuadPart, OFFSET);
    }
}

static void sent_row(void **state)
{
    const struct sent_row *row = *state;
    struct sent sent;
    const struct kernel *kernel = &sent.scene.booted.kernel;

    begin(&sent, row);
    booted_run(&sent.scene.booted, 0, send_now, &sent);
    assert_int_equal(sent.scene.notes.requests, 2); /* IRP_MJ_CREATE */
    assert_int_equal(sent.status, pends(row) ? STATUS_PENDING : STATUS_SUCCESS);
    assert_int_equal(sent.answer->Status, STATUS_SUCCESS);
    assert_int_equal(sent.answer->Information, 0);
    check_irp(&sent);
    check_location(&sent);
    assert_int_equal(kernel->rules.count, 0);
    assert_null(kernel->io->requests);
    assert_non_null(kernel->io->request_pool.first);
    scene_release(&sent.scene);
}

/* Nobody waits for it but at the event. */
static void complete_later(void *argument)
{
    struct sent *sent = argument;

    send_now(sent);
    sent->set_before = KeReadStateEvent(*sent->object);
    sent->scene.kept->IoStatus.Status = STATUS_SUCCESS;
    sent->scene.kept->IoStatus.Information = 3;
    IofCompleteRequest(sent->scene.kept, 0);
    sent->set_after = KeReadStateEvent(*sent->object);
}

static void pending_one_is_completed_later(void **state)
{
    static const struct sent_row row = {
        .major = CONTROL, .input = 4, .output = 8, .event = true};
    struct sent sent;
    const struct kernel *kernel = &sent.scene.booted.kernel;

    (void)state;
    begin(&sent, &row);
    sent.scene.plan.leave = true;
    booted_run(&sent.scene.booted, 0, complete_later, &sent);
    assert_int_equal(sent.status, STATUS_PENDING);
    assert_int_equal(sent.set_before, 0);
    assert_int_equal(sent.set_after, 1);
    assert_int_equal(sent.answer->Status, STATUS_SUCCESS);
    assert_int_equal(sent.answer->Information, 3);
    assert_memory_equal(sent.output, "aaazzzzz", 8);
    assert_int_equal(kernel->rules.count, 0);
    assert_null(kernel->io->requests);
    assert_non_null(kernel->io->request_pool.first);
    scene_release(&sent.scene);
}

TEST_FILE(test_io_by_handle)
{
    TEST_ADD_ROWS(list, sent_row, sent_rows);
    test_add(list, "pending_one_is_completed_later",
        pending_one_is_completed_later, NULL);
}
