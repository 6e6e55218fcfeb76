/* test_io_irp.c - how many stack locations an IRP can have (IO-45a). */
#include "api/io/irp.h"
#include "tests/api/io/io_scene.h"

struct making {
    struct io_scene scene;
    CHAR locations;
    struct io_request *made;
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

TEST_FILE(test_io_irp)
{
    TEST_ADD_ROWS(list, location_row, location_rows);
}
