/* cancel.c - IoCancelIrp and the cancel spin lock. */
#include "api/io/cancel.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/io/csq.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/ke/spinlock.h"
#include "api/mm/copy.h"

/* It lies in guest memory, as all spin locks do. */
static KSPIN_LOCK *cancel_lock(struct kernel *kernel)
{
    if (kernel->io->cancel_lock == NULL) {
        kernel->io->cancel_lock = run_needs(kernel,
            memory_alloc(&kernel->machine->memory, sizeof(KSPIN_LOCK), 0),
            "the cancel spin lock");
    }
    return kernel->io->cancel_lock;
}

KIRQL io_cancel_lock(struct kernel *kernel)
{
    return KeAcquireSpinLockRaiseToDpc_body(cancel_lock(kernel));
}

void io_cancel_unlock(struct kernel *kernel, KIRQL irql)
{
    KeReleaseSpinLock_body(cancel_lock(kernel), irql);
}

VOID IoAcquireCancelSpinLock_body(PKIRQL Irql)
{
    const enum routine routine = ROUTINE_IoAcquireCancelSpinLock;
    struct kernel *kernel = kernel_current();
    KIRQL before;

    copy_probe(kernel, routine, Irql, sizeof(*Irql), true);
    before = io_cancel_lock(kernel);
    copy_out(kernel, routine, Irql, &before, sizeof(before));
}

VOID IoReleaseCancelSpinLock_body(KIRQL Irql)
{
    io_cancel_unlock(kernel_current(), Irql);
}

void io_cancel_call(struct kernel *kernel, struct io_request *request,
    uint64_t routine, KIRQL irql)
{
    IRP *irp = request->irp;
    const struct io_device *device = io_request_holder(kernel, request);
    const struct driver_target target = {
        .driver = device == NULL ? request->driver : device->driver->owner,
        .routine = "cancel routine",
        .address = routine,
        .irql_rule = RULE_IO_CANCEL_IRQL,
        .interrupts_rule = RULE_IO_DISPATCH_INTERRUPTS,
        .level = TARGET_RETURNS_AT,
        .returns_at = irql};
    const uint64_t argument[CODE_ARGUMENTS] = {
        device == NULL ? 0 : (uintptr_t)device->guest, (uintptr_t)irp};

    irp->CancelIrql = irql;
    if (routine == IO_CSQ_CANCEL) {
        io_cancel_unlock(kernel, irql);
        io_csq_cancelled(kernel, request);
        return;
    }
    if (target.driver == NULL) {
        io_stop(
            kernel, RULE_IO_NOT_OBJECT, ROUTINE_IoCancelIrp, "cancel routine");
    }
    driver_call(kernel, &target, argument);
    if (spinlock_hold_here(kernel, kernel_cpu(kernel), cancel_lock(kernel)) !=
        NULL) {
        io_stop(kernel, RULE_IO_CANCEL_IRQL, ROUTINE_IoCancelIrp,
            "the cancel spin lock");
    }
    driver_call_trace(kernel, &target, STATUS_SUCCESS);
}

bool io_request_cancel(struct kernel *kernel, struct io_request *request)
{
    IRP *irp = request->irp;
    KIRQL irql = io_cancel_lock(kernel);
    uint64_t routine = (uintptr_t)irp->CancelRoutine;

    irp->Cancel = 1;
    irp->CancelRoutine = NULL;
    if (routine == 0) {
        io_cancel_unlock(kernel, irql);
        return false;
    }
    io_cancel_call(kernel, request, routine, irql);
    return true;
}

BOOLEAN IoCancelIrp_body(PIRP Irp)
{
    const enum routine routine = ROUTINE_IoCancelIrp;
    struct kernel *kernel = kernel_current();
    const struct memory_block *block =
        memory_near(&kernel->machine->memory, Irp);
    const struct bugcheck_parameter parameter[4] = {{.value = (uintptr_t)Irp}};

    if (io_request_find(kernel, Irp) == NULL && block != NULL && block->freed &&
        block->start == (const uint8_t *)Irp) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_IO_CANCEL_COMPLETED, routine,
            parameter);
    }
    return io_request_cancel(kernel, io_request_at(kernel, routine, Irp));
}
