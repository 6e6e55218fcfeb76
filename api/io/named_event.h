/* named_event.h - events that have names and handles: IoCreateNotificationEvent
 * and IoCreateSynchronizationEvent. */
#ifndef API_IO_NAMED_EVENT_H
#define API_IO_NAMED_EVENT_H

#include "api/io/object.h"
#include "api/ob/handle.h"

struct named_event {
    struct object object;          /* first */
    struct counted_object counted; /* its address is the KEVENT's */
};

#endif
