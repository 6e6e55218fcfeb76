/* trace.h - what happened, in order: one record an event, with processor and
 * time. A layer above adds kinds of its own. Holds no address of the host. */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_VALUES = 4 };

/* `format` is "name=%x name=%u name=%s": hexadecimal, decimal, or a text that
 * trace_text() has kept; at most TRACE_VALUES of them. */
struct trace_kind {
    const char *name;
    const char *format;
};

struct trace_record {
    uint64_t time; /* cycles of the processor */
    const struct trace_kind *kind;
    uint64_t value[TRACE_VALUES];
    uint32_t processor;
};

struct trace {
    struct trace_record *record;
    size_t count, capacity;
    char *text; /* texts one after another, each ended by NUL */
    size_t text_used, text_capacity;
    bool off; /* records nothing */
};

/* Keeps a copy of `text`; the result is the value for a %s. */
uint64_t trace_text(struct trace *trace, const char *text);

/* A text that trace_text() has kept. Valid until the next trace_text(). */
const char *trace_text_at(const struct trace *trace, uint64_t value);

void trace_add(struct trace *trace, uint64_t time, uint32_t processor,
    const struct trace_kind *kind, const uint64_t value[TRACE_VALUES]);

/* Writes record `n` as one line without its end into `line`, cut to `size`
 * bytes. Returns the length that the whole line has. */
size_t trace_format(
    const struct trace *trace, size_t n, char *line, size_t size);

/* Forgets all records, keeps the memory. */
void trace_reset(struct trace *trace);

void trace_release(struct trace *trace);

#endif
