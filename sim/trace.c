/* trace.c - records are numbers; text is made only when somebody reads it. */
#include "sim/trace.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grows `*block` to hold one element more. Running out of memory is the
 * host's failure, and nothing that a guest or a scenario could handle. */
static void trace_grow(void **block, size_t *capacity, size_t need, size_t size)
{
    size_t wanted = *capacity == 0 ? 256 : *capacity;

    while (wanted < need) {
        wanted *= 2;
    }
    if (wanted != *capacity) {
        *block = realloc(*block, wanted * size);
        assert(*block != NULL);
        *capacity = wanted;
    }
}

uint64_t trace_text(struct trace *trace, const char *text)
{
    size_t length = strlen(text) + 1;
    size_t at = trace->text_used;
    void *block = trace->text;

    if (trace->off) {
        return 0;
    }
    trace_grow(&block, &trace->text_capacity, at + length, 1);
    trace->text = block;
    memcpy(trace->text + at, text, length);
    trace->text_used += length;
    return at;
}

const char *trace_text_at(const struct trace *trace, uint64_t value)
{
    assert(value < trace->text_used);
    return trace->text + value;
}

void trace_add(struct trace *trace, uint64_t time, uint32_t processor,
    const struct trace_kind *kind, const uint64_t value[TRACE_VALUES])
{
    struct trace_record *record;
    void *block = trace->record;

    if (trace->off) {
        return;
    }
    trace_grow(
        &block, &trace->capacity, trace->count + 1, sizeof(*trace->record));
    trace->record = block;
    record = &trace->record[trace->count++];
    record->time = time;
    record->processor = processor;
    record->kind = kind;
    memcpy(record->value, value, sizeof(record->value));
}

/* Appends one formatted value; returns its full length. */
static size_t trace_value(const struct trace *trace, char conversion,
    uint64_t value, char *at, size_t room)
{
    int length = 0;

    switch (conversion) {
    case 'x':
        length = snprintf(at, room, "0x%" PRIx64, value);
        break;
    case 'u':
        length = snprintf(at, room, "%" PRIu64, value);
        break;
    case 's':
        length = snprintf(at, room, "%s", trace_text_at(trace, value));
        break;
    default:
        assert(false && "unknown conversion in a trace kind");
    }
    return (size_t)length;
}

size_t trace_format(
    const struct trace *trace, size_t n, char *line, size_t size)
{
    const struct trace_record *record = trace->record + n;
    unsigned next = 0;
    int head = snprintf(line, size, "%" PRIu64 " cpu%" PRIu32 " %s ",
        record->time, record->processor, record->kind->name);
    size_t used = (size_t)head;

    assert(n < trace->count && head > 0);
    for (const char *c = record->kind->format; *c != '\0'; c++) {
        size_t room = used < size ? size - used : 0;
        char *at = room > 0 ? line + used : NULL;

        if (*c != '%') {
            used += (size_t)snprintf(at, room, "%c", *c);
            continue;
        }
        assert(next < TRACE_VALUES);
        c++;
        used += trace_value(trace, *c, record->value[next++], at, room);
    }
    return used;
}

void trace_reset(struct trace *trace)
{
    trace->count = 0;
    trace->text_used = 0;
}

void trace_release(struct trace *trace)
{
    free(trace->record);
    free(trace->text);
    *trace = (struct trace){0};
}
