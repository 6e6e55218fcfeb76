/* test_io_irp.c - how many stack locations an IRP can have (IO-45a), whose it
 * is at each of them, and how large it and its buffers are. */
#include "api/io/irp.h"
#include "tests/api/io/io_scene.h"

struct making {
    struct io_scene scene;
    CHAR locations;
    struct io_request *made;
    bool given; /* buffers, as large as size_now says */
};

static const struct io_plan usual = {.device = {"\\Device\\Taken"}};

static void making_init(struct making *making, int locations)
{
    *making = (struct making){.locations = (CHAR)locations};
    scene_init(&making->scene, &usual);
    scene_load(&making->scene);
}

static void make_now(void *argument)
{
    struct making *making = argument;

    making->made = io_request_new(
        &making->scene.booted.kernel, IRP_ALLOCATED, making->locations, NULL);
}

static struct location_row {
    const char *name;
    int locations;
    bool made;
} location_rows[] = {
    {"no_location", 0, true},
    {"one_location", 1, true},
    {"as_many_as_can_be", 126, true},
    {"one_too_many", 127, false},
    {"negative", -1, false},
    {"least_number", -128, false},
};

static void location_row(void **state)
{
    const struct location_row *row = *state;
    struct making making;

    making_init(&making, row->locations);
    booted_run(&making.scene.booted, 0, make_now, &making);
    assert_int_equal(making.made != NULL, row->made);
    if (row->made) {
        assert_int_equal(making.made->irp->StackCount, row->locations);
        assert_int_equal(making.made->irp->CurrentLocation, row->locations + 1);
    }
    scene_release(&making.scene);
}

enum { LOCATIONS = 3, AS_MADE = -1 };

/* Who was called with it, and with the locations below, has it there. */
static struct holder_row {
    const char *name;
    int entered; /* the location that a driver was called with first */
    int number;  /* where it stands */
    bool held;
} holder_rows[] = {
    {"irp_that_nobody_was_called_with", AS_MADE, 1, false},
    {"irp_before_it_is_sent", AS_MADE, LOCATIONS + 1, false},
    {"irp_at_the_location_of_who_was_called", 2, 2, true},
    {"irp_below_who_was_called", 2, 1, true},
    {"irp_above_who_was_called", 2, 3, false},
    {"irp_below_its_lowest_location", 2, 0, false},
};

static void holder_row(void **state)
{
    const struct holder_row *row = *state;
    struct making making;
    struct kernel *kernel = &making.scene.booted.kernel;
    PDEVICE_OBJECT device;

    making_init(&making, LOCATIONS);
    booted_run(&making.scene.booted, 0, make_now, &making);
    device = making.scene.notes.device[0];
    for (int i = 1; i <= LOCATIONS; i++) {
        io_request_location(making.made, (CHAR)i)->DeviceObject = device;
    }
    making.made->irp->CurrentLocation = (CHAR)row->number;
    if (row->entered != AS_MADE) {
        making.made->entered = (CHAR)row->entered;
    }
    assert_ptr_equal(io_request_holder(kernel, making.made),
        row->held ? io_device_any(kernel, device) : NULL);
    scene_release(&making.scene);
}

static size_t size_at(struct kernel *kernel, const void *address)
{
    return memory_find(&kernel->machine->memory, address)->size;
}

/* Each ends at the next 16th byte, behind which a driver is caught. */
static struct size_row {
    const char *name;
    size_t bytes, block;
} size_rows[] = {
    {"buffer_of_a_byte", 1, 16},
    {"buffer_of_16_bytes", 16, 16},
    {"buffer_of_17_bytes", 17, 32},
    {"buffer_of_240_bytes", 240, 240},
    {"buffer_of_4096_bytes", 4096, 4096},
};

static const struct size_row *size_now;

static void buffers_now(void *argument)
{
    static char bytes[4096];
    struct making *making = argument;
    struct kernel *kernel = kernel_current();
    const void *input = bytes;

    making->given = io_request_buffer(kernel, making->made, size_now->bytes) &&
                    io_request_neither(kernel, making->made, &input,
                        size_now->bytes, bytes, size_now->bytes);
}

static void direct_now(void *argument)
{
    static char bytes[4096];
    struct making *making = argument;

    making->given = io_request_direct(kernel_current(), making->made, bytes,
                        size_now->bytes, true) == STATUS_SUCCESS;
}

static void size_row(void **state)
{
    struct making making;
    struct booted_kernel *booted = &making.scene.booted;
    struct kernel *kernel = &booted->kernel;

    size_now = *state;
    making_init(&making, 1);
    booted_run(booted, 0, make_now, &making);
    booted_run(booted, 0, buffers_now, &making);
    assert_true(making.given);
    assert_int_equal(
        size_at(kernel, making.made->system_buffer), size_now->block);
    assert_int_equal(
        size_at(kernel, making.made->direct_input), size_now->block);
    assert_int_equal(size_at(kernel, making.made->direct), size_now->block);
    booted_run(booted, 0, make_now, &making);
    booted_run(booted, 0, direct_now, &making);
    assert_true(making.given);
    assert_int_equal(size_at(kernel, making.made->direct), size_now->block);
    scene_release(&making.scene);
}

/* An IRP has 208 bytes, and each location 72. */
static struct irp_row {
    const char *name;
    int locations;
    size_t size, block;
} irp_rows[] = {
    {"size_of_no_location", 0, 208, 208},
    {"size_of_one_location", 1, 280, 288},
    {"size_of_two_locations", 2, 352, 352},
    {"size_of_as_many_as_can_be", 126, 9280, 9280},
};

static void irp_row(void **state)
{
    const struct irp_row *row = *state;
    struct making making;

    making_init(&making, row->locations);
    booted_run(&making.scene.booted, 0, make_now, &making);
    assert_int_equal(making.made->irp->Size, row->size);
    assert_int_equal(
        size_at(&making.scene.booted.kernel, making.made->irp), row->block);
    scene_release(&making.scene);
}

TEST_FILE(test_io_irp)
{
    TEST_ADD_ROWS(list, location_row, location_rows);
    TEST_ADD_ROWS(list, holder_row, holder_rows);
    TEST_ADD_ROWS(list, size_row, size_rows);
    TEST_ADD_ROWS(list, irp_row, irp_rows);
}
