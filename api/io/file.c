/* file.c - files of devices: opening and closing them. They have no names of
 * their own: nothing follows the device's. */
#include "api/io/file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/io/link.h"
#include "api/ke/wait.h"

enum {
    FILE_OPEN_DISPOSITION = 0x01000000, /* FILE_OPEN, in the upper 8 bits */
    FILE_ATTRIBUTE_NORMAL = 0x80,
};

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

static struct io_file *file_make(
    struct kernel *kernel, struct io_device *device)
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
    *file = (struct io_file){.device = device, .guest = guest};
    io_device_open(device);
    return file;
}

static void file_free(struct kernel *kernel, struct io_file *file)
{
    assert(file->requests == 0 && file->device->files > 0);
    memory_free(&kernel->machine->memory, file->guest);
    io_device_close(kernel, file->device);
    record_give(&kernel->io->file_pool, file);
}

static NTSTATUS send_create(struct kernel *kernel, const struct io_file *file)
{
    struct io_request *request = io_request_make(kernel, file, IRP_MJ_CREATE);

    assert(file->requests == 0);
    if (request == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    request->location->Parameters.Create.Options = FILE_OPEN_DISPOSITION;
    request->location->Parameters.Create.FileAttributes = FILE_ATTRIBUTE_NORMAL;
    return io_request_send(kernel, request).status;
}

NTSTATUS io_open(struct kernel *kernel, const struct io_driver *driver,
    const char *name, struct io_file **file)
{
    struct io_device *device;
    struct io_file *made;
    NTSTATUS status = name == NULL ? find_first(driver, &device)
                                   : find_by_name(kernel, name, &device);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    if ((device->guest->Flags & DO_DEVICE_INITIALIZING) != 0) {
        return STATUS_NO_SUCH_DEVICE;
    }
    if (device->exclusive && device->files > 0) {
        return STATUS_ACCESS_DENIED;
    }
    made = file_make(kernel, device);
    if (made == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    status = send_create(kernel, made);
    if (NT_SUCCESS(status)) {
        *file = made;
    } else {
        file_free(kernel, made);
    }
    return status;
}

static bool is_quiet(void *context)
{
    return ((const struct io_file *)context)->requests == 0;
}

NTSTATUS io_close(struct kernel *kernel, struct io_file *file)
{
    struct io_request *cleanup = io_request_make(kernel, file, IRP_MJ_CLEANUP);
    struct io_request *last =
        cleanup == NULL ? NULL : io_request_make(kernel, file, IRP_MJ_CLOSE);

    if (last == NULL) {
        if (cleanup != NULL) {
            io_request_drop(kernel, cleanup);
        }
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    io_request_send(kernel, cleanup);
    /* A file is closed when its last request is completed (page
     * IRP_MJ_CLOSE). */
    wait_until(kernel, is_quiet, file);
    assert(file->requests == 0);
    io_request_send(kernel, last);
    file_free(kernel, file);
    return STATUS_SUCCESS;
}
