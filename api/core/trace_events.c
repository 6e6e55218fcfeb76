/* trace_events.c - the list, expanded. */
#include "api/core/trace_events.h"

const struct trace_kind api_events[API_EVENT_COUNT] = {
#define EVENT(name, event, format) [API_EVENT_##name] = {event, format},
#include "api/core/trace_events.def"
};
