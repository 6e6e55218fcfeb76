/* test_io_built.c - requests that a driver has built: where the data lies, and
 * what the location says of it (IO-44, IO-45c). */
#include "api/boot/exports.h"
#include "api/io/io.h"
#include "tests/api/io/io_scene.h"

static const LONGLONG OFFSET = 0x123456789;

enum {
    BYTES = 64,
    BUFFERED = 0x4, /* of a device */
    DIRECT = 0x10,
    SYSTEM = 0x10 | 0x20, /* of an IRP: BUFFERED_IO, DEALLOCATE_BUFFER */
    INPUT = 0x40,
    MDL_WRITES = 0x80,
    FILL = 0xCD, /* what nobody wrote */
    READ = 3,
    WRITE = 4,
    FLUSH = 9,
    CONTROL = 14,
    INTERNAL = 15,
};

/* Who sends it waits for its event, or has a completion routine. */
enum built_kind { SYNCHRONOUS, ASYNCHRONOUS };

static struct built_row {
    const char *name;
    enum built_kind kind;
    UCHAR major;
    ULONG device;        /* its flags */
    ULONG method;        /* of a control */
    ULONG input, output; /* bytes; of a transfer the first one */
    size_t want_buffer;  /* bytes of the system buffer */
    uint8_t want_first;  /* of them */
    ULONG want_flags;    /* of the IRP */
    ULONG want_mdl;      /* bytes of the MDL */
    bool want_mdl_writes, want_user_buffer;
} built_rows[] = {
    {"buffered_read", SYNCHRONOUS, READ, BUFFERED, 0, 40, 0, 40, FILL,
        SYSTEM | INPUT, 0, false, true},
    {"buffered_write", SYNCHRONOUS, WRITE, BUFFERED, 0, 40, 0, 40, 'a', SYSTEM,
        0, false, false},
    {"direct_read", SYNCHRONOUS, READ, DIRECT, 0, 40, 0, 0, 0, 0, 40, true,
        false},
    {"direct_write", SYNCHRONOUS, WRITE, DIRECT, 0, 40, 0, 0, 0, 0, 40, false,
        false},
    {"read_of_neither", SYNCHRONOUS, READ, 0, 0, 40, 0, 0, 0, 0, 0, false,
        true},
    {"write_of_neither", SYNCHRONOUS, WRITE, 0, 0, 40, 0, 0, 0, 0, 0, false,
        true},
    {"flush", SYNCHRONOUS, FLUSH, 0, 0, 40, 0, 0, 0, 0, 0, false, false},
    {"empty_read", SYNCHRONOUS, READ, BUFFERED, 0, 0, 0, 0, 0, 0, 0, false,
        false},
    {"empty_direct_write", SYNCHRONOUS, WRITE, DIRECT, 0, 0, 0, 0, 0, 0, 0,
        false, false},
    {"asynchronous_read", ASYNCHRONOUS, READ, BUFFERED, 0, 40, 0, 40, FILL,
        SYSTEM | INPUT, 0, false, true},
    {"asynchronous_write", ASYNCHRONOUS, WRITE, DIRECT, 0, 40, 0, 0, 0, 0, 40,
        false, false},
    {"asynchronous_flush", ASYNCHRONOUS, FLUSH, BUFFERED, 0, 40, 0, 0, 0, 0, 0,
        false, false},
    {"buffered_control", SYNCHRONOUS, CONTROL, 0, 0, 4, 40, 40, 'a',
        SYSTEM | INPUT, 0, false, true},
    {"control_of_more_input", SYNCHRONOUS, CONTROL, 0, 0, 40, 4, 40, 'a',
        SYSTEM | INPUT, 0, false, true},
    {"control_of_input_alone", SYNCHRONOUS, CONTROL, 0, 0, 4, 0, 4, 'a', SYSTEM,
        0, false, false},
    {"control_of_output_alone", SYNCHRONOUS, INTERNAL, 0, 0, 0, 4, 4, FILL,
        SYSTEM | INPUT, 0, false, true},
    {"control_that_reads_pages", SYNCHRONOUS, CONTROL, 0, 1, 4, 40, 4, 'a',
        SYSTEM, 40, false, false},
    {"control_that_writes_pages", SYNCHRONOUS, INTERNAL, 0, 2, 4, 40, 4, 'a',
        SYSTEM, 40, true, false},
    {"control_of_neither", SYNCHRONOUS, CONTROL, BUFFERED, 3, 4, 40, 0, 0, 0, 0,
        false, true},
};

/* In the driver's memory, and what it saw. */
struct building {
    struct io_scene scene;
    const struct built_row *row;
    uint8_t *input, *output;
    LARGE_INTEGER *offset;
    IO_STATUS_BLOCK *block;
    PVOID event, thread;
    PIRP irp;
    IRP seen;
    IO_STACK_LOCATION location;
    uint8_t first;
    bool whole, longer; /* the system buffer */
    ULONG mdl_bytes, mdl_flags;
};

static PIRP build(struct building *building)
{
    const struct built_row *row = building->row;
    PDEVICE_OBJECT device = building->scene.notes.device[0];
    bool controls = row->major == CONTROL || row->major == INTERNAL;

    device->Flags = (device->Flags & ~(ULONG)(BUFFERED | DIRECT)) | row->device;
    if (controls) {
        return IoBuildDeviceIoControlRequest(0x222000 | row->method, device,
            building->input, row->input, building->output, row->output,
            row->major == INTERNAL, building->event, building->block);
    }
    if (row->kind == ASYNCHRONOUS) {
        return IoBuildAsynchronousFsdRequest(row->major, device,
            building->input, row->input, building->offset, building->block);
    }
    return IoBuildSynchronousFsdRequest(row->major, device, building->input,
        row->input, building->offset, building->event, building->block);
}

