/* acl.c - RtlCreateAcl, RtlAddAccessAllowedAce, RtlGetAce. */
#include "api/se/acl.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/se/sid.h"

enum {
    ACL_BYTES_MOST = 0xFFFC,
    VALID_INHERIT_FLAGS = 0x1F,
};

static bool head_is_right(const struct acl *acl)
{
    return acl->revision >= ACL_REVISION &&
           acl->revision <= ACL_REVISION_HIGHEST && acl->size >= sizeof(*acl);
}

bool acl_read(struct kernel *kernel, enum routine routine, struct acl *acl,
    const void *address)
{
    copy_in(kernel, routine, acl, address, sizeof(*acl));
    return head_is_right(acl);
}

size_t acl_size(const uint8_t *bytes)
{
    struct acl acl;

    memcpy(&acl, bytes, sizeof(acl));
    return acl.size;
}

/* Where its entries end; 0: one of them is wrong. */
static size_t end_of(const uint8_t *bytes, size_t size)
{
    struct acl acl;
    size_t at = sizeof(acl);

    memcpy(&acl, bytes, sizeof(acl));
    for (unsigned i = 0; i < acl.count; i++) {
        struct ace ace;

        if (size - at < sizeof(ace)) {
            return 0;
        }
        memcpy(&ace, &bytes[at], sizeof(ace));
        if (ace.size > size - at || ace.size < sizeof(ace) ||
            !sid_is_at(&bytes[at + sizeof(ace)], ace.size - sizeof(ace))) {
            return 0;
        }
        at += ace.size;
    }
    return at;
}

bool acl_is_right(const uint8_t *bytes, size_t size)
{
    struct acl acl;

    if (size < sizeof(acl)) {
        return false;
    }
    memcpy(&acl, bytes, sizeof(acl));
    return head_is_right(&acl) && acl.size <= size &&
           end_of(bytes, acl.size) != 0;
}

/* Where the new entry is. */
static size_t append(uint8_t *bytes, struct ace ace, const uint8_t *sid)
{
    size_t end = end_of(bytes, acl_size(bytes));
    size_t sid_bytes = sid_size(sid[1]);
    struct acl acl;

    memcpy(&acl, bytes, sizeof(acl));
    ace.size = (uint16_t)(sizeof(ace) + sid_bytes);
    assert(end >= sizeof(acl) && end + ace.size <= acl.size);
    acl.count++;
    memcpy(bytes, &acl, sizeof(acl));
    memcpy(&bytes[end], &ace, sizeof(ace));
    memcpy(&bytes[end + sizeof(ace)], sid, sid_bytes);
    return end;
}

void acl_allow(uint8_t *bytes, uint32_t mask, const uint8_t *sid)
{
    append(bytes, (struct ace){.type = ACCESS_ALLOWED_ACE_TYPE, .mask = mask},
        sid);
}

NTSTATUS RtlCreateAcl_body(PVOID Acl, ULONG AclLength, ULONG AclRevision)
{
    const struct acl acl = {
        .revision = (uint8_t)AclRevision, .size = (uint16_t)(AclLength & ~3U)};

    if (AclLength < sizeof(acl)) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    if (AclRevision < ACL_REVISION || AclRevision > ACL_REVISION_HIGHEST ||
        AclLength > ACL_BYTES_MOST) {
        return STATUS_INVALID_PARAMETER;
    }
    copy_out(kernel_current(), ROUTINE_RtlCreateAcl, Acl, &acl, sizeof(acl));
    return STATUS_SUCCESS;
}

/* What is added to what. */
struct addition {
    enum routine routine;
    void *acl;
    ULONG revision, flags, mask;
    const void *sid;
};

static NTSTATUS add(const struct addition *addition)
{
    const enum routine routine = addition->routine;
    struct kernel *kernel = kernel_current();
    uint8_t bytes[ACL_BYTES];
    struct sid sid;
    struct acl acl;
    size_t end, start;

    if (!acl_read(kernel, routine, &acl, addition->acl)) {
        return STATUS_INVALID_ACL;
    }
    if (acl.size > sizeof(bytes)) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "an access control list has more than 4096 bytes");
    }
    if (!sid_read(kernel, routine, &sid, addition->sid)) {
        return STATUS_INVALID_SID;
    }
    if (addition->revision > ACL_REVISION_HIGHEST ||
        addition->revision < ACL_REVISION) {
        return STATUS_REVISION_MISMATCH;
    }
    copy_in(kernel, routine, bytes, addition->acl, acl.size);
    end = end_of(bytes, acl.size);
    if (end == 0) {
        return STATUS_INVALID_ACL;
    }
    if (acl.size - end < sizeof(struct ace) + sid_size(sid.count)) {
        return STATUS_ALLOTTED_SPACE_EXCEEDED;
    }
    start = append(bytes,
        (struct ace){.type = ACCESS_ALLOWED_ACE_TYPE,
            .flags = (uint8_t)addition->flags,
            .mask = addition->mask},
        (const uint8_t *)&sid);
    bytes[0] = (uint8_t)(addition->revision > acl.revision ? addition->revision
                                                           : acl.revision);
    copy_out(kernel, routine, (uint8_t *)addition->acl + start, &bytes[start],
        sizeof(struct ace) + sid_size(sid.count));
    copy_out(kernel, routine, addition->acl, bytes, sizeof(acl));
    return STATUS_SUCCESS;
}

NTSTATUS RtlAddAccessAllowedAce_body(
    PVOID Acl, ULONG AceRevision, ULONG AccessMask, PVOID Sid)
{
    const struct addition addition = {
        ROUTINE_RtlAddAccessAllowedAce, Acl, AceRevision, 0, AccessMask, Sid};

    return add(&addition);
}

NTSTATUS RtlAddAccessAllowedAceEx_body(
    PVOID Acl, ULONG AceRevision, ULONG AceFlags, ULONG AccessMask, PVOID Sid)
{
    const struct addition addition = {ROUTINE_RtlAddAccessAllowedAceEx, Acl,
        AceRevision, AceFlags, AccessMask, Sid};

    return (AceFlags & ~(ULONG)VALID_INHERIT_FLAGS) != 0
               ? STATUS_INVALID_PARAMETER
               : add(&addition);
}

NTSTATUS RtlGetAce_body(PVOID Acl, ULONG AceIndex, PVOID *Ace)
{
    const enum routine routine = ROUTINE_RtlGetAce;
    struct kernel *kernel = kernel_current();
    size_t at = sizeof(struct acl);
    struct acl acl;
    PVOID address;

    if (!acl_read(kernel, routine, &acl, Acl) || AceIndex >= acl.count) {
        return STATUS_INVALID_PARAMETER;
    }
    for (ULONG i = 0; i < AceIndex; i++) {
        struct ace ace;

        copy_in(kernel, routine, &ace, (const uint8_t *)Acl + at, sizeof(ace));
        at += ace.size;
    }
    if (at + sizeof(struct ace) > acl.size) {
        return STATUS_INVALID_PARAMETER;
    }
    address = (uint8_t *)Acl + at;
    copy_out(kernel, routine, Ace, &address, sizeof(address));
    return STATUS_SUCCESS;
}
