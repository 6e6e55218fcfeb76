/* file.c - files of devices: made, named, cleaned up, closed. */
#include "api/io/file.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
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

    if (file->by_handle && file->last == NULL &&
        !NT_SUCCESS(io_file_cleanup(kernel, file))) {
        file->opened = false; /* it goes without either request */
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
        .DeleteAccess = (access & FILE_DELETE) != 0,
        .SharedRead = (share & FILE_SHARE_READ) != 0,
        .SharedWrite = (share & FILE_SHARE_WRITE) != 0,
        .SharedDelete = (share & FILE_SHARE_DELETE) != 0};

    if ((opening->options & FILE_SYNCHRONOUS_IO) != 0) {
        guest.Flags = FO_SYNCHRONOUS_IO;
    }
    return guest;
}

/* Its name in guest memory; of no characters it has none. Returns false when
 * memory is short. */
static bool give_name(struct kernel *kernel, struct io_file *file,
    const WCHAR *text, size_t units)
{
    size_t bytes = units * sizeof(*text);

    if (units == 0) {
        return true;
    }
    file->name =
        memory_alloc(&kernel->machine->memory, (bytes + 15) / 16 * 16, 0);
    if (file->name == NULL) {
        return false;
    }
    memcpy(file->name, text, bytes);
    file->name_units = units;
    file->guest->FileName = (UNICODE_STRING){.Length = (USHORT)bytes,
        .MaximumLength = (USHORT)bytes,
        .Buffer = file->name};
    return true;
}

struct io_file *io_file_make(struct kernel *kernel, struct io_device *device,
    const struct io_opening *opening)
{
    struct machine *machine = kernel->machine;
    FILE_OBJECT *guest =
        memory_alloc(&machine->memory, (sizeof(*guest) + 15) / 16 * 16, 0);
    struct io_file *file;

    if (guest == NULL) {
        return NULL;
    }
    file = record_take(&kernel->io->file_pool, &machine->arena, sizeof(*file));
    if (file == NULL) {
        memory_free(&machine->memory, guest);
        return NULL;
    }
    *guest = describe(device, opening);
    *file = (struct io_file){.device = device,
        .guest = guest,
        .access = opening->access,
        .kernel_mode = opening->kernel_mode,
        .user = opening->user,
        .counted = {.type = &file_type,
            .address = (uintptr_t)guest,
            .secures = opening->name_units == 0 ? &device->counted : NULL}};
    if (!give_name(kernel, file, opening->name, opening->name_units)) {
        record_give(&kernel->io->file_pool, file);
        memory_free(&machine->memory, guest);
        return NULL;
    }
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

    if (last != NULL && last->locations < top->guest->StackSize) {
        io_request_drop(kernel, last);
        last = io_request_make(kernel, file, IRP_MJ_CLOSE);
    }
    if (last != NULL) {
        last->device = top;
        io_request_send(kernel, last);
    }
    file_free(kernel, file);
}

/* Nobody refers to it any more (IO-27a). */
static void file_gone(struct kernel *kernel, void *object)
{
    struct io_file *file =
        (struct io_file *)(void *)((char *)object -
                                   offsetof(struct io_file, counted));
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = "file object"}, {.value = file->counted.address}};

    if (file->opened && file->last == NULL) { /* its handle is open */
        rule_stop(kernel, cpu, RULE_OBJECT_DEREFERENCED,
            ROUTINE_ObfDereferenceObject, parameter);
    }
    if (!file->opened) {
        file_free(kernel, file);
    } else if (irql_current(kernel, cpu) >=
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

NTSTATUS io_file_cleanup(struct kernel *kernel, struct io_file *file)
{
    struct io_request *cleanup = io_request_make(kernel, file, IRP_MJ_CLEANUP);

    assert(file->opened && file->last == NULL);
    file->last =
        cleanup == NULL ? NULL : io_request_make(kernel, file, IRP_MJ_CLOSE);
    if (file->last == NULL) {
        if (cleanup != NULL) {
            io_request_drop(kernel, cleanup);
        }
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    io_request_send(kernel, cleanup);
    return STATUS_SUCCESS;
}

void io_file_abandon(struct kernel *kernel, struct io_file *file)
{
    file->opened = false;
    counted_object_release(kernel, &file->counted);
}

static bool is_quiet(void *context)
{
    return ((const struct io_file *)context)->requests == 0;
}

NTSTATUS io_close(struct kernel *kernel, struct io_file *file)
{
    NTSTATUS status = io_file_cleanup(kernel, file);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    /* A file is closed when its last request is completed (page
     * IRP_MJ_CLOSE). */
    wait_until(kernel, is_quiet, file);
    assert(file->requests == 0);
    counted_object_release(kernel, &file->counted);
    io_files_drain(kernel);
    return STATUS_SUCCESS;
}
