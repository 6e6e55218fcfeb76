/* format.c - formatted text as DbgPrint and printf make it: one directive after
 * another is parsed, its argument fetched, the text put. */
#include "api/rtl/format.h"

#include <assert.h>
#include <string.h>

#include "api/nt/nt.h"
#include "api/rtl/directive.h"

struct formatter {
    struct format_outcome outcome;
    const struct format_output *output;
    const struct guest_reader *reader;
    uint64_t argument; /* address of the next slot */
};

static bool is_full(const struct formatter *formatter)
{
    assert(formatter->outcome.length <= formatter->output->most);
    return formatter->outcome.faulted ||
           formatter->outcome.length == formatter->output->most;
}

static void put(struct formatter *formatter, uint16_t c)
{
    if (!is_full(formatter)) {
        formatter->outcome.length++;
        formatter->output->put(formatter->output->context, c);
    }
}

static void put_times(struct formatter *formatter, char c, size_t times)
{
    for (size_t i = 0; i < times && !is_full(formatter); i++) {
        put(formatter, (uint8_t)c);
    }
}

static void put_bytes(
    struct formatter *formatter, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        put(formatter, (uint8_t)text[i]);
    }
}

/* The driver's bytes, or zeros when they cannot be read. */
static void fetch(
    struct formatter *formatter, void *to, uint64_t address, size_t size)
{
    memset(to, 0, size);
    if (!formatter->outcome.faulted &&
        !formatter->reader->read(
            formatter->reader->context, to, address, size)) {
        formatter->outcome.faulted = true;
    }
}

static uint64_t next_argument(struct formatter *formatter)
{
    uint64_t value;

    fetch(formatter, &value, formatter->argument, sizeof(value));
    formatter->argument += sizeof(value);
    return value;
}

/* A * in the format: an int. A negative width is one to the left; a negative
 * precision is none. */
static void fetch_stars(
    struct formatter *formatter, struct directive *directive)
{
    if (directive->width_is_argument) {
        int32_t width = (int32_t)(uint32_t)next_argument(formatter);

        directive->left |= width < 0;
        directive->width = directive_bound(width < 0 ? -(int64_t)width : width);
    }
    if (directive->precision_is_argument) {
        int32_t precision = (int32_t)(uint32_t)next_argument(formatter);

        directive->has_precision = precision >= 0;
        if (directive->has_precision) {
            directive->precision = directive_bound(precision);
        }
    }
    if (directive->pointer) {
        directive->has_precision = true;
        directive->precision = 16;
    }
}

/* Of zero none. Returns how many; they end at `end`. */
static size_t write_digits(
    const struct directive *directive, uint64_t value, char *end, size_t room)
{
    const char *digits =
        directive->upper ? "0123456789ABCDEF" : "0123456789abcdef";
    size_t length = 0;

    assert(directive->base >= 8); /* or `room` is too little */
    while (value != 0 && length < room) {
        *--end = digits[value % directive->base];
        value /= directive->base;
        length++;
    }
    assert(value == 0);
    return length;
}

static void put_number(struct formatter *formatter,
    const struct directive *directive, const char *sign, uint64_t value)
{
    char buffer[24]; /* 64 bits are 22 octal digits */
    char *end = buffer + sizeof(buffer);
    size_t length = write_digits(directive, value, end, sizeof(buffer));
    size_t wanted = directive->has_precision ? directive->precision : 1;
    size_t head = strlen(sign);
    size_t zeros = wanted > length ? wanted - length : 0;
    size_t used, pad;

    if (directive->alternate && directive->base == 8 && zeros == 0) {
        zeros = 1;
    }
    used = head + zeros + length;
    pad = directive->width > used ? directive->width - used : 0;
    if (directive->zero && !directive->left && !directive->has_precision) {
        zeros += pad;
        pad = 0;
    }
    put_times(formatter, ' ', directive->left ? 0 : pad);
    put_bytes(formatter, sign, head);
    put_times(formatter, '0', zeros);
    put_bytes(formatter, end - length, length);
    put_times(formatter, ' ', directive->left ? pad : 0);
}

static void put_signed(
    struct formatter *formatter, const struct directive *directive)
{
    unsigned unused = 64 - directive->bits;
    uint64_t raw = next_argument(formatter) << unused;
    bool negative = raw >> 63 != 0;
    /* The magnitude of the most negative value is its own complement. */
    uint64_t value = (negative ? 0 - raw : raw) >> unused;
    const char *sign = directive->plus ? "+" : directive->space ? " " : "";

