/* utf8_routines.c - RtlUnicodeToUTF8N and RtlUTF8ToUnicodeN: what cannot be
 * mapped is U+FFFD, and what does not fit is left out (RTL-09). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/rtl/units.h"

enum {
    REPLACEMENT = 0xFFFD,
    HIGH_FIRST = 0xD800,
    LOW_FIRST = 0xDC00,
    SURROGATES_END = 0xE000,
    BEYOND_BMP = 0x10000,
    CODE_MAX = 0x10FFFF,
    CHARACTER_BYTES = 4,
};

/* A character out of a source of `size` bytes, at least one of which is there
 * from `at` on. */
struct decoded {
    uint32_t code;
    size_t bytes; /* that it takes of the source */
    bool bad;
};

static struct decoded decode_wide(const uint8_t *source, size_t size, size_t at)
{
    uint32_t unit = units_get(source + at, UNIT_WIDE, 0);
    uint32_t next = at + 2 * sizeof(WCHAR) <= size
                        ? units_get(source + at, UNIT_WIDE, 1)
                        : 0;

    if (unit < HIGH_FIRST || unit >= SURROGATES_END) {
        return (struct decoded){unit, sizeof(WCHAR), false};
    }
    if (unit < LOW_FIRST && next >= LOW_FIRST && next < SURROGATES_END) {
        return (struct decoded){
            BEYOND_BMP + ((unit - HIGH_FIRST) << 10) + (next - LOW_FIRST),
            2 * sizeof(WCHAR), false};
    }
    return (struct decoded){REPLACEMENT, sizeof(WCHAR), true};
}

/* How many bytes a character has that begins with this one; 0: none does. */
static unsigned bytes_of(uint8_t lead)
{
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xC2) {
        return 0; /* no lead, or one of two bytes for what has one */
    }
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
}

/* Whether the second byte makes a character that has no shorter form, is no
 * half of a pair, and is not past the last one. */
static bool second_is_right(uint8_t lead, uint8_t second)
{
    switch (lead) {
    case 0xE0:
        return second >= 0xA0;
    case 0xED:
        return second < 0xA0;
    case 0xF0:
        return second >= 0x90;
    case 0xF4:
        return second < 0x90;
    default:
        return true;
    }
}

/* Of what is no character as many bytes as could begin one are one mistake
 * (RTL-09b [C]). */
static struct decoded decode_utf8(const uint8_t *source, size_t size, size_t at)
{
    static const uint8_t masks[CHARACTER_BYTES + 1] = {0, 0x7F, 0x1F, 0xF, 7};
    unsigned bytes = bytes_of(source[at]);
    uint32_t code = source[at] & masks[bytes];

    for (unsigned i = 1; i < bytes; i++) {
        uint8_t next = at + i < size ? source[at + i] : 0;

        if (next >> 6 != 2 || (i == 1 && !second_is_right(source[at], next))) {
            return (struct decoded){REPLACEMENT, i, true};
        }
        code = code << 6 | (next & 0x3F);
    }
    assert(code <= CODE_MAX);
    return bytes == 0 ? (struct decoded){REPLACEMENT, 1, true}
                      : (struct decoded){code, bytes, false};
}

