/* test_io_own_irp.c - IRPs of a driver's own: made ready once more, and touched
 * while another driver has them (IO-45). */
#include "api/boot/exports.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/io/safe_completion.h"
#include "tests/api/io/io_scene.h"

enum { IRP_BYTES = 1024, IRP_SIZE = 208 + 72, CONTROL = 14 };

struct own {
    struct io_scene scene;
    PIRP raw; /* room in the driver's memory */
    PIRP irp;
    struct io_request *request;
    bool same, waits;
    IRP seen;
    IO_STACK_LOCATION location;
    struct io_request *gone[2], *left;
};

static void own_init(struct own *own, const struct io_plan *plan)
{
    *own = (struct own){.irp = NULL};
    scene_init(&own->scene, plan);
    scene_load(&own->scene);
    own->raw = booted_block(&own->scene.booted, IRP_BYTES, 0);
}

static void initialize(struct own *own)
{
    IoInitializeIrp(own->irp, IRP_SIZE, 1);
}

static void reuse(struct own *own)
{
    IoReuseIrp(own->irp, STATUS_ACCESS_DENIED);
}

static void free_it(struct own *own)
{
    IoFreeIrp(own->irp);
}

static void free_memory(struct own *own)
{
    ExFreePool(own->irp);
}

/* In the driver's pool. */
static PIRP room_for(ULONG bytes)
{
    return ExAllocatePool2(0x40 /* POOL_FLAG_NON_PAGED */, bytes, 0x31676154);
}

static void initialize_twice(void *argument)
{
    struct own *own = argument;
    struct kernel *kernel = kernel_current();

    own->irp = own->raw;
    initialize(own);
    own->request = io_request_find(kernel, own->irp);
    initialize(own);
    own->same = io_request_find(kernel, own->irp) == own->request;
}

static void one_made_ready_again_takes_no_more_memory(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    struct own own;

    (void)state;
    own_init(&own, &plan);
    booted_run(&own.scene.booted, 0, initialize_twice, &own);
    assert_non_null(own.request);
    assert_true(own.same);
    scene_release(&own.scene);
}

/* What IoSetCompletionRoutineEx has taken is lost (IO-43f). */
static struct again_row {
    const char *name;
    void (*again)(struct own *own);
    uint32_t want_status;
    unsigned want_kind; /* rules broken */
} again_rows[] = {
    {"reused", reuse, 0xC0000022, 0},
    {"initialized", initialize, 0, 1},
};

static const struct again_row *again_now;

static IO_STACK_LOCATION *below(const IRP *irp)
{
    return (IO_STACK_LOCATION *)irp->Tail.Overlay.CurrentStackLocation - 1;
}

/* As it is after it has been sent. */
static void use_up(PIRP irp)
{
    irp->Flags = 0x70;
    irp->Cancel = 1;
    irp->PendingReturned = 1;
    irp->UserBuffer = irp;
    irp->IoStatus.Information = 5;
    below(irp)->MajorFunction = CONTROL;
    below(irp)->Parameters.Read.Length = 5;
}

/* It is as a new one. */
static void check_new(const struct own *own)
{
    const IRP *irp = &own->seen;

    assert_int_equal(irp->Type, 6);
    assert_int_equal(irp->Size, IRP_SIZE);
    assert_int_equal(irp->StackCount, 1);
    assert_int_equal(irp->CurrentLocation, 2);
    assert_int_equal(irp->Flags, 0);
    assert_int_equal(irp->Cancel, 0);
    assert_int_equal(irp->PendingReturned, 0);
    assert_null(irp->UserBuffer);
    assert_int_equal(irp->IoStatus.Information, 0);
    assert_int_equal(own->location.MajorFunction, 0);
    assert_int_equal(own->location.Parameters.Read.Length, 0);
    assert_null(own->location.CompletionRoutine);
}