    put_number(formatter, directive, negative ? "-" : sign, value);
}

static void put_unsigned(
    struct formatter *formatter, const struct directive *directive)
{
    unsigned unused = 64 - directive->bits;
    uint64_t value = next_argument(formatter) << unused >> unused;
    const char *head = "";

    if (directive->alternate && directive->base == 16 && value != 0) {
        head = directive->upper ? "0X" : "0x";
    }
    put_number(formatter, directive, head, value);
}

/* A character as the output has it. */
static uint16_t suited(const struct formatter *formatter,
    const struct directive *directive, uint16_t c)
{
    if (!directive->wide) {
        return (uint8_t)c;
    }
    return formatter->output->wide || c < 0x80 ? c : '?';
}

static void put_character(
    struct formatter *formatter, const struct directive *directive)
{
    uint64_t value = next_argument(formatter);
    size_t pad = directive->width > 1 ? directive->width - 1 : 0;

    put_times(formatter, ' ', directive->left ? 0 : pad);
    put(formatter, suited(formatter, directive, (uint16_t)value));
    put_times(formatter, ' ', directive->left ? pad : 0);
}

/* Characters that can be seen at all. */
static size_t most_characters(const struct formatter *formatter,
    const struct directive *directive, size_t characters)
{
    size_t most = formatter->output->most;

    if (directive->has_precision && directive->precision < characters) {
        characters = directive->precision;
    }
    return characters < most ? characters : most;
}

/* Up to a NUL. */
static size_t text_length(struct formatter *formatter,
    const struct directive *directive, uint64_t address, size_t most)
{
    uint8_t raw[2 * GUEST_TEXT_PIECE];
    size_t unit = directive->wide ? 2 : 1;
    size_t length = 0;

    while (length < most) {
        size_t wanted =
            most - length < GUEST_TEXT_PIECE ? most - length : GUEST_TEXT_PIECE;
        size_t got = guest_text_read(
            formatter->reader, address + length * unit, unit, raw, wanted);

        if (got == GUEST_TEXT_FAULT) {
            formatter->outcome.faulted = true;
            return 0;
        }
        length += got;
        if (got < wanted) {
            break;
        }
    }
    return length;
}

/* Characters that have been read once. */
static void put_text(struct formatter *formatter,
    const struct directive *directive, uint64_t address, size_t length)
{
    size_t unit = directive->wide ? 2 : 1;

    for (size_t i = 0; i < length && !is_full(formatter); i++) {
        uint16_t c = 0;

        fetch(formatter, &c, address + i * unit, unit);
        put(formatter, suited(formatter, directive, c));
    }
}

static void put_string_at(struct formatter *formatter,
    const struct directive *directive, uint64_t address, size_t most)
{
    size_t length = text_length(formatter, directive, address, most);
    size_t pad = directive->width > length ? directive->width - length : 0;

    put_times(formatter, ' ', directive->left ? 0 : pad);
    put_text(formatter, directive, address, length);
    put_times(formatter, ' ', directive->left ? pad : 0);
}

static void put_null(
    struct formatter *formatter, const struct directive *directive)
{
    size_t length = most_characters(formatter, directive, 6);
    size_t pad = directive->width > length ? directive->width - length : 0;

    put_times(formatter, ' ', directive->left ? 0 : pad);
    put_bytes(formatter, "(null)", length);
    put_times(formatter, ' ', directive->left ? pad : 0);
}

static void put_string(
    struct formatter *formatter, const struct directive *directive)
{
    uint64_t address = next_argument(formatter);

    if (address == 0) {
        put_null(formatter, directive);
        return;
    }
    put_string_at(formatter, directive, address,
        most_characters(formatter, directive, formatter->output->most));
}

/* An ANSI_STRING or a UNICODE_STRING: Length, MaximumLength, Buffer. */
static void put_counted(
    struct formatter *formatter, const struct directive *directive)
{
    uint64_t address = next_argument(formatter);
    STRING string = {.Length = 0};

    if (address != 0) {
        fetch(formatter, &string, address, sizeof(string));
    }
    if (string.Buffer == NULL) {
        put_null(formatter, directive);
        return;
    }
    put_string_at(formatter, directive, (uint64_t)(uintptr_t)string.Buffer,
        most_characters(
            formatter, directive, string.Length / (directive->wide ? 2U : 1U)));
}

