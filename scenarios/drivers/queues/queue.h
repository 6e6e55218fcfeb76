/* queue.h - packet queues, each an instance of the counter set "Sample Packet
 * Queues": the driver makes the instance, keeps its blocks up to date and
 * closes it, and is never called. One caller at a time, at PASSIVE_LEVEL. */
#ifndef QUEUES_QUEUE_H
#define QUEUES_QUEUE_H

#include <ntddk.h>

#include "scenarios/drivers/queues/queues.h"

#define QUEUES_TAG 'ueuQ'

/* Registers the counter set, before everything else here; STATUS_NO_MEMORY,
 * or as Windows refuses it. */
NTSTATUS queues_register(VOID);

/* Removes all queues and unregisters the set. */
VOID queues_unregister(VOID);

/* As in queues.h; the name is copied. Besides, STATUS_INSUFFICIENT_RESOURCES
 * or what Windows says to the instance: then there is no queue. */
NTSTATUS queue_add(ULONG number, PCUNICODE_STRING name);
NTSTATUS queue_remove(ULONG number);
NTSTATUS queue_put(const struct queues_put *put);
NTSTATUS queue_take(const struct queues_take *take, ULONG *taken);

#endif
