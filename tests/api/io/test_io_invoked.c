/* test_io_invoked.c - which completion routines are called: by how a request
 * ends, and whether it was cancelled (IO-43). */
#include "tests/api/io/io_scene.h"

enum { ON_CANCEL = 0x20, ON_SUCCESS = 0x40, ON_ERROR = 0x80, ALWAYS = 0xE0 };

static struct invoked_row {
    const char *name;
    NTSTATUS completes;
    bool cancelled;
    UCHAR control;
    bool want;
} invoked_rows[] = {
    {"success", STATUS_SUCCESS, false, ON_SUCCESS, true},
    {"success_of_one_for_the_rest", STATUS_SUCCESS, false, ON_ERROR | ON_CANCEL,
        false},
    {"error", STATUS_UNSUCCESSFUL, false, ON_ERROR, true},
    {"error_of_one_for_the_rest", STATUS_UNSUCCESSFUL, false,
        ON_SUCCESS | ON_CANCEL, false},
    {"cancelled_error", STATUS_CANCELLED, true, ON_CANCEL, true},
    {"cancelled_success", STATUS_SUCCESS, true, ON_CANCEL, true},
    {"cancelled_error_of_one_for_success", STATUS_CANCELLED, true, ON_SUCCESS,
        false},
    {"cancelled_success_of_one_for_errors", STATUS_SUCCESS, true, ON_ERROR,
        false},
    {"cancelled_success_of_one_for_it", STATUS_SUCCESS, true, ON_SUCCESS, true},
    {"cancelled_error_of_one_for_it", STATUS_CANCELLED, true, ON_ERROR, true},
    {"of_one_for_nothing", STATUS_SUCCESS, true, 0, false},
};

static unsigned called;

static NTSTATUS NTAPI count(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    (void)device;
    (void)irp;
    called += context == &called;
    return STATUS_SUCCESS;
}

static NTSTATUS NTAPI keep(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    (void)device;
    (void)irp;
    (void)context;
    return (NTSTATUS)0xC0000016; /* STATUS_MORE_PROCESSING_REQUIRED */
}

struct invoking {
    struct io_scene scene;
    const struct invoked_row *row;
};

/* The request's owner has the upper location, the driver the lower one. */
static void send_now(void *argument)
{
    struct invoking *invoking = argument;
    PDEVICE_OBJECT device = invoking->scene.notes.device[0];
    PIRP irp = IoAllocateIrp(2, 0);
    IO_STACK_LOCATION *location =
        (IO_STACK_LOCATION *)irp->Tail.Overlay.CurrentStackLocation - 1;

    irp->Tail.Overlay.CurrentStackLocation = location;
    irp->CurrentLocation--;
    irp->Cancel = invoking->row->cancelled;
    location->CompletionRoutine = (PVOID)(uintptr_t)keep;
    location->Control = ALWAYS;
    location--;
    location->MajorFunction = IRP_MJ_DEVICE_CONTROL;
    location->CompletionRoutine = (PVOID)(uintptr_t)count;
    location->Context = &called;
    location->Control = invoking->row->control;
    IofCallDriver(device, irp);
    IoFreeIrp(irp);
}

static void invoked_row(void **state)
{
    struct invoking invoking = {.row = *state};
    const struct io_plan plan = {.device = {"\\Device\\Asked"},
        .completes = invoking.row->completes,
        .returns = invoking.row->completes};

    called = 0;
    scene_init(&invoking.scene, &plan);
    scene_load(&invoking.scene);
    booted_run(&invoking.scene.booted, 0, send_now, &invoking);
    assert_int_equal(called, invoking.row->want);
    assert_int_equal(invoking.scene.booted.kernel.rules.count, 0);
    scene_release(&invoking.scene);
}

TEST_FILE(test_io_invoked)
{
    TEST_ADD_ROWS(list, invoked_row, invoked_rows);
}
