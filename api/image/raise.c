/* raise.c - __C_specific_handler, RtlUnwindEx and ExRaiseStatus: exceptions as
 * a driver's own code knows them. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/image/deliver.h"
#include "api/image/guest.h"
#include "api/mm/copy.h"

ULONG __C_specific_handler_body(PVOID ExceptionRecord, PVOID EstablisherFrame,
    PVOID ContextRecord, PVOID DispatcherContext)
{
    struct guest_frame *frame = guest_innermost(kernel_current());
    struct seh_ops ops;

    assert(frame != NULL && frame->by_call); /* no actor can call it */
    deliver_operations(&ops, frame);
    return seh_c_specific_handler(&ops, ExceptionRecord,
        (uint64_t)(uintptr_t)EstablisherFrame, ContextRecord,
        DispatcherContext);
}

/* It comes back only where there is no such frame, or no frame at all any more
 * (RTL-31 [C]). HistoryTable is a cache, which nobody here needs. */
VOID RtlUnwindEx_body(PVOID TargetFrame, PVOID TargetIp, PVOID ExceptionRecord,
    PVOID ReturnValue, PVOID ContextRecord, PVOID HistoryTable)
{
    const struct exception_record bad = {
        .code = STATUS_BAD_STACK, .routine = ROUTINE_COUNT};
    struct kernel *kernel = kernel_current();
    struct guest_frame *frame = guest_innermost(kernel);
    const struct guest_registers called = frame->registers;
    struct seh_records *records;
    struct seh_ops ops;

    assert(frame->by_call); /* no actor can call it */
    (void)HistoryTable;
    copy_probe(
        kernel, ROUTINE_RtlUnwindEx, ContextRecord, sizeof(CONTEXT), true);
    records = deliver_records(frame, &called);
    copy_out(kernel, ROUTINE_RtlUnwindEx, ContextRecord, &records->context,
        sizeof(CONTEXT));
    deliver_operations(&ops, frame);
    seh_unwind(&ops, (uintptr_t)TargetFrame, (uintptr_t)TargetIp,
        ExceptionRecord, (uintptr_t)ReturnValue, records);
    deliver_end(frame);
    exception_raise(kernel, &bad);
}

VOID ExRaiseStatus_body(NTSTATUS Status)
{
    const struct exception_record record = {
        .code = Status, .routine = ROUTINE_COUNT};

    exception_raise(kernel_current(), &record);
}