/* Returns how many bytes. */
static size_t encode_utf8(uint32_t code, uint8_t out[CHARACTER_BYTES])
{
    size_t bytes = code < 0x80         ? 1
                   : code < 0x800      ? 2
                   : code < BEYOND_BMP ? 3
                                       : 4;
    static const uint8_t leads[CHARACTER_BYTES + 1] = {0, 0, 0xC0, 0xE0, 0xF0};

    for (size_t i = bytes; i-- > 1;) {
        out[i] = (uint8_t)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (uint8_t)(leads[bytes] | code);
    return bytes;
}

static size_t encode_wide(uint32_t code, uint8_t out[CHARACTER_BYTES])
{
    WCHAR unit[2] = {(WCHAR)code, 0};
    bool pair = code >= BEYOND_BMP;

    if (pair) {
        unit[0] = (WCHAR)(HIGH_FIRST + ((code - BEYOND_BMP) >> 10));
        unit[1] = (WCHAR)(LOW_FIRST + ((code - BEYOND_BMP) & 0x3FF));
    }
    memcpy(out, unit, sizeof(unit));
    return pair ? sizeof(unit) : sizeof(unit[0]);
}

struct utf8_call {
    enum routine routine;
    uint8_t *to; /* NULL: only the size is wanted */
    size_t room;
    PULONG actual; /* may be NULL */
    const uint8_t *from;
    size_t size;
    bool from_wide;
};

/* Whole characters as long as they fit. Returns what that comes to. */
static NTSTATUS transform(const struct utf8_call *call, size_t *written)
{
    NTSTATUS status = STATUS_SUCCESS;
    size_t at = 0;

    *written = 0;
    while (at < call->size) {
        struct decoded decoded = call->from_wide
                                     ? decode_wide(call->from, call->size, at)
                                     : decode_utf8(call->from, call->size, at);
        uint8_t out[CHARACTER_BYTES];
        size_t bytes = call->from_wide ? encode_utf8(decoded.code, out)
                                       : encode_wide(decoded.code, out);

        if (call->to != NULL && *written + bytes > call->room) {
            return STATUS_BUFFER_TOO_SMALL;
        }
        if (call->to != NULL) {
            memcpy(call->to + *written, out, bytes);
        }
        *written += bytes;
        status = decoded.bad ? STATUS_SOME_NOT_MAPPED : status;
        at += decoded.bytes;
    }
    return status;
}

static NTSTATUS run(const struct utf8_call *call)
{
    struct kernel *kernel = kernel_current();
    NTSTATUS status;
    size_t written;
    ULONG actual;

    if (call->from == NULL) {
        return STATUS_INVALID_PARAMETER_4;
    }
    if (call->to == NULL && call->actual == NULL) {
        return STATUS_INVALID_PARAMETER;
    }
    if (call->from_wide && call->size % sizeof(WCHAR) != 0) {
        return STATUS_INVALID_PARAMETER_5;
    }
    copy_probe(kernel, call->routine, call->from, call->size, false);
    if (call->actual != NULL) {
        copy_probe(kernel, call->routine, call->actual, sizeof(actual), true);
    }
    if (call->to != NULL) {
        copy_probe(kernel, call->routine, call->to, call->room, true);
    }
    status = transform(call, &written);
    actual = (ULONG)written;
    if (call->actual != NULL) {
        copy_out(kernel, call->routine, call->actual, &actual, sizeof(actual));
    }
    return status;
}

NTSTATUS RtlUnicodeToUTF8N_body(PVOID UTF8StringDestination,
    ULONG UTF8StringMaxByteCount, PULONG UTF8StringActualByteCount,
    PVOID UnicodeStringSource, ULONG UnicodeStringByteCount)
{
    const struct utf8_call call = {.routine = ROUTINE_RtlUnicodeToUTF8N,
        .to = UTF8StringDestination,
        .room = UTF8StringMaxByteCount,
        .actual = UTF8StringActualByteCount,
        .from = UnicodeStringSource,
        .size = UnicodeStringByteCount,
        .from_wide = true};

    return run(&call);
}

NTSTATUS RtlUTF8ToUnicodeN_body(PVOID UnicodeStringDestination,
    ULONG UnicodeStringMaxByteCount, PULONG UnicodeStringActualByteCount,
    PVOID UTF8StringSource, ULONG UTF8StringByteCount)
{
    const struct utf8_call call = {.routine = ROUTINE_RtlUTF8ToUnicodeN,
        .to = UnicodeStringDestination,
        .room = UnicodeStringMaxByteCount,
        .actual = UnicodeStringActualByteCount,
        .from = UTF8StringSource,
        .size = UTF8StringByteCount};

    return run(&call);
}
