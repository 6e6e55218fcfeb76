/* handle_routines.c - ZwClose, ObCloseHandle, ObOpenObjectByPointer,
 * ZwDuplicateObject, ZwWaitForSingleObject. */
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/object_wait.h"
#include "api/mm/copy.h"
#include "api/ob/handle_use.h"

enum {
    DUPLICATE_CLOSE_SOURCE = 1,
    DUPLICATE_SAME_ACCESS = 2,
    INVALID_HANDLE_CLOSED = 1, /* bug check 0x93, its second parameter */
};

/* OB-13b [C]. */
static NTSTATUS close_none(
    struct kernel *kernel, enum routine routine, HANDLE handle)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = (uintptr_t)handle}, {.value = INVALID_HANDLE_CLOSED}};

    if (handle_is_of_kernel(handle) &&
        !ruling_is(kernel, RULED_OB_13b_status)) {
        rule_stop(
            kernel, kernel_cpu(kernel), RULE_HANDLE_CLOSED, routine, parameter);
    }
    return handle_refuse(kernel, routine, handle);
}

NTSTATUS ZwClose_body(HANDLE Handle)
{
    struct kernel *kernel = kernel_current();

    zw_begin(kernel, ROUTINE_ZwClose);
    if (kernel->hooks->self_object(kernel, Handle) != NULL) {
        return STATUS_SUCCESS; /* it was never opened */
    }
    if (handle_object(kernel, Handle) == NULL) {
        return close_none(kernel, ROUTINE_ZwClose, Handle);
    }
    handle_close(kernel, Handle);
    return STATUS_SUCCESS;
}

NTSTATUS ObCloseHandle_body(HANDLE Handle, KPROCESSOR_MODE PreviousMode)
{
    const enum routine routine = ROUTINE_ObCloseHandle;
    struct kernel *kernel = kernel_current();

    if (PreviousMode == USER_MODE && handle_is_of_kernel(Handle)) {
        return handle_refuse(kernel, routine, Handle);
    }
    if (handle_object(kernel, Handle) == NULL) {
        return PreviousMode == USER_MODE
                   ? handle_refuse(kernel, routine, Handle)
                   : close_none(kernel, routine, Handle);
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
        return handle_refuse(kernel, routine, Handle);
    }
    waited = dispatch_object_find(kernel, object->address);
    if (waited == NULL) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    counted_object_reference(object); /* whoever closes the handle meanwhile */
    status = object_wait(kernel, &waited, 1,
        Alertable != 0 ? WAIT_HOW_ALERTABLE : WAIT_HOW_ANY, &until,
        SWITCH_EXECUTIVE);
    counted_object_release(kernel, object);
    return status;
}

/* OB-08. */
static bool attributes_are_right(
    const struct counted_object *object, ULONG attributes)
{
    bool exclusive = (attributes & OBJ_EXCLUSIVE) != 0;

    return (attributes & ~(ULONG)OBJ_VALID_ATTRIBUTES) == 0 &&
           !(exclusive && (attributes & OBJ_INHERIT) != 0) &&
           !(exclusive && object->type->name == OBJECT_TYPE_FILE) &&
           (object->type->opens == NULL || object->type->opens(object));
}

