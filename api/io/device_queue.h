/* device_queue.h - queues of a device that is busy, in a driver's memory. */
#ifndef API_IO_DEVICE_QUEUE_H
#define API_IO_DEVICE_QUEUE_H

#include <stdbool.h>

#include "api/core/routine.h"

struct kernel;

/* False: the device was idle and is busy now, and nothing was queued. With a
 * key it goes behind those that are not above it, else to the end. */
bool device_queue_insert(struct kernel *kernel, enum routine routine,
    KDEVICE_QUEUE *queue, KDEVICE_QUEUE_ENTRY *entry, const ULONG *key);

/* The first one, or with a key the first that is not below it, if there is such
 * a one. NULL: there is none, and the device is idle. */
KDEVICE_QUEUE_ENTRY *device_queue_remove(struct kernel *kernel,
    enum routine routine, KDEVICE_QUEUE *queue, const ULONG *key);

#endif
