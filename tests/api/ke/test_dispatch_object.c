/* test_dispatch_object.c - objects by the address of their storage: found, made
 * anew, forgotten with their memory (EXE-GEN-02, EXE-GEN-05). */
#include "api/ke/dispatch_object.h"

#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

enum { OBJECTS = 400, STRIDE = 24 };

struct found {
    uint8_t *block;
    unsigned made, wrong, left;
    KEVENT shown;
    int32_t state;
    enum dispatch_kind kind;
    const struct dispatch_object *first, *second;
};

static uint64_t address_of(const struct found *found, unsigned i)
{
    return (uintptr_t)(found->block + (size_t)i * STRIDE);
}

/* Objects side by side on several pages, every second one signalled. */
static void make_events(struct found *found)
{
    found->block =
        ExAllocatePoolWithTag(0, (SIZE_T)OBJECTS * STRIDE, 0x74736574);
    for (unsigned i = 0; i < OBJECTS; i++) {
        KeInitializeEvent(
            found->block + (size_t)i * STRIDE, NotificationEvent, i % 2);
    }
}

/* Of objects side by side every second one is ended by whoever made it, and
 * half of these are made anew. */
static void end_some(void *argument)
{
    struct found *found = argument;
    struct kernel *kernel = kernel_current();

    make_events(found);
    for (unsigned i = 0; i < OBJECTS; i += 2) {
        uint64_t at = address_of(found, i);

        dispatch_object_free(kernel, kernel_cpu(kernel), ROUTINE_ZwClose,
            dispatch_object_find(kernel, at));
    }
    for (unsigned i = 0; i < OBJECTS; i += 4) {
        KeInitializeEvent(
            found->block + (size_t)i * STRIDE, NotificationEvent, 0);
    }
    for (unsigned i = 0; i < OBJECTS; i++) {
        uint64_t at = address_of(found, i);
        bool is = dispatch_object_find(kernel, at) != NULL;

        found->made += is;
        found->wrong += is != (i % 4 != 2);
    }
    ExFreePoolWithTag(found->block, 0x74736574);
}

static void one_that_ends_leaves_its_neighbours(void **state)
{
    struct found found = {.made = 0};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, end_some, &found);
    assert_int_equal(found.made, OBJECTS / 4 * 3);
    assert_int_equal(found.wrong, 0);
    booted_release(&booted);
}

static void make_many(void *argument)
{
    struct found *found = argument;
    struct kernel *kernel = kernel_current();

    make_events(found);
    for (unsigned i = 0; i < OBJECTS; i++) {
        uint64_t at = address_of(found, i);
        const struct dispatch_object *object = dispatch_object_find(kernel, at);

        found->made += object != NULL;
        found->wrong += object == NULL || object->stored.address != at ||
                        object->state != (int32_t)(i % 2) ||
                        dispatch_object_find(kernel, at + 4) != NULL;
    }
    ExFreePoolWithTag(found->block, 0x74736574);
    for (unsigned i = 0; i < OBJECTS; i++) {
        found->left +=
            dispatch_object_find(kernel, address_of(found, i)) != NULL;
    }
}

static void freed_memory_has_no_objects(void **state)
{
    struct found found = {.made = 0};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, make_many, &found);
    assert_int_equal(found.made, OBJECTS);
    assert_int_equal(found.wrong, 0);
    assert_int_equal(found.left, 0);
    booted_release(&booted);
}

static void make_anew(void *argument)
{
    struct found *found = argument;
    struct kernel *kernel = kernel_current();
    const struct dispatch_object *object;

    KeInitializeEvent(found->block, NotificationEvent, 1);
    found->first = dispatch_object_find(kernel, (uintptr_t)found->block);
    KeInitializeEvent(found->block, SynchronizationEvent, 0);
    found->second = dispatch_object_find(kernel, (uintptr_t)found->block);
    KeSetEvent(found->block, 0, 0);
    object = dispatch_object_find(kernel, (uintptr_t)found->block);
    found->kind = object->kind;
    found->state = object->state;
    memcpy(&found->shown, found->block, sizeof(found->shown));
}

