/* counted_string.c - RtlInitUnicodeString, RtlInitAnsiString and their kin.
 * Length and MaximumLength are bytes. */
#include "api/rtl/counted_string.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/text/character.h"

/* The longest that a counted string can be with its NUL (page
 * RtlInitUnicodeString). */
enum { UNICODE_STRING_BYTES = 0xFFFC };

size_t unicode_string_read(struct kernel *kernel, enum routine routine,
    const UNICODE_STRING *string, WCHAR *text, size_t room)
{
    UNICODE_STRING copy;
    size_t length;

    copy_in(kernel, routine, &copy, string, sizeof(copy));
    length = copy.Length / sizeof(WCHAR);
    copy_in(kernel, routine, text, copy.Buffer,
        (length < room ? length : room) * sizeof(WCHAR));
    return length;
}

VOID RtlInitUnicodeString_body(
    PUNICODE_STRING DestinationString, PCWSTR SourceString)
{
    struct kernel *kernel = kernel_current();
    UNICODE_STRING string = {.Length = 0};

    if (SourceString != NULL) {
        size_t bytes =
            copy_text_length(kernel, ROUTINE_RtlInitUnicodeString, SourceString,
                sizeof(WCHAR), UNICODE_STRING_BYTES / sizeof(WCHAR)) *
            sizeof(WCHAR);

        string.Length = (USHORT)bytes;
        string.MaximumLength = (USHORT)(bytes + sizeof(WCHAR));
        string.Buffer = (PVOID)(uintptr_t)SourceString;
        /* It was cut before the NUL's bytes went past 16 bits. */
        assert(string.Length == bytes && string.MaximumLength > bytes);
    }
    copy_out(kernel, ROUTINE_RtlInitUnicodeString, DestinationString, &string,
        sizeof(string));
}

VOID RtlCopyUnicodeString_body(
    PUNICODE_STRING DestinationString, PCUNICODE_STRING SourceString)
{
    static const WCHAR nul = 0;
    enum routine routine = ROUTINE_RtlCopyUnicodeString;
    struct kernel *kernel = kernel_current();
    UNICODE_STRING to, from = {.Length = 0};
    size_t bytes;

    copy_in(kernel, routine, &to, DestinationString, sizeof(to));
    if (SourceString != NULL) {
        copy_in(kernel, routine, &from, SourceString, sizeof(from));
    }
    bytes = from.Length < to.MaximumLength ? from.Length : to.MaximumLength;
    copy_probe(kernel, routine, DestinationString, sizeof(to), true);
    copy_move(kernel, routine, to.Buffer, from.Buffer, bytes);
    if (bytes + sizeof(nul) <= to.MaximumLength) { /* RTL-02b [C] */
        copy_out(
            kernel, routine, (uint8_t *)to.Buffer + bytes, &nul, sizeof(nul));
    }
    to.Length = (USHORT)bytes;
    assert(to.Length <= to.MaximumLength && to.Length <= from.Length);
    copy_out(kernel, routine, DestinationString, &to, sizeof(to));
}

BOOLEAN RtlEqualUnicodeString_body(
    PCUNICODE_STRING String1, PCUNICODE_STRING String2, BOOLEAN CaseInSensitive)
{
    enum routine routine = ROUTINE_RtlEqualUnicodeString;
    struct kernel *kernel = kernel_current();
    UNICODE_STRING first, second;
    const uint8_t *a, *b;

    copy_in(kernel, routine, &first, String1, sizeof(first));
    copy_in(kernel, routine, &second, String2, sizeof(second));
    if (first.Length != second.Length) {
        return 0;
    }
    copy_probe(kernel, routine, first.Buffer, first.Length, false);
    copy_probe(kernel, routine, second.Buffer, second.Length, false);
    a = first.Buffer;
    b = second.Buffer;
    for (size_t i = 0; i < first.Length / sizeof(WCHAR); i++) {
        WCHAR x, y;

        memcpy(&x, a + i * sizeof(x), sizeof(x));
        memcpy(&y, b + i * sizeof(y), sizeof(y));
        if (x != y && (CaseInSensitive == 0 ||
                          character_upper(x) != character_upper(y))) {
            return 0;
        }
    }
    return 1;
}

enum { ANSI_STRING_BYTES = 0xFFFE }; /* page RtlInitAnsiString */

VOID RtlInitAnsiString_body(PANSI_STRING DestinationString, PCSTR SourceString)
{
    struct kernel *kernel = kernel_current();
    STRING string = {.Length = 0};

    if (SourceString != NULL) {
        size_t bytes = copy_text_length(kernel, ROUTINE_RtlInitAnsiString,
            SourceString, 1, ANSI_STRING_BYTES);

        string.Length = (USHORT)bytes;
        string.MaximumLength = (USHORT)(bytes + 1);
        string.Buffer = (PVOID)(uintptr_t)SourceString;
        assert(string.Length == bytes && string.MaximumLength > bytes);
    }
    copy_out(kernel, ROUTINE_RtlInitAnsiString, DestinationString, &string,
        sizeof(string));
}
