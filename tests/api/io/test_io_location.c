/* test_io_location.c - where an IRP stands among its stack locations, as
 * drivers leave it to the I/O manager: what is none of its places stops the
 * machine by name. */
#include "api/io/csq.h"
#include "api/io/irp.h"
#include "tests/api/io/io_scene.h"

enum {
    LOCATIONS = 3,
    AT_FIRST = 1, /* the lowest one, which is the current one */
    AT_ONCE = SL_INVOKE_ON_SUCCESS | SL_INVOKE_ON_ERROR,
};

/* An IRP of the driver's, and what one of its routines does to it. */
struct standing {
    struct io_scene scene;
    int location;     /* what it becomes */
    int pointer;      /* of which location the pointer is then */
    NTSTATUS returns; /* the completion routine */
    PIRP irp;
    IO_CSQ *queue;
    unsigned calls; /* of completion routines */
};

static const struct io_plan usual = {.device = {"\\Device\\Stands"}};
static struct standing *standing_now;

static IO_STACK_LOCATION *location_of(PIRP irp, int number)
{
    return (IO_STACK_LOCATION *)(void *)(irp + 1) + (number - 1);
}

static void put(PIRP irp, int location, int pointer)
{
    irp->CurrentLocation = (CHAR)location;
    irp->Tail.Overlay.CurrentStackLocation = location_of(irp, pointer);
}

static uint64_t NTAPI spoil(uint64_t device, uint64_t irp, uint64_t context,
    uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    struct standing *standing = standing_now;

    (void)device;
    (void)context;
    (void)fourth;
    (void)fifth;
    (void)sixth;
    if (standing->calls++ == 0) {
        put((PIRP)(uintptr_t)irp, standing->location, standing->pointer);
    }
    return (uint32_t)standing->returns;
}

static void standing_init(struct standing *standing)
{
    scene_init(&standing->scene, &usual);
    scene_load(&standing->scene);
    standing->queue =
        booted_block(&standing->scene.booted, sizeof(*standing->queue), 0);
    standing_now = standing;
}

static void complete_now(void *argument)
{
    struct standing *standing = argument;
    code_function *routine = spoil;
    IO_STACK_LOCATION *location;

    standing->irp = IoAllocateIrp(LOCATIONS, 0);
    location = location_of(standing->irp, AT_FIRST);
    location->CompletionRoutine = (void *)(uintptr_t)routine;
    location->Control = AT_ONCE;
    put(standing->irp, AT_FIRST, AT_FIRST);
    IofCompleteRequest(standing->irp, 0);
}

/* The routine is called when the location is 2. */
static struct left_row {
    const char *name;
    int location, pointer;
    NTSTATUS returns;
    bool stops;
} left_rows[] = {
    {"routine_that_lowers_its_location", 1, 1, STATUS_SUCCESS, true},
    {"routine_that_lowers_the_number_alone", 1, 2, STATUS_SUCCESS, true},
    {"routine_that_makes_the_number_none", 0, 0, STATUS_SUCCESS, true},
    {"routine_that_makes_the_number_negative", -5, 2, STATUS_SUCCESS, true},
    {"routine_that_makes_the_number_too_large", 5, 5, STATUS_SUCCESS, true},
    {"routine_that_skips_one", 3, 3, STATUS_SUCCESS, true},
    {"routine_that_moves_the_pointer_alone", 2, 1, STATUS_SUCCESS, true},
    {"routine_that_lowers_its_location_and_keeps_the_irp", 1, 1,
        STATUS_MORE_PROCESSING_REQUIRED, false},
};

static void left_row(void **state)
{
    const struct left_row *row = *state;
    struct standing standing = {.location = row->location,
        .pointer = row->pointer,
        .returns = row->returns};
    struct booted_kernel *booted = &standing.scene.booted;

    standing_init(&standing);
    if (row->stops) {
        booted_run_to_stop(booted, 0, complete_now, &standing);
        assert_int_equal(booted->kernel.bugcheck.code, 0xC9);
    } else {
        booted_run(booted, 0, complete_now, &standing);
    }
    assert_int_equal(standing.calls, 1);
    assert_int_equal(booted_broken(booted, RULE_IO_NOT_OBJECT), row->stops);
    scene_release(&standing.scene);
}

static void insert_now(void *argument)
{
    struct standing *standing = argument;

    standing->irp = IoAllocateIrp(LOCATIONS, 0);
    put(standing->irp, standing->location, standing->pointer);
    IoCsqInitialize(standing->queue, NULL, NULL, NULL, NULL, NULL, NULL);
    IoCsqInsertIrp(standing->queue, standing->irp, NULL);
}

/* Nothing of the queue is called. */
static struct inserted_row {
    const char *name;
    int location, pointer;
} inserted_rows[] = {
    {"irp_in_queue_before_it_has_a_location", 4, 4},
    {"irp_in_queue_below_its_lowest_location", 0, 0},
    {"irp_in_queue_with_a_negative_location", -128, 1},
    {"irp_in_queue_above_all_its_locations", 127, 1},
    {"irp_in_queue_with_another_pointer", 2, 1},
};

static void inserted_row(void **state)
{
    const struct inserted_row *row = *state;
    struct standing standing = {
        .location = row->location, .pointer = row->pointer};
    struct booted_kernel *booted = &standing.scene.booted;

    standing_init(&standing);
    booted_run_to_stop(booted, 0, insert_now, &standing);
    assert_int_equal(booted->kernel.bugcheck.code, 0xC9);
    assert_int_equal(booted_broken(booted, RULE_IO_NOT_OBJECT), 1);
    scene_release(&standing.scene);
}

TEST_FILE(test_io_location)
{
    TEST_ADD_ROWS(list, left_row, left_rows);
    TEST_ADD_ROWS(list, inserted_row, inserted_rows);
}
