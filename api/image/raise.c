/* raise.c - __C_specific_handler and ExRaiseStatus: exceptions as a driver's
 * own code knows them. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/image/deliver.h"
#include "api/image/guest.h"

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

VOID ExRaiseStatus_body(NTSTATUS Status)
{
    const struct exception_record record = {
        .code = Status, .routine = ROUTINE_COUNT};

    exception_raise(kernel_current(), &record);
}
