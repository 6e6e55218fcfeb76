/* device_pointer.c - IoGetDeviceObjectPointer: a device by its name, held by a
 * file object (IO-46). */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/attach.h"
#include "api/io/device.h"
#include "api/io/file.h"
#include "api/mm/copy.h"

NTSTATUS IoGetDeviceObjectPointer_body(PUNICODE_STRING ObjectName,
    ULONG DesiredAccess, PVOID *FileObject, PDEVICE_OBJECT *DeviceObject)
{
    const enum routine routine = ROUTINE_IoGetDeviceObjectPointer;
    struct kernel *kernel = kernel_current();
    struct io_file *file;
    PVOID top, object;
    NTSTATUS status;

    copy_probe(kernel, routine, FileObject, sizeof(object), true);
    copy_probe(kernel, routine, DeviceObject, sizeof(top), true);
    status =
        io_open_for_driver(kernel, routine, ObjectName, DesiredAccess, &file);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    top = io_device_top(file->device)->guest;
    object = file->guest;
    io_file_cleanup(kernel, file); /* its handle is closed (IO-46b) */
    counted_object_hold(kernel, &file->counted);
    counted_object_release(kernel, &file->counted); /* its handle's */
    copy_out(kernel, routine, FileObject, &object, sizeof(object));
    copy_out(kernel, routine, DeviceObject, &top, sizeof(top));
    return STATUS_SUCCESS;
}
