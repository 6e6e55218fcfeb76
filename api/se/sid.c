/* sid.c - RtlLengthSid, RtlCopySid, RtlEqualSid and their kin. */
#include "api/se/sid.h"

#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ex/pool.h"
#include "api/mm/copy.h"

enum { STRING_TAG = 0x67727453 /* 'Strg' */ };

size_t sid_size(uint8_t count)
{
    return SID_HEAD_BYTES + sizeof(uint32_t) * count;
}

bool sid_read(struct kernel *kernel, enum routine routine, struct sid *sid,
    const void *address)
{
    *sid = (struct sid){.revision = 0};
    copy_in(kernel, routine, sid, address, SID_HEAD_BYTES);
    if (sid->revision != SID_REVISION || sid->count > SID_SUB_AUTHORITIES) {
        return false;
    }
    copy_in(kernel, routine, sid, address, sid_size(sid->count));
    return true;
}

bool sid_is_at(const uint8_t *bytes, size_t size)
{
    return size >= SID_HEAD_BYTES && bytes[0] == SID_REVISION &&
           bytes[1] <= SID_SUB_AUTHORITIES && sid_size(bytes[1]) <= size;
}

/* What one that is none would be, too: its count alone says it. */
ULONG RtlLengthSid_body(PVOID Sid)
{
    uint8_t head[SID_HEAD_BYTES];

    copy_in(kernel_current(), ROUTINE_RtlLengthSid, head, Sid, sizeof(head));
    return (ULONG)sid_size(head[1]);
}

ULONG RtlLengthRequiredSid_body(ULONG SubAuthorityCount)
{
    return SID_HEAD_BYTES + (ULONG)sizeof(uint32_t) * SubAuthorityCount;
}

BOOLEAN RtlValidSid_body(PVOID Sid)
{
    struct sid sid;

    return sid_read(kernel_current(), ROUTINE_RtlValidSid, &sid, Sid);
}

NTSTATUS RtlCopySid_body(
    ULONG DestinationSidLength, PVOID DestinationSid, PVOID SourceSid)
{
    const enum routine routine = ROUTINE_RtlCopySid;
    struct kernel *kernel = kernel_current();
    uint8_t bytes[SID_HEAD_BYTES + sizeof(uint32_t) * UINT8_MAX];
    size_t size;

    copy_in(kernel, routine, bytes, SourceSid, SID_HEAD_BYTES);
    size = sid_size(bytes[1]);
    if (size > DestinationSidLength) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    copy_in(kernel, routine, bytes, SourceSid, size);
    copy_out(kernel, routine, DestinationSid, bytes, size);
    return STATUS_SUCCESS;
}

NTSTATUS RtlInitializeSid_body(
    PVOID Sid, PVOID IdentifierAuthority, UCHAR SubAuthorityCount)
{
    const enum routine routine = ROUTINE_RtlInitializeSid;
    struct kernel *kernel = kernel_current();
    struct sid sid = {.revision = SID_REVISION, .count = SubAuthorityCount};

    if (SubAuthorityCount > SID_SUB_AUTHORITIES) {
        return STATUS_INVALID_PARAMETER;
    }
    copy_in(kernel, routine, sid.authority, IdentifierAuthority,
        sizeof(sid.authority));
    copy_out(kernel, routine, Sid, &sid, SID_HEAD_BYTES);
    return STATUS_SUCCESS;
}

/* It checks neither its index nor its SID (SEC-05): what is no pointer of this
 * program's is counted on as the driver's code would. */
PVOID RtlSubAuthoritySid_body(PVOID Sid, ULONG SubAuthority)
{
    return (PVOID)((uintptr_t)Sid + SID_HEAD_BYTES +
                   sizeof(uint32_t) * (uintptr_t)SubAuthority);
}

BOOLEAN RtlEqualSid_body(PVOID Sid1, PVOID Sid2)
{
    const enum routine routine = ROUTINE_RtlEqualSid;
    struct kernel *kernel = kernel_current();
    struct sid one, other;

    return sid_read(kernel, routine, &one, Sid1) &&
           sid_read(kernel, routine, &other, Sid2) &&
           memcmp(&one, &other, sid_size(one.count)) == 0;
}

/* S-1-5-32-544; an authority of more than 32 bits is hexadecimal (page
 * RtlConvertSidToUnicodeString: MS-DTYP has the notation). */
static size_t show(const struct sid *sid, WCHAR text[SID_TEXT_UNITS])
{
    char narrow[SID_TEXT_UNITS];
    uint64_t authority = 0;
    int length;

    for (unsigned i = 0; i < sizeof(sid->authority); i++) {
        authority = authority << 8 | sid->authority[i];
    }
    length = snprintf(narrow, sizeof(narrow),
        authority > UINT32_MAX ? "S-1-0x%012llx" : "S-1-%llu",
        (unsigned long long)authority);
    for (unsigned i = 0; i < sid->count; i++) {
        length += snprintf(&narrow[length], sizeof(narrow) - (size_t)length,
            "-%u", (unsigned)sid->sub[i]);
    }
    for (int i = 0; i <= length; i++) {
        text[i] = (WCHAR)narrow[i];
    }
    return (size_t)length;
}

NTSTATUS RtlConvertSidToUnicodeString_body(
    PUNICODE_STRING UnicodeString, PVOID Sid, BOOLEAN AllocateDestinationString)
{
    const enum routine routine = ROUTINE_RtlConvertSidToUnicodeString;
    struct kernel *kernel = kernel_current();
    WCHAR text[SID_TEXT_UNITS];
    UNICODE_STRING string;
    struct sid sid;
    USHORT bytes;

    if (!sid_read(kernel, routine, &sid, Sid)) {
        return STATUS_INVALID_SID;
    }
    bytes = (USHORT)(show(&sid, text) * sizeof(*text));
    copy_in(kernel, routine, &string, UnicodeString, sizeof(string));
    if (AllocateDestinationString != 0) {
        const struct pool_request request = {.routine = routine,
            .size = bytes + sizeof(*text),
            .tag = STRING_TAG,
            .paged = true};

        string.MaximumLength = (USHORT)(bytes + sizeof(*text));
        string.Buffer = pool_allocate(kernel, kernel_cpu(kernel), &request);
        if (string.Buffer == NULL) {
            return STATUS_NO_MEMORY;
        }
    } else if (bytes > string.MaximumLength) {
        return STATUS_BUFFER_OVERFLOW;
    }
    string.Length = bytes;
    copy_out(kernel, routine, string.Buffer, text,
        string.MaximumLength >= bytes + sizeof(*text) ? bytes + sizeof(*text)
                                                      : bytes);
    copy_out(kernel, routine, UnicodeString, &string, sizeof(string));
    return STATUS_SUCCESS;
}
