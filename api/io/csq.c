/* csq.c - IoCsqInitialize and its kin: a driver's queue of requests, with
 * callbacks of its own, whose requests can be cancelled (IO-53). */
#include "api/io/csq.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/io/cancel.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/mm/copy.h"

enum {
    IO_TYPE_CSQ_IRP_CONTEXT = 1, /* mingw-w64 csq.h */
    IO_TYPE_CSQ = 2,
    IO_TYPE_CSQ_EX = 3,
};

/* A call of one of the routines. */
struct csq_use {
    struct kernel *kernel;
    enum routine routine;
    uint64_t address; /* of the IO_CSQ */
    IO_CSQ csq;
    const struct driver *driver; /* whose callbacks they are */
    KIRQL irql;                  /* that its lock was acquired at */
};

static NTSTATUS initialize(enum routine routine, IO_CSQ *at, const IO_CSQ *made)
{
    copy_out(kernel_current(), routine, at, made, sizeof(*made));
    return STATUS_SUCCESS;
}

NTSTATUS IoCsqInitialize_body(PIO_CSQ Csq, PVOID CsqInsertIrp,
    PVOID CsqRemoveIrp, PVOID CsqPeekNextIrp, PVOID CsqAcquireLock,
    PVOID CsqReleaseLock, PVOID CsqCompleteCanceledIrp)
{
    const IO_CSQ made = {.Type = IO_TYPE_CSQ,
        .CsqInsertIrp = CsqInsertIrp,
        .CsqRemoveIrp = CsqRemoveIrp,
        .CsqPeekNextIrp = CsqPeekNextIrp,
        .CsqAcquireLock = CsqAcquireLock,
        .CsqReleaseLock = CsqReleaseLock,
        .CsqCompleteCanceledIrp = CsqCompleteCanceledIrp};

    return initialize(ROUTINE_IoCsqInitialize, Csq, &made);
}

NTSTATUS IoCsqInitializeEx_body(PIO_CSQ Csq, PVOID CsqInsertIrp,
    PVOID CsqRemoveIrp, PVOID CsqPeekNextIrp, PVOID CsqAcquireLock,
    PVOID CsqReleaseLock, PVOID CsqCompleteCanceledIrp)
{
    const IO_CSQ made = {.Type = IO_TYPE_CSQ_EX,
        .CsqInsertIrp = CsqInsertIrp,
        .CsqRemoveIrp = CsqRemoveIrp,
        .CsqPeekNextIrp = CsqPeekNextIrp,
        .CsqAcquireLock = CsqAcquireLock,
        .CsqReleaseLock = CsqReleaseLock,
        .CsqCompleteCanceledIrp = CsqCompleteCanceledIrp};

    return initialize(ROUTINE_IoCsqInitializeEx, Csq, &made);
}

/* What is no such queue stops the machine. */
static struct csq_use use(enum routine routine, const IO_CSQ *at)
{
    struct csq_use use = {.kernel = kernel_current(),
        .routine = routine,
        .address = (uintptr_t)at};

    use.driver = kernel_driver(use.kernel, kernel_cpu(use.kernel));
    copy_in(use.kernel, routine, &use.csq, at, sizeof(use.csq));
    if (use.csq.Type != IO_TYPE_CSQ && use.csq.Type != IO_TYPE_CSQ_EX) {
        io_stop(use.kernel, RULE_IO_NOT_OBJECT, routine, "cancel-safe queue");
    }
    return use;
}

/* Calls one of the driver's callbacks, which is free to change the level where
 * that is what it is for. */
static uint64_t call(const struct csq_use *use, const char *name,
    const void *code, bool changes_level, uint64_t first, uint64_t second)
{
    struct kernel *kernel = use->kernel;
    const struct driver_target target = {.driver = use->driver,
        .routine = name,
        .address = (uintptr_t)code,
        .irql_rule = RULE_IO_DISPATCH_IRQL,
        .interrupts_rule = RULE_IO_DISPATCH_INTERRUPTS,
        .level = changes_level ? TARGET_CHANGES_LEVEL : TARGET_KEEPS_LEVEL,
        .mutexes_judged = changes_level,
        .regions_judged = changes_level};
    const uint64_t argument[CODE_ARGUMENTS] = {use->address, first, second};
    uint64_t result = driver_call(kernel, &target, argument);

    driver_call_trace(kernel, &target, STATUS_SUCCESS);
    return result;
}

