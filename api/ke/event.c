/* event.c - KeReadStateEvent: the kernel's own events are the only ones. */
#include "api/exports.h"
#include "api/kernel.h"
#include "api/mm/copy.h"

/* DISPATCHER_HEADER.SignalState. */
enum { SIGNAL_STATE_AT = 4 };

LONG KeReadStateEvent_body(PVOID Event)
{
    LONG state;

    copy_in(kernel_current(), ROUTINE_KeReadStateEvent, &state,
        (const uint8_t *)Event + SIGNAL_STATE_AT, sizeof(state));
    return state;
}
