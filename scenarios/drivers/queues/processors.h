/* processors.h - what each processor has taken from queues, as the counter set
 * "Sample Queue Processors": Windows asks for it by a callback. Work is counted
 * only while somebody has a query open. */
#ifndef QUEUES_PROCESSORS_H
#define QUEUES_PROCESSORS_H

#include <ntddk.h>

/* Registers the counter set; as queues_register(). At PASSIVE_LEVEL. */
NTSTATUS processors_register(VOID);

/* When it returns no callback runs any more. At PASSIVE_LEVEL. */
VOID processors_unregister(VOID);

/* Counts packets for the current processor; at or below DISPATCH_LEVEL. */
VOID processors_count(ULONG packets, ULONG64 bytes);

#endif
