/* control.h - requests of programs that carry data: as DeviceIoControl,
 * ReadFile and WriteFile make them. */
#ifndef API_IO_CONTROL_H
#define API_IO_CONTROL_H

#include "api/io/irp.h"

/* Whether a handle with these rights may send it, as bits 15 and 14 say
 * (IO-29a). */
bool io_control_is_allowed(ULONG code, ULONG access);

/* Sends the request. Returns one that is pending, for io_request_wait(); till
 * it is completed the output is written to. NULL: it is gone, and *result says
 * what came of it. Of the output at most `output_size` bytes are written: as
 * many as the driver's Information says, and none when its status is an error;
 * where the driver has the output's own memory (METHOD_OUT_DIRECT,
 * METHOD_IN_DIRECT, METHOD_NEITHER) what it wrote there.
 * STATUS_INSUFFICIENT_RESOURCES: memory is short. STATUS_ACCESS_DENIED: the
 * file was not opened for it, and the driver is not called (IO-29b). */
struct io_request *io_control_start(struct kernel *kernel, struct io_file *file,
    ULONG code, const void *input, ULONG input_size, void *output,
    ULONG output_size, struct io_result *result);

/* IRP_MJ_READ into the data, or IRP_MJ_WRITE of it, as the flags of the device
 * that gets it say (IO-34); statuses as above. */
void io_transfer(struct kernel *kernel, struct io_file *file,
    enum io_major major, void *data, ULONG size, int64_t offset,
    struct io_result *result);

#endif
