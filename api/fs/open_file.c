/* open_file.c - which file a path or a handle is about, the FILE_OBJECT of each
 * open, and who has a file open beside whom. */
#include "api/fs/open_file.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/run_end.h"
#include "api/core/thread.h"
#include "api/fs/volume_path.h"
#include "api/io/device.h"
#include "api/io/file.h"
#include "api/io/handle_request.h"
#include "api/io/link.h"
#include "api/mm/copy.h"
#include "api/nt/file_access.h"
#include "api/ob/handle_use.h"
#include "api/rtl/counted_string.h"
#include "api/text/character.h"

static struct open_file *open_of(void *counted)
{
    return (struct open_file *)(void *)((char *)counted -
                                        offsetof(struct open_file, counted));
}

static void file_gone(struct kernel *kernel, void *object)
{
    struct open_file *open = open_of(object);
    struct open_file **link = &kernel->open_files->first;
    struct volume_file *file = open->file;

    while (*link != open) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = open->next;
    memory_free(
        &kernel->machine->memory, (void *)(uintptr_t)open->counted.address);
    record_give(&kernel->open_files->pool, open);
    assert(file->opens > 0);
    file->opens--;
    if (file->opens == 0 && file->pending) {
        volume_remove(kernel, file);
    }
}

/* Its last handle is closed: it keeps nobody out any more (page
 * IRP_MJ_CLEANUP). */
static void file_closed(struct kernel *kernel, struct counted_object *counted)
{
    struct open_file *open = open_of(counted);

    (void)kernel;
    open->has_handle = false;
    if ((open->how.options & FILE_DELETE_ON_CLOSE) != 0 &&
        open->file->first == NULL) {
        open->file->pending = true;
    }
}

/* \Device\HarddiskVolume1\Windows; what does not fit has no path. */
static size_t file_full_path(
    const struct counted_object *counted, WCHAR text[OBJECT_PATH_UNITS])
{
    static const char volume[] = "\\Device\\HarddiskVolume1";
    const size_t head = sizeof(volume) - 1;
    const struct open_file *open =
        (const struct open_file *)(const void *)((const char *)counted -
                                                 offsetof(struct open_file,
                                                     counted));
    size_t room = OBJECT_PATH_UNITS - 1 - head;
    size_t length = volume_path(open->file, text + head, room);

    for (size_t i = 0; i < head; i++) {
        text[i] = (uint8_t)volume[i];
    }
    return length > room ? 0 : head + length;
}

static const struct object_type file_type = {.name = OBJECT_TYPE_FILE,
    .text = "file",
    .gone = file_gone,
    .closed = file_closed,
    .path = file_full_path};

/* A file of the volume is asked for (IO-57a). */
static void check_shutdown(struct kernel *kernel, enum routine routine)
{
    if (thread_current(kernel)->after_flush) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_SHUTDOWN_FILE, routine);
    }
}

NTSTATUS open_file_find(struct kernel *kernel, enum routine routine,
    HANDLE handle, ULONG rights, struct open_file **found)
{
    struct counted_object *object;
    NTSTATUS status =
        handle_use_kind(kernel, routine, handle, OBJECT_TYPE_FILE, &object);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (object->type != &file_type) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "%s of a device's file is not modelled: ZwReadFile, ZwWriteFile "
            "and ZwDeviceIoControlFile are",
            routine_rows[routine].name);
    }
    check_shutdown(kernel, routine);
    *found = open_of(object);
    return rights == 0 || ((*found)->how.access & rights) != 0
               ? STATUS_SUCCESS
               : STATUS_ACCESS_DENIED;
}

/* Whoever has the file open with one of the rights has to have been let in, and
 * has to let others in, who want them (page IoCheckShareAccess). */