static void put_directive(
    struct formatter *formatter, struct directive *directive)
{
    /* In a format of UTF-16 %s is, and %S is not. */
    if (formatter->output->wide && !directive->sized &&
        (directive->kind == DIRECTIVE_CHARACTER ||
            directive->kind == DIRECTIVE_STRING)) {
        directive->wide = !directive->wide;
    }
    fetch_stars(formatter, directive);
    formatter->outcome.unicode |= directive->wide;
    switch (directive->kind) {
    case DIRECTIVE_SIGNED:
        put_signed(formatter, directive);
        break;
    case DIRECTIVE_UNSIGNED:
        put_unsigned(formatter, directive);
        break;
    case DIRECTIVE_CHARACTER:
        put_character(formatter, directive);
        break;
    case DIRECTIVE_STRING:
        put_string(formatter, directive);
        break;
    case DIRECTIVE_COUNTED:
        put_counted(formatter, directive);
        break;
    case DIRECTIVE_PERCENT:
        put(formatter, '%');
        break;
    case DIRECTIVE_SKIPPED:
        next_argument(formatter);
        formatter->outcome.unsupported = true;
        put_bytes(formatter, directive->text, directive->length);
        break;
    case DIRECTIVE_NONE:
        formatter->outcome.unsupported = true;
        put_bytes(formatter, directive->text, directive->length);
        break;
    }
}

/* The piece of a format in bytes: a directive has ASCII characters alone. */
static void narrow_piece(
    char *text, const uint8_t *raw, size_t unit, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool ascii = raw[i * unit] < 0x80 && (unit == 1 || raw[2 * i + 1] == 0);

        text[i] = (char)(ascii || unit == 1 ? raw[i * unit] : 0x7F);
    }
}

/* Puts what stands before a %, or one directive. Returns how many characters of
 * the format that were. */
static size_t put_piece(
    struct formatter *formatter, const uint8_t *raw, size_t length)
{
    size_t unit = formatter->output->wide ? 2 : 1;
    char text[GUEST_TEXT_PIECE];
    struct directive directive;
    size_t plain = 0;

    assert(length <= sizeof(text));
    narrow_piece(text, raw, unit, length);
    while (plain < length && text[plain] != '%') {
        unsigned high = unit == 1 ? 0 : raw[2 * plain + 1];

        put(formatter, (uint16_t)(raw[plain * unit] | high << 8));
        plain++;
    }
    if (plain == 0 && length > 0) {
        plain = directive_parse(&directive, text, length);
        assert(plain <= length);
        put_directive(formatter, &directive);
    }
    return plain;
}

struct format_outcome format_write(const struct format_output *output,
    const struct guest_reader *reader, uint64_t format, uint64_t arguments)
{
    struct formatter formatter = {
        .output = output, .reader = reader, .argument = arguments};
    size_t unit = output->wide ? 2 : 1;

    while (!is_full(&formatter)) {
        uint8_t raw[2 * GUEST_TEXT_PIECE];
        size_t length =
            guest_text_read(reader, format, unit, raw, GUEST_TEXT_PIECE);
        size_t used;

        if (length == GUEST_TEXT_FAULT) {
            formatter.outcome.faulted = true;
            break;
        }
        used = put_piece(&formatter, raw, length);
        if (used == 0 || (used == length && length < GUEST_TEXT_PIECE)) {
            break;
        }
        format += used * unit;
    }
    return formatter.outcome;
}

static void put_byte(void *context, uint16_t c)
{
    struct format_text *text = context;

    assert(text->length < FORMAT_BYTES && c <= UINT8_MAX);
    text->byte[text->length++] = (char)(uint8_t)c;
}

void format_text(struct format_text *text, const struct guest_reader *reader,
    uint64_t format, uint64_t arguments)
{
    const struct format_output output = {
        .most = FORMAT_BYTES, .put = put_byte, .context = text};
    struct format_outcome outcome;

    *text = (struct format_text){.length = 0};
    outcome = format_write(&output, reader, format, arguments);
    assert(text->length == outcome.length);
    text->faulted = outcome.faulted;
    text->unicode = outcome.unicode;
    text->unsupported = outcome.unsupported;
}
