/* trace.c - the trace of a run: events recorded, and shown as lines of text.
 *
 * A record is numbers; text is made only when somebody reads it. */
#include "sim/base/trace.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct trace_kind sim_events[SIM_EVENT_COUNT] = {
#define EVENT(name, event, format) [SIM_EVENT_##name] = {event, format},
#include "sim/base/trace_events.def"
};

/* Grows `*block` to hold one element more. Running out of memory is the
 * host's failure, and nothing that a guest or a scenario could handle. */
static void trace_grow(void **block, size_t *capacity, size_t need, size_t size)
{
    size_t wanted = *capacity == 0 ? 256 : *capacity;

    assert(size > 0 && need > 0);
    while (wanted < need) {
        wanted *= 2;
    }
    if (wanted != *capacity) {
        *block = realloc(*block, wanted * size);
        assert(*block != NULL);
        *capacity = wanted;
    }
}

bool trace_check(const struct trace *trace)
{
    assert(trace->count <= trace->capacity);
    assert((trace->record == NULL) == (trace->capacity == 0));
    assert(trace->text_used <= trace->text_capacity);
    assert((trace->text == NULL) == (trace->text_capacity == 0));
    assert(trace->text_used == 0 || trace->text[trace->text_used - 1] == '\0');
    return true;
}

uint64_t trace_text(struct trace *trace, const char *text)
{
    size_t length = strlen(text) + 1;
    size_t at = trace->text_used;
    void *block = trace->text;

    if (trace->off) {
        return 0;
    }
    assert(trace_check(trace));
    trace_grow(&block, &trace->text_capacity, at + length, 1);
    trace->text = block;
    memcpy(trace->text + at, text, length);
    trace->text_used += length;
    return at;
}

const char *trace_text_at(const struct trace *trace, uint64_t value)
{
    assert(value < trace->text_used);
    assert(value == 0 || trace->text[value - 1] == '\0');
    return trace->text + value;
}

/* Apart from trace_add(): so that nothing of it is in the way where nothing is
 * recorded. */
__attribute__((noinline)) static void add_record(struct trace *trace,
    uint64_t time, uint32_t processor, const struct trace_kind *kind,
    const uint64_t value[TRACE_VALUES])
{
    struct trace_record *record;
    void *block = trace->record;

    assert(trace_check(trace));
    trace_grow(
        &block, &trace->capacity, trace->count + 1, sizeof(*trace->record));
    trace->record = block;
    record = &trace->record[trace->count++];
    record->time = time;
    record->processor = processor;
    record->kind = kind;
    memcpy(record->value, value, sizeof(record->value));
}

void trace_add(struct trace *trace, uint64_t time, uint32_t processor,
    const struct trace_kind *kind, const uint64_t value[TRACE_VALUES])
{
    if (!trace->off) {
        add_record(trace, time, processor, kind, value);
    }
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

/* From behind a % to the letter of the conversion: past a name in braces and a
 * meaning, which goes to `meaning` (NULL: not wanted). */
static const char *trace_conversion(const char *at, char *meaning)
{
    if (*at == '{') {
        at = strchr(at, '}') + 1;
    }
    if (*at >= 'A' && *at <= 'Z') {
        if (meaning != NULL) {
            *meaning = *at;
        }
        at++;
    }
    return at;
}

/* Reads the field at `at`, which takes the value `value`; returns its end. */
static const char *trace_read_field(
    const char *at, unsigned value, struct trace_field *field)
{
    bool hidden = at[0] == '%' && at[1] == '{';
    const char *name = hidden ? at + 2 : at;
    const char *percent = hidden ? at : strchr(at, '%');
    const char *end = strchr(at, ' ');

    *field = (struct trace_field){.name = name, .value = value};
    field->name_length = strcspn(name, "=}");
    if (percent == NULL || (end != NULL && percent > end)) {
        field->word = name + field->name_length + 1;
        field->word_length = strcspn(field->word, " ");
        return field->word + field->word_length;
    }
    at = trace_conversion(percent + 1, &field->meaning);
    field->conversion = *at++;
    return at + strspn(at, "\"");
}

bool trace_field(
    const struct trace_kind *kind, unsigned n, struct trace_field *field)
{
    const char *at = kind->format;
    unsigned value = 0;

    for (unsigned i = 0; *at != '\0'; i++) {
        at = trace_read_field(at, value, field);
        value += field->conversion != 0;
        if (i == n) {
            return true;
        }
        at += strspn(at, " ");
    }
    return false;
}

size_t trace_format(
    const struct trace *trace, size_t n, char *line, size_t size)
{
    const struct trace_record *record = trace->record + n;
    unsigned next = 0;
    size_t used;
    int head;

    assert(trace_check(trace));
    assert(n < trace->count);
    head = snprintf(line, size, "%" PRIu64 " cpu%" PRIu32 " %s ", record->time,
        record->processor, record->kind->name);
    assert(head > 0);
    used = (size_t)head;
    for (const char *c = record->kind->format; *c != '\0'; c++) {
        size_t room = used < size ? size - used : 0;
        char *at = room > 0 ? line + used : NULL;

        if (*c != '%') {
            used += (size_t)snprintf(at, room, "%c", *c);
            continue;
        }
        assert(next < TRACE_VALUES);
        c = trace_conversion(c + 1, NULL);
        used += trace_value(trace, *c, record->value[next++], at, room);
    }
    return used;
}

void trace_reset(struct trace *trace)
{
    assert(trace_check(trace));
    trace->count = 0;
    trace->text_used = 0;
}

void trace_release(struct trace *trace)
{
    free(trace->record);
    free(trace->text);
    *trace = (struct trace){0};
}
