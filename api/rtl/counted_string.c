/* counted_string.c - RtlInitUnicodeString, RtlCopyUnicodeString,
 * RtlAppendUnicodeToString and their kin. Length and MaximumLength are bytes.
 */
#include "api/rtl/counted_string.h"

#include <assert.h>
#include <limits.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/rtl/units.h"

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

enum { ANSI_STRING_BYTES = 0xFFFE }; /* page RtlInitAnsiString */

static void init_narrow(
    enum routine routine, PANSI_STRING destination, PCSTR source)
{
    struct kernel *kernel = kernel_current();
    STRING string = {.Length = 0};

    if (source != NULL) {
        size_t bytes =
            copy_text_length(kernel, routine, source, 1, ANSI_STRING_BYTES);

        string.Length = (USHORT)bytes;
        string.MaximumLength = (USHORT)(bytes + 1);
        string.Buffer = (PVOID)(uintptr_t)source;
        assert(string.Length == bytes && string.MaximumLength > bytes);
    }
    copy_out(kernel, routine, destination, &string, sizeof(string));
}

VOID RtlInitAnsiString_body(PANSI_STRING DestinationString, PCSTR SourceString)
{
    init_narrow(ROUTINE_RtlInitAnsiString, DestinationString, SourceString);
}

VOID RtlInitString_body(PSTRING DestinationString, PCSTR SourceString)
{
    init_narrow(ROUTINE_RtlInitString, DestinationString, SourceString);
}

/* What a driver's string becomes: `bytes` of text at `from` behind the first
 * `kept` bytes, and a NUL of `unit` bytes where that fits (RTL-02b [C], RTL-03b
 * [C]). Both strings have the same members. */
struct joined {
    enum routine routine;
    size_t unit;
    size_t kept;
    const void *from;
    size_t bytes;
};

static void join(struct kernel *kernel, const struct joined *joined,
    PVOID destination, STRING *to)
{
    static const WCHAR nul = 0;
    size_t length = joined->kept + joined->bytes;

    assert(length <= to->MaximumLength);
    copy_probe(kernel, joined->routine, destination, sizeof(*to), true);
    if (joined->bytes > 0) {
        copy_move(kernel, joined->routine,
            units_behind(to->Buffer, joined->kept), joined->from,
            joined->bytes);
    }
    if (length + joined->unit <= to->MaximumLength) {
        copy_out(kernel, joined->routine, units_behind(to->Buffer, length),
            &nul, joined->unit);
    }
    to->Length = (USHORT)length;
    copy_out(kernel, joined->routine, destination, to, sizeof(*to));
}

static void copy_string(
    enum routine routine, PVOID destination, const void *source, size_t unit)
{
    struct kernel *kernel = kernel_current();
    struct joined joined = {.routine = routine, .unit = unit};
    STRING to, from = {.Length = 0};

    copy_in(kernel, routine, &to, destination, sizeof(to));
    if (source != NULL) {
        copy_in(kernel, routine, &from, source, sizeof(from));
    }
    joined.from = from.Buffer;
    joined.bytes =
        from.Length < to.MaximumLength ? from.Length : to.MaximumLength;
    join(kernel, &joined, destination, &to);
}

VOID RtlCopyUnicodeString_body(
    PUNICODE_STRING DestinationString, PCUNICODE_STRING SourceString)
{
    copy_string(ROUTINE_RtlCopyUnicodeString, DestinationString, SourceString,
        sizeof(WCHAR));
}

VOID RtlCopyString_body(PSTRING DestinationString, PSTRING SourceString)
{
    copy_string(ROUTINE_RtlCopyString, DestinationString, SourceString, 1);
}

/* `bytes` behind what there is, or nothing (RTL-03a). */
static NTSTATUS append(enum routine routine, PVOID destination, size_t unit,
    const void *from, size_t bytes)
{
    struct kernel *kernel = kernel_current();
    struct joined joined = {
        .routine = routine, .unit = unit, .from = from, .bytes = bytes};
    STRING to;

    copy_in(kernel, routine, &to, destination, sizeof(to));
    if (to.Length + bytes > to.MaximumLength) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    joined.kept = to.Length;
    join(kernel, &joined, destination, &to);
    return STATUS_SUCCESS;
}

NTSTATUS RtlAppendUnicodeToString_body(
    PUNICODE_STRING Destination, PCWSTR Source)
{
    enum routine routine = ROUTINE_RtlAppendUnicodeToString;

    if (Source == NULL) {
        return STATUS_SUCCESS; /* RTL-03a */
    }
    return append(routine, Destination, sizeof(WCHAR), Source,
        copy_text_length(
            kernel_current(), routine, Source, sizeof(WCHAR), USHRT_MAX) *
            sizeof(WCHAR));
}

static NTSTATUS append_string(
    enum routine routine, PVOID destination, const void *source, size_t unit)
{
    STRING from;

    copy_in(kernel_current(), routine, &from, source, sizeof(from));
    return append(routine, destination, unit, from.Buffer, from.Length);
}

NTSTATUS RtlAppendUnicodeStringToString_body(
    PUNICODE_STRING Destination, PCUNICODE_STRING Source)
{
    return append_string(ROUTINE_RtlAppendUnicodeStringToString, Destination,
        Source, sizeof(WCHAR));
}

NTSTATUS RtlAppendStringToString_body(PSTRING Destination, PSTRING Source)
{
    return append_string(
        ROUTINE_RtlAppendStringToString, Destination, Source, 1);
}
