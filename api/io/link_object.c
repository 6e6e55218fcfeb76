/* link_object.c - ZwOpenSymbolicLinkObject, ZwQuerySymbolicLinkObject: links by
 * handles. */
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/io/link.h"
#include "api/io/named_object.h"
#include "api/mm/copy.h"
#include "api/ob/handle_use.h"

NTSTATUS ZwOpenSymbolicLinkObject_body(PHANDLE LinkHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes)
{
    const enum routine routine = ROUTINE_ZwOpenSymbolicLinkObject;
    struct kernel *kernel = kernel_current();
    struct object_request request;
    struct object *object = NULL;
    NTSTATUS status;

    zw_begin(kernel, routine);
    copy_probe(kernel, routine, LinkHandle, sizeof(*LinkHandle), true);
    status = object_request_read(kernel, routine, ObjectAttributes, &request);
    if (NT_SUCCESS(status) && !request.named) {
        status = STATUS_OBJECT_PATH_SYNTAX_BAD; /* OB-16 */
    }
    if (NT_SUCCESS(status)) {
        status = named_object_find(kernel, &request, OBJECT_LINK, &object);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    return named_object_open(kernel, routine,
        named_object_counted(kernel, object), request.attributes, DesiredAccess,
        LinkHandle);
}

/* OB-17. */
NTSTATUS ZwQuerySymbolicLinkObject_body(
    HANDLE LinkHandle, PUNICODE_STRING LinkTarget, PULONG ReturnedLength)
{
    const enum routine routine = ROUTINE_ZwQuerySymbolicLinkObject;
    struct kernel *kernel = kernel_current();
    struct counted_object *object = NULL;
    const struct object_name *target;
    UNICODE_STRING given;
    ULONG needed;
    NTSTATUS status;

    zw_begin(kernel, routine);
    status =
        handle_use_kind(kernel, routine, LinkHandle, OBJECT_TYPE_LINK, &object);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    target = io_link_target(object);
    needed = (ULONG)(target->length * sizeof(WCHAR));
    copy_in(kernel, routine, &given, LinkTarget, sizeof(given));
    copy_probe(kernel, routine, LinkTarget, sizeof(given), true);
    if (ReturnedLength != NULL) {
        copy_out(kernel, routine, ReturnedLength, &needed, sizeof(needed));
    }
    if (needed > given.MaximumLength) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    copy_out(kernel, routine, given.Buffer, target->text, needed);
    given.Length = (USHORT)needed;
    copy_out(kernel, routine, LinkTarget, &given, sizeof(given));
    return STATUS_SUCCESS;
}