static void storage_shows_the_last_kind_and_state(void **state)
{
    struct found found = {.made = 0};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    found.block = booted_block(&booted, sizeof(KEVENT), 0xA5);
    booted_run(&booted, 0, make_anew, &found);
    assert_int_equal(found.kind, DISPATCH_SYNCHRONIZATION_EVENT);
    assert_int_equal(found.state, 1);
    assert_int_equal(found.shown.Header.Type, 1);
    assert_int_equal(found.shown.Header.Size, 6);
    assert_int_equal(found.shown.Header.SignalState, 1);
    assert_ptr_equal(found.shown.Header.WaitListHead.Flink, found.block + 8);
    assert_ptr_equal(found.shown.Header.WaitListHead.Blink, found.block + 8);
    booted_release(&booted);
}

static void record_is_used_again(void **state)
{
    struct found found = {.made = 0};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    found.block = booted_block(&booted, sizeof(KEVENT), 0);
    booted_run(&booted, 0, make_anew, &found);
    assert_non_null(found.first);
    assert_ptr_equal(found.first, found.second);
    booted_release(&booted);
}

/* Two of one line; the one that was there first is made anew. */
static void make_first_of_line_anew(void *argument)
{
    struct found *found = argument;
    struct kernel *kernel = kernel_current();
    uint64_t at = (uintptr_t)found->block;

    KeInitializeEvent(found->block, NotificationEvent, 1);
    KeInitializeEvent(found->block + STRIDE, NotificationEvent, 1);
    KeInitializeEvent(found->block, SynchronizationEvent, 0);
    found->kind = dispatch_object_find(kernel, at)->kind;
    found->state = dispatch_object_find(kernel, at + STRIDE)->state;
}

static void neighbour_stays_as_it_was(void **state)
{
    struct found found = {.made = 0};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    found.block = booted_block(&booted, 2 * STRIDE, 0);
    booted_run(&booted, 0, make_first_of_line_anew, &found);
    assert_int_equal(found.kind, DISPATCH_SYNCHRONIZATION_EVENT);
    assert_int_equal(found.state, 1);
    booted_release(&booted);
}

static void set_mutex(void *argument)
{
    const struct found *found = argument;

    KeInitializeMutex((PKMUTEX)(void *)found->block, 0);
    KeSetEvent((PKEVENT)(void *)found->block, 0, 0);
}

static void bug_check_says_what_the_object_is(void **state)
{
    struct found found = {.made = 0};
    struct booted_kernel booted;
    const struct bugcheck *bugcheck = &booted.kernel.bugcheck;

    (void)state;
    booted_init_usual(&booted);
    found.block = booted_block(&booted, sizeof(KMUTEX), 0);
    booted_run_to_stop(&booted, 0, set_mutex, &found);
    assert_string_equal(bugcheck->parameter[0].name, "KeSetEvent");
    assert_ptr_equal(
        (void *)(uintptr_t)bugcheck->parameter[1].value, found.block);
    assert_string_equal(bugcheck->parameter[2].name, "mutex");
    booted_release(&booted);
}

TEST_FILE(test_dispatch_object)
{
    test_add(
        list, "neighbour_stays_as_it_was", neighbour_stays_as_it_was, NULL);
    test_add(
        list, "freed_memory_has_no_objects", freed_memory_has_no_objects, NULL);
    test_add(list, "one_that_ends_leaves_its_neighbours",
        one_that_ends_leaves_its_neighbours, NULL);
    test_add(list, "storage_shows_the_last_kind_and_state",
        storage_shows_the_last_kind_and_state, NULL);
    test_add(list, "record_is_used_again", record_is_used_again, NULL);
    test_add(list, "bug_check_says_what_the_object_is",
        bug_check_says_what_the_object_is, NULL);
}
