/* descriptor_routines.c - RtlCreateSecurityDescriptor,
 * RtlGetDaclSecurityDescriptor, RtlAbsoluteToSelfRelativeSD and their kin,
 * SeCaptureSecurityDescriptor. */
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ex/pool.h"
#include "api/mm/copy.h"
#include "api/ob/handle.h"
#include "api/se/acl.h"
#include "api/se/descriptor.h"
#include "api/se/sid.h"

enum {
    CAPTURE_TAG = 0x63536553, /* 'SeSc' [C] */
    PAGED_POOL = 1,
};

NTSTATUS RtlCreateSecurityDescriptor_body(
    PVOID SecurityDescriptor, ULONG Revision)
{
    const struct descriptor_absolute made = {
        .head = {.revision = DESCRIPTOR_REVISION}};

    if (Revision != DESCRIPTOR_REVISION) {
        return STATUS_UNKNOWN_REVISION;
    }
    copy_out(kernel_current(), ROUTINE_RtlCreateSecurityDescriptor,
        SecurityDescriptor, &made, sizeof(made));
    return STATUS_SUCCESS;
}

/* It keeps the address, and copies nothing (SEC-01). */
NTSTATUS RtlSetDaclSecurityDescriptor_body(PVOID SecurityDescriptor,
    BOOLEAN DaclPresent, PVOID Dacl, BOOLEAN DaclDefaulted)
{
    const enum routine routine = ROUTINE_RtlSetDaclSecurityDescriptor;
    struct kernel *kernel = kernel_current();
    struct descriptor_absolute absolute;

    copy_in(kernel, routine, &absolute.head, SecurityDescriptor,
        sizeof(absolute.head));
    if (absolute.head.revision != DESCRIPTOR_REVISION) {
        return STATUS_UNKNOWN_REVISION;
    }
    if ((absolute.head.control & SE_SELF_RELATIVE) != 0) {
        return STATUS_INVALID_SECURITY_DESCR;
    }
    copy_in(kernel, routine, &absolute, SecurityDescriptor, sizeof(absolute));
    absolute.head.control &= (uint16_t) ~(SE_DACL_PRESENT | SE_DACL_DEFAULTED);
    if (DaclPresent != 0) {
        absolute.head.control |= SE_DACL_PRESENT;
        absolute.head.control |= DaclDefaulted != 0 ? SE_DACL_DEFAULTED : 0;
        absolute.part[DESCRIPTOR_DACL] = (uintptr_t)Dacl;
    }
    copy_out(kernel, routine, SecurityDescriptor, &absolute, sizeof(absolute));
    return STATUS_SUCCESS;
}

/* An access control list of a descriptor. */
static NTSTATUS get_acl(enum routine routine, const void *address,
    enum descriptor_part part, BOOLEAN *present_out, PVOID *acl_out,
    BOOLEAN *defaulted_out)
{
    struct kernel *kernel = kernel_current();
    bool dacl = part == DESCRIPTOR_DACL;
    struct descriptor descriptor;
    NTSTATUS status = descriptor_read(kernel, routine, &descriptor, address);
    uint16_t control = descriptor.head.control;
    BOOLEAN present, defaulted;
    PVOID acl;

    if (!NT_SUCCESS(status)) {
        return status;
    }
    present = (control & (dacl ? SE_DACL_PRESENT : SE_SACL_PRESENT)) != 0;
    defaulted = (control & (dacl ? SE_DACL_DEFAULTED : SE_SACL_DEFAULTED)) != 0;
    acl = (PVOID)(uintptr_t)descriptor.part[part];
    copy_out(kernel, routine, present_out, &present, sizeof(present));
    if (present) { /* else the others are as they were (SEC-02) */
        copy_out(kernel, routine, acl_out, &acl, sizeof(acl));
        copy_out(kernel, routine, defaulted_out, &defaulted, sizeof(defaulted));
    }
    return STATUS_SUCCESS;
}

NTSTATUS RtlGetDaclSecurityDescriptor_body(PVOID SecurityDescriptor,
    BOOLEAN *DaclPresent, PVOID *Dacl, BOOLEAN *DaclDefaulted)
{
    return get_acl(ROUTINE_RtlGetDaclSecurityDescriptor, SecurityDescriptor,
        DESCRIPTOR_DACL, DaclPresent, Dacl, DaclDefaulted);
}

NTSTATUS RtlGetSaclSecurityDescriptor_body(PVOID SecurityDescriptor,
    BOOLEAN *SaclPresent, PVOID *Sacl, BOOLEAN *SaclDefaulted)
{
    return get_acl(ROUTINE_RtlGetSaclSecurityDescriptor, SecurityDescriptor,
        DESCRIPTOR_SACL, SaclPresent, Sacl, SaclDefaulted);
}

static NTSTATUS get_sid(enum routine routine, const void *address,
    enum descriptor_part part, PVOID *sid_out, BOOLEAN *defaulted_out)
{
    struct kernel *kernel = kernel_current();
    struct descriptor descriptor;
    NTSTATUS status = descriptor_read(kernel, routine, &descriptor, address);
    BOOLEAN defaulted;
    PVOID sid;

    if (!NT_SUCCESS(status)) {
        return status;
    }
    sid = (PVOID)(uintptr_t)descriptor.part[part];
    defaulted = (descriptor.head.control &
                    (part == DESCRIPTOR_OWNER ? SE_OWNER_DEFAULTED
                                              : SE_GROUP_DEFAULTED)) != 0;
    copy_out(kernel, routine, sid_out, &sid, sizeof(sid));
    copy_out(kernel, routine, defaulted_out, &defaulted, sizeof(defaulted));
    return STATUS_SUCCESS;
}

