/* event_object.c - ZwCreateEvent, ZwOpenEvent, ZwSetEvent: events by handles.
 */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/io/io.h"
#include "api/io/named_event.h"
#include "api/io/named_object.h"
#include "api/mm/copy.h"
#include "api/ob/handle_use.h"

static enum dispatch_kind kind_of(EVENT_TYPE type)
{
    return type == SynchronizationEvent ? DISPATCH_SYNCHRONIZATION_EVENT
                                        : DISPATCH_NOTIFICATION_EVENT;
}

/* Opens the one that has the name already, where the caller wants that. */
static NTSTATUS open_existing(struct kernel *kernel, struct object *found,
    const struct object_request *request, ULONG access, PHANDLE handle_out)
{
    NTSTATUS status;

    if ((request->attributes & OBJ_OPENIF) == 0) {
        return STATUS_OBJECT_NAME_COLLISION;
    }
    if (found->kind != OBJECT_EVENT) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    status = named_object_open(kernel, ROUTINE_ZwCreateEvent,
        named_object_counted(kernel, found), request->attributes, access,
        handle_out);
    return NT_SUCCESS(status) ? STATUS_OBJECT_NAME_EXISTS : status;
}

static NTSTATUS make(struct kernel *kernel,
    const struct object_request *request, ULONG access, EVENT_TYPE type,
    bool state, PHANDLE handle_out)
{
    struct named_event *event = named_event_make(kernel, ROUTINE_ZwCreateEvent,
        request->named ? &request->name : NULL, kind_of(type), state);
    NTSTATUS status = named_object_open(kernel, ROUTINE_ZwCreateEvent,
        &event->counted, request->attributes, access, handle_out);

    counted_object_made(kernel, &event->counted, request->attributes, status);
    return status;
}

NTSTATUS ZwCreateEvent_body(PHANDLE EventHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes, EVENT_TYPE EventType,
    BOOLEAN InitialState)
{
    const enum routine routine = ROUTINE_ZwCreateEvent;
    struct kernel *kernel = kernel_current();
    struct object_request request;
    struct object *found = NULL;
    NTSTATUS status;

    zw_begin(kernel, routine);
    copy_probe(kernel, routine, EventHandle, sizeof(*EventHandle), true);
    if (EventType != NotificationEvent && EventType != SynchronizationEvent) {
        return STATUS_INVALID_PARAMETER_4;
    }
    status = object_request_read(kernel, routine, ObjectAttributes, &request);
    if (NT_SUCCESS(status) && request.of_directory) {
        status = (request.attributes & OBJ_OPENIF) == 0
                     ? STATUS_OBJECT_NAME_COLLISION
                     : STATUS_OBJECT_TYPE_MISMATCH;
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (request.named) {
        found = object_find(kernel->io->objects, &request.name);
    }
    return found != NULL ? open_existing(kernel, found, &request, DesiredAccess,
                               EventHandle)
                         : make(kernel, &request, DesiredAccess, EventType,
                               InitialState != 0, EventHandle);
}

NTSTATUS ZwOpenEvent_body(PHANDLE EventHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes)
{
    const enum routine routine = ROUTINE_ZwOpenEvent;
    struct kernel *kernel = kernel_current();
    struct object_request request;
    struct object *object = NULL;
    NTSTATUS status;

    zw_begin(kernel, routine);
    copy_probe(kernel, routine, EventHandle, sizeof(*EventHandle), true);
    status = object_request_read(kernel, routine, ObjectAttributes, &request);
    if (NT_SUCCESS(status) && !request.named) {
        status = STATUS_OBJECT_PATH_SYNTAX_BAD; /* OB-16 */
    }
    if (NT_SUCCESS(status)) {
        status = named_object_find(kernel, &request, OBJECT_EVENT, &object);
    }
    return NT_SUCCESS(status)
               ? named_object_open(kernel, routine,
                     named_object_counted(kernel, object), request.attributes,
                     DesiredAccess, EventHandle)
               : status;
}

NTSTATUS ZwSetEvent_body(HANDLE EventHandle, PLONG PreviousState)
{
    const enum routine routine = ROUTINE_ZwSetEvent;
    struct kernel *kernel = kernel_current();
    struct counted_object *object = NULL;
    NTSTATUS status;
    LONG before;

    zw_begin(kernel, routine);
    if (PreviousState != NULL) {
        copy_probe(kernel, routine, PreviousState, sizeof(before), true);
    }
    status = handle_use_kind(
        kernel, routine, EventHandle, OBJECT_TYPE_EVENT, &object);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    before = named_event_set(kernel, object, 1);
    if (PreviousState != NULL) {
        copy_out(kernel, routine, PreviousState, &before, sizeof(before));
    }
    return STATUS_SUCCESS;
}
