/* test_csq.c - cancel-safe queues whose CsqAcquireLock asks another queue: each
 * has an Irql of its own, as many as are asked at a time (IO-53). */
#include "api/io/csq.h"

#include "api/boot/exports.h"
#include "api/io/io.h"
#include "tests/api/booted_kernel.h"

/* As deep as it goes, in the driver's memory: the same queue at each depth. */
struct scene {
    PIO_CSQ csq;
    unsigned deepest, depth;
    unsigned given_back; /* at the depth where they were taken */
    IO_CSQ_IRP_CONTEXT *context;
    PIRP irp;
    ULONG plain, extended; /* types of queues */
};

static struct scene *scene;

static VOID NTAPI acquire(PIO_CSQ csq, PKIRQL irql)
{
    scene->depth++;
    *irql = (KIRQL)(100 + scene->depth);
    if (scene->depth < scene->deepest) {
        IoCsqRemoveNextIrp(csq, NULL);
    }
}

static VOID NTAPI release(PIO_CSQ csq, KIRQL irql)
{
    (void)csq;
    scene->given_back += irql == 100 + scene->depth;
    scene->depth--;
}

static PIRP NTAPI nobody(PIO_CSQ csq, PIRP irp, PVOID context)
{
    (void)csq;
    (void)irp;
    (void)context;
    return NULL;
}

static void ask(void *argument)
{
    (void)argument;
    IoCsqInitialize(scene->csq, (PVOID)(uintptr_t)nobody,
        (PVOID)(uintptr_t)nobody, (PVOID)(uintptr_t)nobody,
        (PVOID)(uintptr_t)acquire, (PVOID)(uintptr_t)release,
        (PVOID)(uintptr_t)nobody);
    IoCsqRemoveNextIrp(scene->csq, NULL);
    IoCsqRemoveNextIrp(scene->csq, NULL);
}

static void begin(
    struct booted_kernel *booted, struct scene *made, unsigned deepest)
{
    booted_init_usual(booted);
    *made = (struct scene){
        .csq = booted_block(booted, sizeof(*made->csq), 0), .deepest = deepest};
    scene = made;
}

static void as_many_at_a_time_as_there_are(void **state)
{
    struct booted_kernel booted;
    struct scene made;

    (void)state;
    begin(&booted, &made, 16);
    booted_run(&booted, 0, ask, NULL);
    assert_int_equal(booted.kernel.rules.count, 0);
    assert_int_equal(made.given_back, 32);
    assert_int_equal(made.depth, 0);
    booted_release(&booted);
}

static void insert_with_a_context(void *argument)
{
    PVOID code = (PVOID)(uintptr_t)nobody, take = (PVOID)(uintptr_t)acquire,
          give = (PVOID)(uintptr_t)release;

    (void)argument;
    IoCsqInitializeEx(scene->csq, code, code, code, take, give, code);
    scene->extended = scene->csq->Type;
    IoCsqInitialize(scene->csq, code, code, code, take, give, code);
    scene->plain = scene->csq->Type;
    scene->irp = IoAllocateIrp(1, 0);
    scene->irp->CurrentLocation--;
    scene->irp->Tail.Overlay.CurrentStackLocation = scene->irp + 1;
    IoCsqInsertIrp(scene->csq, scene->irp, scene->context);
}

/* The types are those of mingw-w64's csq.h. */
static void queues_and_contexts_say_what_they_are(void **state)
{
    struct booted_kernel booted;
    struct scene made;

    (void)state;
    begin(&booted, &made, 1);
    made.context = booted_block(&booted, sizeof(*made.context), 0);
    booted_run(&booted, 0, insert_with_a_context, NULL);
    assert_int_equal(made.plain, 2);
    assert_int_equal(made.extended, 3);
    assert_null(made.csq->ReservePointer);
    assert_int_equal(made.context->Type, 1);
    assert_ptr_equal(made.context->Irp, made.irp);
    assert_ptr_equal(made.context->Csq, made.csq);
    assert_ptr_equal(made.irp->Tail.Overlay.DriverContext[3], made.context);
    booted_release(&booted);
}

static void one_more_at_a_time_is_not_modelled(void **state)
{
    struct booted_kernel booted;
    struct scene made;

    (void)state;
    begin(&booted, &made, 17);
    booted_run_to_stop(&booted, 0, ask, NULL);
    assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
    assert_string_equal(booted.kernel.end.reason,
        "more than 16 callbacks of cancel-safe queues run at a time");
    booted_release(&booted);
}

TEST_FILE(test_csq)
{
    test_add(list, "as_many_at_a_time_as_there_are",
        as_many_at_a_time_as_there_are, NULL);
    test_add(list, "queues_and_contexts_say_what_they_are",
        queues_and_contexts_say_what_they_are, NULL);
    test_add(list, "one_more_at_a_time_is_not_modelled",
        one_more_at_a_time_is_not_modelled, NULL);
}
