/* file.c - files of devices: opened, cleaned up, closed. They have no names of
 * their own: nothing follows the device's. */
#include "api/io/file.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/io/attach.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/io/link.h"
#include "api/io/named_object.h"
#include "api/ke/wait.h"
#include "api/nt/file_access.h"

enum { DISPOSITION_SHIFT = 24 };

/* Programs write \\.\X for what is \??\X (page CreateFile). */
static NTSTATUS find_by_name(
    struct kernel *kernel, const char *name, struct io_device **device)
{
    static const char win32[] = "\\\\.\\";
    char path[2 * OBJECT_NAME_CHARS];
    struct object_name object_name;
    NTSTATUS status;

    if (strlen(name) > OBJECT_NAME_CHARS) {
        return STATUS_NAME_TOO_LONG;
    }
    if (strncmp(name, win32, strlen(win32)) == 0) {
        snprintf(path, sizeof(path), "\\\?\?\\%s", name + strlen(win32));
        name = path;
    }
    status = object_name_parse_text(&object_name, name);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    return io_link_resolve(kernel, &object_name, device);
}

bool io_name_of_file(struct kernel *kernel, const char *name)
{
    char device_name[2 * OBJECT_NAME_CHARS];
    struct io_device *device;
    size_t length = strlen(name);

    if (length >= sizeof(device_name)) {
        return false;
    }
    strcpy(device_name, name);
    for (; length > 1; length--) {
        bool ends = device_name[length - 1] == '\\';

        device_name[length - 1] = '\0';
        if (ends && NT_SUCCESS(find_by_name(kernel, device_name, &device))) {
            return true;
        }
    }
    return false;
}

static NTSTATUS find_first(
    const struct io_driver *driver, struct io_device **first)
{
    *first = NULL;
    for (struct io_device *device = driver->devices; device != NULL;
         device = device->next) {
        *first = device->deleted ? *first : device;
    }
    return *first == NULL ? STATUS_NO_SUCH_DEVICE : STATUS_SUCCESS;
}

static void file_gone(struct kernel *kernel, void *object);

static const struct io_file *file_in(const struct counted_object *object)
{
    return (const struct io_file *)(const void *)((const char *)object -
                                                  offsetof(
                                                      struct io_file, counted));
}

/* Nothing follows its device's name. */
static size_t file_path(
    const struct counted_object *object, WCHAR text[OBJECT_PATH_UNITS])
{
    return object_path(&file_in(object)->device->object, text);
}

/* Not before its first handle is there, in IRP_MJ_CREATE (OB-08). */
static bool file_opens(const struct counted_object *object)
{
    return file_in(object)->opened;
}

static const struct object_type file_type = {
    .name = OBJECT_TYPE_FILE,
    .text = "file",
    .gone = file_gone,
    .path = file_path,
    .opens = file_opens,
};

static struct io_file *file_make(
    struct kernel *kernel, struct io_device *device, bool kernel_mode)
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
    *guest = (FILE_OBJECT){.Type = IO_TYPE_FILE,
        .Size = sizeof(*guest),
        .DeviceObject = device->guest,
        .ReadAccess = 1,
        .WriteAccess = 1};
    *file = (struct io_file){.next = kernel->io->files,
        .device = device,
        .guest = guest,
        .kernel_mode = kernel_mode,
        .counted = {.type = &file_type, .address = (uintptr_t)guest}};
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

static NTSTATUS send_create(struct kernel *kernel, const struct io_file *file)
{
    struct io_request *request = io_request_make(kernel, file, IRP_MJ_CREATE);
    IO_STACK_LOCATION *location;

    assert(file->requests == 0);
    if (request == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    location = io_request_next_location(request);
    location->Parameters.Create.Options = (ULONG)FILE_OPEN << DISPOSITION_SHIFT;
    location->Parameters.Create.FileAttributes = FILE_ATTRIBUTE_NORMAL;
    return io_request_send(kernel, request).status;
}

static NTSTATUS open_device(struct kernel *kernel, struct io_device *device,
    bool kernel_mode, struct io_file **file)
{
    struct io_file *made;
    NTSTATUS status;

    if ((device->guest->Flags & DO_DEVICE_INITIALIZING) != 0) {
        return STATUS_NO_SUCH_DEVICE;
    }
    if (device->exclusive && device->files > 0) {
        return STATUS_ACCESS_DENIED;
    }
    made = file_make(kernel, device, kernel_mode);
    if (made == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    io_stack_judge(kernel, device);
    status = send_create(kernel, made);
    if (NT_SUCCESS(status)) {
        made->opened = true;
        *file = made;
    } else {
        counted_object_release(kernel, &made->counted);
    }
    return status;
}

NTSTATUS io_open(struct kernel *kernel, const struct io_driver *driver,
    const char *name, struct io_file **file)
{
    struct io_device *device;
    NTSTATUS status;

    io_files_drain(kernel);
    status = name == NULL ? find_first(driver, &device)
                          : find_by_name(kernel, name, &device);
    return NT_SUCCESS(status) ? open_device(kernel, device, false, file)
                              : status;
}

NTSTATUS io_open_for_driver(struct kernel *kernel, enum routine routine,
    const UNICODE_STRING *name, ULONG access, struct io_file **file)
{
    struct object_name object_name;
    struct io_device *device;
    NTSTATUS status = object_name_read(kernel, routine, &object_name, name);

    (void)access; /* devices have no descriptors yet */
    if (NT_SUCCESS(status)) {
        status = io_link_resolve(kernel, &object_name, &device);
    }
    return NT_SUCCESS(status) ? open_device(kernel, device, true, file)
                              : status;
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
