/* attach.c - IoAttachDevice and its kin, IoDetachDevice, and who is above and
 * below. */
#include "api/io/attach.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/file.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/mm/copy.h"

enum { TRANSFER_FLAGS = DO_BUFFERED_IO | DO_DIRECT_IO };

struct io_device *io_device_top(struct io_device *device)
{
    while (device->above != NULL) {
        assert(device->above->below == device);
        device = device->above;
    }
    return device;
}

struct io_device *io_device_attach(
    struct kernel *kernel, struct io_device *source, struct io_device *target)
{
    struct io_device *top = io_device_top(target);

    (void)kernel;
    if (top->deleted || top == source || source->below != NULL ||
        top->guest->StackSize >= IRP_LOCATIONS_MOST) {
        return NULL;
    }
    source->below = top;
    top->above = source;
    top->guest->AttachedDevice = source->guest;
    source->guest->StackSize = (CHAR)(top->guest->StackSize + 1);
    source->guest->AlignmentRequirement = top->guest->AlignmentRequirement;
    return top;
}

void io_device_detach(struct kernel *kernel, struct io_device *lower)
{
    struct io_device *above = lower->above;

    assert(above != NULL && above->below == lower);
    lower->above = NULL;
    lower->guest->AttachedDevice = NULL;
    above->below = NULL;
    io_device_unused(kernel, lower);
}

/* Its own flags, once (IO-03). */
static void judge_methods(
    struct kernel *kernel, struct cpu *cpu, struct io_device *device)
{
    bool both = (device->guest->Flags & TRANSFER_FLAGS) == TRANSFER_FLAGS;

    if (both && !device->has_both_methods) {
        device->has_both_methods = true;
        rule_warn_at(
            kernel, cpu, RULE_IO_DEVICE_METHODS, ROUTINE_COUNT, device->place);
    }
}

void io_stack_judge(struct kernel *kernel, struct io_device *device)
{
    struct cpu *cpu = kernel_cpu(kernel);

    for (struct io_device *at = io_device_top(device); at != NULL;
         at = at->below) {
        const DEVICE_OBJECT *upper = at->guest, *lower;

        judge_methods(kernel, cpu, at);
        if (at->judged || at->below == NULL) {
            continue;
        }
        at->judged = true;
        lower = at->below->guest;
        if ((upper->Flags & TRANSFER_FLAGS) !=
            (lower->Flags & TRANSFER_FLAGS)) {
            rule_warn_at(
                kernel, cpu, RULE_IO_ATTACH_FLAGS, ROUTINE_COUNT, at->place);
        }
        if (upper->DeviceType != lower->DeviceType) {
            rule_warn_at(
                kernel, cpu, RULE_IO_ATTACH_TYPE, ROUTINE_COUNT, at->place);
        }
    }
}

PVOID IoAttachDeviceToDeviceStack_body(
    PDEVICE_OBJECT SourceDevice, PDEVICE_OBJECT TargetDevice)
{
    const enum routine routine = ROUTINE_IoAttachDeviceToDeviceStack;
    struct kernel *kernel = kernel_current();
    struct io_device *source = io_device_get_any(kernel, routine, SourceDevice);
    struct io_device *below = io_device_attach(
        kernel, source, io_device_get_any(kernel, routine, TargetDevice));

    return below == NULL ? NULL : below->guest;
}

/* The pointer is set before anybody could send the source a request (page
 * IoAttachDeviceToDeviceStackSafe). */
NTSTATUS IoAttachDeviceToDeviceStackSafe_body(PDEVICE_OBJECT SourceDevice,
    PDEVICE_OBJECT TargetDevice, PDEVICE_OBJECT *AttachedToDeviceObject)
{
    const enum routine routine = ROUTINE_IoAttachDeviceToDeviceStackSafe;
    struct kernel *kernel = kernel_current();
    struct io_device *source = io_device_get_any(kernel, routine, SourceDevice);
    struct io_device *target = io_device_get_any(kernel, routine, TargetDevice);
    struct io_device *below;
    PVOID found = NULL;

    copy_probe(kernel, routine, AttachedToDeviceObject, sizeof(found), true);
    below = io_device_attach(kernel, source, target);
    found = below == NULL ? NULL : below->guest;
    copy_out(kernel, routine, AttachedToDeviceObject, &found, sizeof(found));
    return below == NULL ? STATUS_NO_SUCH_DEVICE : STATUS_SUCCESS;
}

/* The target is opened for it, and closed when the source stands above: so the
 * source gets that, and has its pointer by then (IO-47c). */
NTSTATUS IoAttachDevice_body(PDEVICE_OBJECT SourceDevice,
    PUNICODE_STRING TargetDevice, PDEVICE_OBJECT *AttachedDevice)
{
    const enum routine routine = ROUTINE_IoAttachDevice;
    struct kernel *kernel = kernel_current();
    struct io_device *source = io_device_get_any(kernel, routine, SourceDevice);
    struct io_device *below;
    struct io_file *file;
    PVOID found = NULL;
    NTSTATUS status;

    copy_probe(kernel, routine, AttachedDevice, sizeof(found), true);
    status = io_open_for_driver(kernel, routine, TargetDevice, 0, &file);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    below = io_device_attach(kernel, source, file->device);
    if (below != NULL) {
        found = below->guest;
        copy_out(kernel, routine, AttachedDevice, &found, sizeof(found));
    }
    io_close(kernel, file);
    return below == NULL ? STATUS_NO_SUCH_DEVICE : STATUS_SUCCESS;
}

VOID IoDetachDevice_body(PDEVICE_OBJECT TargetDevice)
{
    const enum routine routine = ROUTINE_IoDetachDevice;
    struct kernel *kernel = kernel_current();
    struct io_device *lower = io_device_get_any(kernel, routine, TargetDevice);

    if (lower->above == NULL) {
        io_stop(kernel, RULE_IO_DETACH, routine, "device object");
    }
    io_device_detach(kernel, lower);
}

PVOID IoGetAttachedDevice_body(PDEVICE_OBJECT DeviceObject)
{
    return io_device_top(io_device_get_any(kernel_current(),
                             ROUTINE_IoGetAttachedDevice, DeviceObject))
        ->guest;
}

PVOID IoGetAttachedDeviceReference_body(PDEVICE_OBJECT DeviceObject)
{
    struct kernel *kernel = kernel_current();
    struct io_device *top = io_device_top(io_device_get_any(
        kernel, ROUTINE_IoGetAttachedDeviceReference, DeviceObject));

    counted_object_hold(kernel, &top->counted);
    return top->guest;
}

PVOID IoGetLowerDeviceObject_body(PDEVICE_OBJECT DeviceObject)
{
    struct kernel *kernel = kernel_current();
    struct io_device *device =
        io_device_get_any(kernel, ROUTINE_IoGetLowerDeviceObject, DeviceObject);

    if (device->below == NULL || device->deleted) {
        return NULL;
    }
    counted_object_hold(kernel, &device->below->counted);
    return device->below->guest;
}

PVOID IoGetRelatedDeviceObject_body(PVOID FileObject)
{
    const enum routine routine = ROUTINE_IoGetRelatedDeviceObject;
    struct kernel *kernel = kernel_current();
    struct io_file *file = io_file_at(kernel, FileObject);

    if (file == NULL) {
        io_stop(kernel, RULE_IO_NOT_OBJECT, routine, "file object");
    }
    return io_device_top(file->device)->guest;
}
