/* queues.h - what programs and the driver queues say to each other: device
 * controls of \\.\Queues. Programs include <windows.h> and <winioctl.h> first,
 * drivers <ntddk.h>. */
#ifndef QUEUES_H
#define QUEUES_H

#define QUEUES_CODE(function)                                                  \
    CTL_CODE(FILE_DEVICE_UNKNOWN, function, METHOD_BUFFERED,                   \
        FILE_READ_ACCESS | FILE_WRITE_ACCESS)

enum {
    QUEUES_MAX = 8,       /* queues */
    QUEUES_NAME_MAX = 32, /* characters of a name */
    QUEUES_PACKETS = 16,  /* that a queue has room for */
};

/* Makes a queue; a ULONG, its number, and then its name, which is not ended by
 * anything. STATUS_INVALID_PARAMETER: there is no such number, or the name is
 * empty, too long or not whole; STATUS_DEVICE_BUSY: the number is taken;
 * STATUS_OBJECT_NAME_COLLISION: the name is, in whatever case. */
#define IOCTL_QUEUES_ADD QUEUES_CODE(0x800) /* 0x22E000 */

/* Removes a queue and what waits in it; a ULONG, its number.
 * STATUS_INVALID_PARAMETER, also of the next two: there is no such queue. */
#define IOCTL_QUEUES_REMOVE QUEUES_CODE(0x801) /* 0x22E004 */

/* Offers packets to a queue; struct queues_put. Those that there is no room for
 * are dropped. */
#define IOCTL_QUEUES_PUT QUEUES_CODE(0x802) /* 0x22E008 */

/* Takes packets from a queue, as many as there are at most, on the processor
 * that the request comes from; struct queues_take gives a ULONG, how many. */
#define IOCTL_QUEUES_TAKE QUEUES_CODE(0x803) /* 0x22E00C */

struct queues_put {
    ULONG Queue;
    ULONG Packets;
    ULONG Bytes; /* of each */
};

struct queues_take {
    ULONG Queue;
    ULONG Packets;
};

#endif