static bool clashes(const struct file_how *one, const struct file_how *other)
{
    static const struct {
        ULONG rights, share;
    } rows[] = {
        {FILE_READ_DATA | FILE_EXECUTE, FILE_SHARE_READ},
        {FILE_WRITES, FILE_SHARE_WRITE},
        {DELETE, FILE_SHARE_DELETE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (((one->access & rows[i].rights) != 0 &&
                (other->share & rows[i].share) == 0) ||
            ((other->access & rows[i].rights) != 0 &&
                (one->share & rows[i].share) == 0)) {
            return true;
        }
    }
    return false;
}

/* Who asks for none of these rights disturbs nobody. */
static bool takes_part(const struct file_how *how)
{
    return (how->access &
               (FILE_READ_DATA | FILE_EXECUTE | FILE_WRITES | DELETE)) != 0;
}

NTSTATUS open_file_share(struct kernel *kernel, const struct volume_file *file,
    const struct file_how *how)
{
    const struct open_file *open = kernel->open_files->first;

    if (file->opens == 0 || !takes_part(how)) {
        return STATUS_SUCCESS;
    }
    for (; open != NULL; open = open->next) {
        if (open->file == file && open->has_handle && takes_part(&open->how) &&
            clashes(&open->how, how)) {
            return STATUS_SHARING_VIOLATION;
        }
    }
    return STATUS_SUCCESS;
}

NTSTATUS open_file_open(struct kernel *kernel, struct volume_file *file,
    const struct file_how *how, ULONG attributes, HANDLE *handle)
{
    struct open_files *files = kernel->open_files;
    FILE_OBJECT *guest = memory_alloc(
        &kernel->machine->memory, (sizeof(*guest) + 15) / 16 * 16, 0);
    struct open_file *open = guest == NULL
                                 ? NULL
                                 : record_pool_take(&files->pool,
                                       &kernel->machine->arena, sizeof(*open));

    if (open == NULL) {
        if (guest != NULL) {
            memory_free(&kernel->machine->memory, guest);
        }
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    *guest = (FILE_OBJECT){.Type = IO_TYPE_FILE,
        .Size = sizeof(*guest),
        .ReadAccess = (how->access & FILE_READ_DATA) != 0,
        .WriteAccess = (how->access & FILE_WRITES) != 0,
        .DeleteAccess = (how->access & DELETE) != 0,
        .SharedRead = (how->share & FILE_SHARE_READ) != 0,
        .SharedWrite = (how->share & FILE_SHARE_WRITE) != 0,
        .SharedDelete = (how->share & FILE_SHARE_DELETE) != 0};
    *open = (struct open_file){
        .counted = {.type = &file_type, .address = (uintptr_t)guest},
        .file = file,
        .how = *how,
        .next = files->first};
    files->first = open;
    file->opens++;
    counted_object_add(kernel, &open->counted);
    *handle = handle_open_as(kernel, &open->counted, attributes, how->access);
    open->has_handle = *handle != NULL;
    counted_object_release(kernel, &open->counted);
    return *handle == NULL ? STATUS_INSUFFICIENT_RESOURCES : STATUS_SUCCESS;
}

/* The one that there is: it is too long for a stack. */
static struct file_path *path_of(struct kernel *kernel)
{
    struct open_files *files = kernel->open_files;

    if (files->path == NULL) {
        files->path =
            arena_alloc(&kernel->machine->arena, sizeof(*files->path));
        assert(files->path != NULL); /* of the reserve, if need be */
    }
    return files->path;
}

/* From a directory on, every name but the last has to be there. */
static NTSTATUS walk(
    struct file_path *path, struct volume_file *from, size_t at, size_t length)
{
    path->file = from;
    path->parent = from->parent;
    path->is_directory = length > at && path->unit[length - 1] == '\\';
    while (at < length) {
        path->last = volume_path_name(path->unit, length, &at);
        if (!volume_name_is_right(&path->last)) {
            return STATUS_OBJECT_NAME_INVALID;
        }
        if (path->file == NULL || !path->file->directory) {
            return STATUS_OBJECT_PATH_NOT_FOUND;
        }
        path->parent = path->file;
        path->file = volume_find(path->parent, &path->last);
    }
    return STATUS_SUCCESS;
}

/* What is no file may be a device, or a file of it (IO-09a). */
static NTSTATUS no_volume(
    struct kernel *kernel, struct file_path *path, size_t length)
{
    struct io_device *device;
    size_t end;

    if (length == 0 || path->unit[0] != '\\') {
        return STATUS_OBJECT_PATH_SYNTAX_BAD;
    }
    if (!NT_SUCCESS(
            io_link_resolve_file(kernel, path->unit, length, &device, &end))) {
        return STATUS_OBJECT_NAME_NOT_FOUND;
    }
    path->device = device;
    path->rest = end;
    path->length = length;
    return STATUS_SUCCESS;
}

static NTSTATUS walk_from_root(
    struct kernel *kernel, struct file_path *path, size_t length)
{
    struct volume_file *from = volume_root(kernel);
    struct volume_start start;

    if (!volume_path_starts(path->unit, length, &start)) {
        return no_volume(kernel, path, length);
    }
    if (start.system_root) {
        from = volume_find(from, &volume_windows);
    }
    return from == NULL ? STATUS_OBJECT_PATH_NOT_FOUND
                        : walk(path, from, start.length, length);
}

NTSTATUS file_path_read(struct kernel *kernel, enum routine routine,
    const OBJECT_ATTRIBUTES *attributes, struct file_path **read)
{
    struct file_path *path = path_of(kernel);
    struct open_file *root;
    OBJECT_ATTRIBUTES given;
    NTSTATUS status;
    size_t length;

    *read = path;
    copy_in(kernel, routine, &given, attributes, sizeof(given));
    path->attributes = given.Attributes;
    path->device = NULL;
    path->related = NULL;
    length = given.ObjectName == NULL
                 ? 0
                 : unicode_string_read(kernel, routine, given.ObjectName,
                       path->unit, sizeof(path->unit) / sizeof(WCHAR));
    if (given.RootDirectory == NULL) {
        status = walk_from_root(kernel, path, length);
        if (path->device == NULL) {
            check_shutdown(kernel, routine);
        }
        return status;
    }
    path->related = io_file_of_handle(kernel, given.RootDirectory);
    if (path->related != NULL) {
        path->device = path->related->device;
        path->rest = 0;
        path->length = length;
        return STATUS_SUCCESS;
    }
    status = open_file_find(kernel, routine, given.RootDirectory, 0, &root);
    if (NT_SUCCESS(status) && !root->file->directory) {
        status = STATUS_NOT_A_DIRECTORY;
    }
    if (NT_SUCCESS(status) && length > 0 && path->unit[0] == '\\') {
        status = STATUS_OBJECT_PATH_SYNTAX_BAD;
    }
    return NT_SUCCESS(status) ? walk(path, root->file, 0, length) : status;
}