static void make_ready_again(void *argument)
{
    struct own *own = argument;
    struct kernel *kernel = kernel_current();

    own->irp = IoAllocateIrp(1, 0);
    IoSetCompletionRoutineEx(
        own->scene.notes.device[0], own->irp, own, NULL, 1, 1, 1);
    use_up(own->irp);
    again_now->again(own);
    own->seen = *own->irp;
    own->location = *below(own->irp);
    own->request = io_request_find(kernel, own->irp);
    own->waits = safe_completion_take(kernel, own->request, 1) != NULL;
}

static void again_row(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    struct own own;

    again_now = *state;
    own_init(&own, &plan);
    booted_run(&own.scene.booted, 0, make_ready_again, &own);
    assert_non_null(own.request);
    assert_false(own.waits);
    check_new(&own);
    assert_int_equal(
        (uint32_t)own.seen.IoStatus.Status, again_now->want_status);
    assert_int_equal(own.scene.booted.kernel.rules.count, again_now->want_kind);
    assert_int_equal(booted_broken(&own.scene.booted, RULE_IO_IRP_KIND),
        again_now->want_kind);
    scene_release(&own.scene);
}

/* Two in pool that is freed, and one beside it. */
static void free_their_memory(void *argument)
{
    struct own *own = argument;
    struct kernel *kernel = kernel_current();
    uint8_t *pool = (uint8_t *)room_for(IRP_BYTES);
    PIRP in_pool[2] = {(PIRP)(void *)pool, (PIRP)(void *)(pool + 512)};

    IoInitializeIrp(in_pool[0], IRP_SIZE, 1);
    IoInitializeIrp(in_pool[1], IRP_SIZE, 1);
    IoInitializeIrp(own->raw, IRP_SIZE, 1);
    own->same = io_request_find(kernel, in_pool[0]) != NULL &&
                io_request_find(kernel, in_pool[1]) != NULL;
    ExFreePool(pool);
    own->gone[0] = io_request_find(kernel, in_pool[0]);
    own->gone[1] = io_request_find(kernel, in_pool[1]);
    own->left = io_request_find(kernel, own->raw);
}

static void those_in_freed_memory_are_gone(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    struct own own;

    (void)state;
    own_init(&own, &plan);
    booted_run(&own.scene.booted, 0, free_their_memory, &own);
    assert_true(own.same);
    assert_null(own.gone[0]);
    assert_null(own.gone[1]);
    assert_non_null(own.left);
    assert_non_null(own.scene.booted.kernel.io->request_pool.first);
    assert_int_equal(own.scene.booted.kernel.rules.count, 0);
    scene_release(&own.scene);
}

static struct used_row {
    const char *name;
    bool raw; /* made by IoInitializeIrp */
    void (*use)(struct own *own);
} used_rows[] = {
    {"free_of_one_in_use", false, free_it},
    {"reuse_of_one_in_use", false, reuse},
    {"initialization_of_one_in_use", false, initialize},
    {"reuse_of_raw_one_in_use", true, reuse},
    {"initialization_of_raw_one_in_use", true, initialize},
    {"free_of_the_memory_of_one_in_use", true, free_memory},
};

static const struct used_row *used_now;

/* The driver below has it from here on. */
static void send_and_use(void *argument)
{
    struct own *own = argument;
    IO_STACK_LOCATION *location;

    own->irp = used_now->raw ? room_for(IRP_BYTES) : IoAllocateIrp(1, 0);
    if (used_now->raw) {
        initialize(own);
    }
    location = own->irp->Tail.Overlay.CurrentStackLocation;
    location[-1].MajorFunction = CONTROL;
    IofCallDriver(own->scene.notes.device[0], own->irp);
    used_now->use(own);
}

static void used_row(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"},
        .leave = true,
        .mark_pending = true,
        .returns = STATUS_PENDING};
    struct own own;
    const struct kernel *kernel = &own.scene.booted.kernel;

    used_now = *state;
    own_init(&own, &plan);
    booted_run_to_stop(&own.scene.booted, 0, send_and_use, &own);
    assert_int_equal(own.scene.notes.requests, 1);
    assert_int_equal(kernel->bugcheck.code, 0xC9);
    assert_string_equal(kernel->bugcheck.parameter[0].name, "request");
    assert_int_equal(kernel->rules.count, 1);
    assert_int_equal(booted_broken(&own.scene.booted, RULE_IO_IRP_IN_USE), 1);
    scene_release(&own.scene);
}

