/* handle_request.c - requests that drivers send by the handle of a device's
 * file: made of the driver's own memory, waited for where the file is
 * synchronous, and ended by the I/O manager. */
#include "api/io/handle_request.h"

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/io/attach.h"
#include "api/io/control.h"
#include "api/io/device.h"
#include "api/io/driver_buffer.h"
#include "api/io/file.h"
#include "api/io/named_event.h"
#include "api/mm/copy.h"
#include "api/nt/file_access.h"
#include "api/ob/handle_use.h"

enum {
    USE_FILE_POINTER_POSITION = -2, /* with -1 in the upper half */
    WRITE_TO_END_OF_FILE = -1,
};

struct io_file *io_file_of_handle(struct kernel *kernel, HANDLE handle)
{
    const struct handle *found = handle_find(kernel, handle);

    return found == NULL ? NULL : io_file_of(found->object);
}

NTSTATUS handle_request_begin(
    struct kernel *kernel, struct handle_request *request)
{
    struct counted_object *object;
    NTSTATUS status;

    if (request->apc_routine != NULL) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "an ApcRoutine of %s is not modelled: drivers pass NULL",
            routine_rows[request->routine].name);
    }
    copy_probe(kernel, request->routine, request->answer,
        sizeof(*request->answer), true);
    status = handle_use_kind(
        kernel, request->routine, request->handle, OBJECT_TYPE_FILE, &object);
    if (NT_SUCCESS(status) && request->event != NULL) {
        status = handle_use_kind(kernel, request->routine, request->event,
            OBJECT_TYPE_EVENT, &request->signals);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    request->file = io_file_of(object);
    return request->file == NULL ? STATUS_INVALID_DEVICE_REQUEST
                                 : STATUS_SUCCESS;
}

static ULONG granted(
    struct kernel *kernel, const struct handle_request *request)
{
    return handle_find(kernel, request->handle)->access;
}

static bool is_synchronous(const struct handle_request *request)
{
    return (request->file->guest->Flags & FO_SYNCHRONOUS_IO) != 0;
}

static struct io_request *make(struct kernel *kernel,
    const struct handle_request *asked, enum io_major major)
{
    struct io_request *request =
        io_request_make_by_handle(kernel, asked->file, major);

    request->irp->UserIosb = asked->answer;
    return request;
}

static NTSTATUS drop(
    struct kernel *kernel, struct io_request *request, NTSTATUS status)
{
    io_request_drop(kernel, request);
    return status;
}

/* Who is told has to be there until the end; so does the file. */
static void promise(struct kernel *kernel, const struct handle_request *asked,
    struct io_request *request)
{
    request->file = asked->file;
    request->file->requests++;
    counted_object_reference(&request->file->counted);
    if (asked->signals != NULL) {
        named_event_set(kernel, asked->signals, 0);
        counted_object_reference(asked->signals);
        request->signals = asked->signals;
        request->irp->UserEvent = (PVOID)(uintptr_t)asked->signals->address;
    }
}

static NTSTATUS send(struct kernel *kernel, const struct handle_request *asked,
    struct io_request *request)
{
    bool waits = is_synchronous(asked);
    struct io_result result;

    promise(kernel, asked, request);
    if (!io_request_start(kernel, request, &result)) {
        return result.status;
    }
    if (waits) {
        return io_request_wait(kernel, request).status;
    }
    if (request->done) {
        io_request_give(kernel, request);
    } else {
        request->unawaited = true;
    }
    return STATUS_PENDING;
}

/* REG-21a; the driver says where the position is afterwards. */
static NTSTATUS place(struct kernel *kernel, const struct handle_request *asked,
    enum io_major major, const LARGE_INTEGER *given, int64_t *at)
{
    LARGE_INTEGER offset = {.QuadPart = USE_FILE_POINTER_POSITION};

    if (given != NULL) {
        copy_in(kernel, asked->routine, &offset, given, sizeof(offset));
    }
    if (offset.QuadPart == USE_FILE_POINTER_POSITION) {
        if (!is_synchronous(asked)) {
            return STATUS_INVALID_PARAMETER;
        }
        offset = asked->file->guest->CurrentByteOffset;
    }
    *at = offset.QuadPart;
    return *at >= 0 || (major == IRP_MJ_WRITE && *at == WRITE_TO_END_OF_FILE)
               ? STATUS_SUCCESS
               : STATUS_INVALID_PARAMETER;
}

/* The data, as the device's flags say (IO-34). */
static NTSTATUS give_transfer(struct kernel *kernel, enum routine routine,
    struct io_request *request, void *data, ULONG size)
{
    bool reads = request->major == IRP_MJ_READ;
    ULONG flags = request->device->guest->Flags;

