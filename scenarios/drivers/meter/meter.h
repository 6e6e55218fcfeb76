/* meter.h - what programs and the driver meter say to each other: device
 * controls of \\.\Meter. Programs include <windows.h> and <winioctl.h> first,
 * drivers <ntddk.h>. */
#ifndef METER_H
#define METER_H

#define METER_CODE(function)                                                   \
    CTL_CODE(FILE_DEVICE_UNKNOWN, function, METHOD_BUFFERED,                   \
        FILE_READ_ACCESS | FILE_WRITE_ACCESS)

enum { METER_JOBS = 16 };

/* A job begins; a ULONG, its number. STATUS_INVALID_PARAMETER: there is no such
 * number; STATUS_DEVICE_BUSY: it has begun already. */
#define IOCTL_METER_BEGIN METER_CODE(0x800) /* 0x22E000 */

/* A job ends, and is counted; a ULONG, its number. STATUS_INVALID_PARAMETER:
 * there is no such number, or it has not begun. */
#define IOCTL_METER_END METER_CODE(0x801) /* 0x22E004 */

#endif
