/* drive_shutdown.h - what traces say of a driver and a shutdown: whether it has
 * registered for one, and what it was told and did in one. */
#ifndef RUNNER_COMMANDS_DRIVE_DRIVE_SHUTDOWN_H
#define RUNNER_COMMANDS_DRIVE_DRIVE_SHUTDOWN_H

#include <stdbool.h>
#include <stddef.h>

struct drive_shutdown {
    size_t told;       /* IRP_MJ_SHUTDOWN was sent so often, */
    size_t returned;   /* and the driver came back from it */
    const char *calls; /* the trace from the first on; "": none was sent */
};

/* Whether a device was registered in a run with this trace, if only for a
 * while. */
bool drive_shutdown_is_wanted(const char *trace);

/* Of a run that ended in a shutdown; `calls` lies in the trace. */
struct drive_shutdown drive_shutdown_read(const char *trace);

#endif
