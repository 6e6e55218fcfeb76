/* trace.h - what happened, in order: one record an event, with processor and
 * time, and the events that the machine itself records. A layer above adds
 * kinds of its own. Holds no address of the host. */
#ifndef SIM_BASE_TRACE_H
#define SIM_BASE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_VALUES = 4 };

/* `format` is fields with a space between, "name=%x name=%u name=%s":
 * hexadecimal, decimal, or a text that trace_text() has kept, at most
 * TRACE_VALUES of them; or "name=word", where all records have the same. The
 * name of "%{name}s" is not written. A capital letter before the conversion
 * says what the value means, to whoever reads records: %Rx. */
struct trace_kind {
    const char *name;
    const char *format;
};

/* The machine's own. */
enum sim_event {
#define EVENT(name, ...) SIM_EVENT_##name,
#include "sim/base/trace_events.def"
    SIM_EVENT_COUNT
};

extern const struct trace_kind sim_events[SIM_EVENT_COUNT];

/* One field of a kind. */
struct trace_field {
    const char *name, *word; /* not ended by NUL; no word where a value is */
    size_t name_length, word_length;
    char meaning;    /* the capital letter; 0: none */
    char conversion; /* x, u or s; 0: a word */
    unsigned value;  /* index in the record's */
};

struct trace_record {
    uint64_t time; /* cycles of the processor */
    const struct trace_kind *kind;
    uint64_t value[TRACE_VALUES];
    uint32_t processor;
};

struct trace;

/* Who takes records on while the machine runs. */
struct trace_reader {
    void (*take)(void *context, const struct trace *trace); /* NULL: nobody */
    void *context;
};

/* Records that are kept for the reader, unless somebody looks at them. */
enum { TRACE_HELD = 4096 };

struct trace {
    struct trace_record *record;
    size_t count, capacity;
    char *text; /* texts one after another, each ended by NUL */
    size_t text_used, text_capacity;
    bool off;       /* records nothing */
    bool looked_at; /* records stay until trace_hand_on() */
    struct trace_reader reader;
};

/* Where a record goes that several make of one moment. */
struct trace_point {
    struct trace *trace;
    uint64_t time; /* cycles of the processor */
    uint32_t processor;
};

/* Whether its records and texts lie in what they have; asserts each part. */
bool trace_check(const struct trace *trace);

/* Keeps a copy of `text`; the result is the value for a %s. */
uint64_t trace_text(struct trace *trace, const char *text);

/* A text that trace_text() has kept. Valid until the next trace_text(). */
const char *trace_text_at(const struct trace *trace, uint64_t value);

void trace_add(struct trace *trace, uint64_t time, uint32_t processor,
    const struct trace_kind *kind, const uint64_t value[TRACE_VALUES]);

/* The n-th field of the kind. Returns false when it has fewer. */
bool trace_field(
    const struct trace_kind *kind, unsigned n, struct trace_field *field);

/* Writes record `n` as one line without its end into `text`, cut to `size`
 * bytes. Returns the length that the whole line has. */
size_t trace_format(
    const struct trace *trace, size_t n, char *text, size_t size);

/* Gives the records to the reader, if there is one, and forgets them. Texts
 * that were kept for later records are gone, too. */
void trace_hand_on(struct trace *trace);

/* Forgets all records, keeps the memory. */
void trace_reset(struct trace *trace);

void trace_release(struct trace *trace);

#endif
