/* control.h - requests of programs that carry data: as DeviceIoControl,
 * ReadFile and WriteFile make them. */
#ifndef API_IO_CONTROL_H
#define API_IO_CONTROL_H

#include "api/io/irp.h"

/* The code's method where it is not modelled: METHOD_NEITHER; NULL: it is. */
const char *io_control_unmodelled(ULONG code);

/* Sends the request and waits until it is completed. Of the output at most
 * `output_size` bytes are written: as many as the driver's Information says,
 * and none when its status is an error; where the driver has the output's own
 * memory (METHOD_OUT_DIRECT, METHOD_IN_DIRECT) what it wrote there.
 * STATUS_NOT_SUPPORTED without a call: io_control_unmodelled();
 * STATUS_INSUFFICIENT_RESOURCES: memory is short. */
void io_control(struct kernel *kernel, struct io_file *file, ULONG code,
    const void *input, ULONG input_size, void *output, ULONG output_size,
    struct io_result *result);

/* The same without waiting. Returns a request that is pending, for
 * io_request_wait(); till it is completed the output is written to. NULL: it is
 * gone, and *result says what came of it. */
struct io_request *io_control_start(struct kernel *kernel, struct io_file *file,
    ULONG code, const void *input, ULONG input_size, void *output,
    ULONG output_size, struct io_result *result);

/* What transfers of the file's device are, where that is not modelled; NULL: it
 * is. */
const char *io_transfer_unmodelled(const struct io_file *file);

/* IRP_MJ_READ into the data, or IRP_MJ_WRITE of it; statuses as above. */
void io_transfer(struct kernel *kernel, struct io_file *file,
    enum io_major major, void *data, ULONG size, int64_t offset,
    struct io_result *result);

#endif
