/* object_routines.c - ZwClose, ZwWaitForSingleObject,
 * ObReferenceObjectByHandle, ObfDereferenceObject and kin. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/object_wait.h"
#include "api/mm/copy.h"
#include "api/ob/handle.h"

static void warn_of_handle(struct kernel *kernel, enum routine routine)
{
    rule_warn(kernel, kernel_cpu(kernel), RULE_HANDLE_INVALID, routine);
}

NTSTATUS ZwClose_body(HANDLE Handle)
{
    struct kernel *kernel = kernel_current();

    if (handle_object(kernel, Handle) == NULL) {
        warn_of_handle(kernel, ROUTINE_ZwClose);
        return STATUS_INVALID_HANDLE;
    }
    handle_close(kernel, Handle);
    return STATUS_SUCCESS;
}

/* OB-18: above PASSIVE_LEVEL it may look, and not wait. */
static void check_level(struct kernel *kernel, const struct wait_until *until)
{
    const enum routine routine = ROUTINE_ZwWaitForSingleObject;
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t irql = irql_current(kernel, cpu);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = irql}};

    wait_check_level(kernel, routine, until);
    if (until->limit != WAIT_NOT &&
        irql > irql_number(kernel, LEVEL_PASSIVE_LEVEL)) {
        rule_stop(kernel, cpu, RULE_IRQL_CONTRACT, routine, parameter);
    }
}

NTSTATUS ZwWaitForSingleObject_body(
    HANDLE Handle, BOOLEAN Alertable, PLARGE_INTEGER Timeout)
{
    const enum routine routine = ROUTINE_ZwWaitForSingleObject;
    struct kernel *kernel = kernel_current();
    struct counted_object *object = handle_object(kernel, Handle);
    struct wait_until until = wait_until_read(kernel, routine, Timeout);
    struct dispatch_object *waited;
    NTSTATUS status;

    check_level(kernel, &until);
    if (object == NULL) {
        warn_of_handle(kernel, routine);
        return STATUS_INVALID_HANDLE;
    }
    waited = dispatch_object_find(kernel, object->address);
    if (waited == NULL) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    counted_object_reference(object); /* whoever closes the handle meanwhile */
    status = object_wait(
        kernel, &waited, 1, false, Alertable != 0, &until, SWITCH_EXECUTIVE);
    counted_object_release(kernel, object);
    return status;
}

NTSTATUS ObReferenceObjectByHandle_body(HANDLE Handle, ULONG DesiredAccess,
    PVOID ObjectType, KPROCESSOR_MODE AccessMode, PVOID *Object,
    PVOID HandleInformation)
{
    const enum routine routine = ROUTINE_ObReferenceObjectByHandle;
    struct kernel *kernel = kernel_current();
    struct counted_object *object = handle_object(kernel, Handle);
    const void *address = NULL;

    (void)DesiredAccess; /* KernelMode does not compare it (OB-04) */
    (void)AccessMode;
    (void)HandleInformation;
    copy_probe(kernel, routine, Object, sizeof(*Object), true);
    if (object == NULL) {
        warn_of_handle(kernel, routine);
        copy_out(kernel, routine, Object, &address, sizeof(address));
        return STATUS_INVALID_HANDLE;
    }
    if (ObjectType != NULL &&
        ObjectType != object_type_address(kernel, object->type->name)) {
        copy_out(kernel, routine, Object, &address, sizeof(address));
        return STATUS_OBJECT_TYPE_MISMATCH; /* OB-06a */
    }
    counted_object_reference(object);
    address = (const void *)(uintptr_t)object->address;
    copy_out(kernel, routine, Object, &address, sizeof(address));
    return STATUS_SUCCESS;
}

static struct counted_object *get(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct counted_object *object = counted_object_find(kernel, address);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = (uintptr_t)address}};

    if (object == NULL || object->references == 0) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_OBJECT_DEREFERENCED, routine,
            parameter);
    }
    return object;
}

LONGLONG ObfReferenceObject_body(PVOID Object)
{
    struct counted_object *object =
        get(kernel_current(), ROUTINE_ObfReferenceObject, Object);

    counted_object_reference(object);
    return object->references + object->handles;
}

LONGLONG ObfDereferenceObject_body(PVOID Object)
{
    struct kernel *kernel = kernel_current();
    struct counted_object *object =
        get(kernel, ROUTINE_ObfDereferenceObject, Object);
    LONGLONG left = (LONGLONG)object->references + object->handles - 1;

    counted_object_release(kernel, object);
    return left;
}
