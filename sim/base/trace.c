/* trace.c - the trace of a run: events recorded, and shown as lines of text.
 *
 * A record is numbers; text is made only when somebody reads it. */
#include "sim/base/trace.h"

#include <assert.h>
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

void trace_hand_on(struct trace *trace)
{
    if (trace->reader.take != NULL && trace->count > 0) {
        trace->reader.take(trace->reader.context, trace);
        trace_reset(trace);
    }
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
    if (trace->count >= TRACE_HELD && !trace->looked_at) {
        trace_hand_on(trace);
    }
}

void trace_add(struct trace *trace, uint64_t time, uint32_t processor,
    const struct trace_kind *kind, const uint64_t value[TRACE_VALUES])
{
    if (!trace->off) {
        add_record(trace, time, processor, kind, value);
    }
}

/* A line as it comes about, cut to the room that there is. */
struct line {
    char *at;
    size_t room;
    size_t length; /* of the whole line */
};

static void put(struct line *line, const char *text, size_t length)
{
    if (line->length < line->room) {
        size_t left = line->room - line->length;

        memcpy(line->at + line->length, text, length < left ? length : left);
    }
    line->length += length;
}

static void put_text(struct line *line, const char *text)
{
    put(line, text, strlen(text));
}

enum { DIGITS = 20 }; /* of a number of 64 bits, at the most */

static void put_decimal(struct line *line, uint64_t number)
{
    char text[DIGITS];
    unsigned at = DIGITS;

    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    put(line, text + at, DIGITS - at);
}

static void put_hexadecimal(struct line *line, uint64_t number)
{
    char text[DIGITS];
    unsigned at = DIGITS;

    do {
        text[--at] = "0123456789abcdef"[number & 0xF];
        number >>= 4;
    } while (number != 0);
    put_text(line, "0x");
    put(line, text + at, DIGITS - at);
}

static void put_value(struct line *line, const struct trace *trace,
    char conversion, uint64_t value)
{
    switch (conversion) {
    case 'x':
        put_hexadecimal(line, value);
        return;
    case 'u':
        put_decimal(line, value);
        return;
    case 's':
        put_text(line, trace_text_at(trace, value));
        return;
    default:
        assert(false && "unknown conversion in a trace kind");
    }
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

static void put_record(struct line *line, const struct trace *trace, size_t n)
{
    const struct trace_record *record = trace->record + n;
    const char *at = record->kind->format;
    unsigned next = 0;

    assert(n < trace->count);
    put_decimal(line, record->time);
    put_text(line, " cpu");
    put_decimal(line, record->processor);
    put_text(line, " ");
    put_text(line, record->kind->name);
    put_text(line, " ");
    while (*at != '\0') {
        size_t plain = strcspn(at, "%");

        put(line, at, plain);
        at += plain;
        if (*at == '%') {
            assert(next < TRACE_VALUES);
            at = trace_conversion(at + 1, NULL);
            put_value(line, trace, *at++, record->value[next++]);
        }
    }
}

size_t trace_format(
    const struct trace *trace, size_t n, char *text, size_t size)
{
    struct line line = {.at = text, .room = size == 0 ? 0 : size - 1};

    assert(trace_check(trace));
    put_record(&line, trace, n);
    if (size > 0) {
        text[line.length < line.room ? line.length : line.room] = '\0';
    }
    return line.length;
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
