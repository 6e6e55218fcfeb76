/* event.c - KeReadStateEvent of the kernel's own events, which are the only
 * ones. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"

/* DISPATCHER_HEADER.SignalState. */
enum { SIGNAL_STATE_AT = 4 };

LONG KeReadStateEvent_body(PVOID Event)
{
    uintptr_t at = (uintptr_t)Event + SIGNAL_STATE_AT;
    LONG state;

    copy_in(kernel_current(), ROUTINE_KeReadStateEvent, &state,
        (const void *)at, sizeof(state));
    return state;
}
