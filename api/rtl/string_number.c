/* string_number.c - RtlIntegerToUnicodeString, RtlUnicodeStringToInteger and
 * their kin: numbers as text, in base 2, 8, 10 or 16. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/rtl/units.h"

enum { DIGITS = 64, NO_DIGIT = 99 }; /* of 64 bits in base 2 */

/* Base 0 is `usual`. 0: it is none of those. */
static ULONG base_of(ULONG base, ULONG usual)
{
    switch (base) {
    case 0:
        return usual;
    case 2:
    case 8:
    case 10:
    case 16:
        return base;
    default:
        return 0;
    }
}

/* Upper-case digits, no prefix, and a NUL where it fits (RTL-07b [C]). */
static NTSTATUS write_number(
    enum routine routine, ULONGLONG value, ULONG asked, PUNICODE_STRING string)
{
    struct kernel *kernel = kernel_current();
    ULONG base = base_of(asked, 10);
    WCHAR text[DIGITS + 1] = {0};
    unsigned at = DIGITS;
    size_t bytes, room;
    UNICODE_STRING to;

    if (base == 0) {
        return STATUS_INVALID_PARAMETER;
    }
    do {
        text[--at] = (WCHAR)("0123456789ABCDEF"[value % base]);
        value /= base;
    } while (value != 0);
    bytes = (DIGITS - at) * sizeof(WCHAR);
    copy_in(kernel, routine, &to, string, sizeof(to));
    if (bytes > to.MaximumLength) {
        return STATUS_BUFFER_OVERFLOW;
    }
    room = bytes + sizeof(WCHAR) <= to.MaximumLength ? sizeof(WCHAR) : 0;
    copy_probe(kernel, routine, string, sizeof(to), true);
    copy_out(kernel, routine, to.Buffer, text + at, bytes + room);
    to.Length = (USHORT)bytes;
    copy_out(kernel, routine, string, &to, sizeof(to));
    return STATUS_SUCCESS;
}

NTSTATUS RtlIntegerToUnicodeString_body(
    ULONG Value, ULONG Base, PUNICODE_STRING String)
{
    return write_number(ROUTINE_RtlIntegerToUnicodeString, Value, Base, String);
}

NTSTATUS RtlInt64ToUnicodeString_body(
    ULONGLONG Value, ULONG Base, PUNICODE_STRING String)
{
    return write_number(ROUTINE_RtlInt64ToUnicodeString, Value, Base, String);
}

/* A text of which one character after another is looked at; behind its end are
 * NULs. One without a length ends at its NUL, and nothing behind that is read.
 */
struct digits {
    enum routine routine;
    struct units text;
    bool ends_at_nul;
    size_t at;
};

static WCHAR peek(const struct digits *digits)
{
    const struct units *text = &digits->text;

    if (digits->ends_at_nul) {
        copy_probe(
            kernel_current(), digits->routine, text->at + digits->at, 1, false);
        return units_get(text->at, text->unit, digits->at);
    }
    return digits->at < text->length ? units_at(text, digits->at) : 0;
}

static bool take(struct digits *digits, WCHAR c)
{
    bool there = peek(digits) == c;

    digits->at += there;
    return there;
}

/* 0x, 0o and 0b; a 0 without one of these says nothing of the number. */
static ULONG take_prefix(struct digits *digits)
{
    static const struct {
        char letter;
        ULONG base;
    } prefixes[] = {{'x', 16}, {'o', 8}, {'b', 2}};

    if (!take(digits, '0')) {
        return 10;
    }
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (take(digits, (WCHAR)prefixes[i].letter)) {
            return prefixes[i].base;
        }
    }
    return 10;
}

static ULONG digit_of(WCHAR c)
{
    if (c >= '0' && c <= '9') {
        return (ULONG)(c - '0');
    }
    if (c >= 'A' && c <= 'F') {
        return (ULONG)(c - 'A' + 10);
    }
    return c >= 'a' && c <= 'f' ? (ULONG)(c - 'a' + 10) : NO_DIGIT;
}

/* What does not fit into 32 bits is cut (RTL-08b [C]). */
static NTSTATUS read_number(struct digits *digits, ULONG asked, PULONG value)
{
    struct kernel *kernel = kernel_current();
    bool negative;
    ULONG number = 0;
    ULONG base = base_of(asked, 1);

    if (base == 0) {
        return STATUS_INVALID_PARAMETER;
    }
    while (peek(digits) != 0 && peek(digits) <= ' ') {
        digits->at++;
    }
    negative = take(digits, '-');
    if (!negative) {
        take(digits, '+');
    }
    if (base == 1) {
        base = take_prefix(digits);
    }
    while (digit_of(peek(digits)) < base) {
        number = number * base + digit_of(peek(digits));
        digits->at++;
    }
    number = negative ? 0 - number : number;
    copy_out(kernel, digits->routine, value, &number, sizeof(number));
    return STATUS_SUCCESS;
}

NTSTATUS RtlUnicodeStringToInteger_body(
    PCUNICODE_STRING String, ULONG Base, PULONG Value)
{
    struct digits digits = {.routine = ROUTINE_RtlUnicodeStringToInteger};

    digits.text =
        units_of_string(kernel_current(), digits.routine, String, UNIT_WIDE);
    return digits.text.length == 0 ? STATUS_INVALID_PARAMETER
                                   : read_number(&digits, Base, Value);
}

NTSTATUS RtlCharToInteger_body(PCSTR String, ULONG Base, PULONG Value)
{
    struct digits digits = {.routine = ROUTINE_RtlCharToInteger,
        .text = {.at = (const uint8_t *)String, .unit = UNIT_NARROW},
        .ends_at_nul = true};

    return read_number(&digits, Base, Value);
}