static void look(struct building *building)
{
    const struct memory *memory = &building->scene.booted.machine.memory;
    const IRP *irp = building->irp;
    const uint8_t *buffer = irp->AssociatedIrp.SystemBuffer;
    const MDL *mdl = irp->MdlAddress;

    building->seen = *irp;
    building->location =
        ((const IO_STACK_LOCATION *)irp->Tail.Overlay.CurrentStackLocation)[-1];
    if (buffer != NULL) {
        size_t size = building->row->want_buffer;

        building->first = *buffer;
        building->whole = memory_is_open(memory, buffer, size);
        building->longer =
            memory_is_open(memory, buffer + (size + 15) / 16 * 16, 1);
    }
    if (mdl != NULL) {
        building->mdl_bytes = mdl->ByteCount;
        building->mdl_flags = (USHORT)mdl->MdlFlags;
    }
}

static void build_now(void *argument)
{
    struct building *building = argument;

    building->thread = KeGetCurrentThread();
    building->irp = build(building);
    look(building);
}

static void begin(struct building *building, const struct built_row *row)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    struct booted_kernel *booted = &building->scene.booted;

    *building = (struct building){.row = row};
    scene_init(&building->scene, &plan);
    scene_load(&building->scene);
    building->input = booted_block(booted, BYTES, 'a');
    building->output = booted_block(booted, BYTES, 'z');
    building->offset = booted_block(booted, sizeof(*building->offset), 0);
    building->offset->QuadPart = OFFSET;
    building->block = booted_block(booted, sizeof(*building->block), 0);
    building->event = booted_block(booted, 24, 0);
}

static void check_control(const struct building *building)
{
    const struct built_row *row = building->row;
    const IO_STACK_LOCATION *location = &building->location;

    assert_int_equal(location->Parameters.DeviceIoControl.IoControlCode,
        0x222000 | row->method);
    assert_int_equal(
        location->Parameters.DeviceIoControl.InputBufferLength, row->input);
    assert_int_equal(
        location->Parameters.DeviceIoControl.OutputBufferLength, row->output);
    assert_ptr_equal(location->Parameters.DeviceIoControl.Type3InputBuffer,
        row->method == 3 ? building->input : NULL);
    assert_ptr_equal(building->seen.UserBuffer,
        row->want_user_buffer ? building->output : NULL);
}

static void check_transfer(const struct building *building)
{
    const struct built_row *row = building->row;
    const IO_STACK_LOCATION *location = &building->location;
    bool transfers = row->major != FLUSH;

    assert_int_equal(
        location->Parameters.Read.Length, transfers ? row->input : 0);
    assert_int_equal(
        location->Parameters.Read.ByteOffset.QuadPart, transfers ? OFFSET : 0);
    assert_ptr_equal(building->seen.UserBuffer,
        row->want_user_buffer ? building->input : NULL);
}

static void check_irp(const struct building *building)
{
    const struct built_row *row = building->row;
    const IRP *irp = &building->seen;

    assert_int_equal(irp->StackCount, 1);
    assert_int_equal(irp->CurrentLocation, 2);
    assert_int_equal(irp->RequestorMode, 0);
    assert_int_equal(irp->Flags, row->want_flags);
    assert_ptr_equal(irp->UserIosb, building->block);
    assert_ptr_equal(
        irp->UserEvent, row->kind == ASYNCHRONOUS ? NULL : building->event);
    assert_ptr_equal(irp->Tail.Overlay.Thread, building->thread);
    assert_int_equal(
        irp->AssociatedIrp.SystemBuffer != NULL, row->want_buffer > 0);
    assert_int_equal(building->first, row->want_first);
    assert_int_equal(building->whole, row->want_buffer > 0);
    assert_false(building->longer);
    assert_int_equal(building->mdl_bytes, row->want_mdl);
    assert_int_equal(building->mdl_flags & MDL_WRITES,
        row->want_mdl_writes ? MDL_WRITES : 0);
    assert_int_equal(building->location.MajorFunction, row->major);
}

static void built_row(void **state)
{
    const struct built_row *row = *state;
    struct building building;

    begin(&building, row);
    booted_run(&building.scene.booted, 0, build_now, &building);
    assert_non_null(building.irp);
    check_irp(&building);
    if (row->major == CONTROL || row->major == INTERNAL) {
        check_control(&building);
    } else {
        check_transfer(&building);
    }
    assert_int_equal(building.scene.booted.kernel.rules.count, 0);
    scene_release(&building.scene);
}

/* The device has no location for any request. */
static void build_for_no_location(void *argument)
{
    struct building *building = argument;

    building->scene.notes.device[0]->StackSize = 0;
    building->irp = build(building);
}

static struct refused_row {
    const char *name;
    struct built_row row;
} refused_rows[] = {
    {"control_of_a_device_without_locations", {.major = CONTROL}},
    {"read_of_a_device_without_locations", {.major = READ, .input = 4}},
    {"flush_of_a_device_without_locations", {.major = FLUSH}},
};

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    struct building building;
    const struct kernel *kernel = &building.scene.booted.kernel;

    begin(&building, &row->row);
    booted_run(&building.scene.booted, 0, build_for_no_location, &building);
    assert_null(building.irp);
    assert_null(kernel->io->requests);
    assert_non_null(kernel->io->request_pool.first);
    scene_release(&building.scene);
}

TEST_FILE(test_io_built)
{
    TEST_ADD_ROWS(list, built_row, built_rows);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
}
