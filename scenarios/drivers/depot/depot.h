/* depot.h - what programs and the driver depot say to each other: device
 * controls of \\.\Depot. Programs include <windows.h> and <winioctl.h> first,
 * drivers <ntddk.h>. */
#ifndef DEPOT_H
#define DEPOT_H

#define DEPOT_CODE(function)                                                   \
    CTL_CODE(FILE_DEVICE_UNKNOWN, function, METHOD_BUFFERED,                   \
        FILE_READ_ACCESS | FILE_WRITE_ACCESS)

enum { DEPOT_PLACES = 64 };

/* All three: STATUS_INVALID_PARAMETER if there is no such place.
 *
 * Puts something to a place; struct depot_put, with bytes.
 * STATUS_DEVICE_BUSY: something is there; STATUS_INVALID_PARAMETER: no bytes.
 */
#define IOCTL_DEPOT_PUT DEPOT_CODE(0x800) /* 0x22E000 */

/* Looks for something; a ULONG, its place, gives a ULONG, its bytes.
 * STATUS_NOT_FOUND: nothing is there. */
#define IOCTL_DEPOT_GET DEPOT_CODE(0x801) /* 0x22E004 */

/* Takes it away; a ULONG, its place. STATUS_NOT_FOUND: nothing is there. */
#define IOCTL_DEPOT_DROP DEPOT_CODE(0x802) /* 0x22E008 */

struct depot_put {
    ULONG Place;
    ULONG Bytes;
};

#endif
