/* code_page_routines.c - RtlMultiByteToUnicodeN, RtlUpperString and their kin:
 * bytes and characters that need no buffer of the kernel's. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/rtl/code_page.h"
#include "api/text/character.h"

ULONG RtlxAnsiStringToUnicodeSize_body(PANSI_STRING AnsiString)
{
    STRING string;

    copy_in(kernel_current(), ROUTINE_RtlxAnsiStringToUnicodeSize, &string,
        AnsiString, sizeof(string));
    return (string.Length + 1U) * (ULONG)sizeof(WCHAR);
}

ULONG RtlxUnicodeStringToAnsiSize_body(PCUNICODE_STRING UnicodeString)
{
    UNICODE_STRING string;

    copy_in(kernel_current(), ROUTINE_RtlxUnicodeStringToAnsiSize, &string,
        UnicodeString, sizeof(string));
    return string.Length / (ULONG)sizeof(WCHAR) + 1;
}

/* As much as there is room for; how many bytes that was is said where somebody
 * wants to know (RTL-05). */
static NTSTATUS convert(struct code_page_copy *copy, ULONG room, PULONG written)
{
    struct kernel *kernel = kernel_current();
    ULONG most = room / (ULONG)copy->to_unit;
    ULONG bytes;

    if (copy->length > most) {
        copy->length = most;
    }
    bytes = (ULONG)(copy->length * copy->to_unit);
    if (written != NULL) {
        copy_probe(kernel, copy->routine, written, sizeof(*written), true);
    }
    code_page_copy(kernel, copy);
    if (written != NULL) {
        copy_out(kernel, copy->routine, written, &bytes, sizeof(bytes));
    }
    return STATUS_SUCCESS;
}

NTSTATUS RtlMultiByteToUnicodeN_body(PVOID UnicodeString,
    ULONG MaxBytesInUnicodeString, PULONG BytesInUnicodeString,
    PVOID MultiByteString, ULONG BytesInMultiByteString)
{
    struct code_page_copy copy = {.routine = ROUTINE_RtlMultiByteToUnicodeN,
        .to = UnicodeString,
        .to_unit = UNIT_WIDE,
        .from = MultiByteString,
        .from_unit = UNIT_NARROW,
        .length = BytesInMultiByteString};

    return convert(&copy, MaxBytesInUnicodeString, BytesInUnicodeString);
}

NTSTATUS RtlUnicodeToMultiByteN_body(PVOID MultiByteString,
    ULONG MaxBytesInMultiByteString, PULONG BytesInMultiByteString,
    PVOID UnicodeString, ULONG BytesInUnicodeString)
{
    struct code_page_copy copy = {.routine = ROUTINE_RtlUnicodeToMultiByteN,
        .to = MultiByteString,
        .to_unit = UNIT_NARROW,
        .from = UnicodeString,
        .from_unit = UNIT_WIDE,
        .length = BytesInUnicodeString / sizeof(WCHAR)};

    return convert(&copy, MaxBytesInMultiByteString, BytesInMultiByteString);
}

WCHAR RtlUpcaseUnicodeChar_body(WCHAR SourceCharacter)
{
    return character_upper(SourceCharacter);
}

WCHAR RtlDowncaseUnicodeChar_body(WCHAR SourceCharacter)
{
    return character_lower(SourceCharacter);
}

CHAR RtlUpperChar_body(CHAR Character)
{
    return (CHAR)code_page_upper((uint8_t)Character);
}

/* As RtlCopyString does, in upper case (page RtlUpperString). */
VOID RtlUpperString_body(PSTRING DestinationString, PSTRING SourceString)
{
    enum routine routine = ROUTINE_RtlUpperString;
    struct kernel *kernel = kernel_current();
    STRING to, from;

    copy_in(kernel, routine, &to, DestinationString, sizeof(to));
    copy_in(kernel, routine, &from, SourceString, sizeof(from));
    to.Length = from.Length < to.MaximumLength ? from.Length : to.MaximumLength;
    copy_probe(kernel, routine, DestinationString, sizeof(to), true);
    code_page_copy(kernel, &(struct code_page_copy){.routine = routine,
                               .to = to.Buffer,
                               .to_unit = UNIT_NARROW,
                               .from = from.Buffer,
                               .from_unit = UNIT_NARROW,
                               .length = to.Length,
                               .fold = CASE_UPPER});
    copy_out(kernel, routine, DestinationString, &to, sizeof(to));
}
