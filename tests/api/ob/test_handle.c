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

    counting->object = (struct counted_object){.type = &type,
        .address = 0x1000,
        .references = 7,
        .handles = 7,
        .held = 7,
        .permanent = true}; /* of its memory before */
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
    assert_int_equal(counting.object.held, 0);
    assert_false(counting.object.permanent);
    booted_release(&booted);
}

static unsigned closed;

/* It is there until this returns, whoever lets go of it. */
static void count_closed(struct kernel *kernel, struct counted_object *object)
{
    counted_object_reference(object);
    counted_object_release(kernel, object);
    closed += gone == 0;
}

static const struct object_type closing_type = {.name = OBJECT_TYPE_FILE,
    .text = "thing",
    .closed = count_closed,
    .gone = count_gone};

/* What becomes of a new object whose handle could be opened, or not. */
static struct made_row {
    const char *name;
    const struct object_type *type;
    uint32_t attributes;
    NTSTATUS opened;
    unsigned want_closed, want_gone;
    uint32_t want_references;
    bool want_permanent, closes; /* the handle, then */
} made_rows[] = {
    {"opened", &closing_type, 0, STATUS_SUCCESS, 0, 0, 0, false, false},
    {"opened_permanent", &closing_type, OBJ_PERMANENT, STATUS_SUCCESS, 0, 0, 1,
        true, false},
    {"opened_and_closed", &closing_type, 0, STATUS_SUCCESS, 1, 1, 0, false,
        true},
    {"permanent_and_closed", &closing_type, OBJ_PERMANENT, STATUS_SUCCESS, 1, 0,
        1, true, true},
    {"not_opened", &closing_type, 0, STATUS_INSUFFICIENT_RESOURCES, 1, 1, 0,
        false, false},
    {"not_opened_permanent", &closing_type, OBJ_PERMANENT,
        STATUS_INSUFFICIENT_RESOURCES, 1, 1, 0, false, false},
    {"not_opened_of_what_is_not_closed", &type, 0,
        STATUS_INSUFFICIENT_RESOURCES, 0, 1, 0, false, false},
};

struct making {
    const struct made_row *row;
    struct counted_object object;
};

static void make(void *argument)
{
    struct making *making = argument;
    const struct made_row *row = making->row;
    struct kernel *kernel = kernel_current();
    HANDLE handle = NULL;

    making->object =
        (struct counted_object){.type = row->type, .address = 0x1000};
    counted_object_add(kernel, &making->object);
    if (NT_SUCCESS(row->opened)) {
        handle = handle_open(kernel, &making->object);
    }
    counted_object_made(kernel, &making->object, row->attributes, row->opened);
    if (row->closes) {
        handle_close(kernel, handle);
    }
}

static void made_row(void **state)
{
    struct making making = {.row = *state};
    struct booted_kernel booted;

    closed = 0;
    gone = 0;
    booted_init_usual(&booted);
    booted_run(&booted, 0, make, &making);
    assert_int_equal(closed, making.row->want_closed);
    assert_int_equal(gone, making.row->want_gone);
    assert_int_equal(making.object.references, making.row->want_references);
    assert_int_equal(making.object.permanent, making.row->want_permanent);
    booted_release(&booted);
}

enum { MANY = 300 };

struct numbering {
    struct counted_object object;
    HANDLE handle[MANY], again;
    bool open, open_again, wrong, no_room;
    unsigned left; /* references of the driver's */
};

static void count_left(void *context, const struct leak_found *found)
{
    unsigned *left = context;

    *left += found->leak == LEAK_REFERENCE;
}

/* Opens and holds it so often that the tables grow. */
static void open_many(struct kernel *kernel, struct numbering *numbering)
{
    const struct handle_table *table = &kernel->handles->of_kernel;
    const struct counted_objects *objects = &kernel->handles->objects;
    const struct leak_listing listing = {
        kernel_driver(kernel, kernel_cpu(kernel)), count_left,
        &numbering->left};

    for (unsigned i = 0; i < MANY; i++) {
        numbering->handle[i] = handle_open(kernel, &numbering->object);
        counted_object_hold(kernel, &numbering->object);
        numbering->no_room |= table->count >= table->capacity ||
                              objects->count >= objects->capacity;
    }
    for (unsigned i = 0; i < MANY; i++) {
        numbering->wrong |=
            handle_object(kernel, numbering->handle[i]) != &numbering->object;
    }
    reference_leaks.list(kernel, &listing);
    for (unsigned i = 0; i < MANY; i++) {
        counted_object_drop(kernel, &numbering->object);
    }
}

