/* create.c - ZwCreateFile and ZwOpenFile: whether a file is opened, made or
 * emptied, by its disposition, options and sharing. */
#include <inttypes.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/fs/open_file.h"
#include "api/io/file.h"
#include "api/mm/copy.h"
#include "api/nt/file_access.h"
#include "api/ob/handle_use.h"

enum {
    IO_NO_PARAMETER_CHECKING = 0x100,
    DEVICE_FILE_NAME_UNITS = 4096, /* [C] */
};

/* What a routine was asked. */
struct create {
    enum routine routine;
    PHANDLE handle;
    PIO_STATUS_BLOCK answer;
    const OBJECT_ATTRIBUTES *named;
    struct file_how how;
    ULONG attributes; /* of a file that is made */
    ULONG disposition;
    ULONG asked; /* access, with generic rights */
};

/* What goes with what (page ZwCreateFile; REG-20b). */
static NTSTATUS check(const struct create *create)
{
    ULONG options = create->how.options;
    ULONG synchronous = options & FILE_SYNCHRONOUS_IO;
    bool makes_directory = (options & FILE_DIRECTORY_FILE) != 0;

    if (create->disposition >= FILE_DISPOSITIONS ||
        synchronous == FILE_SYNCHRONOUS_IO ||
        (synchronous != 0 && (create->how.access & SYNCHRONIZE) == 0) ||
        ((options & FILE_DELETE_ON_CLOSE) != 0 &&
            (create->how.access & DELETE) == 0) ||
        (makes_directory && (options & FILE_NON_DIRECTORY_FILE) != 0)) {
        return STATUS_INVALID_PARAMETER;
    }
    return makes_directory && create->disposition != FILE_CREATE &&
                   create->disposition != FILE_OPEN &&
                   create->disposition != FILE_OPEN_IF
               ? STATUS_INVALID_PARAMETER
               : STATUS_SUCCESS;
}

/* Such as FILE_NO_INTERMEDIATE_BUFFERING, with which lengths have to be right,
 * and FILE_OPEN_BY_FILE_ID. */
static void refuse_options(struct kernel *kernel, const struct create *create)
{
    ULONG others = create->how.options & ~(ULONG)FILE_OPTIONS_MODELLED;

    if (others != 0) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "options 0x%" PRIX32 " of %s are not modelled", others,
            routine_rows[create->routine].name);
    }
}

static bool empties(const struct create *create)
{
    return create->disposition == FILE_SUPERSEDE ||
           create->disposition == FILE_OVERWRITE ||
           create->disposition == FILE_OVERWRITE_IF;
}

/* One that is there: whether it may be opened so. */
static NTSTATUS check_there(struct kernel *kernel, const struct create *create,
    const struct file_path *path)
{
    const struct volume_file *file = path->file;
    ULONG options = create->how.options;
    bool read_only = (file->attributes & FILE_ATTRIBUTE_READONLY) != 0;
    struct file_how how = create->how;

    if (file->pending) {
        return STATUS_DELETE_PENDING;
    }
    if (create->disposition == FILE_CREATE) {
        return STATUS_OBJECT_NAME_COLLISION;
    }
    if (!file->directory &&
        ((options & FILE_DIRECTORY_FILE) != 0 || path->is_directory)) {
        return STATUS_NOT_A_DIRECTORY;
    }
    if (file->directory &&
        ((options & FILE_NON_DIRECTORY_FILE) != 0 || empties(create))) {
        return STATUS_FILE_IS_A_DIRECTORY;
    }
    how.access |= empties(create) ? FILE_WRITE_DATA : 0;
    if (read_only && !file->directory && (how.access & FILE_WRITES) != 0) {
        return STATUS_ACCESS_DENIED;
    }
    if ((options & FILE_DELETE_ON_CLOSE) != 0 &&
        (read_only || file->parent == NULL)) {
        return STATUS_CANNOT_DELETE;
    }
    return open_file_share(kernel, file, &how);
}

/* Opened, or emptied and opened. */
static NTSTATUS open_there(struct kernel *kernel, const struct create *create,
    const struct file_path *path, HANDLE *handle, ULONG_PTR *information)
{
    struct volume_file *file = path->file;
    NTSTATUS status =
        open_file_open(kernel, file, &create->how, path->attributes, handle);

    *information = FILE_OPENED;
    if (NT_SUCCESS(status) && empties(create)) {
        *information = create->disposition == FILE_SUPERSEDE ? FILE_SUPERSEDED
                                                             : FILE_OVERWRITTEN;
        volume_resize(kernel, file, 0);
        file->times.written = file->times.changed = volume_now(kernel);
        volume_set_attributes(file, create->attributes);
    }
    return status;
}

