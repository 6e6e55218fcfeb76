/* test_io_locked.c - a program's buffer that a driver has locked, or secured,
 * outlives the request that it came with (MDL-06b, MMIO-43). */
#include "api/core/leaks.h"
#include "tests/api/io/io_request.h"

enum { BYTES = 16, USER = 1, TO_WRITE = 1, PAGE_READWRITE = 4 };

enum held { HELD_LOCKED, HELD_SECURED };

enum which { WHICH_OUTPUT, WHICH_INPUT, WHICH_MDL };

/* What the driver does with the buffer of the one request. */
struct locking {
    struct request request;
    enum held held;
    enum which which;
    bool ends_first; /* before it completes the request */
    void *buffer;
    PMDL mdl;
    PVOID secured;
    unsigned left; /* things that it holds */
};

static struct locking *locking_now;

static void *buffer_of(PIRP irp)
{
    const IO_STACK_LOCATION *location = irp->Tail.Overlay.CurrentStackLocation;
    const MDL *mdl = irp->MdlAddress;

    switch (locking_now->which) {
    case WHICH_OUTPUT:
        return irp->UserBuffer;
    case WHICH_INPUT:
        return location->Parameters.DeviceIoControl.Type3InputBuffer;
    case WHICH_MDL:
        return (uint8_t *)mdl->StartVa + mdl->ByteOffset;
    }
    return NULL;
}

static void hold(struct locking *locking)
{
    if (locking->held == HELD_SECURED) {
        locking->secured =
            MmSecureVirtualMemory(locking->buffer, BYTES, PAGE_READWRITE);
        return;
    }
    locking->mdl = IoAllocateMdl(locking->buffer, BYTES, 0, 0, NULL);
    MmProbeAndLockPages(
        locking->mdl, locking->which == WHICH_MDL ? 0 : USER, TO_WRITE);
}

static void end_now(void *argument)
{
    struct locking *locking = argument;

    if (locking->held == HELD_SECURED) {
        MmUnsecureVirtualMemory(locking->secured);
        return;
    }
    MmUnlockPages(locking->mdl);
    IoFreeMdl(locking->mdl);
}

static uint64_t NTAPI holds(uint64_t device, uint64_t irp, uint64_t third,
    uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    PIRP request = (PIRP)(uintptr_t)irp;
    struct locking *locking = locking_now;

    (void)device;
    (void)third;
    (void)fourth;
    (void)fifth;
    (void)sixth;
    locking->buffer = buffer_of(request);
    hold(locking);
    if (locking->ends_first) {
        end_now(locking);
    }
    request->IoStatus.Status = STATUS_SUCCESS;
    IofCompleteRequest(request, 0);
    return 0;
}

static void count(void *context, const struct leak_found *found)
{
    struct locking *locking = context;

    locking->left += found->leak == LEAK_LOCKED_PAGES ||
                     found->leak == LEAK_SECURED || found->leak == LEAK_MDL;
}

static void list_now(void *argument)
{
    struct locking *locking = argument;
    const struct leak_listing listing = {
        .driver = &locking->request.scene.booted.driver,
        .found = count,
        .context = locking};

    locking->left = 0;
    leaks_list(kernel_current(), &listing);
}

static struct held_row {
    const char *name;
    ULONG code; /* its lowest bits are the method */
    enum held held;
    enum which which;
    bool ends_first;
} held_rows[] = {
    {"output_that_is_locked_stays", 0x222003, HELD_LOCKED, WHICH_OUTPUT, false},
    {"input_that_is_locked_stays", 0x222003, HELD_LOCKED, WHICH_INPUT, false},
    {"output_of_an_mdl_that_is_locked_again_stays", 0x222002, HELD_LOCKED,
        WHICH_MDL, false},
    {"output_that_is_secured_stays", 0x222003, HELD_SECURED, WHICH_OUTPUT,
        false},
    {"input_that_is_secured_stays", 0x222003, HELD_SECURED, WHICH_INPUT, false},
    {"output_that_was_locked_goes", 0x222003, HELD_LOCKED, WHICH_OUTPUT, true},
    {"output_that_was_secured_goes", 0x222003, HELD_SECURED, WHICH_OUTPUT,
        true},
};

static void held_row(void **state)
{
    const struct held_row *row = *state;
    struct locking locking = {.left = 0};
    struct booted_kernel *booted = &locking.request.scene.booted;
    const struct memory *memory = &booted->machine.memory;
    const struct io_plan plan = {.information = 0};
    code_function *dispatch = holds;

    request_init(&locking.request, &plan);
    locking.held = row->held;
    locking.which = row->which;
    locking.ends_first = row->ends_first;
    locking.request.code = row->code;
    locking.request.input = "a program's own";
    locking.request.input_size = BYTES;
    locking.request.output_size = BYTES;
    locking.request.scene.driver->guest->MajorFunction[IRP_MJ_DEVICE_CONTROL] =
        (void *)(uintptr_t)dispatch;
    locking_now = &locking;
    request_run(&locking.request);
    assert_int_equal(
        memory_find(memory, locking.buffer) != NULL, !row->ends_first);
    booted_run(booted, 0, list_now, &locking);
    assert_int_equal(locking.left, !row->ends_first);
    if (!row->ends_first) {
        booted_run(booted, 0, end_now, &locking);
    }
    booted_run(booted, 0, list_now, &locking);
    assert_int_equal(locking.left, 0);
    assert_int_equal(booted->kernel.rules.count, 0);
    scene_release(&locking.request.scene);
}

TEST_FILE(test_io_locked)
{
    TEST_ADD_ROWS(list, held_row, held_rows);
}
