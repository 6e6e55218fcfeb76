/* driver_buffer.c - buffers of requests that drivers make: a system buffer, or
 * an MDL of the driver's own memory. */
#include "api/io/driver_buffer.h"

#include "api/mm/copy.h"
#include "api/mm/mdl.h"

bool driver_buffer_system(struct kernel *kernel, enum routine routine,
    struct io_request *request, const void *input, ULONG input_size,
    void *output, ULONG output_size)
{
    size_t size = input_size > output_size ? input_size : output_size;

    if (size == 0) {
        return true;
    }
    if (!io_request_buffer(kernel, request, size)) {
        return false;
    }
    if (input_size > 0) {
        copy_move(kernel, routine, request->system_buffer, input, input_size);
    }
    if (output_size > 0) {
        request->irp->Flags |= IRP_INPUT_OPERATION;
        request->irp->UserBuffer = output;
        request->output = output;
        request->output_size = output_size;
    }
    return true;
}

NTSTATUS driver_buffer_direct(struct kernel *kernel, struct io_request *request,
    PVOID buffer, ULONG size, bool write)
{
    enum mdl_kind kind =
        request->origin == IRP_ALLOCATED ? MDL_OF_IO : MDL_OF_REQUESTER;
    NTSTATUS status;

    if (size == 0) {
        return STATUS_SUCCESS;
    }
    request->irp->MdlAddress =
        mdl_of_requester(kernel, kind, (uintptr_t)buffer, size, write, &status);
    return request->irp->MdlAddress == NULL ? status : STATUS_SUCCESS;
}