NTSTATUS ObOpenObjectByPointer_body(PVOID Object, ULONG HandleAttributes,
    PVOID PassedAccessState, ULONG DesiredAccess, PVOID ObjectType,
    KPROCESSOR_MODE AccessMode, PHANDLE Handle)
{
    const enum routine routine = ROUTINE_ObOpenObjectByPointer;
    struct kernel *kernel = kernel_current();
    struct counted_object *object = counted_object_get(kernel, routine, Object);
    enum object_type_name type = object->type->name;
    HANDLE handle;

    (void)PassedAccessState; /* access checks are not modelled here */
    copy_probe(kernel, routine, Handle, sizeof(*Handle), true);
    if (!attributes_are_right(object, HandleAttributes)) {
        return STATUS_INVALID_PARAMETER;
    }
    if ((ObjectType == NULL && AccessMode != KERNEL_MODE) ||
        (ObjectType != NULL &&
            ObjectType != object_type_address(kernel, type))) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    handle = handle_open_as(kernel, object, HandleAttributes,
        object_type_access(type, DesiredAccess));
    if (handle == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    copy_out(kernel, routine, Handle, &handle, sizeof(handle));
    return STATUS_SUCCESS;
}

/* What ZwDuplicateObject is asked for. */
struct duplication {
    struct handle source;
    HANDLE source_handle;
    const struct driver *from, *to;
    bool makes; /* a handle */
    ULONG access, attributes, options;
};

/* The program of a process by its handle. */
static NTSTATUS process_of(
    struct kernel *kernel, HANDLE handle, const struct driver **program)
{
    const enum routine routine = ROUTINE_ZwDuplicateObject;
    const struct handle_use use = {.handle = handle,
        .type = object_type_address(kernel, OBJECT_TYPE_PROCESS)};
    struct counted_object *object;
    NTSTATUS status = handle_use(kernel, routine, &use, &object);

    if (NT_SUCCESS(status)) {
        *program = kernel->hooks->program_of(object);
    }
    return status;
}

static NTSTATUS decode_duplication(struct kernel *kernel,
    struct duplication *duplication, HANDLE source_process,
    HANDLE target_process)
{
    const struct handle *source;
    NTSTATUS status = process_of(kernel, source_process, &duplication->from);

    if (NT_SUCCESS(status) && duplication->makes) {
        status = process_of(kernel, target_process, &duplication->to);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    source =
        handle_find_in(kernel, duplication->source_handle, duplication->from);
    if (source == NULL) {
        return handle_refuse(
            kernel, ROUTINE_ZwDuplicateObject, duplication->source_handle);
    }
    duplication->source = *source;
    if ((duplication->options & DUPLICATE_SAME_ACCESS) != 0) {
        duplication->access = source->access;
    }
    return STATUS_SUCCESS;
}

/* The handle; NULL: there is no room. */
static HANDLE duplicate(
    struct kernel *kernel, const struct duplication *duplication)
{
    struct counted_object *object = duplication->source.object;
    uint32_t access =
        object_type_access(object->type->name, duplication->access);

    return (duplication->attributes & OBJ_KERNEL_HANDLE) != 0
               ? handle_open_as(kernel, object, OBJ_KERNEL_HANDLE, access)
               : handle_open_in(kernel, object, duplication->to, access);
}

NTSTATUS ZwDuplicateObject_body(HANDLE SourceProcessHandle, HANDLE SourceHandle,
    HANDLE TargetProcessHandle, PHANDLE TargetHandle, ULONG DesiredAccess,
    ULONG HandleAttributes, ULONG Options)
{
    const enum routine routine = ROUTINE_ZwDuplicateObject;
    struct kernel *kernel = kernel_current();
    struct duplication duplication = {
        .source_handle = SourceHandle,
        .makes = TargetHandle != NULL,
        .access = DesiredAccess,
        .attributes = HandleAttributes,
        .options = Options,
    };
    HANDLE handle = NULL;
    NTSTATUS status;

    zw_begin(kernel, routine);
    if (TargetHandle != NULL) {
        copy_probe(kernel, routine, TargetHandle, sizeof(handle), true);
    }
    status = decode_duplication(
        kernel, &duplication, SourceProcessHandle, TargetProcessHandle);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (duplication.makes) {
        handle = duplicate(kernel, &duplication);
        if (handle == NULL) {
            return STATUS_INSUFFICIENT_RESOURCES;
        }
    }
    if ((Options & DUPLICATE_CLOSE_SOURCE) != 0) {
        handle_close(kernel, SourceHandle);
    }
    if (TargetHandle != NULL) {
        copy_out(kernel, routine, TargetHandle, &handle, sizeof(handle));
    }
    return STATUS_SUCCESS;
}
