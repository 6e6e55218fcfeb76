/* trace_events.c - the list, expanded. */
#include "sim/base/trace_events.h"

const struct trace_kind sim_events[SIM_EVENT_COUNT] = {
#define EVENT(name, event, format) [SIM_EVENT_##name] = {event, format},
#include "sim/base/trace_events.def"
};
