/* control.c - device control requests by METHOD_BUFFERED: one buffer for both
 * ways, as large as the larger (page Buffer Descriptions for I/O Control
 * Codes). */
#include "api/io/control.h"

#include <assert.h>
#include <string.h>

#include "api/io/file.h"

const char *io_control_unmodelled(ULONG code)
{
    static const char *const methods[] = {
        NULL, "METHOD_IN_DIRECT", "METHOD_OUT_DIRECT", "METHOD_NEITHER"};

    return methods[code & 3];
}

static bool give_buffer(struct kernel *kernel, struct io_request *request,
    const void *input, ULONG input_size, ULONG output_size)
{
    size_t size = input_size > output_size ? input_size : output_size;

    if (size == 0) {
        return true;
    }
    if (!io_request_buffer(kernel, request, size)) {
        return false;
    }
    assert(size >= input_size && size >= output_size);
    if (input_size > 0) {
        memcpy(request->system_buffer, input, input_size);
    }
    return true;
}

struct io_request *io_control_start(struct kernel *kernel, struct io_file *file,
    ULONG code, const void *input, ULONG input_size, void *output,
    ULONG output_size, struct io_result *result)
{
    struct io_request *request;
    IO_STACK_LOCATION *location;

    *result = (struct io_result){.status = STATUS_INSUFFICIENT_RESOURCES};
    if (io_control_unmodelled(code) != NULL) {
        result->status = STATUS_NOT_SUPPORTED;
        return NULL;
    }
    request = io_request_make(kernel, file, IRP_MJ_DEVICE_CONTROL);
    if (request == NULL) {
        return NULL;
    }
    if (!give_buffer(kernel, request, input, input_size, output_size)) {
        io_request_drop(kernel, request);
        return NULL;
    }
    location = request->location;
    location->Parameters.DeviceIoControl.IoControlCode = code;
    location->Parameters.DeviceIoControl.InputBufferLength = input_size;
    location->Parameters.DeviceIoControl.OutputBufferLength = output_size;
    request->output = output;
    request->output_size = output_size;
    request->file = file;
    file->requests++;
    return io_request_start(kernel, request, result) ? request : NULL;
}

void io_control(struct kernel *kernel, struct io_file *file, ULONG code,
    const void *input, ULONG input_size, void *output, ULONG output_size,
    struct io_result *result)
{
    struct io_request *request = io_control_start(
        kernel, file, code, input, input_size, output, output_size, result);

    if (request != NULL) {
        *result = io_request_wait(kernel, request);
    }
}
