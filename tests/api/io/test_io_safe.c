/* test_io_safe.c - which of the completion routines of
 * IoSetCompletionRoutineEx is whose (IO-43f), and when each is called. */
#include "api/io/io.h"
#include "api/io/safe_completion.h"
#include "tests/api/io/io_scene.h"

enum { LOCATIONS = 3, NOWHERE = 0 };

struct setting {
    struct io_scene scene;
    PIRP irp, other;
};

static const struct io_plan usual = {.device = {"\\Device\\Safe"}};

/* As the driver whose location is above that one. */
static NTSTATUS set_at(struct setting *setting, PIRP irp, int location,
    BOOLEAN success, BOOLEAN error, BOOLEAN cancel)
{
    irp->CurrentLocation = (CHAR)(location + 1);
    irp->Tail.Overlay.CurrentStackLocation =
        (IO_STACK_LOCATION *)(void *)(irp + 1) + location;
    return IoSetCompletionRoutineEx(setting->scene.notes.device[0], irp,
        (PVOID)(uintptr_t)irp, setting, success, error, cancel);
}

static void setting_init(struct setting *setting)
{
    *setting = (struct setting){.irp = NULL};
    scene_init(&setting->scene, &usual);
    scene_load(&setting->scene);
}

static struct taken_row {
    const char *name;
    int sets, sets_then; /* locations */
    bool lost;           /* the IRP is freed, or used anew */
    int takes;
    bool found;
} taken_rows[] = {
    {"routine_of_its_location", 2, NOWHERE, false, 2, true},
    {"routine_of_the_lowest_location", 1, NOWHERE, false, 1, true},
    {"no_routine_of_the_location_below", 2, NOWHERE, false, 1, false},
    {"no_routine_of_the_location_above", 2, NOWHERE, false, 3, false},
    {"first_of_two", 3, 2, false, 3, true},
    {"second_of_two", 3, 2, false, 2, true},
    {"one_of_the_same_location", 2, 2, false, 2, true},
    {"lost_with_its_irp", 2, NOWHERE, true, 2, false},
    {"lost_at_the_lowest_location", 1, NOWHERE, true, 1, false},
    {"first_of_two_that_are_lost", 3, 1, true, 3, false},
    {"second_of_two_that_are_lost", 3, 1, true, 1, false},
};

static const struct taken_row *taken_now;
static struct taken {
    bool found, again, others;
} taken;

/* Of another IRP's nothing is lost or taken. */
static void take_now(void *argument)
{
    struct setting *setting = argument;
    struct kernel *kernel = kernel_current();
    const struct taken_row *row = taken_now;
    const struct io_request *request, *other;

    setting->irp = IoAllocateIrp(LOCATIONS, 0);
    setting->other = IoAllocateIrp(LOCATIONS, 0);
    request = io_request_find(kernel, setting->irp);
    other = io_request_find(kernel, setting->other);
    set_at(setting, setting->other, row->takes, 1, 1, 1);
    set_at(setting, setting->irp, row->sets, 1, 1, 1);
    if (row->sets_then != NOWHERE) {
        set_at(setting, setting->irp, row->sets_then, 1, 1, 1);
    }
    if (row->lost) {
        safe_completion_lost(kernel, request);
    }
    taken.found =
        safe_completion_take(kernel, request, (CHAR)row->takes) != NULL;
    taken.again =
        safe_completion_take(kernel, request, (CHAR)row->takes) != NULL;
    taken.others =
        safe_completion_take(kernel, other, (CHAR)row->takes) != NULL;
}

static void taken_row(void **state)
{
    struct setting setting;

    taken_now = *state;
    setting_init(&setting);
    booted_run(&setting.scene.booted, 0, take_now, &setting);
    assert_int_equal(taken.found, taken_now->found);
    assert_false(taken.again);
    assert_true(taken.others);
    scene_release(&setting.scene);
}

static struct control_row {
    const char *name;
    BOOLEAN success, error, cancel;
    UCHAR control;
} control_rows[] = {
    {"never", 0, 0, 0, 0},
    {"on_success", 1, 0, 0, 0x40},
    {"on_error", 0, 1, 0, 0x80},
    {"on_cancel", 0, 0, 1, 0x20},
    {"on_success_and_error", 2, 1, 0, 0xC0},
    {"always", 1, 1, 1, 0xE0},
};

static const struct control_row *control_now;

static void control_set_now(void *argument)
{
    struct setting *setting = argument;

    setting->irp = IoAllocateIrp(LOCATIONS, 0);
    setting->scene.status = set_at(setting, setting->irp, 2,
        control_now->success, control_now->error, control_now->cancel);
}

static void control_row(void **state)
{
    struct setting setting;
    const IO_STACK_LOCATION *location;

    control_now = *state;
    setting_init(&setting);
    booted_run(&setting.scene.booted, 0, control_set_now, &setting);
    location = (const IO_STACK_LOCATION *)(void *)(setting.irp + 1) + 1;
    assert_int_equal(setting.scene.status, STATUS_SUCCESS);
    assert_int_equal(location->Control, control_now->control);
    assert_ptr_equal(location->CompletionRoutine, setting.irp);
    assert_ptr_equal(location->Context, &setting);
    scene_release(&setting.scene);
}

TEST_FILE(test_io_safe)
{
    TEST_ADD_ROWS(list, taken_row, taken_rows);
    TEST_ADD_ROWS(list, control_row, control_rows);
}
