/* named_event.h - events that have handles, and names or none:
 * IoCreateNotificationEvent, ZwCreateEvent, a program's CreateEvent. */
#ifndef API_IO_NAMED_EVENT_H
#define API_IO_NAMED_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "api/io/object.h"
#include "api/ke/dispatch_object.h"
#include "api/ob/handle.h"

struct named_event {
    struct object object;          /* first; length 0: it has no name */
    struct counted_object counted; /* its address is the KEVENT's */
    bool listed;                   /* its name leads to it */
};

/* A new one with the reference of its maker; `name` may be NULL. */
struct named_event *named_event_make(struct kernel *kernel,
    enum routine routine, const struct object_name *name,
    enum dispatch_kind kind, int32_t state);

/* The event of an object, which is one. */
struct dispatch_object *named_event_state(
    struct kernel *kernel, const struct counted_object *counted);

/* Sets or clears it; returns the state before. */
int32_t named_event_set(
    struct kernel *kernel, const struct counted_object *counted, int32_t state);

#endif
