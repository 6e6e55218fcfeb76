/* shutdown.h - devices that are told when the system is shut down. */
#ifndef API_IO_SHUTDOWN_H
#define API_IO_SHUTDOWN_H

#include <stdbool.h>

struct io_device;
struct kernel;

/* Sends IRP_MJ_SHUTDOWN to each device that is registered, one after another on
 * the running strand, which is at PASSIVE_LEVEL: before the file systems are
 * flushed, and then to those of the last chance (IO-57). Statuses are
 * nobody's. Drivers stay loaded. */
void shutdown_system(struct kernel *kernel);

/* The device is registered no more; whether it was. */
bool shutdown_forget(struct kernel *kernel, struct io_device *device);

#endif
