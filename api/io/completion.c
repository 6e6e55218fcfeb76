/* completion.c - IofCompleteRequest: the completion routines are called from
 * the lowest to the highest, and the I/O manager ends what it made. */
#include "api/io/completion.h"

#include <assert.h>
#include <string.h>

#include "api/core/early_end.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/device.h"
#include "api/io/dispatch.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/io/named_event.h"
#include "api/io/safe_completion.h"
#include "api/ke/code.h"
#include "api/mm/copy.h"

/* METHOD_BUFFERED: as much as Information says comes back, unless the status is
 * an error (page Buffer Descriptions for I/O Control Codes). */
static void copy_back(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    uint64_t information = request->result.information;
    size_t size = information < request->output_size ? (size_t)information
                                                     : request->output_size;

    if (request->direct != NULL || /* it has all that was written */
        (request->irp->Flags & IRP_INPUT_OPERATION) == 0 ||
        NT_ERROR(request->result.status)) {
        return;
    }
    if (information > request->output_size) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_INFORMATION, routine);
    }
    assert(size <= request->output_size);
    if (size == 0 || request->output == NULL) {
        return;
    }
    if (request->origin == IRP_OF_PROGRAM) {
        memcpy(request->output, request->system_buffer, size);
    } else {
        copy_out_later(
            kernel, routine, request->output, request->system_buffer, size);
    }
}

/* A driver's own memory, wherever it has that. */
static bool is_memory(
    const struct kernel *kernel, const void *address, size_t size)
{
    struct machine *machine = kernel->machine;

    return memory_is_open(&machine->memory, address, size) ||
           stack_pool_holds(&machine->guest_stacks, address, size);
}

/* An event that cannot be used ends the setting of it, not the completion
 * (EXE-GEN-02 [C]). */
static void set_event(struct kernel *kernel, PVOID event)
{
    const uint64_t argument[ROUTINE_PARAMETERS] = {(uintptr_t)event};

    early_end_call(kernel, ROUTINE_KeSetEvent, argument);
}

/* A threaded request's: block, event, and the request is gone (IO-44a). */
static void end_threaded(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    IO_STATUS_BLOCK *block = request->irp->UserIosb;
    PVOID event = request->irp->UserEvent;
    IO_STATUS_BLOCK made = {.Information = request->result.information};

    made.Status = request->result.status;
    if (!is_memory(kernel, block, sizeof(*block))) {
        io_stop(kernel, RULE_IO_STATUS_BLOCK, routine, "status block");
    }
    copy_back(kernel, routine, request);
    io_request_end(kernel, routine, request);
    io_request_give(kernel, request);
    copy_out_later(kernel, routine, block, &made, sizeof(made));
    if (event != NULL) {
        set_event(kernel, event);
    }
}

/* A driver's by a handle: the same, and who waits has the status (IO-36a). */
static void end_by_handle(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    IO_STATUS_BLOCK *block = request->irp->UserIosb;
    IO_STATUS_BLOCK made = {.Information = request->result.information};
    struct counted_object *signals = request->signals;
    bool unawaited = request->unawaited || request->lost;

    made.Status = request->result.status;
    if (!is_memory(kernel, block, sizeof(*block))) {
        io_stop(kernel, RULE_IO_STATUS_BLOCK, routine, "status block");
    }
    copy_back(kernel, routine, request);
    io_request_end(kernel, routine, request);
    if (unawaited) {
        io_request_give(kernel, request);
    }
    copy_out_later(kernel, routine, block, &made, sizeof(made));
    if (signals != NULL) {
        named_event_set(kernel, signals, 1);
        counted_object_release(kernel, signals);
    }
}

/* The master has one less; without any it is completed itself (page
 * IoMakeAssociatedIrp). */
static void end_associated(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    struct io_request *master = request->master;

    if (master == NULL) {
        io_stop(kernel, RULE_IO_COMPLETE_TWICE, routine, "master");
    }
    io_request_end(kernel, routine, request);
    io_request_give(kernel, request);
    if (--master->irp->AssociatedIrp.IrpCount == 0) {
        io_complete(kernel, routine, master);
    }
}

/* Nobody is above any more. */
static void finish(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    request->under_way = false;
    switch (request->origin) {
    case IRP_OF_PROGRAM:
        copy_back(kernel, routine, request);
        io_request_end(kernel, routine, request);
        if (request->lost) {
            io_request_give(kernel, request);
        }
        break;
    case IRP_BY_HANDLE:
        end_by_handle(kernel, routine, request);
        break;
    case IRP_THREADED:
        end_threaded(kernel, routine, request);
        break;
    case IRP_ASSOCIATED:
        end_associated(kernel, routine, request);
        break;
    case IRP_ALLOCATED:
    case IRP_INITIALIZED:
        io_stop(kernel, RULE_IO_IRP_ENDED, routine, "request");
    }
}

/* A location that is done with, and what it has for who is above. */
struct passed {
    uint64_t routine, context;
    bool invoked;
};

/* Takes the current location away; each is zeroed before the routine that is
 * in it is called (IO-43b). */
static struct passed pass_location(struct io_request *request)
{
    IRP *irp = request->irp;
    CHAR number = irp->CurrentLocation;
    IO_STACK_LOCATION *location = io_request_location(request, number);
    UCHAR control = location->Control;
    bool marked = (control & SL_PENDING_RETURNED) != 0;
    NTSTATUS status = irp->IoStatus.Status;
    struct passed passed = {(uintptr_t)location->CompletionRoutine,
        (uintptr_t)location->Context,
        (NT_SUCCESS(status) && (control & SL_INVOKE_ON_SUCCESS) != 0) ||
            (!NT_SUCCESS(status) && (control & SL_INVOKE_ON_ERROR) != 0) ||
            (irp->Cancel && (control & SL_INVOKE_ON_CANCEL) != 0)};

