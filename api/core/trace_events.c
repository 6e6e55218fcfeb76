/* trace_events.c - the kernel's events of the trace, expanded from
 * trace_events.def. */
#include "api/core/trace_events.h"

const struct trace_kind api_events[API_EVENT_COUNT] = {
#define EVENT(name, event, format) [API_EVENT_##name] = {event, format},
#include "api/core/trace_events.def"
};