static void number(void *argument)
{
    struct numbering *numbering = argument;
    struct kernel *kernel = kernel_current();
    HANDLE used;

    numbering->object =
        (struct counted_object){.type = &type, .address = 0x1000};
    counted_object_add(kernel, &numbering->object);
    open_many(kernel, numbering);
    used = numbering->handle[100];
    handle_close(kernel, used);
    numbering->open = handle_object(kernel, used) != NULL;
    numbering->again = handle_open(kernel, &numbering->object);
    numbering->open_again = handle_object(kernel, used) == &numbering->object;
    numbering->wrong |=
        handle_object(kernel, NULL) != NULL ||
        handle_object(kernel, (HANDLE)((uintptr_t)used + 1)) != NULL ||
        handle_object(kernel, (HANDLE)((uintptr_t)used + 4096)) != NULL;
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
    assert_false(numbering.no_room);
    assert_int_equal(numbering.left, MANY);
    assert_ptr_equal(numbering.again, numbering.handle[100]);
    assert_ptr_not_equal(numbering.handle[0], numbering.handle[MANY - 1]);
    booted_release(&booted);
}

/* All of the 2^24 numbers that there are were taken. */
static void open_too_many(void *argument)
{
    static struct counted_object object;
    struct kernel *kernel = kernel_current();
    struct handle_table *table = &kernel->handles->of_kernel;
    HANDLE *handle = argument;

    object = (struct counted_object){.type = &type, .address = 0x1000};
    counted_object_add(kernel, &object);
    handle[0] = handle_open(kernel, &object);
    table->count = 1 << 24;
    handle[1] = handle_open(kernel, &object);
    handle_close(kernel, handle[0]);
    handle[2] = handle_open(kernel, &object);
    table->count = 1;
}

static void there_is_no_number_more(void **state)
{
    HANDLE handle[3] = {NULL};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, open_too_many, handle);
    assert_non_null(handle[0]);
    assert_null(handle[1]);
    assert_ptr_equal(handle[2], handle[0]);
    booted_release(&booted);
}

struct naming {
    void *type[OBJECT_TYPES], *again;
    void **pointer[OBJECT_TYPES];
};

static void name(void *argument)
{
    struct naming *naming = argument;

    for (enum object_type_name i = 0; i < OBJECT_TYPES; i++) {
        naming->type[i] = object_type_address(kernel_current(), i);
    }
    for (enum object_type_name i = 0; i < OBJECT_TYPES; i++) {
        naming->pointer[i] = object_type_pointer(kernel_current(), i);
    }
    naming->again = object_type_address(kernel_current(), OBJECT_TYPE_EVENT);
}

/* No byte of it is anybody's. */
static void check_type(
    const struct booted_kernel *booted, const struct naming *naming, unsigned i)
{
    const struct memory_block *block =
        memory_near(&booted->machine.memory, naming->type[i]);

    assert_non_null(block);
    assert_ptr_equal(block->start, naming->type[i]);
    assert_int_equal(block->size, 0);
    assert_ptr_equal(naming->pointer[i], naming->pointer[0] + i);
    assert_ptr_equal(*naming->pointer[i], naming->type[i]);
}

static void each_type_has_an_address(void **state)
{
    struct naming naming;
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, name, &naming);
    assert_ptr_equal(naming.again, naming.type[OBJECT_TYPE_EVENT]);
    for (unsigned i = 0; i < OBJECT_TYPES; i++) {
        check_type(&booted, &naming, i);
        assert_true(i == 0 || naming.type[i] != naming.type[i - 1]);
    }
    assert_int_equal(
        memory_find(&booted.machine.memory, naming.pointer[0])->size,
        sizeof(naming.pointer));
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
    TEST_ADD_ROWS(list, made_row, made_rows);
    test_add(list, "number_that_is_closed_is_used_again",
        number_that_is_closed_is_used_again, NULL);
    test_add(list, "there_is_no_number_more", there_is_no_number_more, NULL);
    test_add(list, "each_type_has_an_address", each_type_has_an_address, NULL);
}
