/* named_object.c - names in OBJECT_ATTRIBUTES, and the objects that they lead
 * to. */
#include "api/io/named_object.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/io/callback_object.h"
#include "api/io/device.h"
#include "api/io/directory.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/io/link.h"
#include "api/io/named_event.h"
#include "api/mm/copy.h"
#include "api/ob/handle_use.h"
#include "api/rtl/counted_string.h"

enum {
    LINK_STEPS = 32,
    /* A root's, and what comes behind it and a backslash. */
    PATH_CHARS = 2 * OBJECT_NAME_CHARS + 1,
};

/* Puts the path of the directory before the name. */
static NTSTATUS read_root(struct kernel *kernel, enum routine routine,
    HANDLE root, WCHAR text[PATH_CHARS], size_t *length)
{
    struct counted_object *object;
    NTSTATUS status =
        handle_use_kind(kernel, routine, root, OBJECT_TYPE_DIRECTORY, &object);

    if (NT_SUCCESS(status)) {
        *length = object->type->path(object, text);
        text[(*length)++] = '\\';
    }
    return status;
}

static NTSTATUS read_path(struct kernel *kernel, enum routine routine,
    const OBJECT_ATTRIBUTES *attributes, WCHAR text[PATH_CHARS], size_t *length)
{
    size_t more;
    NTSTATUS status = STATUS_SUCCESS;

    *length = 0;
    if (attributes->RootDirectory != NULL) {
        status =
            read_root(kernel, routine, attributes->RootDirectory, text, length);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    more = unicode_string_read(kernel, routine, attributes->ObjectName,
        &text[*length], OBJECT_NAME_CHARS);
    if (more > OBJECT_NAME_CHARS) {
        return STATUS_NAME_TOO_LONG;
    }
    if (*length > 0 && more > 0 && text[*length] == '\\') {
        return STATUS_OBJECT_PATH_SYNTAX_BAD; /* it is no relative name */
    }
    *length += more;
    return STATUS_SUCCESS;
}

NTSTATUS object_request_read(struct kernel *kernel, enum routine routine,
    const OBJECT_ATTRIBUTES *given, struct object_request *request)
{
    OBJECT_ATTRIBUTES attributes;
    WCHAR text[PATH_CHARS];
    size_t length;
    NTSTATUS status;

    *request = (struct object_request){.attributes = 0};
    if (given == NULL) {
        return STATUS_SUCCESS;
    }
    copy_in(kernel, routine, &attributes, given, sizeof(attributes));
    if (attributes.Length != sizeof(attributes) ||
        (attributes.Attributes & ~(ULONG)OBJ_VALID_ATTRIBUTES) != 0) {
        return STATUS_INVALID_PARAMETER;
    }
    request->attributes = attributes.Attributes;
    if (attributes.ObjectName == NULL) {
        return STATUS_SUCCESS;
    }
    status = read_path(kernel, routine, &attributes, text, &length);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    request->named = true;
    request->of_directory =
        object_name_of_directory(&request->name, text, length);
    return request->of_directory
               ? STATUS_SUCCESS
               : object_name_resolve(kernel, &request->name, text, length);
}

NTSTATUS named_object_find_any(struct kernel *kernel,
    const struct object_name *name, struct object **object)
{
    for (unsigned step = 0; step < LINK_STEPS; step++) {
        *object = object_find(kernel->io->objects, name);
        if (*object == NULL) {
            break;
        }
        if ((*object)->kind != OBJECT_LINK) {
            return STATUS_SUCCESS;
        }
        name = &((struct io_link *)(void *)*object)->target;
    }
    return STATUS_OBJECT_NAME_NOT_FOUND;
}

NTSTATUS named_object_find(struct kernel *kernel,
    const struct object_request *request, enum object_kind wanted,
    struct object **object)
{
    NTSTATUS status = STATUS_SUCCESS;

    if (request->of_directory) {
        *object = &directory_make(kernel, &request->name)->object;
    } else if (wanted == OBJECT_LINK) {
        *object = object_find(kernel->io->objects, &request->name);
        status = *object == NULL ? STATUS_OBJECT_NAME_NOT_FOUND : status;
    } else {
        status = named_object_find_any(kernel, &request->name, object);
    }
    return NT_SUCCESS(status) && (*object)->kind != wanted
               ? STATUS_OBJECT_TYPE_MISMATCH
               : status;
}

struct counted_object *named_object_counted(
    struct kernel *kernel, struct object *object)
{
    void *record = object;

    switch (object->kind) {
    case OBJECT_DEVICE:
        return &((struct io_device *)record)->counted;
    case OBJECT_LINK:
        return io_link_counted(kernel, record);
    case OBJECT_DRIVER:
        return &((struct io_driver *)record)->counted;
    case OBJECT_EVENT:
        return &((struct named_event *)record)->counted;
    case OBJECT_CALLBACK:
        return &((struct callback_object *)record)->counted;
    case OBJECT_DIRECTORY:
        break;
    }
    return &((struct io_directory *)record)->counted;
}

NTSTATUS named_object_open(struct kernel *kernel, enum routine routine,
    struct counted_object *object, ULONG attributes, ULONG access,
    PHANDLE handle_out)
{
    HANDLE handle = handle_open_as(kernel, object, attributes,
        object_type_access(object->type->name, access));

    if (handle == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    copy_out(kernel, routine, handle_out, &handle, sizeof(handle));
    return STATUS_SUCCESS;
}

size_t object_path(const struct object *object, WCHAR text[OBJECT_PATH_UNITS])
{
    memcpy(text, object->name.text, object->name.length * sizeof(*text));
    return object->name.length;
}
