/* file_open.c - how files of devices are opened: a device is found by the name,
 * and IRP_MJ_CREATE tells its driver what was asked (IO-09a, IO-28). */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/run_end.h"
#include "api/io/attach.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/file.h"
#include "api/io/irp.h"
#include "api/io/link.h"
#include "api/nt/file_access.h"
#include "api/rtl/counted_string.h"
#include "api/se/descriptor.h"
#include "api/se/object_security.h"

enum {
    DISPOSITION_SHIFT = 24,
    OPTION_BITS = (1 << DISPOSITION_SHIFT) - 1,
    NAME_UNITS = 264, /* MAX_PATH of a device and what follows */
};

/* Programs write \\.\X for what is \??\X (page CreateFile). */
static NTSTATUS find_by_name(struct kernel *kernel, const char *name,
    WCHAR text[NAME_UNITS], struct io_opening *opening,
    struct io_device **device)
{
    static const char win32[] = "\\\\.\\";
    char path[NAME_UNITS];
    size_t length = strlen(name), end;
    NTSTATUS status;

    if (length >= NAME_UNITS) {
        return STATUS_NAME_TOO_LONG;
    }
    if (strncmp(name, win32, strlen(win32)) == 0) {
        snprintf(path, sizeof(path), "\\\?\?\\%s", name + strlen(win32));
        name = path;
    }
    length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        text[i] = (uint8_t)name[i];
    }
    status = io_link_resolve_file(kernel, text, length, device, &end);
    if (NT_SUCCESS(status)) {
        opening->name = text + end;
        opening->name_units = length - end;
    }
    return status;
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

/* Its parameters say what was asked (IO-28). */
static NTSTATUS send_create(struct kernel *kernel, const struct io_file *file,
    const struct io_opening *opening)
{
    struct memory *memory = &kernel->machine->memory;
    ULONG options = opening->options & OPTION_BITS;
    struct io_request *request = io_request_make(kernel, file, IRP_MJ_CREATE);
    IO_SECURITY_CONTEXT *context;
    IO_STACK_LOCATION *location;
    NTSTATUS status;

    assert(file->requests == 0);
    context = run_needs(kernel,
        memory_alloc(memory, (sizeof(*context) + 15) / 16 * 16, 0),
        "a security context");
    context->DesiredAccess = opening->access;
    context->FullCreateOptions = options;
    location = io_request_next_location(request);
    location->Parameters.Create.SecurityContext = context;
    location->Parameters.Create.Options =
        opening->disposition << DISPOSITION_SHIFT | options;
    location->Parameters.Create.FileAttributes = (USHORT)opening->attributes;
    location->Parameters.Create.ShareAccess = (USHORT)opening->share;
    status = io_request_send(kernel, request).status;
    memory_free(memory, context);
    return status;
}

/* An exclusive device is one handle's, but for files that are opened by a
 * handle of another one (IO-08). */
static NTSTATUS check_device(
    const struct io_device *device, const struct io_opening *opening)
{
    if ((device->guest->Flags & DO_DEVICE_INITIALIZING) != 0) {
        return STATUS_NO_SUCH_DEVICE;
    }
    return device->exclusive && device->files > 0 && opening->related == NULL
               ? STATUS_ACCESS_DENIED
               : STATUS_SUCCESS;
}

static NTSTATUS open_device(struct kernel *kernel, struct io_device *device,
    const struct io_opening *opening, struct io_file **file)
{
    NTSTATUS status = check_device(device, opening);
    struct io_file *made;

    if (!NT_SUCCESS(status)) {
        return status;
    }
    made = io_file_make(kernel, device, opening);
    io_stack_judge(kernel, device);
    made->guest->RelatedFileObject =
        opening->related == NULL ? NULL : opening->related->guest;
    status = send_create(kernel, made, opening);
    made->guest->RelatedFileObject = NULL; /* page FILE_OBJECT */
    if (NT_SUCCESS(status)) {
        made->opened = true;
        *file = made;
    } else {
        counted_object_release(kernel, &made->counted);
    }
    return status;
}

/* What the device's descriptor gives of the rights asked for, which may be
 * MAXIMUM_ALLOWED; 0: not all of them. */