    if ((flags & DO_BUFFERED_IO) != 0) {
        return driver_buffer_system(kernel, routine, request, data,
                   reads ? 0 : size, data, reads ? size : 0)
                   ? STATUS_SUCCESS
                   : STATUS_INSUFFICIENT_RESOURCES;
    }
    if ((flags & DO_DIRECT_IO) != 0) {
        return driver_buffer_direct(kernel, request, data, size, reads);
    }
    request->irp->UserBuffer = data;
    return STATUS_SUCCESS;
}

NTSTATUS handle_request_transfer(struct kernel *kernel,
    const struct handle_request *asked, enum io_major major, PVOID buffer,
    ULONG length, const LARGE_INTEGER *offset, const ULONG *key)
{
    bool reads = major == IRP_MJ_READ;
    ULONG flags = io_device_top(asked->file->device)->guest->Flags;
    ULONG key_given = 0;
    struct io_request *request;
    IO_STACK_LOCATION *location;
    NTSTATUS status;
    int64_t at;

    if ((granted(kernel, asked) & (reads ? FILE_READ_DATA : FILE_WRITES)) ==
        0) {
        return STATUS_ACCESS_DENIED;
    }
    status = place(kernel, asked, major, offset, &at);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if ((flags & DO_BUFFERED_IO) != 0 && length > 0) {
        copy_probe(kernel, asked->routine, buffer, length, reads);
    }
    if (key != NULL) {
        copy_in(kernel, asked->routine, &key_given, key, sizeof(key_given));
    }
    request = make(kernel, asked, major);
    location = io_request_next_location(request);
    location->Parameters.Read.Length = length; /* Write's lie there, too */
    location->Parameters.Read.ByteOffset.QuadPart = at;
    location->Parameters.Read.Key = key_given;
    status = give_transfer(kernel, asked->routine, request, buffer, length);
    return NT_SUCCESS(status) ? send(kernel, asked, request)
                              : drop(kernel, request, status);
}

/* What ZwDeviceIoControlFile is given beside what all of them are. */
struct control {
    ULONG code;
    PVOID input;
    ULONG input_size;
    PVOID output;
    ULONG output_size;
};

/* IO-31, IO-32, IO-33. */
static NTSTATUS give_control(struct kernel *kernel, enum routine routine,
    struct io_request *request, const struct control *control)
{
    ULONG method = control->code & 3;
    IO_STACK_LOCATION *location = io_request_next_location(request);

    location->Parameters.DeviceIoControl.IoControlCode = control->code;
    location->Parameters.DeviceIoControl.InputBufferLength =
        control->input_size;
    location->Parameters.DeviceIoControl.OutputBufferLength =
        control->output_size;
    if (method == METHOD_NEITHER) {
        location->Parameters.DeviceIoControl.Type3InputBuffer = control->input;
        request->irp->UserBuffer = control->output;
        return STATUS_SUCCESS;
    }
    if (!driver_buffer_system(kernel, routine, request, control->input,
            control->input_size, control->output,
            method == METHOD_BUFFERED ? control->output_size : 0)) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    return method == METHOD_BUFFERED
               ? STATUS_SUCCESS
               : driver_buffer_direct(kernel, request, control->output,
                     control->output_size, method == METHOD_OUT_DIRECT);
}

/* What is copied is there; an MDL's pages and what a driver gets as an address
 * are looked at elsewhere. */
static void probe(
    struct kernel *kernel, enum routine routine, const struct control *control)
{
    ULONG method = control->code & 3;

    if (method != METHOD_NEITHER && control->input_size > 0) {
        copy_probe(kernel, routine, control->input, control->input_size, false);
    }
    if (method == METHOD_BUFFERED && control->output_size > 0) {
        copy_probe(
            kernel, routine, control->output, control->output_size, true);
    }
}

NTSTATUS ZwDeviceIoControlFile_body(HANDLE FileHandle, HANDLE Event,
    PVOID ApcRoutine, PVOID ApcContext, PIO_STATUS_BLOCK IoStatusBlock,
    ULONG IoControlCode, PVOID InputBuffer, ULONG InputBufferLength,
    PVOID OutputBuffer, ULONG OutputBufferLength)
{
    const enum routine routine = ROUTINE_ZwDeviceIoControlFile;
    struct kernel *kernel = kernel_current();
    struct handle_request asked = {.routine = routine,
        .handle = FileHandle,
        .event = Event,
        .apc_routine = ApcRoutine,
        .answer = IoStatusBlock};
    const struct control control = {IoControlCode, InputBuffer,
        InputBufferLength, OutputBuffer, OutputBufferLength};
    struct io_request *request;
    NTSTATUS status;

    (void)ApcContext;
    zw_begin(kernel, routine);
    status = handle_request_begin(kernel, &asked);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (!io_control_is_allowed(IoControlCode, granted(kernel, &asked))) {
        return STATUS_ACCESS_DENIED;
    }
    probe(kernel, routine, &control);
    request = make(kernel, &asked, IRP_MJ_DEVICE_CONTROL);
    status = give_control(kernel, routine, request, &control);
    return NT_SUCCESS(status) ? send(kernel, &asked, request)
                              : drop(kernel, request, status);
}
