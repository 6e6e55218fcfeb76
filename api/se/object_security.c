/* object_security.c - ZwSetSecurityObject, ZwQuerySecurityObject: who may do
 * what with an object. */
#include "api/se/object_security.h"

#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/ob/handle_use.h"
#include "api/se/acl.h"
#include "api/se/descriptor.h"
#include "api/se/well_known.h"
#include "sim/base/arena.h"

enum {
    OWNER_SECURITY_INFORMATION = 1,
    GROUP_SECURITY_INFORMATION = 2,
    DACL_SECURITY_INFORMATION = 4,
    SACL_SECURITY_INFORMATION = 8,
};

/* The parts that SECURITY_INFORMATION names, a bit each. */
static unsigned parts_of(ULONG information)
{
    return ((information & OWNER_SECURITY_INFORMATION) != 0
                   ? 1U << DESCRIPTOR_OWNER
                   : 0) |
           ((information & GROUP_SECURITY_INFORMATION) != 0
                   ? 1U << DESCRIPTOR_GROUP
                   : 0) |
           ((information & DACL_SECURITY_INFORMATION) != 0
                   ? 1U << DESCRIPTOR_DACL
                   : 0) |
           ((information & SACL_SECURITY_INFORMATION) != 0
                   ? 1U << DESCRIPTOR_SACL
                   : 0);
}

/* What a handle needs to have been opened with (SEC-06). */
static ULONG rights_to_set(ULONG information)
{
    return ((information & DACL_SECURITY_INFORMATION) != 0 ? WRITE_DAC : 0U) |
           ((information &
                (OWNER_SECURITY_INFORMATION | GROUP_SECURITY_INFORMATION)) != 0
                   ? WRITE_OWNER
                   : 0U) |
           ((information & SACL_SECURITY_INFORMATION) != 0
                   ? ACCESS_SYSTEM_SECURITY
                   : 0U);
}

static ULONG rights_to_query(ULONG information)
{
    return ((information & ~(ULONG)SACL_SECURITY_INFORMATION) != 0
                   ? READ_CONTROL
                   : 0U) |
           ((information & SACL_SECURITY_INFORMATION) != 0
                   ? ACCESS_SYSTEM_SECURITY
                   : 0U);
}

static NTSTATUS find(struct kernel *kernel, enum routine routine, HANDLE handle,
    ULONG rights, struct counted_object **object)
{
    const struct handle *found = handle_find(kernel, handle);

    if (found == NULL) {
        return handle_refuse(kernel, routine, handle);
    }
    *object =
        found->object->secures == NULL ? found->object : found->object->secures;
    return (rights & ~found->access) != 0 ? STATUS_ACCESS_DENIED
                                          : STATUS_SUCCESS;
}

/* Administrators may do everything, others read, write and execute (IO-10a). */
static void make_default(struct descriptor_block *block)
{
    enum { LIST_BYTES = 64 };
    uint8_t list[LIST_BYTES] = {ACL_REVISION, 0, LIST_BYTES};
    const struct sid *admins = well_known_sid(WELL_KNOWN_BA);
    const struct sid *system = well_known_sid(WELL_KNOWN_SY);

    acl_allow(list, GENERIC_ALL, (const uint8_t *)admins);
    acl_allow(list, GENERIC_READ | GENERIC_WRITE | GENERIC_EXECUTE,
        (const uint8_t *)well_known_sid(WELL_KNOWN_WD));
    descriptor_make(block, list, LIST_BYTES, admins, system);
}

void object_security_read(
    const struct counted_object *object, struct descriptor_block *block)
{
    if (object->security == NULL) {
        make_default(block);
    } else {
        *block = *(const struct descriptor_block *)object->security;
    }
}

static NTSTATUS keep_security(struct kernel *kernel,
    struct counted_object *object, const struct descriptor_block *block)
{
    if (object->security == NULL) {
        object->security =
            arena_alloc_for_guest(&kernel->machine->arena, sizeof(*block));
    }
    if (object->security == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    *(struct descriptor_block *)object->security = *block;
    return STATUS_SUCCESS;
}

NTSTATUS ZwSetSecurityObject_body(
    HANDLE Handle, ULONG SecurityInformation, PVOID SecurityDescriptor)
{
    const enum routine routine = ROUTINE_ZwSetSecurityObject;
    struct kernel *kernel = kernel_current();
    struct counted_object *object = NULL;
    struct descriptor_block given, before, merged;
    struct descriptor descriptor;
    NTSTATUS status;

    zw_begin(kernel, routine);
    if (SecurityDescriptor == NULL) {
        return STATUS_ACCESS_VIOLATION;
    }
    status = find(
        kernel, routine, Handle, rights_to_set(SecurityInformation), &object);
    if (NT_SUCCESS(status)) {
        status =
            descriptor_read(kernel, routine, &descriptor, SecurityDescriptor);
    }
    if (NT_SUCCESS(status)) {
        status = descriptor_copy(kernel, routine, &descriptor, &given);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    object_security_read(object, &before);
    if (!descriptor_merge(
            &given, parts_of(SecurityInformation), &before, &merged)) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    return keep_security(kernel, object, &merged);
}

NTSTATUS ZwQuerySecurityObject_body(HANDLE Handle, ULONG SecurityInformation,
    PVOID SecurityDescriptor, ULONG Length, PULONG LengthNeeded)
{
    const enum routine routine = ROUTINE_ZwQuerySecurityObject;
    struct kernel *kernel = kernel_current();
    struct counted_object *object = NULL;
    struct descriptor_block whole, asked;
    ULONG needed;
    NTSTATUS status;

    zw_begin(kernel, routine);
    status = find(
        kernel, routine, Handle, rights_to_query(SecurityInformation), &object);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    object_security_read(object, &whole);
    descriptor_merge(&whole, parts_of(SecurityInformation), NULL, &asked);
    needed = (ULONG)asked.size;
    copy_out(kernel, routine, LengthNeeded, &needed, sizeof(needed));
    if (Length < needed) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    copy_out(kernel, routine, SecurityDescriptor, asked.bytes, asked.size);
    return STATUS_SUCCESS;
}
