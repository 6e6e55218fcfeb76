/* event.c - events: initialised, set, cleared, pulsed, read. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/object_wait.h"
#include "api/ke/wait_pair.h"
#include "api/mm/copy.h"

enum {
    SIGNAL_STATE_AT = 4, /* DISPATCHER_HEADER.SignalState */
    EVENTS =
        1 << DISPATCH_NOTIFICATION_EVENT | 1 << DISPATCH_SYNCHRONIZATION_EVENT,
};

static struct dispatch_object *event_get(enum routine routine, PVOID event)
{
    return dispatch_object_get(kernel_current(), routine, event, EVENTS);
}

VOID KeInitializeEvent_body(PVOID Event, EVENT_TYPE Type, BOOLEAN State)
{
    struct kernel *kernel = kernel_current();

    dispatch_object_make(kernel, ROUTINE_KeInitializeEvent, (uintptr_t)Event,
        Type == SynchronizationEvent ? DISPATCH_SYNCHRONIZATION_EVENT
                                     : DISPATCH_NOTIFICATION_EVENT,
        State != 0);
}

/* Returns the state before. */
static LONG set(struct kernel *kernel, struct dispatch_object *event)
{
    LONG before = event->state;

    if (before == 0) {
        dispatch_object_set(kernel, event, 1);
        object_signal(kernel, event);
    }
    return before;
}

LONG KeSetEvent_body(PVOID Event, LONG Increment, BOOLEAN Wait)
{
    struct kernel *kernel = kernel_current();
    LONG before;

    (void)Increment; /* WAIT-34 [C]: there are no boosts */
    before = set(kernel, event_get(ROUTINE_KeSetEvent, Event));
    if (Wait != 0) {
        wait_pair_begin(kernel, ROUTINE_KeSetEvent);
    }
    return before;
}

VOID KeClearEvent_body(PVOID Event)
{
    dispatch_object_set(
        kernel_current(), event_get(ROUTINE_KeClearEvent, Event), 0);
}

LONG KeResetEvent_body(PVOID Event)
{
    struct dispatch_object *event = event_get(ROUTINE_KeResetEvent, Event);
    LONG before = event->state;

    dispatch_object_set(kernel_current(), event, 0);
    return before;
}

/* Lets as many go on as the event's kind does; EVT-07 [C]. */
static void let_go(struct kernel *kernel, struct dispatch_object *event)
{
    do {
        set(kernel, event);
    } while (event->state == 0 && event->first != NULL &&
             ruling_is(kernel, RULED_EVT_07_all));
}

/* EVT-06. */
LONG KePulseEvent_body(PVOID Event, LONG Increment, BOOLEAN Wait)
{
    struct kernel *kernel = kernel_current();
    struct dispatch_object *event = event_get(ROUTINE_KePulseEvent, Event);
    LONG before = event->state;

    (void)Increment;
    if (before == 0) {
        let_go(kernel, event);
    }
    dispatch_object_set(kernel, event, 0);
    if (Wait != 0) {
        wait_pair_begin(kernel, ROUTINE_KePulseEvent);
    }
    return before;
}

/* The kernel's own events, too, which are no objects. */
LONG KeReadStateEvent_body(PVOID Event)
{
    uintptr_t at = (uintptr_t)Event + SIGNAL_STATE_AT;
    LONG state;

    copy_in(kernel_current(), ROUTINE_KeReadStateEvent, &state,
        (const void *)at, sizeof(state));
    return state;
}