/* The number of a KIRQL in guest memory that a callback writes to. */
static unsigned take_cell(struct kernel *kernel)
{
    struct io *io = kernel->io;

    for (unsigned i = 0; i < IO_CELLS; i++) {
        if (io->cell[i] == NULL) {
            io->cell[i] = run_needs(kernel,
                memory_alloc(&kernel->machine->memory, sizeof(KIRQL), 0),
                "cancel-safe queues");
        }
        if (!io->cell_used[i]) {
            io->cell_used[i] = true;
            return i;
        }
    }
    run_end_stop(kernel, RUN_NOT_MODELLED,
        "more than %d callbacks of cancel-safe queues run at a time", IO_CELLS);
}

static void lock(struct csq_use *use)
{
    struct io *io = use->kernel->io;
    unsigned cell = take_cell(use->kernel);

    call(use, "CsqAcquireLock", use->csq.CsqAcquireLock, true,
        (uintptr_t)io->cell[cell], 0);
    use->irql = *io->cell[cell];
    io->cell_used[cell] = false;
}

static void unlock(const struct csq_use *use)
{
    call(use, "CsqReleaseLock", use->csq.CsqReleaseLock, true, use->irql, 0);
}

/* Its cancel routine is taken away; false: it is being cancelled, and so is not
 * the caller's. */
static bool claim(struct io_request *request)
{
    bool had = request->irp->CancelRoutine != NULL;

    request->irp->CancelRoutine = NULL;
    return had;
}

/* It is in no queue any more; whoever had its context is told. */
static void forget(const struct csq_use *use, struct io_request *request)
{
    IO_CSQ_IRP_CONTEXT *context = request->irp->Tail.Overlay.DriverContext[3];
    IO_CSQ_IRP_CONTEXT was;
    const PVOID nobody = NULL;

    request->irp->Tail.Overlay.DriverContext[3] = NULL;
    if ((uintptr_t)context == use->address || context == NULL) {
        return;
    }
    copy_in(use->kernel, use->routine, &was, context, sizeof(was));
    if (was.Type == IO_TYPE_CSQ_IRP_CONTEXT) {
        copy_out(
            use->kernel, use->routine, &context->Irp, &nobody, sizeof(nobody));
    }
}

static void complete_cancelled(
    const struct csq_use *use, const struct io_request *request)
{
    call(use, "CsqCompleteCanceledIrp", use->csq.CsqCompleteCanceledIrp, false,
        (uintptr_t)request->irp, 0);
}

/* Q19: one that is cancelled already is not inserted; it is pending all the
 * same, and completed. */
static NTSTATUS insert(enum routine routine, const IO_CSQ *at, IRP *irp,
    IO_CSQ_IRP_CONTEXT *context, const void *insert_context)
{
    struct csq_use used = use(routine, at);
    struct io_request *request = io_request_at(used.kernel, routine, irp);
    const IO_CSQ_IRP_CONTEXT made = {.Type = IO_TYPE_CSQ_IRP_CONTEXT,
        .Irp = irp,
        .Csq = (PVOID)(uintptr_t)at};
    IO_STACK_LOCATION *location;
    NTSTATUS status = STATUS_SUCCESS;

    /* Above all locations is none that could be marked. */
    if (!io_request_is_placed(request) ||
        irp->CurrentLocation > request->locations) {
        io_stop(used.kernel, RULE_IO_NOT_OBJECT, routine, "stack location");
    }
    location = io_request_location(request, irp->CurrentLocation);
    if (context != NULL) {
        copy_out(used.kernel, routine, context, &made, sizeof(made));
    }
    lock(&used);
    if (!irp->Cancel) {
        irp->Tail.Overlay.DriverContext[3] =
            context != NULL ? (PVOID)context : (PVOID)(uintptr_t)at;
        status = (NTSTATUS)(uint32_t)call(&used, "CsqInsertIrp",
            used.csq.CsqInsertIrp, false, (uintptr_t)irp,
            (uintptr_t)insert_context);
        status = used.csq.Type == IO_TYPE_CSQ ? STATUS_SUCCESS : status;
    }
    if (!NT_SUCCESS(status)) {
        unlock(&used);
        return status;
    }
    location->Control |= SL_PENDING_RETURNED;
    if (!irp->Cancel) {
        irp->CancelRoutine = (PVOID)(uintptr_t)IO_CSQ_CANCEL;
        unlock(&used);
        return status;
    }
    unlock(&used);
    complete_cancelled(&used, request);
    return status;
}

