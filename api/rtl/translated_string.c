/* translated_string.c - counted strings made of others: their buffers, of the
 * caller's or from paged pool, and how what does not fit is answered. */
#include "api/rtl/translated_string.h"

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ex/pool.h"
#include "api/mm/copy.h"

enum {
    STRING_BYTES =
        0xFFFE, /* the most that MaximumLength can be, whole WCHARs */
    STRING_TAG = 0x67727453, /* "Strg", as pooltag.txt has it */
};

PVOID translated_string_buffer(
    struct kernel *kernel, enum routine routine, size_t bytes)
{
    const struct pool_request request = {.routine = routine,
        .size = bytes,
        .tag = STRING_TAG,
        .paged = true,
        .fill = POOL_FILL};

    assert(bytes > 0 && bytes <= STRING_BYTES);
    return pool_allocate(kernel, kernel_cpu(kernel), &request);
}

NTSTATUS translated_string(struct kernel *kernel, PVOID destination,
    const struct translation *translation)
{
    static const WCHAR nul = 0;
    enum routine routine = translation->routine;
    size_t unit = translation->to_unit;
    size_t length = translation->from.length * unit;
    size_t bytes = length + (translation->ends ? unit : 0);
    STRING to;

    copy_in(kernel, routine, &to, destination, sizeof(to));
    copy_probe(kernel, routine, destination, sizeof(to), true);
    if (bytes > STRING_BYTES) {
        return STATUS_INVALID_PARAMETER_2; /* RTL-04b [C] */
    }
    if (translation->allocate) {
        to.MaximumLength = (USHORT)bytes;
        to.Buffer = bytes == 0
                        ? NULL
                        : translated_string_buffer(kernel, routine, bytes);
        if (bytes != 0 && to.Buffer == NULL) {
            return STATUS_NO_MEMORY;
        }
    } else if (bytes > to.MaximumLength) {
        return translation->small;
    }
    code_page_copy(kernel, &(struct code_page_copy){.routine = routine,
                               .to = to.Buffer,
                               .to_unit = translation->to_unit,
                               .from = translation->from.at,
                               .from_unit = translation->from.unit,
                               .length = translation->from.length,
                               .fold = translation->fold});
    if (translation->ends) {
        copy_out(kernel, routine, units_behind(to.Buffer, length), &nul, unit);
    }
    to.Length = (USHORT)length;
    copy_out(kernel, routine, destination, &to, sizeof(to));
    return STATUS_SUCCESS;
}

/* That it is empty then is a ruling of ours (RTL-04e [C]). */
void translated_string_free(
    struct kernel *kernel, enum routine routine, PVOID string)
{
    STRING to;

    copy_in(kernel, routine, &to, string, sizeof(to));
    copy_probe(kernel, routine, string, sizeof(to), true);
    if (to.Buffer != NULL) {
        pool_free(kernel, kernel_cpu(kernel), routine, to.Buffer, 0);
    }
    to = (STRING){.Length = 0};
    copy_out(kernel, routine, string, &to, sizeof(to));
}

VOID RtlFreeUnicodeString_body(PUNICODE_STRING UnicodeString)
{
    translated_string_free(
        kernel_current(), ROUTINE_RtlFreeUnicodeString, UnicodeString);
}

VOID RtlFreeAnsiString_body(PANSI_STRING AnsiString)
{
    translated_string_free(
        kernel_current(), ROUTINE_RtlFreeAnsiString, AnsiString);
}

/* By the ruling on what there is no room for (RTL-04b [C]). */
static NTSTATUS too_small(const struct kernel *kernel)
{
    return ruling_is(kernel, RULED_RTL_04b_too_small) ? STATUS_BUFFER_TOO_SMALL
                                                      : STATUS_BUFFER_OVERFLOW;
}

NTSTATUS RtlAnsiStringToUnicodeString_body(PUNICODE_STRING DestinationString,
    PANSI_STRING SourceString, BOOLEAN AllocateDestinationString)
{
    struct kernel *kernel = kernel_current();
    enum routine routine = ROUTINE_RtlAnsiStringToUnicodeString;
    const struct translation translation = {.routine = routine,
        .to_unit = UNIT_WIDE,
        .from = units_of_string(kernel, routine, SourceString, UNIT_NARROW),
        .ends = true,
        .allocate = AllocateDestinationString != 0,
        .small = too_small(kernel)};

    return translated_string(kernel, DestinationString, &translation);
}

NTSTATUS RtlUnicodeStringToAnsiString_body(PANSI_STRING DestinationString,
    PCUNICODE_STRING SourceString, BOOLEAN AllocateDestinationString)
{
    struct kernel *kernel = kernel_current();
    enum routine routine = ROUTINE_RtlUnicodeStringToAnsiString;
    const struct translation translation = {.routine = routine,
        .to_unit = UNIT_NARROW,
        .from = units_of_string(kernel, routine, SourceString, UNIT_WIDE),
        .ends = true,
        .allocate = AllocateDestinationString != 0,
        .small = too_small(kernel)};

    return translated_string(kernel, DestinationString, &translation);
}

/* Upper and lower case, without a NUL. */
static NTSTATUS change_case(enum routine routine, PUNICODE_STRING destination,
    PCUNICODE_STRING source, BOOLEAN allocate, enum code_page_case fold)
{
    struct kernel *kernel = kernel_current();
    const struct translation translation = {.routine = routine,
        .to_unit = UNIT_WIDE,
        .from = units_of_string(kernel, routine, source, UNIT_WIDE),
        .fold = fold,
        .allocate = allocate != 0,
        .small = too_small(kernel)};

    return translated_string(kernel, destination, &translation);
}

NTSTATUS RtlUpcaseUnicodeString_body(PUNICODE_STRING DestinationString,
    PCUNICODE_STRING SourceString, BOOLEAN AllocateDestinationString)
{
    return change_case(ROUTINE_RtlUpcaseUnicodeString, DestinationString,
        SourceString, AllocateDestinationString, CASE_UPPER);
}

NTSTATUS RtlDowncaseUnicodeString_body(PUNICODE_STRING DestinationString,
    PCUNICODE_STRING SourceString, BOOLEAN AllocateDestinationString)
{
    return change_case(ROUTINE_RtlDowncaseUnicodeString, DestinationString,
        SourceString, AllocateDestinationString, CASE_LOWER);
}

BOOLEAN RtlCreateUnicodeString_body(
    PUNICODE_STRING DestinationString, PCWSTR SourceString)
{
    struct kernel *kernel = kernel_current();
    enum routine routine = ROUTINE_RtlCreateUnicodeString;
    const struct translation translation = {.routine = routine,
        .to_unit = UNIT_WIDE,
        .from = {(const uint8_t *)SourceString, UNIT_WIDE,
            copy_text_length(kernel, routine, SourceString, sizeof(WCHAR),
                STRING_BYTES / sizeof(WCHAR))},
        .ends = true,
        .allocate = true};

    return NT_SUCCESS(
        translated_string(kernel, DestinationString, &translation));
}