/* Made and opened, or neither. */
static NTSTATUS make(struct kernel *kernel, const struct create *create,
    const struct file_path *path, HANDLE *handle)
{
    bool directory = (create->how.options & FILE_DIRECTORY_FILE) != 0;
    struct volume_file *file;
    NTSTATUS status;

    if (path->is_directory && !directory) {
        return STATUS_OBJECT_NAME_INVALID;
    }
    if (path->parent->pending) {
        return STATUS_DELETE_PENDING;
    }
    file = volume_add(kernel, path->parent, &path->last, directory);
    if (file == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    volume_set_attributes(file, create->attributes);
    status =
        open_file_open(kernel, file, &create->how, path->attributes, handle);
    if (!NT_SUCCESS(status)) {
        volume_remove(kernel, file);
    }
    return status;
}

/* Its driver is asked (REG-20b). */
static NTSTATUS open_device(struct kernel *kernel, const struct create *create,
    const struct file_path *path, HANDLE *handle)
{
    const struct io_opening opening = {.name = path->unit + path->rest,
        .name_units = path->length - path->rest,
        .access = create->how.access,
        .asked = create->asked,
        .share = create->how.share,
        .options = create->how.options,
        .disposition = create->disposition,
        .attributes = create->attributes,
        .related = path->related,
        .kernel_mode = true};

    return path->length - path->rest > DEVICE_FILE_NAME_UNITS
               ? STATUS_NAME_TOO_LONG
               : io_open_handle(
                     kernel, path->device, &opening, path->attributes, handle);
}

static NTSTATUS act(struct kernel *kernel, const struct create *create,
    HANDLE *handle, ULONG_PTR *information)
{
    struct file_path *path;
    NTSTATUS status =
        file_path_read(kernel, create->routine, create->named, &path);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (path->device != NULL) {
        *information = FILE_OPENED; /* whatever its driver made of it */
        return open_device(kernel, create, path, handle);
    }
    if (path->file != NULL) {
        status = check_there(kernel, create, path);
        return NT_SUCCESS(status)
                   ? open_there(kernel, create, path, handle, information)
                   : status;
    }
    if (create->disposition == FILE_OPEN ||
        create->disposition == FILE_OVERWRITE) {
        return STATUS_OBJECT_NAME_NOT_FOUND;
    }
    *information = FILE_CREATED;
    return make(kernel, create, path, handle);
}

static NTSTATUS open_file(struct create *create)
{
    struct kernel *kernel = kernel_current();
    IO_STATUS_BLOCK answer = {.Information = 0};
    HANDLE handle = NULL;
    NTSTATUS status;

    zw_begin(kernel, create->routine);
    create->asked = create->how.access;
    create->how.access =
        object_type_access(OBJECT_TYPE_FILE, create->how.access);
    copy_probe(kernel, create->routine, create->handle, sizeof(handle), true);
    copy_probe(kernel, create->routine, create->answer, sizeof(answer), true);
    status = check(create);
    if (NT_SUCCESS(status)) {
        refuse_options(kernel, create);
        status = act(kernel, create, &handle, &answer.Information);
    }
    if (NT_SUCCESS(status)) {
        answer.Status = status;
        copy_out(
            kernel, create->routine, create->handle, &handle, sizeof(handle));
        copy_out(
            kernel, create->routine, create->answer, &answer, sizeof(answer));
    }
    return status;
}

NTSTATUS ZwCreateFile_body(PHANDLE FileHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes, PIO_STATUS_BLOCK IoStatusBlock,
    PLARGE_INTEGER AllocationSize, ULONG FileAttributes, ULONG ShareAccess,
    ULONG CreateDisposition, ULONG CreateOptions, PVOID EaBuffer,
    ULONG EaLength)
{
    struct create create = {.routine = ROUTINE_ZwCreateFile,
        .handle = FileHandle,
        .answer = IoStatusBlock,
        .named = ObjectAttributes,
        .how = {DesiredAccess, ShareAccess, CreateOptions},
        .attributes = FileAttributes,
        .disposition = CreateDisposition};

    (void)AllocationSize; /* files have what they need */
    if (EaBuffer != NULL || EaLength != 0) {
        return STATUS_EAS_NOT_SUPPORTED;
    }
    return open_file(&create);
}

/* CreateFileType says whether a pipe or a mailslot is made. */
static void refuse_special(
    struct kernel *kernel, ULONG type, const void *parameters, ULONG options)
{
    if (type != 0 || parameters != NULL ||
        (options & ~(ULONG)IO_NO_PARAMETER_CHECKING) != 0) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "IoCreateFile is modelled with CreateFileTypeNone, without "
            "InternalParameters, and with Options of 0 or "
            "IO_NO_PARAMETER_CHECKING");
    }
}

NTSTATUS IoCreateFile_body(PHANDLE FileHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes, PIO_STATUS_BLOCK IoStatusBlock,
    PLARGE_INTEGER AllocationSize, ULONG FileAttributes, ULONG ShareAccess,
    ULONG Disposition, ULONG CreateOptions, PVOID EaBuffer, ULONG EaLength,
    ULONG CreateFileType, PVOID InternalParameters, ULONG Options)
{
    struct create create = {.routine = ROUTINE_IoCreateFile,
        .handle = FileHandle,
        .answer = IoStatusBlock,
        .named = ObjectAttributes,
        .how = {DesiredAccess, ShareAccess, CreateOptions},
        .attributes = FileAttributes,
        .disposition = Disposition};

    (void)AllocationSize; /* files have what they need */
    refuse_special(
        kernel_current(), CreateFileType, InternalParameters, Options);
    if (EaBuffer != NULL || EaLength != 0) {
        return STATUS_EAS_NOT_SUPPORTED;
    }
    return open_file(&create);
}

NTSTATUS ZwOpenFile_body(PHANDLE FileHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes, PIO_STATUS_BLOCK IoStatusBlock,
    ULONG ShareAccess, ULONG OpenOptions)
{
    struct create create = {.routine = ROUTINE_ZwOpenFile,
        .handle = FileHandle,
        .answer = IoStatusBlock,
        .named = ObjectAttributes,
        .how = {DesiredAccess, ShareAccess, OpenOptions},
        .disposition = FILE_OPEN};

    return open_file(&create);
}