VOID IoCsqInsertIrp_body(PIO_CSQ Csq, PIRP Irp, PIO_CSQ_IRP_CONTEXT Context)
{
    insert(ROUTINE_IoCsqInsertIrp, Csq, Irp, Context, NULL);
}

NTSTATUS IoCsqInsertIrpEx_body(
    PIO_CSQ Csq, PIRP Irp, PIO_CSQ_IRP_CONTEXT Context, PVOID InsertContext)
{
    return insert(ROUTINE_IoCsqInsertIrpEx, Csq, Irp, Context, InsertContext);
}

PVOID IoCsqRemoveIrp_body(PIO_CSQ Csq, PIO_CSQ_IRP_CONTEXT Context)
{
    const enum routine routine = ROUTINE_IoCsqRemoveIrp;
    struct csq_use used = use(routine, Csq);
    struct io_request *request;
    IO_CSQ_IRP_CONTEXT context;

    copy_probe(used.kernel, routine, Context, sizeof(context), true);
    lock(&used);
    copy_in(used.kernel, routine, &context, Context, sizeof(context));
    if (context.Irp == NULL) {
        unlock(&used);
        return NULL;
    }
    request = io_request_at(used.kernel, routine, context.Irp);
    if (!claim(request)) {
        unlock(&used);
        return NULL;
    }
    call(&used, "CsqRemoveIrp", used.csq.CsqRemoveIrp, false,
        (uintptr_t)context.Irp, 0);
    forget(&used, request);
    unlock(&used);
    return context.Irp;
}

PVOID IoCsqRemoveNextIrp_body(PIO_CSQ Csq, PVOID PeekContext)
{
    const enum routine routine = ROUTINE_IoCsqRemoveNextIrp;
    struct csq_use used = use(routine, Csq);
    struct io_request *request = NULL;
    uint64_t irp = 0;

    lock(&used);
    do {
        irp = call(&used, "CsqPeekNextIrp", used.csq.CsqPeekNextIrp, false, irp,
            (uintptr_t)PeekContext);
        request = irp == 0 ? NULL
                           : io_request_at(used.kernel, routine,
                                 (const IRP *)(uintptr_t)irp);
    } while (request != NULL && !claim(request));
    if (request != NULL) {
        call(&used, "CsqRemoveIrp", used.csq.CsqRemoveIrp, false, irp, 0);
        forget(&used, request);
    }
    unlock(&used);
    return (PVOID)(uintptr_t)irp;
}

void io_csq_cancelled(struct kernel *kernel, struct io_request *request)
{
    const enum routine routine = ROUTINE_IoCancelIrp;
    const IO_CSQ_IRP_CONTEXT *context =
        request->irp->Tail.Overlay.DriverContext[3];
    IO_CSQ_IRP_CONTEXT was;
    struct csq_use used;

    copy_in(kernel, routine, &was, context, sizeof(was));
    used = use(routine, was.Type == IO_TYPE_CSQ_IRP_CONTEXT
                            ? (const IO_CSQ *)was.Csq
                            : (const IO_CSQ *)(const void *)context);
    used.driver = io_request_holder(kernel, request)->driver->owner;
    lock(&used);
    call(&used, "CsqRemoveIrp", used.csq.CsqRemoveIrp, false,
        (uintptr_t)request->irp, 0);
    forget(&used, request);
    unlock(&used);
    complete_cancelled(&used, request);
}
