/* dispatch.c - IofCallDriver and its kin: a request goes to a device, and its
 * driver's dispatch routine is judged by what it returns. */
#include "api/io/dispatch.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/completion.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/ke/code.h"
#include "sim/machine/strand.h"

void io_calls_forget(struct io_request *request)
{
    for (struct io_call *call = request->calls; call != NULL;
         call = call->outer) {
        call->request = NULL;
    }
    request->calls = NULL;
}

void io_calls_completed(
    struct io_request *request, CHAR location, NTSTATUS status, bool marked)
{
    for (struct io_call *call = request->calls; call != NULL;
         call = call->outer) {
        if (call->location == location && !call->completed) {
            call->completed = true;
            call->status = status;
            call->marked = marked;
        }
    }
}

void io_calls_forgotten(struct io_request *request, CHAR location)
{
    for (struct io_call *call = request->calls; call != NULL;
         call = call->outer) {
        call->forgotten |= call->location == location;
    }
}

/* It is among the request's calls no more. */
static void leave(struct io_call *call)
{
    struct io_call **at;

    if (call->request == NULL) {
        return;
    }
    at = &call->request->calls;
    while (*at != call) {
        assert(*at != NULL);
        at = &(*at)->outer;
    }
    *at = call->outer;
}

/* What a driver returns, against what it did (IO-22). */
static void judge(struct kernel *kernel, const struct io_call *call,
    NTSTATUS returned, uint64_t place)
{
    bool pended = returned == STATUS_PENDING;
    bool marked =
        call->completed
            ? call->marked
            : (io_request_location(call->request, call->location)->Control &
                  SL_PENDING_RETURNED) != 0;
    /* The mark comes up from below, or should have. */
    bool from_below =
        pended && ((call->below && !call->completed) || call->forgotten);
    enum rule rule;

    if (!pended && !call->completed) {
        rule = RULE_IO_DISPATCH_LOST;
    } else if (pended != marked && !call->inherited && !from_below) {
        rule = RULE_IO_DISPATCH_PENDING; /* page IoMarkIrpPending */
    } else if (!pended && returned != call->status) {
        rule = RULE_IO_DISPATCH_STATUS;
    } else {
        return;
    }
    rule_warn_at(kernel, kernel_cpu(kernel), rule, ROUTINE_COUNT, place);
}

/* The call that has sent the request on from here; NULL: none has. */
static struct io_call *caller_of(
    struct kernel *kernel, const struct io_request *request)
{
    struct io_call *call = request->calls;

    while (call != NULL && call->strand != strand_current(kernel->machine)) {
        call = call->outer;
    }
    return call;
}

bool io_calls_here(struct kernel *kernel, const struct io_request *request)
{
    return caller_of(kernel, request) != NULL;
}

static NTSTATUS call_routine(struct kernel *kernel, struct io_call *call,
    const struct io_device *device, const struct driver_target *target)
{
    const uint64_t argument[CODE_ARGUMENTS] = {
        (uint64_t)(uintptr_t)device->guest,
        (uint64_t)(uintptr_t)call->request->irp};
    struct io_call *caller = caller_of(kernel, call->request);
    NTSTATUS returned;

    call->outer = call->request->calls;
    call->request->calls = call;
    returned = (NTSTATUS)(uint32_t)driver_call(kernel, target, argument);
    driver_call_trace(kernel, target, returned);
    judge(kernel, call, returned, target->address);
    leave(call);
    if (caller != NULL) {
        caller->below |= returned == STATUS_PENDING;
    }
    return returned;
}

/* Whether who sends it on has copied all of its location, with the routine of
 * another driver that is above it (IO-42). */
static bool is_copied(
    struct kernel *kernel, const struct io_request *request, CHAR number)
{
    const IO_STACK_LOCATION *location = io_request_location(request, number);
    const IO_STACK_LOCATION *own = location + 1;
    const struct io_device *sender = io_request_holder(kernel, request);
    const struct io_device *above =
        number + 2 > request->locations
            ? NULL
            : io_device_any(kernel, (location + 2)->DeviceObject);

    return sender != NULL && location->CompletionRoutine != NULL &&
           location->CompletionRoutine == own->CompletionRoutine &&
           location->Context == own->Context &&
           (above == NULL || above->driver != sender->driver);
}

