/* test_handle.c - handles and references: counted, used again, gone with the
 * last one (OB-01). */
#include "api/ob/handle.h"

#include "api/boot/exports.h"

#include "tests/api/booted_kernel.h"

static unsigned gone;

static void count_gone(struct kernel *kernel, void *object)
{
    (void)kernel;
    (void)object;
    gone++;
}

static const struct object_type type = {
    .name = OBJECT_TYPE_FILE, .text = "thing", .gone = count_gone};

/* What a driver does to one object, a letter each: o opens a handle, c closes
 * the last one, r references, d dereferences. */
static struct count_row {
    const char *name, *steps;
    unsigned want_gone;
    uint32_t want_references, want_handles;
} count_rows[] = {
    {"maker_has_the_first_reference", "", 0, 1, 0},
    {"reference_alone", "d", 1, 0, 0},
    {"handle_keeps_it", "od", 0, 0, 1},
    {"gone_with_the_handle", "odc", 1, 0, 0},
    {"gone_with_the_reference", "ocd", 1, 0, 0},
    {"reference_out_of_a_handle", "odrc", 0, 1, 0},
    {"two_handles", "oodc", 0, 0, 1},
};

struct counting {
    const struct count_row *row;
    struct counted_object object;
    bool found, number_is_used_again;
};

static void count(void *argument)
{
    struct counting *counting = argument;
    struct kernel *kernel = kernel_current();
    HANDLE handle[4];
    unsigned handles = 0;

    counting->object =
        (struct counted_object){.type = &type, .address = 0x1000};
    counted_object_add(kernel, &counting->object);
    for (const char *step = counting->row->steps; *step != '\0'; step++) {
        if (*step == 'o') {
            handle[handles++] = handle_open(kernel, &counting->object);
        } else if (*step == 'c') {
            handle_close(kernel, handle[--handles]);
        } else if (*step == 'r') {
            counted_object_reference(&counting->object);
        } else {
            counted_object_release(kernel, &counting->object);
        }
    }
    counting->found = counted_object_find(kernel, (const void *)0x1000) != NULL;
}

static void count_row(void **state)
{
    struct counting counting = {.row = *state};
    struct booted_kernel booted;

    gone = 0;
    booted_init_usual(&booted);
    booted_run(&booted, 0, count, &counting);
    assert_int_equal(gone, counting.row->want_gone);
    assert_int_equal(counting.found, gone == 0);
    assert_int_equal(counting.object.references, counting.row->want_references);
    assert_int_equal(counting.object.handles, counting.row->want_handles);
    booted_release(&booted);
}

enum { MANY = 300 };

struct numbering {
    struct counted_object object;
    HANDLE handle[MANY], again;
    bool open, open_again, wrong;
};

static void number(void *argument)
{
    struct numbering *numbering = argument;
    struct kernel *kernel = kernel_current();
    HANDLE closed;

    numbering->object =
        (struct counted_object){.type = &type, .address = 0x1000};
    counted_object_add(kernel, &numbering->object);
    for (unsigned i = 0; i < MANY; i++) {
        numbering->handle[i] = handle_open(kernel, &numbering->object);
    }
    closed = numbering->handle[100];
    handle_close(kernel, closed);
    numbering->open = handle_object(kernel, closed) != NULL;
    numbering->again = handle_open(kernel, &numbering->object);
    numbering->open_again = handle_object(kernel, closed) == &numbering->object;
    numbering->wrong =
        handle_object(kernel, NULL) != NULL ||
        handle_object(kernel, (HANDLE)((uintptr_t)closed + 1)) != NULL ||
        handle_object(kernel, (HANDLE)((uintptr_t)closed + 4096)) != NULL;
}

static void number_that_is_closed_is_used_again(void **state)
{
    struct numbering numbering = {.open = true};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, number, &numbering);
    assert_false(numbering.open);
    assert_true(numbering.open_again);
    assert_false(numbering.wrong);
    assert_ptr_equal(numbering.again, numbering.handle[100]);
    assert_ptr_not_equal(numbering.handle[0], numbering.handle[MANY - 1]);
    booted_release(&booted);
}

struct naming {
    void *type[OBJECT_TYPES], *again;
};

static void name(void *argument)
{
    struct naming *naming = argument;

    for (enum object_type_name i = 0; i < OBJECT_TYPES; i++) {
        naming->type[i] = object_type_address(kernel_current(), i);
    }
    naming->again = object_type_address(kernel_current(), OBJECT_TYPE_EVENT);
}

static void each_type_has_an_address(void **state)
{
    struct naming naming;
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, name, &naming);
    assert_ptr_equal(naming.again, naming.type[OBJECT_TYPE_EVENT]);
    for (enum object_type_name i = 1; i < OBJECT_TYPES; i++) {
        assert_non_null(naming.type[i]);
        assert_ptr_not_equal(naming.type[i], naming.type[i - 1]);
    }
    booted_release(&booted);
}

