/* test_callback_object.c - callback objects by their names and references:
 * what no scenario does with them. */
#include "api/io/callback_object.h"

#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

/* In the driver's memory. */
struct scene {
    UNICODE_STRING *name;
    OBJECT_ATTRIBUTES *attributes;
    PVOID *object;
    HANDLE *handle;
    PVOID registration, again;
    uint32_t status;
    unsigned calls;
    bool there;
};

static struct scene *scene;

static uint32_t create(void)
{
    return (uint32_t)ExCreateCallback(scene->object, scene->attributes, 1, 0);
}

static void NTAPI count_call(PVOID context, PVOID first, PVOID second)
{
    (void)context;
    (void)first;
    (void)second;
    scene->calls++;
}

static void create_of_an_event_s_name(void *argument)
{
    (void)argument;
    scene->there =
        IoCreateNotificationEvent(scene->name, scene->handle) != NULL;
    scene->status = create();
}

static void name_of_another_kind_is_refused(void **state)
{
    (void)state;
    assert_true(scene->there);
    assert_int_equal(scene->status, (uint32_t)STATUS_OBJECT_TYPE_MISMATCH);
}

static void event_of_a_callback_s_name(void *argument)
{
    (void)argument;
    scene->status = create();
    scene->there =
        IoCreateNotificationEvent(scene->name, scene->handle) != NULL;
}

static void event_is_not_made_of_it(void **state)
{
    (void)state;
    assert_int_equal(scene->status, STATUS_SUCCESS);
    assert_false(scene->there);
}

/* The registration has the last reference. */
static void unregister_last(void *argument)
{
    (void)argument;
    create();
    scene->registration = ExRegisterCallback(*scene->object, count_call, NULL);
    ObfDereferenceObject(*scene->object);
    scene->there =
        counted_object_find(kernel_current(), *scene->object) != NULL;
    ExUnregisterCallback(scene->registration);
    scene->status =
        counted_object_find(kernel_current(), *scene->object) == NULL;
}

static void object_is_gone_with_its_registration(void **state)
{
    (void)state;
    assert_true(scene->there);
    assert_int_equal(scene->status, true);
}

/* An object of one routine takes the next while the last one still runs. */
static void NTAPI replace_itself(PVOID context, PVOID first, PVOID second)
{
    count_call(context, first, second);
    ExUnregisterCallback(scene->registration);
    scene->again = ExRegisterCallback(*scene->object, count_call, NULL);
}

static void replace_inside(void *argument)
{
    (void)argument;
    create();
    scene->registration =
        ExRegisterCallback(*scene->object, replace_itself, NULL);
    ExNotifyCallback(*scene->object, NULL, NULL);
    scene->status = scene->calls;
    ExNotifyCallback(*scene->object, NULL, NULL);
    ExUnregisterCallback(scene->again);
    ExNotifyCallback(*scene->object, NULL, NULL);
}

static void routine_can_be_replaced_as_it_runs(void **state)
{
    (void)state;
    assert_non_null(scene->again);
    assert_int_equal(scene->status, 1);
    assert_int_equal(scene->calls, 2);
}

static struct callback_row {
    const char *name;
    void (*code)(void *argument);
    void (*check)(void **state);
} callback_rows[] = {
    {"name_of_another_kind_is_refused", create_of_an_event_s_name,
        name_of_another_kind_is_refused},
    {"event_is_not_made_of_it", event_of_a_callback_s_name,
        event_is_not_made_of_it},
    {"object_is_gone_with_its_registration", unregister_last,
        object_is_gone_with_its_registration},
    {"routine_can_be_replaced_as_it_runs", replace_inside,
        routine_can_be_replaced_as_it_runs},
};

static void prepare(struct booted_kernel *booted, struct scene *made)
{
    static const char text[] = "\\Callback\\Own";
    WCHAR *units = booted_block(booted, sizeof(text) * sizeof(WCHAR), 0);

    for (size_t i = 0; text[i] != '\0'; i++) {
        units[i] = (WCHAR)text[i];
    }
    *made = (struct scene){.name = booted_block(booted, sizeof(*made->name), 0),
        .attributes = booted_block(booted, sizeof(*made->attributes), 0),
        .object = booted_block(booted, sizeof(*made->object), 0),
        .handle = booted_block(booted, sizeof(*made->handle), 0)};
    *made->name = (UNICODE_STRING){.Length = 2 * (sizeof(text) - 1),
        .MaximumLength = 2 * sizeof(text),
        .Buffer = units};
    made->attributes->ObjectName = made->name;
    scene = made;
}

static void callback_row(void **state)
{
    const struct callback_row *row = *state;
    struct booted_kernel booted;
    struct scene made;

    booted_init_usual(&booted);
    prepare(&booted, &made);
    booted_run(&booted, 0, row->code, NULL);
    row->check(state);
    booted_release(&booted);
}

static void notify_no_code(void *argument)
{
    (void)argument;
    create();
    ExRegisterCallback(*scene->object, NULL, NULL);
    ExNotifyCallback(*scene->object, NULL, NULL);
}

static void routine_that_is_no_code_stops_the_machine(void **state)
{
    struct booted_kernel booted;
    struct scene made;

    (void)state;
    booted_init_usual(&booted);
    prepare(&booted, &made);
    booted_run_to_stop(&booted, 0, notify_no_code, NULL);
    assert_int_equal(booted_broken(&booted, RULE_CODE_NOT_CODE), 1);
    booted_release(&booted);
}

static const struct driver *inside, *after;

static void NTAPI note_driver(PVOID context, PVOID first, PVOID second)
{
    struct kernel *kernel = kernel_current();

    count_call(context, first, second);
    inside = kernel_driver(kernel, kernel_cpu(kernel));
}

static void register_it(void *argument)
{
    (void)argument;
    create();
    ExRegisterCallback(*scene->object, note_driver, NULL);
}

static void notify_it(void *argument)
{
    struct kernel *kernel = kernel_current();

    (void)argument;
    ExNotifyCallback(*scene->object, NULL, NULL);
    after = kernel_driver(kernel, kernel_cpu(kernel));
}

static void routine_runs_as_its_driver_and_no_longer(void **state)
{
    struct driver other = {.name = "other"};
    struct booted_kernel booted;
    struct scene made;

    (void)state;
    booted_init_usual(&booted);
    prepare(&booted, &made);
    assert_non_null(
        strand_spawn(booted_cpu(&booted, 0), register_it, NULL, &other));
    assert_int_equal(machine_run(&booted.machine), MACHINE_IDLE);
    booted_run(&booted, 0, notify_it, NULL);
    assert_int_equal(made.calls, 1);
    assert_ptr_equal(inside, &other);
    assert_ptr_equal(after, &booted.driver);
    booted_release(&booted);
}

TEST_FILE(test_callback_object)
{
    TEST_ADD_ROWS(list, callback_row, callback_rows);
    test_add(list, "routine_that_is_no_code_stops_the_machine",
        routine_that_is_no_code_stops_the_machine, NULL);
    test_add(list, "routine_runs_as_its_driver_and_no_longer",
        routine_runs_as_its_driver_and_no_longer, NULL);
}
