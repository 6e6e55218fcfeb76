/* trace_events.h - the events that the kernel records. */
#ifndef API_CORE_TRACE_EVENTS_H
#define API_CORE_TRACE_EVENTS_H

#include "sim/base/trace.h"

enum api_event {
#define EVENT(name, ...) API_EVENT_##name,
#include "api/core/trace_events.def"
    API_EVENT_COUNT
};

extern const struct trace_kind api_events[API_EVENT_COUNT];

#endif
