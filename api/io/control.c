/* control.c - requests of programs that carry data: device controls by their
 * method, reads and writes by the device's flags (IO-31, IO-32, IO-34). */
#include "api/io/control.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/io/attach.h"
#include "api/io/device.h"
#include "api/io/file.h"
#include "api/nt/file_access.h"

/* Of a control code (CTL_CODE, wdm.h). */
enum {
    CONTROL_ACCESS_SHIFT = 14,
    CONTROL_ACCESS_READ = 1,
    CONTROL_ACCESS_WRITE = 2,
    CONTROL_ACCESS_BITS = 3,
};

/* A system buffer that begins with the input, and whose beginning goes back to
 * an output. */
static bool give_buffer(struct kernel *kernel, struct io_request *request,
    const void *input, ULONG input_size, void *output, ULONG output_size)
{
    size_t size = input_size > output_size ? input_size : output_size;

    if (size > 0 && !io_request_buffer(kernel, request, size)) {
        return false;
    }
    if (input_size > 0) {
        memcpy(request->system_buffer, input, input_size);
    }
    if (output_size > 0) { /* IO-31d */
        request->irp->Flags |= IRP_INPUT_OPERATION;
    }
    request->output = output;
    request->output_size = output_size;
    return true;
}

/* What came of a request that could not be made whole. */
static struct io_request *drop(struct kernel *kernel,
    struct io_request *request, NTSTATUS status, struct io_result *result)
{
    io_request_drop(kernel, request);
    *result = (struct io_result){.status = status};
    return NULL;
}

static struct io_request *start(struct kernel *kernel, struct io_file *file,
    struct io_request *request, struct io_result *result)
{
    request->file = file;
    file->requests++;
    return io_request_start(kernel, request, result) ? request : NULL;
}

/* The buffers of a device control, as its method says (IO-31, IO-32, IO-33). */
static NTSTATUS give_control(struct kernel *kernel, struct io_request *request,
    ULONG method, const void **input, ULONG input_size, void *output,
    ULONG output_size)
{
    bool given = method == METHOD_NEITHER
                     ? io_request_neither(kernel, request, input, input_size,
                           output, output_size)
                     : give_buffer(kernel, request, *input, input_size, output,
                           method == METHOD_BUFFERED ? output_size : 0);

    if (!given) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    return method == METHOD_IN_DIRECT || method == METHOD_OUT_DIRECT
               ? io_request_direct(kernel, request, output, output_size,
                     method == METHOD_OUT_DIRECT)
               : STATUS_SUCCESS;
}

bool io_control_is_allowed(ULONG code, ULONG access)
{
    ULONG asked = code >> CONTROL_ACCESS_SHIFT & CONTROL_ACCESS_BITS;

    return ((asked & CONTROL_ACCESS_READ) == 0 ||
               (access & FILE_READ_DATA) != 0) &&
           ((asked & CONTROL_ACCESS_WRITE) == 0 ||
               (access & FILE_WRITE_DATA) != 0);
}

struct io_request *io_control_start(struct kernel *kernel, struct io_file *file,
    ULONG code, const void *input, ULONG input_size, void *output,
    ULONG output_size, struct io_result *result)
{
    struct io_request *request;
    IO_STACK_LOCATION *location;
    NTSTATUS status;

    if (!io_control_is_allowed(code, file->access)) {
        *result = (struct io_result){.status = STATUS_ACCESS_DENIED};
        return NULL;
    }
    request = io_request_make(kernel, file, IRP_MJ_DEVICE_CONTROL);
    status = give_control(
        kernel, request, code & 3, &input, input_size, output, output_size);
    if (!NT_SUCCESS(status)) {
        return drop(kernel, request, status, result);
    }
    location = io_request_next_location(request);
    location->Parameters.DeviceIoControl.IoControlCode = code;
    location->Parameters.DeviceIoControl.InputBufferLength = input_size;
    location->Parameters.DeviceIoControl.OutputBufferLength = output_size;
    if ((code & 3) == METHOD_NEITHER) {
        location->Parameters.DeviceIoControl.Type3InputBuffer =
            (PVOID)(uintptr_t)input;
    }
    return start(kernel, file, request, result);
}

/* The data of a read or a write, as its device's flags say. */
static NTSTATUS give_transfer(struct kernel *kernel, struct io_request *request,
    void *data, ULONG size, bool reads)
{
    ULONG flags = request->device->guest->Flags;
    const void *none = NULL;
    bool given;

    if ((flags & DO_BUFFERED_IO) != 0) {
        given = give_buffer(
            kernel, request, data, reads ? 0 : size, data, reads ? size : 0);
    } else if ((flags & DO_DIRECT_IO) != 0) {
        return io_request_direct(kernel, request, data, size, reads);
    } else {
        given = io_request_neither(kernel, request, &none, 0, data, size);
    }
    return given ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

void io_transfer(struct kernel *kernel, struct io_file *file,
    enum io_major major, void *data, ULONG size, int64_t offset,
    struct io_result *result)
{
    bool reads = major == IRP_MJ_READ;
    struct io_request *request;
    IO_STACK_LOCATION *location;
    NTSTATUS status;

    assert(reads || major == IRP_MJ_WRITE);
    request = io_request_make(kernel, file, major);
    location = io_request_next_location(request);
    location->Parameters.Read.Length = size; /* Write's lies there, too */
    location->Parameters.Read.ByteOffset.QuadPart = offset;
    status = give_transfer(kernel, request, data, size, reads);
    if (!NT_SUCCESS(status)) {
        drop(kernel, request, status, result);
        return;
    }
    if (start(kernel, file, request, result) != NULL) {
        *result = io_request_wait(kernel, request);
    }
}
