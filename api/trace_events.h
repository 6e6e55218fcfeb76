/* trace_events.h - the events that the kernel records. */
#ifndef API_TRACE_EVENTS_H
#define API_TRACE_EVENTS_H

#include "sim/trace.h"

enum api_event {
#define EVENT(name, ...) API_EVENT_##name,
#include "api/trace_events.def"
    API_EVENT_COUNT
};

extern const struct trace_kind api_events[API_EVENT_COUNT];

#endif
