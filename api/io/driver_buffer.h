/* driver_buffer.h - buffers of requests that drivers make: of the driver's own
 * memory. */
#ifndef API_IO_DRIVER_BUFFER_H
#define API_IO_DRIVER_BUFFER_H

#include "api/io/irp.h"

/* One system buffer, which begins with the input (IO-31a); of its beginning
 * goes back to the output. Returns false when memory is short. */
bool driver_buffer_system(struct kernel *kernel, enum routine routine,
    struct io_request *request, const void *input, ULONG input_size,
    void *output, ULONG output_size);

/* An MDL of the buffer, locked; of no bytes none (IO-32b). Who ends the request
 * ends that as well, the driver or the I/O manager. STATUS_ACCESS_VIOLATION (it
 * is none), STATUS_INSUFFICIENT_RESOURCES. */
NTSTATUS driver_buffer_direct(struct kernel *kernel, struct io_request *request,
    PVOID buffer, ULONG size, bool write);

#endif