/* A location that is the sender's as well (IO-41). */
static void check_skipped(struct kernel *kernel, enum routine routine,
    const struct io_call *caller, const IO_STACK_LOCATION *location)
{
    struct cpu *cpu = kernel_cpu(kernel);

    if ((location->Control & SL_PENDING_RETURNED) != 0) {
        rule_warn(kernel, cpu, RULE_IO_SKIP_PENDING, routine);
    }
    if (caller->routine != (uintptr_t)location->CompletionRoutine ||
        caller->context != (uintptr_t)location->Context) {
        rule_warn(kernel, cpu, RULE_IO_SKIP_ROUTINE, routine);
    }
}

/* Everything that may be wrong with sending it on (IO-40). */
static void check_call(struct kernel *kernel, enum routine routine,
    const struct io_request *request)
{
    const IRP *irp = request->irp;
    const struct bugcheck_parameter parameter[4] = {{.value = (uintptr_t)irp}};
    const struct io_call *caller;

    if (!io_request_is_placed(request)) {
        io_stop(kernel, RULE_IO_NOT_OBJECT, routine, "stack location");
    }
    if (irp->CurrentLocation == 1) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_IO_NO_LOCATION, routine,
            parameter);
    }
    if (routine == ROUTINE_COUNT) {
        return;
    }
    if (irp->CancelRoutine != NULL) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_CALL_CANCEL, routine);
    }
    caller = caller_of(kernel, request);
    if (caller != NULL && caller->location == irp->CurrentLocation - 1) {
        check_skipped(
            kernel, routine, caller, io_request_next_location(request));
    } else if (is_copied(kernel, request, (CHAR)(irp->CurrentLocation - 1))) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_LOCATION_COPIED, routine);
    }
}

/* What a driver of Windows' own does with a request, at once. */
static NTSTATUS answer(
    struct kernel *kernel, struct io_request *request, unsigned major)
{
    bool opens = major == IRP_MJ_CREATE || major == IRP_MJ_CLEANUP ||
                 major == IRP_MJ_CLOSE;
    NTSTATUS status = opens ? STATUS_SUCCESS : STATUS_INVALID_DEVICE_REQUEST;

    io_complete_with(kernel, ROUTINE_IofCompleteRequest, request, status);
    return status;
}

NTSTATUS io_call(struct kernel *kernel, enum routine routine,
    struct io_request *request, struct io_device *device)
{
    IRP *irp = request->irp;
    const struct io_driver *driver = device->driver;
    struct io_call call = {
        .request = request, .strand = strand_current(kernel->machine)};
    IO_STACK_LOCATION *location;
    struct driver_target target;
    unsigned major;

    check_call(kernel, routine, request);
    call.location = --irp->CurrentLocation;
    location = io_request_location(request, call.location);
    irp->Tail.Overlay.CurrentStackLocation = location;
    location->DeviceObject = device->guest;
    call.inherited = (location->Control & SL_PENDING_RETURNED) != 0;
    call.routine = (uintptr_t)location->CompletionRoutine;
    call.context = (uintptr_t)location->Context;
    if (!request->under_way) {
        request->entered = call.location;
    }
    request->sent = true;
    request->under_way = true;
    major = location->MajorFunction;
    target = io_target(driver, io_major_name(major),
        major < IRP_MAJORS
            ? (uint64_t)(uintptr_t)driver->guest->MajorFunction[major]
            : IO_INVALID_DEVICE_REQUEST);
    if (target.address == IO_OWN_DEVICE_REQUEST) {
        return answer(kernel, request, major);
    }
    if (target.address == IO_INVALID_DEVICE_REQUEST) {
        driver_call_trace(kernel, &target, STATUS_INVALID_DEVICE_REQUEST);
        io_complete_with(kernel, ROUTINE_IofCompleteRequest, request,
            STATUS_INVALID_DEVICE_REQUEST);
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    return call_routine(kernel, &call, device, &target);
}

/* Whoever sends it names a device that there is (IO-40c). */
static NTSTATUS send(
    enum routine routine, const DEVICE_OBJECT *object, const IRP *irp)
{
    struct kernel *kernel = kernel_current();
    struct io_request *request = io_request_at(kernel, routine, irp);

    return io_call(
        kernel, routine, request, io_device_get_any(kernel, routine, object));
}

NTSTATUS IofCallDriver_body(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
    return send(ROUTINE_IofCallDriver, DeviceObject, Irp);
}

NTSTATUS PoCallDriver_body(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
    return send(ROUTINE_PoCallDriver, DeviceObject, Irp);
}

/* From Windows Vista on there is nothing to start (page PoStartNextPowerIrp).
 */
VOID PoStartNextPowerIrp_body(PIRP Irp)
{
    io_request_at(kernel_current(), ROUTINE_PoStartNextPowerIrp, Irp);
}
