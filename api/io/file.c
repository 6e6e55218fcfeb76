/* file.c - files of devices: made, named, cleaned up, closed. */
#include "api/io/file.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/run_end.h"
#include "api/core/thread.h"
#include "api/io/attach.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/io/named_object.h"
#include "api/ke/wait.h"
#include "api/nt/file_access.h"

static void file_gone(struct kernel *kernel, void *object);

static const struct io_file *file_in(const struct counted_object *object)
{
    return (const struct io_file *)(const void *)((const char *)object -
                                                  offsetof(
                                                      struct io_file, counted));
}

/* Its own name follows its device's; what does not fit has no path. */
static size_t file_path(
    const struct counted_object *object, WCHAR text[OBJECT_PATH_UNITS])
{
    const struct io_file *file = file_in(object);
    size_t length = object_path(&file->device->object, text);

    if (length + file->name_units >= OBJECT_PATH_UNITS) {
        return 0;
    }
    if (file->name_units > 0) {
        memcpy(text + length, file->name, file->name_units * sizeof(*text));
    }
    return length + file->name_units;
}

/* Not before its first handle is there, in IRP_MJ_CREATE (OB-08). */
static bool file_opens(const struct counted_object *object)
{
    return file_in(object)->opened;
}

/* The last handle of one that a driver has opened by name (IO-27a). */
static void file_closed(struct kernel *kernel, struct counted_object *object)
{
    struct io_file *file = io_file_of(object);

    if (file->by_handle && file->last == NULL) {
        io_file_cleanup(kernel, file);
    }
}

static const struct object_type file_type = {
    .name = OBJECT_TYPE_FILE,
    .text = "file",
    .gone = file_gone,
    .closed = file_closed,
    .path = file_path,
    .opens = file_opens,
};

struct io_file *io_file_of(struct counted_object *object)
{
    return object->type != &file_type
               ? NULL
               : (struct io_file *)(void *)((char *)object -
                                            offsetof(struct io_file, counted));
}

/* What a FILE_OBJECT says of how it was opened. */
static FILE_OBJECT describe(
    const struct io_device *device, const struct io_opening *opening)
{
    ULONG access = opening->access, share = opening->share;
    FILE_OBJECT guest = {.Type = IO_TYPE_FILE,
        .Size = sizeof(guest),
        .DeviceObject = device->guest,
        .ReadAccess = (access & FILE_READ_DATA) != 0,
        .WriteAccess = (access & FILE_WRITES) != 0,
        .DeleteAccess = (access & DELETE) != 0,
        .SharedRead = (share & FILE_SHARE_READ) != 0,
        .SharedWrite = (share & FILE_SHARE_WRITE) != 0,
        .SharedDelete = (share & FILE_SHARE_DELETE) != 0};

    if ((opening->options & FILE_SYNCHRONOUS_IO) != 0) {
        guest.Flags = FO_SYNCHRONOUS_IO;
    }
    return guest;
}

/* Its name in guest memory; of no characters it has none. */
static void give_name(struct kernel *kernel, struct io_file *file,
    const WCHAR *text, size_t units)
{
    size_t bytes = units * sizeof(*text);

    if (units == 0) {
        return;
    }
    file->name = run_needs(kernel,
        memory_alloc(&kernel->machine->memory, (bytes + 15) / 16 * 16, 0),
        "the name of a file");
    memcpy(file->name, text, bytes);
    file->name_units = units;
    file->guest->FileName = (UNICODE_STRING){.Length = (USHORT)bytes,
        .MaximumLength = (USHORT)bytes,
        .Buffer = file->name};
}

struct io_file *io_file_make(struct kernel *kernel, struct io_device *device,
    const struct io_opening *opening)
{
    FILE_OBJECT *guest = run_needs(kernel,
        memory_alloc(
            &kernel->machine->memory, (sizeof(*guest) + 15) / 16 * 16, 0),
        "a file object");
    struct io_file *file =
        record_take(kernel, &kernel->io->file_pool, sizeof(*file), "files");

    *guest = describe(device, opening);
    *file = (struct io_file){.device = device,
        .guest = guest,
        .access = opening->access,
        .kernel_mode = opening->kernel_mode,
        .user = opening->user,
        .counted = {.type = &file_type,
            .address = (uintptr_t)guest,
            .secures = opening->name_units == 0 ? &device->counted : NULL}};
    give_name(kernel, file, opening->name, opening->name_units);
    file->next = kernel->io->files;
    kernel->io->files = file;
    counted_object_add(kernel, &file->counted);
    io_device_open(device);
    return file;
}

struct io_file *io_file_at(struct kernel *kernel, const void *address)
{
    struct io_file *file = kernel->io->files;

    while (file != NULL && file->guest != address) {
        file = file->next;
    }
    return file;
}

static void file_free(struct kernel *kernel, struct io_file *file)
{
    struct io_file **at = &kernel->io->files;

    assert(file->requests == 0 && file->device->files > 0);
    while (*at != file) {
        assert(*at != NULL);
        at = &(*at)->next;
    }
    *at = file->next;
    memory_free(&kernel->machine->memory, file->guest);
    if (file->name != NULL) {
        memory_free(&kernel->machine->memory, file->name);
    }
    io_device_close(kernel, file->device);
    record_give(&kernel->io->file_pool, file);
}

/* Sends IRP_MJ_CLOSE, which was made for the stack as it was then. */
static void send_close(struct kernel *kernel, struct io_file *file)
{
    struct io_device *top = io_device_top(file->device);
    struct io_request *last = file->last;

    if (last->locations < top->guest->StackSize) {
        io_request_drop(kernel, last);
        last = io_request_make(kernel, file, IRP_MJ_CLOSE);
    }
    last->device = top;
    io_request_send(kernel, last);
    file_free(kernel, file);
}

/* Nobody refers to it any more (IO-27a). */
static void file_gone(struct kernel *kernel, void *object)
{
    struct io_file *file =
        (struct io_file *)(void *)((char *)object -
                                   offsetof(struct io_file, counted));

    assert(!file->opened || file->last != NULL); /* no handle of it is open */
    if (!file->opened) {
        file_free(kernel, file);
    } else if (irql_current(kernel, kernel_cpu(kernel)) >=
               irql_number(kernel, LEVEL_DISPATCH_LEVEL)) {
        file->ended = true;
    } else {
        send_close(kernel, file);
    }
}

void io_files_drain(struct kernel *kernel)
{
    struct io_file *file = kernel->io->files;

    while (file != NULL) {
        if (file->ended) {
            file->ended = false;
            send_close(kernel, file);
            file = kernel->io->files; /* others may have come and gone */
        } else {
            file = file->next;
        }
    }
}

void io_file_cleanup(struct kernel *kernel, struct io_file *file)
{
    struct io_request *cleanup = io_request_make(kernel, file, IRP_MJ_CLEANUP);

    assert(file->opened && file->last == NULL);
    file->last = io_request_make(kernel, file, IRP_MJ_CLOSE);
    io_request_send(kernel, cleanup);
}

static bool is_quiet(void *context)
{
    return ((const struct io_file *)context)->requests == 0;
}

void io_close(struct kernel *kernel, struct io_file *file)
{
    io_file_cleanup(kernel, file);
    /* A file is closed when its last request is completed (page
     * IRP_MJ_CLOSE). */
    wait_until(kernel, is_quiet, file);
    assert(file->requests == 0);
    counted_object_release(kernel, &file->counted);
    io_files_drain(kernel);
}
