/* ticker.h - what programs and the driver ticker say to each other: device
 * controls of \\.\Ticker. */
#ifndef TICKER_H
#define TICKER_H

#define TICKER_CODE(function)                                                  \
    CTL_CODE(FILE_DEVICE_UNKNOWN, function, METHOD_BUFFERED,                   \
        FILE_READ_ACCESS | FILE_WRITE_ACCESS)

/* Starts ticking on all processors; struct ticker_start. The status of
 * HalAllocateHardwareCounters or HalSetSystemInformation, if they refuse;
 * STATUS_DEVICE_BUSY: it ticks already. */
#define IOCTL_TICKER_START TICKER_CODE(0x800) /* 0x22E000 */

/* Stops, and gives the PMU back. */
#define IOCTL_TICKER_STOP TICKER_CODE(0x801) /* 0x22E004 */

/* How often a processor has ticked; a ULONG, its index, gives a ULONG. */
#define IOCTL_TICKER_READ TICKER_CODE(0x802) /* 0x22E008 */

struct ticker_start {
    ULONG Period; /* instructions from tick to tick, below 2^31 */
    ULONG ByNmi;  /* 1: by nonmaskable interrupts, which no level holds back */
};

#endif