NTSTATUS RtlGetOwnerSecurityDescriptor_body(
    PVOID SecurityDescriptor, PVOID *Owner, BOOLEAN *OwnerDefaulted)
{
    return get_sid(ROUTINE_RtlGetOwnerSecurityDescriptor, SecurityDescriptor,
        DESCRIPTOR_OWNER, Owner, OwnerDefaulted);
}

NTSTATUS RtlGetGroupSecurityDescriptor_body(
    PVOID SecurityDescriptor, PVOID *Group, BOOLEAN *GroupDefaulted)
{
    return get_sid(ROUTINE_RtlGetGroupSecurityDescriptor, SecurityDescriptor,
        DESCRIPTOR_GROUP, Group, GroupDefaulted);
}

/* Of the parts that are there. */
static size_t parts_size(struct kernel *kernel, enum routine routine,
    const struct descriptor *descriptor)
{
    size_t size = 0;

    for (unsigned i = 0; i < DESCRIPTOR_PARTS; i++) {
        const void *part = (const void *)(uintptr_t)descriptor->part[i];
        bool list = i == DESCRIPTOR_SACL || i == DESCRIPTOR_DACL;
        uint8_t head[sizeof(struct acl)];

        if (part != NULL) {
            copy_in(kernel, routine, head, part, sizeof(head));
            size += list ? acl_size(head) : sid_size(head[1]);
        }
    }
    return size;
}

ULONG RtlLengthSecurityDescriptor_body(PVOID SecurityDescriptor)
{
    const enum routine routine = ROUTINE_RtlLengthSecurityDescriptor;
    struct kernel *kernel = kernel_current();
    struct descriptor descriptor = {.head = {.control = 0}};
    bool relative;

    descriptor_read(kernel, routine, &descriptor, SecurityDescriptor);
    relative = (descriptor.head.control & SE_SELF_RELATIVE) != 0;
    return (ULONG)((relative ? sizeof(struct descriptor_relative)
                             : sizeof(struct descriptor_absolute)) +
                   parts_size(kernel, routine, &descriptor));
}

/* Reads it and copies all of it. */
static NTSTATUS copy(struct kernel *kernel, enum routine routine,
    const void *address, struct descriptor_block *block)
{
    struct descriptor descriptor;
    NTSTATUS status = descriptor_read(kernel, routine, &descriptor, address);

    return NT_SUCCESS(status)
               ? descriptor_copy(kernel, routine, &descriptor, block)
               : status;
}

BOOLEAN RtlValidSecurityDescriptor_body(PVOID SecurityDescriptor)
{
    struct descriptor_block block;

    return NT_SUCCESS(copy(kernel_current(), ROUTINE_RtlValidSecurityDescriptor,
        SecurityDescriptor, &block));
}

NTSTATUS RtlAbsoluteToSelfRelativeSD_body(PVOID AbsoluteSecurityDescriptor,
    PVOID SelfRelativeSecurityDescriptor, PULONG BufferLength)
{
    const enum routine routine = ROUTINE_RtlAbsoluteToSelfRelativeSD;
    struct kernel *kernel = kernel_current();
    struct descriptor_block block;
    struct descriptor_head head;
    ULONG length, needed;
    NTSTATUS status;

    copy_in(kernel, routine, &head, AbsoluteSecurityDescriptor, sizeof(head));
    if ((head.control & SE_SELF_RELATIVE) != 0) {
        return STATUS_BAD_DESCRIPTOR_FORMAT;
    }
    copy_in(kernel, routine, &length, BufferLength, sizeof(length));
    status = copy(kernel, routine, AbsoluteSecurityDescriptor, &block);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    needed = (ULONG)block.size;
    copy_out(kernel, routine, BufferLength, &needed, sizeof(needed));
    if (length < needed) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    copy_out(kernel, routine, SelfRelativeSecurityDescriptor, block.bytes,
        block.size);
    return STATUS_SUCCESS;
}

/* SEC-07 [C]. */
NTSTATUS SeCaptureSecurityDescriptor_body(PVOID OriginalSecurityDescriptor,
    KPROCESSOR_MODE CurrentMode, POOL_TYPE PoolType, BOOLEAN CaptureIfKernel,
    PVOID *CapturedSecurityDescriptor)
{
    const enum routine routine = ROUTINE_SeCaptureSecurityDescriptor;
    struct kernel *kernel = kernel_current();
    PVOID captured = OriginalSecurityDescriptor;
    struct descriptor_block block;
    struct pool_request request = {.routine = routine,
        .tag = CAPTURE_TAG,
        .paged = ((unsigned)PoolType & PAGED_POOL) != 0,
        .fill = POOL_FILL};
    NTSTATUS status;

    copy_probe(
        kernel, routine, CapturedSecurityDescriptor, sizeof(PVOID), true);
    if (OriginalSecurityDescriptor != NULL &&
        (CurrentMode != KERNEL_MODE || CaptureIfKernel != 0)) {
        status = copy(kernel, routine, OriginalSecurityDescriptor, &block);
        if (!NT_SUCCESS(status)) {
            return status;
        }
        request.size = block.size;
        captured = pool_allocate(kernel, kernel_cpu(kernel), &request);
        if (captured == NULL) {
            return STATUS_INSUFFICIENT_RESOURCES;
        }
        copy_out(kernel, routine, captured, block.bytes, block.size);
    }
    copy_out(kernel, routine, CapturedSecurityDescriptor, &captured,
        sizeof(captured));
    return STATUS_SUCCESS;
}
