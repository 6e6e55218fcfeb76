/* format.c - formatted text as DbgPrint makes it: one directive after another
 * is parsed, its argument fetched, the text put. */
#include "api/rtl/format.h"

#include <assert.h>
#include <string.h>

#include "api/nt/nt.h"
#include "api/rtl/directive.h"

struct formatter {
    struct format_text *text;
    const struct guest_reader *reader;
    uint64_t argument; /* address of the next slot */
};

static bool is_full(const struct formatter *formatter)
{
    assert(formatter->text->length <= FORMAT_BYTES);
    return formatter->text->faulted || formatter->text->length == FORMAT_BYTES;
}

static void put(struct formatter *formatter, char c)
{
    if (!is_full(formatter)) {
        formatter->text->byte[formatter->text->length++] = c;
    }
}

static void put_times(struct formatter *formatter, char c, size_t times)
{
    for (size_t i = 0; i < times && !is_full(formatter); i++) {
        put(formatter, c);
    }
}

static void put_bytes(
    struct formatter *formatter, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        put(formatter, text[i]);
    }
}

/* The driver's bytes, or zeros when they cannot be read. */
static void fetch(
    struct formatter *formatter, void *to, uint64_t address, size_t size)
{
    memset(to, 0, size);
    if (!formatter->text->faulted &&
        !formatter->reader->read(
            formatter->reader->context, to, address, size)) {
        formatter->text->faulted = true;
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
        directive->precision = directive_bound(precision < 0 ? 0 : precision);
    }
    if (directive->pointer) {
        directive->has_precision = true;
        directive->precision = 16;
    }
}

/* Text in its field. */
static void put_field(struct formatter *formatter,
    const struct directive *directive, const char *text, size_t length)
{
    size_t pad = directive->width > length ? directive->width - length : 0;

    put_times(formatter, ' ', directive->left ? 0 : pad);
    put_bytes(formatter, text, length);
    put_times(formatter, ' ', directive->left ? pad : 0);
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

    if (directive->alternate && directive->base == 8 && zeros == 0 &&
        (length == 0 || *(end - length) != '0')) {
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

static char narrow(uint16_t c)
{
    return (char)(c < 0x80 ? c : '?');
}

static void put_character(
    struct formatter *formatter, const struct directive *directive)
{
    uint64_t value = next_argument(formatter);
    char c = directive->wide ? narrow((uint16_t)value) : (char)(uint8_t)value;

    put_field(formatter, directive, &c, 1);
}

/* Characters that can be seen at all. */
static size_t most_characters(
    const struct directive *directive, size_t characters)
{
    if (directive->has_precision && directive->precision < characters) {
        characters = directive->precision;
    }
    return characters < FORMAT_BYTES ? characters : FORMAT_BYTES;
}

static void put_string_at(struct formatter *formatter,
    const struct directive *directive, uint64_t address, size_t most)
{
    uint8_t raw[2 * FORMAT_BYTES];
    char text[FORMAT_BYTES];
    size_t unit = directive->wide ? 2 : 1;
    size_t length;

    assert(most <= FORMAT_BYTES);
    length = guest_text_read(formatter->reader, address, unit, raw, most);
    if (length == GUEST_TEXT_FAULT) {
        formatter->text->faulted = true;
        return;
    }
    for (size_t i = 0; i < length; i++) {
        text[i] = directive->wide
                      ? narrow((uint16_t)(raw[2 * i] | raw[2 * i + 1] << 8))
                      : (char)raw[i];
    }
    put_field(formatter, directive, text, length);
}

static void put_null(
    struct formatter *formatter, const struct directive *directive)
{
    put_field(formatter, directive, "(null)", most_characters(directive, 6));
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
        most_characters(directive, FORMAT_BYTES));
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
            directive, string.Length / (directive->wide ? 2U : 1U)));
}

static void put_directive(
    struct formatter *formatter, struct directive *directive)
{
    fetch_stars(formatter, directive);
    formatter->text->unicode |= directive->wide;
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
        formatter->text->unsupported = true;
        put_bytes(formatter, directive->text, directive->length);
        break;
    case DIRECTIVE_NONE:
        formatter->text->unsupported = true;
        put_bytes(formatter, directive->text, directive->length);
        break;
    }
}

void format_text(struct format_text *text, const struct guest_reader *reader,
    uint64_t format, uint64_t arguments)
{
    struct formatter formatter = {text, reader, arguments};

    *text = (struct format_text){.length = 0};
    while (!is_full(&formatter)) {
        char piece[GUEST_TEXT_PIECE];
        size_t length =
            guest_text_read(reader, format, 1, piece, sizeof(piece));
        struct directive directive;
        size_t plain = 0;

        if (length == GUEST_TEXT_FAULT) {
            text->faulted = true;
            return;
        }
        while (plain < length && piece[plain] != '%') {
            put(&formatter, piece[plain++]);
        }
        if (plain == 0 && length > 0) {
            plain = directive_parse(&directive, piece, length);
            assert(plain <= length);
            put_directive(&formatter, &directive);
        }
        if (plain == 0 || (plain == length && length < sizeof(piece))) {
            return;
        }
        format += plain;
    }
}