/* A program's, which no driver has. */
static void cancel_unsent(void *argument)
{
    struct own *own = argument;

    own->irp = io_request_new(kernel_current(), IRP_OF_PROGRAM, 1, NULL)->irp;
    own->irp->CancelRoutine = own->raw;
    IoCancelIrp(own->irp);
}

static void cancel_routine_of_nobody_stops_the_machine(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"}};
    struct own own;
    const struct kernel *kernel = &own.scene.booted.kernel;

    (void)state;
    own_init(&own, &plan);
    booted_run_to_stop(&own.scene.booted, 0, cancel_unsent, &own);
    assert_int_equal(kernel->bugcheck.code, 0xC9);
    assert_string_equal(kernel->bugcheck.parameter[0].name, "cancel routine");
    assert_int_equal(booted_broken(&own.scene.booted, RULE_IO_NOT_OBJECT), 1);
    scene_release(&own.scene);
}

/* Callbacks of a cancel-safe queue. */
static const struct driver *completes;

static VOID NTAPI acquire(PIO_CSQ csq, PKIRQL irql)
{
    (void)csq;
    *irql = 0;
}

static PVOID NTAPI nothing(PIO_CSQ csq, PVOID second, PVOID third)
{
    struct kernel *kernel = kernel_current();

    (void)csq;
    (void)second;
    (void)third;
    completes = kernel_driver(kernel, kernel_cpu(kernel));
    return NULL;
}

static void queue_it(void *argument)
{
    struct own *own = argument;
    PIO_CSQ csq = (PIO_CSQ)(void *)own->raw;
    PVOID code = (PVOID)(uintptr_t)nothing;

    IoCsqInitialize(
        csq, code, code, code, (PVOID)(uintptr_t)acquire, code, code);
    own->irp = IoAllocateIrp(1, 0);
    below(own->irp)->MajorFunction = CONTROL;
    IofCallDriver(own->scene.notes.device[0], own->irp);
    IoCsqInsertIrp(csq, own->irp, NULL);
}

static void cancel_it(void *argument)
{
    struct own *own = argument;

    IoCancelIrp(own->irp);
}

static void callbacks_are_of_the_driver_that_has_it(void **state)
{
    const struct io_plan plan = {.device = {"\\Device\\Sampler"},
        .leave = true,
        .mark_pending = true,
        .returns = STATUS_PENDING};
    struct driver other = {.name = "other"};
    struct own own;
    struct booted_kernel *booted = &own.scene.booted;

    (void)state;
    own_init(&own, &plan);
    booted_run(booted, 0, queue_it, &own);
    completes = NULL;
    assert_non_null(
        strand_spawn(booted_cpu(booted, 0), cancel_it, &own, &other));
    assert_int_equal(machine_run(&booted->machine), MACHINE_IDLE);
    assert_ptr_equal(completes, &booted->driver);
    scene_release(&own.scene);
}

TEST_FILE(test_io_own_irp)
{
    test_add(list, "one_made_ready_again_takes_no_more_memory",
        one_made_ready_again_takes_no_more_memory, NULL);
    TEST_ADD_ROWS(list, again_row, again_rows);
    test_add(list, "those_in_freed_memory_are_gone",
        those_in_freed_memory_are_gone, NULL);
    TEST_ADD_ROWS(list, used_row, used_rows);
    test_add(list, "callbacks_are_of_the_driver_that_has_it",
        callbacks_are_of_the_driver_that_has_it, NULL);
    test_add(list, "cancel_routine_of_nobody_stops_the_machine",
        cancel_routine_of_nobody_stops_the_machine, NULL);
}
