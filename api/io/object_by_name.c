/* object_by_name.c - ObReferenceObjectByName: an object of the namespace with a
 * reference. No page has it; callers and public headers show what it takes. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/io/named_object.h"
#include "api/mm/copy.h"

/* NULL: *status says why. */
static struct counted_object *find(struct kernel *kernel, enum routine routine,
    const UNICODE_STRING *given, NTSTATUS *status)
{
    struct object *object = NULL;
    struct object_name name;

    *status = object_name_read(kernel, routine, &name, given);
    if (NT_SUCCESS(*status)) {
        *status = named_object_find_any(kernel, &name, &object);
    }
    return NT_SUCCESS(*status) ? named_object_counted(kernel, object) : NULL;
}

/* OB-19 [C]. */
NTSTATUS ObReferenceObjectByName_body(PUNICODE_STRING ObjectName,
    ULONG Attributes, PVOID AccessState, ULONG DesiredAccess, PVOID ObjectType,
    KPROCESSOR_MODE AccessMode, PVOID ParseContext, PVOID *Object)
{
    const enum routine routine = ROUTINE_ObReferenceObjectByName;
    struct kernel *kernel = kernel_current();
    struct counted_object *object;
    NTSTATUS status;
    PVOID address;

    (void)Attributes;
    (void)AccessState;
    (void)DesiredAccess;
    (void)AccessMode;
    (void)ParseContext;
    copy_probe(kernel, routine, Object, sizeof(*Object), true);
    object = find(kernel, routine, ObjectName, &status);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (ObjectType != object_type_address(kernel, object->type->name)) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    counted_object_hold(kernel, object);
    address = (PVOID)(uintptr_t)object->address;
    copy_out(kernel, routine, Object, &address, sizeof(address));
    return STATUS_SUCCESS;
}
