/* directory.c - ZwCreateDirectoryObject, ZwOpenDirectoryObject: directories of
 * names, as objects with handles. */
#include "api/io/directory.h"

#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/io/io.h"
#include "api/io/named_object.h"
#include "api/mm/copy.h"
#include "api/ob/handle_use.h"

static struct io_directory *directory_of(const struct counted_object *counted)
{
    return (struct io_directory *)(uintptr_t)((const char *)counted -
                                              offsetof(struct io_directory,
                                                  counted));
}

static void directory_gone(struct kernel *kernel, void *counted)
{
    struct io_directory *directory = directory_of(counted);

    memory_free(&kernel->machine->memory,
        (void *)(uintptr_t)directory->counted.address);
    record_give(&kernel->io->directory_pool, directory);
}

/* What is in it keeps its name, which nothing leads to any more [C]. */
static void directory_closed(
    struct kernel *kernel, struct counted_object *counted)
{
    if (!counted->permanent) {
        object_remove(&kernel->io->objects, &directory_of(counted)->object);
    }
}

static size_t directory_path(
    const struct counted_object *counted, WCHAR text[OBJECT_PATH_UNITS])
{
    return object_path(&directory_of(counted)->object, text);
}

static const struct object_type directory_type = {
    .name = OBJECT_TYPE_DIRECTORY,
    .text = "directory",
    .gone = directory_gone,
    .closed = directory_closed,
    .path = directory_path,
};

/* With the reference of its maker. */
static struct io_directory *make(
    struct kernel *kernel, const struct object_name *name)
{
    void *address = run_needs(
        kernel, memory_alloc(&kernel->machine->memory, 0, 0), "a directory");
    struct io_directory *directory = record_take(
        kernel, &kernel->io->directory_pool, sizeof(*directory), "directories");

    *directory = (struct io_directory){
        .object = {.kind = OBJECT_DIRECTORY, .name = *name},
        .counted = {.type = &directory_type, .address = (uintptr_t)address}};
    object_insert(&kernel->io->objects, &directory->object);
    counted_object_add(kernel, &directory->counted);
    return directory;
}

struct io_directory *directory_make(
    struct kernel *kernel, const struct object_name *name)
{
    void *found = object_find(kernel->io->objects, name);
    struct io_directory *directory = found;

    if (found == NULL) {
        directory = make(kernel, name);
        directory->counted.permanent = true; /* by its maker's reference */
    }
    return directory;
}

NTSTATUS ZwOpenDirectoryObject_body(PHANDLE DirectoryHandle,
    ULONG DesiredAccess, POBJECT_ATTRIBUTES ObjectAttributes)
{
    const enum routine routine = ROUTINE_ZwOpenDirectoryObject;
    struct kernel *kernel = kernel_current();
    struct object_request request;
    struct object *object = NULL;
    NTSTATUS status;

    zw_begin(kernel, routine);
    copy_probe(kernel, routine, DirectoryHandle, sizeof(HANDLE), true);
    status = object_request_read(kernel, routine, ObjectAttributes, &request);
    if (NT_SUCCESS(status) && !request.named) {
        status = STATUS_OBJECT_PATH_SYNTAX_BAD; /* OB-16 */
    }
    if (NT_SUCCESS(status)) {
        status = named_object_find(kernel, &request, OBJECT_DIRECTORY, &object);
    }
    return NT_SUCCESS(status)
               ? named_object_open(kernel, routine,
                     named_object_counted(kernel, object), request.attributes,
                     DesiredAccess, DirectoryHandle)
               : status;
}

/* Whether one of the name can be made: STATUS_OBJECT_NAME_EXISTS if one is
 * opened instead. */
static NTSTATUS check_new(struct kernel *kernel,
    const struct object_request *request, struct object **found)
{
    if (request->of_directory) {
        *found = &directory_make(kernel, &request->name)->object;
    } else {
        *found = object_find(kernel->io->objects, &request->name);
    }
    if (*found == NULL) {
        return STATUS_SUCCESS;
    }
    if ((request->attributes & OBJ_OPENIF) == 0) {
        return STATUS_OBJECT_NAME_COLLISION;
    }
    return (*found)->kind == OBJECT_DIRECTORY ? STATUS_OBJECT_NAME_EXISTS
                                              : STATUS_OBJECT_TYPE_MISMATCH;
}

NTSTATUS ZwCreateDirectoryObject_body(PHANDLE DirectoryHandle,
    ULONG DesiredAccess, POBJECT_ATTRIBUTES ObjectAttributes)
{
    const enum routine routine = ROUTINE_ZwCreateDirectoryObject;
    struct kernel *kernel = kernel_current();
    struct io_directory *directory;
    struct object_request request;
    struct object *found = NULL;
    NTSTATUS status, opened;

    zw_begin(kernel, routine);
    copy_probe(kernel, routine, DirectoryHandle, sizeof(HANDLE), true);
    status = object_request_read(kernel, routine, ObjectAttributes, &request);
    if (NT_SUCCESS(status) && !request.named) {
        status = STATUS_OBJECT_PATH_SYNTAX_BAD;
    }
    if (NT_SUCCESS(status)) {
        status = check_new(kernel, &request, &found);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    directory = found != NULL ? (struct io_directory *)(void *)found
                              : make(kernel, &request.name);
    opened = named_object_open(kernel, routine, &directory->counted,
        request.attributes, DesiredAccess, DirectoryHandle);
    if (found == NULL) {
        counted_object_made(
            kernel, &directory->counted, request.attributes, opened);
    }
    return NT_SUCCESS(opened) ? status : opened;
}

NTSTATUS ZwMakeTemporaryObject_body(HANDLE Handle)
{
    const enum routine routine = ROUTINE_ZwMakeTemporaryObject;
    struct kernel *kernel = kernel_current();
    struct counted_object *object = handle_object(kernel, Handle);

    zw_begin(kernel, routine);
    if (object == NULL) {
        return handle_refuse(kernel, routine, Handle);
    }
    if (object->permanent && object->type->closed != NULL) {
        object->permanent = false;
        counted_object_release(kernel, object); /* the handle keeps it */
    }
    return STATUS_SUCCESS;
}
