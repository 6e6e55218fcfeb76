/* reference_routines.c - ObReferenceObjectByHandle, ObReferenceObjectByPointer,
 * ObfReferenceObject, ObfDereferenceObject and their kin: references that a
 * driver holds. */
#include "api/ob/reference_routines.h"

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/ob/handle_use.h"

/* OBJECT_HANDLE_INFORMATION. */
struct handle_information {
    ULONG attributes, access;
};

static NTSTATUS by_handle(enum routine routine, const struct handle_use *use,
    PVOID *object_out, PVOID information_out)
{
    struct kernel *kernel = kernel_current();
    struct handle_information information = {.attributes = 0};
    struct counted_object *object = NULL;
    PVOID address = NULL;
    NTSTATUS status;

    copy_probe(kernel, routine, object_out, sizeof(*object_out), true);
    if (information_out != NULL) {
        copy_probe(kernel, routine, information_out, sizeof(information), true);
    }
    status = handle_use(kernel, routine, use, &object);
    if (NT_SUCCESS(status)) {
        const struct handle *handle = handle_find(kernel, use->handle);

        counted_object_hold(kernel, object);
        address = (PVOID)(uintptr_t)object->address;
        information.access =
            handle != NULL
                ? handle->access
                : object_type_access(object->type->name, GENERIC_ALL);
    }
    if (NT_SUCCESS(status) && information_out != NULL) {
        copy_out(kernel, routine, information_out, &information,
            sizeof(information));
    }
    copy_out(kernel, routine, object_out, &address, sizeof(address));
    return status;
}

NTSTATUS ObReferenceObjectByHandle_body(HANDLE Handle, ULONG DesiredAccess,
    PVOID ObjectType, KPROCESSOR_MODE AccessMode, PVOID *Object,
    PVOID HandleInformation)
{
    const struct handle_use use = {
        Handle, DesiredAccess, ObjectType, AccessMode};

    return by_handle(
        ROUTINE_ObReferenceObjectByHandle, &use, Object, HandleInformation);
}

NTSTATUS ObReferenceObjectByHandleWithTag_body(HANDLE Handle,
    ULONG DesiredAccess, PVOID ObjectType, KPROCESSOR_MODE AccessMode,
    ULONG Tag, PVOID *Object, PVOID HandleInformation)
{
    const struct handle_use use = {
        Handle, DesiredAccess, ObjectType, AccessMode};

    (void)Tag; /* of traces that debuggers make */
    return by_handle(ROUTINE_ObReferenceObjectByHandleWithTag, &use, Object,
        HandleInformation);
}

/* OB-07. */
static NTSTATUS by_pointer(enum routine routine, const void *address,
    const void *type, KPROCESSOR_MODE mode)
{
    struct kernel *kernel = kernel_current();
    struct counted_object *object =
        counted_object_get(kernel, routine, address);
    enum object_type_name name = object->type->name;

    if (name == OBJECT_TYPE_LINK || (type == NULL && mode != KERNEL_MODE) ||
        (type != NULL && type != object_type_address(kernel, name))) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    counted_object_hold(kernel, object);
    return STATUS_SUCCESS;
}

NTSTATUS ObReferenceObjectByPointer_body(PVOID Object, ULONG DesiredAccess,
    PVOID ObjectType, KPROCESSOR_MODE AccessMode)
{
    (void)DesiredAccess; /* there is nothing to compare it with */
    return by_pointer(
        ROUTINE_ObReferenceObjectByPointer, Object, ObjectType, AccessMode);
}

NTSTATUS ObReferenceObjectByPointerWithTag_body(PVOID Object,
    ULONG DesiredAccess, PVOID ObjectType, KPROCESSOR_MODE AccessMode,
    ULONG Tag)
{
    (void)DesiredAccess;
    (void)Tag;
    return by_pointer(ROUTINE_ObReferenceObjectByPointerWithTag, Object,
        ObjectType, AccessMode);
}

static LONGLONG reference(enum routine routine, const void *address)
{
    struct kernel *kernel = kernel_current();
    struct counted_object *object =
        counted_object_get(kernel, routine, address);

    counted_object_hold(kernel, object);
    return counted_object_count(object);
}

LONGLONG ObfReferenceObject_body(PVOID Object)
{
    return reference(ROUTINE_ObfReferenceObject, Object);
}

LONGLONG ObfReferenceObjectWithTag_body(PVOID Object, ULONG Tag)
{
    (void)Tag;
    return reference(ROUTINE_ObfReferenceObjectWithTag, Object);
}

/* The kernel's own references are nobody's to give back. */
LONGLONG reference_give_back(enum routine routine, const void *address)
{
    struct kernel *kernel = kernel_current();
    struct counted_object *object =
        counted_object_get(kernel, routine, address);
    LONGLONG left = counted_object_count(object) - 1;

    if (object->held == 0) {
        const struct bugcheck_parameter parameter[4] = {
            {.name = object->type->text}, {.value = object->address}};

        rule_stop(kernel, kernel_cpu(kernel), RULE_OBJECT_DEREFERENCED, routine,
            parameter);
    }
    counted_object_drop(kernel, object);
    return left;
}

LONGLONG ObfDereferenceObject_body(PVOID Object)
{
    return reference_give_back(ROUTINE_ObfDereferenceObject, Object);
}

LONGLONG ObfDereferenceObjectWithTag_body(PVOID Object, ULONG Tag)
{
    (void)Tag;
    return reference_give_back(ROUTINE_ObfDereferenceObjectWithTag, Object);
}

/* The object goes when it can; here that is at once [C]. */
VOID ObDereferenceObjectDeferDelete_body(PVOID Object)
{
    reference_give_back(ROUTINE_ObDereferenceObjectDeferDelete, Object);
}
