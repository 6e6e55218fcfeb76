/* counter_type.h - the types of counters: what a manifest calls them, and what
 * each demands (facts.md 6.2). */
#ifndef API_NT_COUNTER_TYPE_H
#define API_NT_COUNTER_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum counter_type {
#define COUNTER_TYPE(name, ...) COUNTER_TYPE_##name,
#include "api/nt/counter_types.def"
    COUNTER_TYPE_COUNT,
    COUNTER_TYPE_NONE = COUNTER_TYPE_COUNT
};

/* The counter beside it that a counter needs. */
enum counter_needs {
    COUNTER_NEEDS_NOTHING,
    COUNTER_NEEDS_BASE,       /* baseID */
    COUNTER_NEEDS_TIME,       /* perfTimeID and perfFreqID */
    COUNTER_NEEDS_MULTI,      /* multiCounterID */
    COUNTER_NEEDS_MULTI_BASE, /* baseID, of that type, and multiCounterID */
};

/* How a figure is made of samples (counter_format.h). */
enum counter_shown {
    COUNTER_SHOWN_NOTHING, /* no figure */
    COUNTER_SHOWN_BASE,    /* no figure of its own */
    COUNTER_SHOWN_RAW,
    COUNTER_SHOWN_RAW_HEX, /* for people in hexadecimal */
    COUNTER_SHOWN_DELTA,
    COUNTER_SHOWN_RATE,
    COUNTER_SHOWN_AVERAGE,
    COUNTER_SHOWN_AVERAGE_TIMER,
    COUNTER_SHOWN_FRACTION,
    COUNTER_SHOWN_SAMPLE_FRACTION,
    COUNTER_SHOWN_TIMER,
    COUNTER_SHOWN_TIMER_INVERSE,
    COUNTER_SHOWN_TIMER_100NS,
    COUNTER_SHOWN_TIMER_100NS_INVERSE,
    COUNTER_SHOWN_OBJECT_TIMER,
    COUNTER_SHOWN_MULTI_TIMER,
    COUNTER_SHOWN_MULTI_TIMER_INVERSE,
    COUNTER_SHOWN_MULTI_TIMER_100NS,
    COUNTER_SHOWN_MULTI_TIMER_100NS_INVERSE,
    COUNTER_SHOWN_QUEUE,
    COUNTER_SHOWN_QUEUE_100NS,
    COUNTER_SHOWN_QUEUE_OBJECT,
    COUNTER_SHOWN_ELAPSED,
    COUNTER_SHOWN_PRECISION_SYSTEM,
    COUNTER_SHOWN_PRECISION_100NS,
    COUNTER_SHOWN_PRECISION_OBJECT,
};

struct counter_type_row {
    const char *word; /* as in a manifest */
    uint8_t bytes;    /* of a value: 4 or 8; 0: no fixed size */
    enum counter_needs needs;
    enum counter_type needed; /* the type of that counter, or of the base */
    enum counter_shown shown;
};

extern const struct counter_type_row counter_type_rows[COUNTER_TYPE_COUNT];

/* Finds a type by its exact word. Returns false when there is none. */
bool counter_type_find(const char *word, enum counter_type *type);

#endif
