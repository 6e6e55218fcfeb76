/* guid_text.c - RtlStringFromGUID and RtlGUIDFromString: {8-4-4-4-12}. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/rtl/translated_string.h"

enum { GUID_CHARACTERS = 38 };

/* Where in the text the two digits of each byte stand: of the first three
 * numbers the low byte comes first in memory. */
static const uint8_t places[sizeof(GUID)] = {
    7, 5, 3, 1, 12, 10, 17, 15, 20, 22, 25, 27, 29, 31, 33, 35};

static bool is_dash(unsigned at)
{
    return at == 9 || at == 14 || at == 19 || at == 24;
}

static WCHAR frame_at(unsigned at)
{
    if (is_dash(at)) {
        return '-';
    }
    return at == 0 ? '{' : at == GUID_CHARACTERS - 1 ? '}' : 0;
}

NTSTATUS RtlStringFromGUID_body(PGUID Guid, PUNICODE_STRING GuidString)
{
    enum routine routine = ROUTINE_RtlStringFromGUID;
    struct kernel *kernel = kernel_current();
    static const char digits[] = "0123456789ABCDEF"; /* RTL-10b [C] */
    WCHAR text[GUID_CHARACTERS + 1] = {0};
    uint8_t byte[sizeof(GUID)];
    UNICODE_STRING string = {.Length = GUID_CHARACTERS * sizeof(WCHAR),
        .MaximumLength = sizeof(text)};

    copy_in(kernel, routine, byte, Guid, sizeof(byte));
    copy_probe(kernel, routine, GuidString, sizeof(string), true);
    for (unsigned at = 0; at < GUID_CHARACTERS; at++) {
        text[at] = frame_at(at);
    }
    for (unsigned i = 0; i < sizeof(byte); i++) {
        text[places[i]] = (WCHAR)digits[byte[i] >> 4];
        text[places[i] + 1] = (WCHAR)digits[byte[i] & 0xF];
    }
    string.Buffer = translated_string_buffer(kernel, routine, sizeof(text));
    if (string.Buffer == NULL) {
        return STATUS_NO_MEMORY;
    }
    copy_out(kernel, routine, string.Buffer, text, sizeof(text));
    copy_out(kernel, routine, GuidString, &string, sizeof(string));
    return STATUS_SUCCESS;
}

/* 16 and more: it is no digit. */
static unsigned digit_of(WCHAR c)
{
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    c |= 'a' - 'A';
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

static bool parse(const struct units *text, uint8_t byte[sizeof(GUID)])
{
    if (text->length < GUID_CHARACTERS) {
        return false;
    }
    for (unsigned at = 0; at < GUID_CHARACTERS; at++) {
        if (frame_at(at) != 0 && units_at(text, at) != frame_at(at)) {
            return false;
        }
    }
    for (unsigned i = 0; i < sizeof(GUID); i++) {
        unsigned high = digit_of(units_at(text, places[i]));
        unsigned low = digit_of(units_at(text, places[i] + 1));

        if (high > 15 || low > 15) {
            return false;
        }
        byte[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

NTSTATUS RtlGUIDFromString_body(PCUNICODE_STRING GuidString, PGUID Guid)
{
    enum routine routine = ROUTINE_RtlGUIDFromString;
    struct kernel *kernel = kernel_current();
    struct units text = units_of_string(kernel, routine, GuidString, UNIT_WIDE);
    uint8_t byte[sizeof(GUID)];

    if (!parse(&text, byte)) {
        return STATUS_INVALID_PARAMETER;
    }
    copy_out(kernel, routine, Guid, byte, sizeof(byte));
    return STATUS_SUCCESS;
}
