/* trace_events.h - the events that the machine itself records. */
#ifndef SIM_BASE_TRACE_EVENTS_H
#define SIM_BASE_TRACE_EVENTS_H

#include "sim/base/trace.h"

enum sim_event {
#define EVENT(name, ...) SIM_EVENT_##name,
#include "sim/base/trace_events.def"
    SIM_EVENT_COUNT
};

extern const struct trace_kind sim_events[SIM_EVENT_COUNT];

#endif
