/* built_irp.c - IRPs that are made ready for a driver to send: device controls,
 * and requests as file systems make them (IO-44, IO-45c). */
#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/io/device.h"
#include "api/io/driver_buffer.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"

/* What a driver asks for. */
struct build {
    enum routine routine;
    enum irp_origin origin;
    struct io_device *device;
    enum io_major major;
    PVOID event;
    PVOID status_block;
};

/* NULL when memory is short. */
static struct io_request *make(struct kernel *kernel, const struct build *build)
{
    struct io_request *request = io_request_new(
        kernel, build->origin, build->device->guest->StackSize, NULL);
    IRP *irp;

    if (request == NULL) {
        return NULL;
    }
    irp = request->irp;
    request->major = build->major;
    irp->UserIosb = build->status_block;
    irp->UserEvent = build->event;
    irp->Tail.Overlay.Thread =
        (void *)(uintptr_t)kthread_current(kernel)->address;
    if (request->locations > 0) {
        io_request_next_location(request)->MajorFunction = (UCHAR)build->major;
    }
    return request;
}

static PIRP drop(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    io_request_end(kernel, routine, request);
    io_request_give(kernel, request);
    return NULL;
}

PVOID IoBuildDeviceIoControlRequest_body(ULONG IoControlCode,
    PDEVICE_OBJECT DeviceObject, PVOID InputBuffer, ULONG InputBufferLength,
    PVOID OutputBuffer, ULONG OutputBufferLength,
    BOOLEAN InternalDeviceIoControl, PVOID Event, PVOID IoStatusBlock)
{
    const enum routine routine = ROUTINE_IoBuildDeviceIoControlRequest;
    struct kernel *kernel = kernel_current();
    const struct build build = {routine, IRP_THREADED,
        io_device_get_any(kernel, routine, DeviceObject),
        InternalDeviceIoControl ? IRP_MJ_INTERNAL_DEVICE_CONTROL
                                : IRP_MJ_DEVICE_CONTROL,
        Event, IoStatusBlock};
    ULONG method = IoControlCode & 3;
    struct io_request *request;
    IO_STACK_LOCATION *location;

    if (method != METHOD_NEITHER && InputBufferLength > 0) {
        copy_probe(kernel, routine, InputBuffer, InputBufferLength, false);
    }
    request = make(kernel, &build);
    if (request == NULL || request->locations == 0) {
        return request == NULL ? NULL : drop(kernel, routine, request);
    }
    location = io_request_next_location(request);
    location->Parameters.DeviceIoControl.IoControlCode = IoControlCode;
    location->Parameters.DeviceIoControl.InputBufferLength = InputBufferLength;
    location->Parameters.DeviceIoControl.OutputBufferLength =
        OutputBufferLength;
    if (method == METHOD_NEITHER) {
        location->Parameters.DeviceIoControl.Type3InputBuffer = InputBuffer;
        request->irp->UserBuffer = OutputBuffer;
        return request->irp;
    }
    if (!driver_buffer_system(kernel, routine, request, InputBuffer,
            InputBufferLength, OutputBuffer,
            method == METHOD_BUFFERED ? OutputBufferLength : 0) ||
        (method != METHOD_BUFFERED &&
            !NT_SUCCESS(driver_buffer_direct(kernel, request, OutputBuffer,
                OutputBufferLength, method == METHOD_OUT_DIRECT)))) {
        return drop(kernel, routine, request);
    }
    return request->irp;
}

/* Requests without data of their own, or reads and writes. */
static PIRP build_fsd(struct kernel *kernel, const struct build *build,
    PVOID buffer, ULONG length, const LARGE_INTEGER *offset_at)
{
    bool transfers =
        build->major == IRP_MJ_READ || build->major == IRP_MJ_WRITE;
    bool reads = build->major == IRP_MJ_READ;
    ULONG flags = build->device->guest->Flags;
    LARGE_INTEGER offset = {.QuadPart = 0};
    struct io_request *request;
    IO_STACK_LOCATION *location;

    if (transfers && offset_at != NULL) {
        copy_in(kernel, build->routine, &offset, offset_at, sizeof(offset));
    }
    if (transfers && !reads && length > 0) {
        copy_probe(kernel, build->routine, buffer, length, false);
    }
    request = make(kernel, build);
    if (request == NULL || request->locations == 0) {
        return request == NULL ? NULL : drop(kernel, build->routine, request);
    }
    if (!transfers) {
        return request->irp;
    }
    location = io_request_next_location(request);
    location->Parameters.Read.Length = length; /* Write's lies there, too */
    location->Parameters.Read.ByteOffset = offset;
    if ((flags & DO_DIRECT_IO) != 0) {
        return NT_SUCCESS(
                   driver_buffer_direct(kernel, request, buffer, length, reads))
                   ? request->irp
                   : drop(kernel, build->routine, request);
    }
    if ((flags & DO_BUFFERED_IO) == 0) {
        request->irp->UserBuffer = buffer;
    } else if (!driver_buffer_system(kernel, build->routine, request, buffer,
                   reads ? 0 : length, buffer, reads ? length : 0)) {
        return drop(kernel, build->routine, request);
    }
    return request->irp;
}

PVOID IoBuildSynchronousFsdRequest_body(ULONG MajorFunction,
    PDEVICE_OBJECT DeviceObject, PVOID Buffer, ULONG Length,
    PLARGE_INTEGER StartingOffset, PVOID Event, PVOID IoStatusBlock)
{
    const enum routine routine = ROUTINE_IoBuildSynchronousFsdRequest;
    struct kernel *kernel = kernel_current();
    const struct build build = {routine, IRP_THREADED,
        io_device_get_any(kernel, routine, DeviceObject), MajorFunction, Event,
        IoStatusBlock};

    return build_fsd(kernel, &build, Buffer, Length, StartingOffset);
}

PVOID IoBuildAsynchronousFsdRequest_body(ULONG MajorFunction,
    PDEVICE_OBJECT DeviceObject, PVOID Buffer, ULONG Length,
    PLARGE_INTEGER StartingOffset, PVOID IoStatusBlock)
{
    const enum routine routine = ROUTINE_IoBuildAsynchronousFsdRequest;
    struct kernel *kernel = kernel_current();
    const struct build build = {routine, IRP_ALLOCATED,
        io_device_get_any(kernel, routine, DeviceObject), MajorFunction, NULL,
        IoStatusBlock};

    return build_fsd(kernel, &build, Buffer, Length, StartingOffset);
}