    passed.invoked &= passed.routine != 0;
    io_calls_completed(request, number, status, marked);
    memset(location, 0, sizeof(*location));
    irp->PendingReturned = marked;
    irp->CurrentLocation++;
    irp->Tail.Overlay.CurrentStackLocation =
        io_request_location(request, irp->CurrentLocation);
    return passed;
}

/* The driver above: of the location that is the current one now, or who made
 * the request; whatever a driver has set for a program, it has set itself. */
static const struct driver *driver_above(
    struct kernel *kernel, const struct io_request *request)
{
    const struct io_device *device = io_request_holder(kernel, request);

    device = device == NULL ? request->device : device; /* a program's */
    return request->driver != NULL && device == NULL ? request->driver
                                                     : device->driver->owner;
}

/* Returns false when the way up ends with it. */
static bool call_completion(struct kernel *kernel, enum routine routine,
    struct io_request *request, const struct passed *passed)
{
    const IRP *irp = request->irp;
    bool pending = irp->PendingReturned;
    CHAR number = irp->CurrentLocation;
    struct safe_completion *safe =
        safe_completion_take(kernel, request, (CHAR)(number - 1));
    IO_STACK_LOCATION *above = number > request->locations
                                   ? NULL
                                   : io_request_location(request, number);
    const struct driver_target target = {
        .driver = driver_above(kernel, request),
        .routine = "completion routine",
        .address = passed->routine,
        .irql_rule = RULE_IO_COMPLETION_IRQL,
        .interrupts_rule = RULE_IO_DISPATCH_INTERRUPTS};
    const uint64_t argument[CODE_ARGUMENTS] = {
        above == NULL ? 0 : (uintptr_t)above->DeviceObject, (uintptr_t)irp,
        passed->context};
    NTSTATUS status;

    if (code_transient_section(kernel, passed->routine) != NULL) {
        rule_warn_at(kernel, kernel_cpu(kernel), RULE_IO_COMPLETION_PAGED,
            routine, passed->routine);
    }
    status = (NTSTATUS)(uint32_t)driver_call(kernel, &target, argument);
    driver_call_trace(kernel, &target, status);
    safe_completion_end(kernel, safe); /* its driver may go from here on */
    if (status == STATUS_MORE_PROCESSING_REQUIRED) {
        return false;
    }
    if (io_request_find(kernel, irp) != request) {
        io_stop(kernel, RULE_IO_IRP_ENDED, routine, "request");
    }
    if (irp->CurrentLocation != number || !io_request_is_placed(request)) {
        io_stop(kernel, RULE_IO_NOT_OBJECT, routine, "stack location");
    }
    if (pending && above != NULL &&
        (above->Control & SL_PENDING_RETURNED) == 0) {
        io_calls_forgotten(request, number);
        rule_warn_at(kernel, kernel_cpu(kernel), RULE_IO_COMPLETION_PENDING,
            routine, passed->routine);
    }
    return true;
}

static void go_up(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    IRP *irp = request->irp;

    while (irp->CurrentLocation <= request->locations) {
        struct passed passed = pass_location(request);

        if (passed.invoked) {
            request->under_way = irp->CurrentLocation <= request->entered;
            if (!call_completion(kernel, routine, request, &passed)) {
                return;
            }
            continue;
        }
        safe_completion_end(kernel, safe_completion_take(kernel, request,
                                        (CHAR)(irp->CurrentLocation - 1)));
        if (irp->PendingReturned &&
            irp->CurrentLocation <= request->locations) {
            io_request_location(request, irp->CurrentLocation)->Control |=
                SL_PENDING_RETURNED;
        }
    }
    request->result =
        (struct io_result){irp->IoStatus.Status, irp->IoStatus.Information};
    finish(kernel, routine, request);
}

void io_complete(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    IRP *irp = request->irp;

    if (irp->IoStatus.Status == STATUS_PENDING || irp->IoStatus.Status == -1) {
        io_stop(kernel, RULE_IO_COMPLETE_PENDING, routine,
            irp->IoStatus.Status == STATUS_PENDING ? "STATUS_PENDING" : "-1");
    }
    if (irp->CancelRoutine != NULL) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_COMPLETE_CANCEL, routine);
    }
    if (!request->sent) { /* IO-45a */
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_COMPLETE_UNSENT, routine);
    }
    if (!io_request_is_placed(request)) {
        io_stop(kernel, RULE_IO_NOT_OBJECT, routine, "stack location");
    }
    go_up(kernel, routine, request);
}

void io_complete_with(struct kernel *kernel, enum routine routine,
    struct io_request *request, NTSTATUS status)
{
    request->irp->IoStatus.Status = status;
    request->irp->IoStatus.Information = 0;
    io_complete(kernel, routine, request);
}

VOID IofCompleteRequest_body(PIRP Irp, CHAR PriorityBoost)
{
    const enum routine routine = ROUTINE_IofCompleteRequest;
    struct kernel *kernel = kernel_current();

    struct io_request *request = io_request_at(kernel, routine, Irp);

    /* WAIT-34 [C]: none has an effect. */
    if (PriorityBoost != 0 &&
        (NT_ERROR(Irp->IoStatus.Status) || io_calls_here(kernel, request))) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_COMPLETE_BOOST, routine);
    }
    io_complete(kernel, routine, request);
}
