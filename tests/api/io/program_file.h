/* program_file.h - what an administrator's program does with a driver's device.
 */
#ifndef TESTS_API_IO_PROGRAM_FILE_H
#define TESTS_API_IO_PROGRAM_FILE_H

#include "api/io/control.h"
#include "api/io/file.h"

/* With NULL the first device that the driver made. */
static inline NTSTATUS program_open(struct kernel *kernel,
    const struct io_driver *driver, const char *name, struct io_file **file)
{
    return io_open(kernel, driver, name, USER_ADMINISTRATORS,
        0xC0000000 /* GENERIC_READ, GENERIC_WRITE */, file);
}

/* A device control, for whose end it waits. */
static inline void program_control(struct kernel *kernel, struct io_file *file,
    ULONG code, const void *input, ULONG input_size, void *output,
    ULONG output_size, struct io_result *result)
{
    struct io_request *request = io_control_start(
        kernel, file, code, input, input_size, output, output_size, result);

    if (request != NULL) {
        *result = io_request_wait(kernel, request);
    }
}

#endif
