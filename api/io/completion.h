/* completion.h - requests on their way up: completion routines, and what the
 * I/O manager does when there is nobody left above (IO-21, IO-43). */
#ifndef API_IO_COMPLETION_H
#define API_IO_COMPLETION_H

#include "api/io/irp.h"

/* The request is completed with what IoStatus says, by `routine`. */
void io_complete(
    struct kernel *kernel, enum routine routine, struct io_request *request);

/* The same with that status and no Information. */
void io_complete_with(struct kernel *kernel, enum routine routine,
    struct io_request *request, NTSTATUS status);

#endif