static ULONG granted(
    const struct io_device *device, enum user user, ULONG access)
{
    ULONG all = object_type_access(OBJECT_TYPE_FILE, access);
    ULONG asked =
        object_type_access(OBJECT_TYPE_FILE, access & ~(ULONG)MAXIMUM_ALLOWED);
    struct descriptor_block block;
    ULONG rights;

    object_security_read(&device->counted, &block);
    rights =
        user_granted(user, &block, object_type_generic(OBJECT_TYPE_FILE), all);
    return (asked & ~rights) == 0 ? rights : 0;
}

/* Its driver has let somebody in whom its descriptor would have kept out: a
 * warning, once a device, about the one on top if just that lacks the flag. */
static void warn_unchecked(struct kernel *kernel, struct io_device *device)
{
    if ((device->guest->Characteristics & FILE_DEVICE_SECURE_OPEN) != 0) {
        device = io_device_top(device);
    }
    if (!device->opened_unchecked) {
        device->opened_unchecked = true;
        rule_warn_at(kernel, kernel_cpu(kernel), RULE_IO_OPEN_UNCHECKED,
            ROUTINE_COUNT, device->place);
    }
}

/* A program opens it, or a driver for one (IO-09b). */
static NTSTATUS open_as_user(struct kernel *kernel, struct io_device *device,
    struct io_opening *opening, enum user user, ULONG access,
    struct io_file **file)
{
    ULONG rights = granted(device, user, access);
    ULONG characteristics = io_device_top(device)->guest->Characteristics;
    bool refused = rights == 0 && opening->access != 0;
    bool checked = (opening->name_units == 0 && opening->related == NULL) ||
                   (characteristics & FILE_DEVICE_SECURE_OPEN) != 0;
    NTSTATUS status;

    if (checked && refused) {
        return STATUS_ACCESS_DENIED;
    }
    opening->access = checked ? rights : opening->access;
    status = open_device(kernel, device, opening, file);
    if (NT_SUCCESS(status) && !checked && refused) {
        warn_unchecked(kernel, device);
    }
    return status;
}

NTSTATUS io_open(struct kernel *kernel, const struct io_driver *driver,
    const char *name, enum user user, ULONG access, struct io_file **file)
{
    WCHAR text[NAME_UNITS];
    struct io_opening opening = {
        .access = object_type_access(OBJECT_TYPE_FILE, access),
        .disposition = FILE_OPEN,
        .attributes = FILE_ATTRIBUTE_NORMAL,
        .user = user};
    struct io_device *device;
    NTSTATUS status;

    io_files_drain(kernel);
    status = name == NULL ? find_first(driver, &device)
                          : find_by_name(kernel, name, text, &opening, &device);
    return NT_SUCCESS(status)
               ? open_as_user(kernel, device, &opening, user, access, file)
               : status;
}

NTSTATUS io_open_for_driver(struct kernel *kernel, enum routine routine,
    const UNICODE_STRING *name, ULONG access, struct io_file **file)
{
    WCHAR text[NAME_UNITS];
    size_t length =
        unicode_string_read(kernel, routine, name, text, NAME_UNITS);
    struct io_opening opening = {
        .access = object_type_access(OBJECT_TYPE_FILE, access),
        .disposition = FILE_OPEN,
        .attributes = FILE_ATTRIBUTE_NORMAL,
        .kernel_mode = true};
    struct io_device *device;
    NTSTATUS status;
    size_t end;

    if (length > NAME_UNITS) {
        return STATUS_NAME_TOO_LONG;
    }
    status = io_link_resolve_file(kernel, text, length, &device, &end);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    opening.name = text + end;
    opening.name_units = length - end;
    return open_device(kernel, device, &opening, file);
}

NTSTATUS io_open_handle(struct kernel *kernel, struct io_device *device,
    const struct io_opening *opening, ULONG attributes, HANDLE *handle)
{
    struct io_opening checked = *opening;
    struct io_file *file;
    NTSTATUS status;

    assert(opening->kernel_mode);
    io_files_drain(kernel);
    status = (attributes & OBJ_FORCE_ACCESS_CHECK) == 0
                 ? open_device(kernel, device, opening, &file)
                 : open_as_user(kernel, device, &checked, user_current(kernel),
                       opening->asked, &file);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    *handle =
        handle_open_as(kernel, &file->counted, attributes, checked.access);
    if (*handle == NULL) {
        io_close(kernel, file);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    file->by_handle = true;
    counted_object_release(kernel, &file->counted); /* its handle has it */
    return STATUS_SUCCESS;
}