static void wait_for_thing(void *argument)
{
    static struct counted_object object;
    NTSTATUS *status = argument;
    HANDLE handle;

    object = (struct counted_object){.type = &type, .address = 0x1000};
    counted_object_add(kernel_current(), &object);
    handle = handle_open(kernel_current(), &object);
    *status = ZwWaitForSingleObject(handle, false, NULL);
}

static void what_is_not_waited_for_is_of_another_type(void **state)
{
    struct booted_kernel booted;
    NTSTATUS status = STATUS_SUCCESS;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, wait_for_thing, &status);
    assert_int_equal(status, (NTSTATUS)0xC0000024);
    booted_release(&booted);
}

/* Objects whose addresses are of one bucket, gone in any order. */
static void share_bucket(void *argument)
{
    enum { OBJECTS = 3 };
    static struct counted_object object[OBJECTS];
    struct kernel *kernel = kernel_current();
    unsigned *wrong = argument;

    for (unsigned gone_first = 0; gone_first < OBJECTS; gone_first++) {
        for (uint64_t i = 0; i < OBJECTS; i++) {
            object[i] = (struct counted_object){
                .type = &type, .address = (1 + i * OBJECT_BUCKETS) << 12};
            counted_object_add(kernel, &object[i]);
        }
        counted_object_release(kernel, &object[gone_first]);
        for (unsigned i = 0; i < OBJECTS; i++) {
            const void *at = (const void *)(uintptr_t)object[i].address;

            *wrong += counted_object_find(kernel, at) !=
                      (i == gone_first ? NULL : &object[i]);
        }
        for (unsigned i = 0; i < OBJECTS; i++) {
            if (i != gone_first) {
                counted_object_release(kernel, &object[i]);
            }
        }
    }
}

static void objects_of_one_bucket_are_told_apart(void **state)
{
    struct booted_kernel booted;
    unsigned wrong = 0;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, share_bucket, &wrong);
    assert_int_equal(wrong, 0);
    booted_release(&booted);
}

/* Who takes and gives back: the driver A or B, a letter for each. */
static struct hold_row {
    const char *name, *steps;
    uint32_t want_references;
    bool want_refused;     /* the last one is nobody's to give back */
    unsigned want_left[2]; /* that A and B hold */
} hold_rows[] = {
    {"taken_and_given_back", "Aa", 1, false, {0, 0}},
    {"makers_is_nobodys", "Aaa", 1, true, {0, 0}},
    {"two_drivers", "AB", 3, false, {1, 1}},
    {"its_own_is_given_back", "ABAa", 3, false, {1, 1}},
    {"older_one_is_given_back", "BABa", 3, false, {0, 2}},
    {"another_ones_is_given_back", "BBa", 2, false, {0, 1}},
    {"number_is_used_again", "AaBbA", 2, false, {1, 0}},
};

struct holding {
    const struct hold_row *row;
    struct counted_object object;
    bool refused;
};

static void hold_step(void *argument)
{
    struct holding *holding = argument;
    struct kernel *kernel = kernel_current();
    char step = *holding->row->steps;

    if (step >= 'a') {
        holding->refused = !counted_object_drop(kernel, &holding->object);
    } else {
        counted_object_hold(kernel, &holding->object);
    }
}

static void add_object(void *argument)
{
    counted_object_add(kernel_current(), argument);
}

static void count_left(void *context, const struct leak_found *found)
{
    unsigned *left = context;

    *left += found->leak == LEAK_REFERENCE;
}

static void hold_row(void **state)
{
    struct hold_row row = *(const struct hold_row *)*state;
    struct holding holding = {
        .row = &row, .object = {.type = &type, .address = 0x1000}};
    struct driver other = {.name = "other"};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    booted_run(&booted, 0, add_object, &holding.object);
    for (; *row.steps != '\0'; row.steps++) {
        bool own = *row.steps == 'A' || *row.steps == 'a';

        assert_non_null(strand_spawn(booted_cpu(&booted, 0), hold_step,
            &holding, own ? &booted.driver : &other));
        assert_int_equal(machine_run(&booted.machine), MACHINE_IDLE);
    }
    assert_int_equal(holding.object.references, row.want_references);
    assert_int_equal(holding.refused, row.want_refused);
    for (unsigned i = 0; i < 2; i++) {
        unsigned left = 0;
        const struct leak_listing listing = {
            i == 0 ? &booted.driver : &other, count_left, &left};

        reference_leaks.list(&booted.kernel, &listing);
        assert_int_equal(left, row.want_left[i]);
    }
    booted_release(&booted);
}

TEST_FILE(test_handle)
{
    TEST_ADD_ROWS(list, hold_row, hold_rows);
    test_add(list, "objects_of_one_bucket_are_told_apart",
        objects_of_one_bucket_are_told_apart, NULL);
    test_add(list, "what_is_not_waited_for_is_of_another_type",
        what_is_not_waited_for_is_of_another_type, NULL);
    TEST_ADD_ROWS(list, count_row, count_rows);
    test_add(list, "number_that_is_closed_is_used_again",
        number_that_is_closed_is_used_again, NULL);
    test_add(list, "each_type_has_an_address", each_type_has_an_address, NULL);
}
