/* pmuctl.h - what programs and the driver pmuctl say to each other: device
 * controls of \\.\PmuCtl. Programs include <windows.h> and <winioctl.h> first,
 * drivers <ntddk.h>. */
#ifndef PMUCTL_H
#define PMUCTL_H

#define PMUCTL_CODE(function)                                                  \
    CTL_CODE(FILE_DEVICE_UNKNOWN, function, METHOD_BUFFERED,                   \
        FILE_READ_ACCESS | FILE_WRITE_ACCESS)

/* Takes the PMU of all processors. STATUS_DEVICE_BUSY: it is taken already;
 * STATUS_INSUFFICIENT_RESOURCES: by another driver. */
#define IOCTL_PMUCTL_RESERVE PMUCTL_CODE(0x800) /* 0x22E000 */

/* Stops all counters and gives the PMU back. STATUS_ACCESS_DENIED, also of the
 * next two: it was not taken. */
#define IOCTL_PMUCTL_RELEASE PMUCTL_CODE(0x801) /* 0x22E004 */

/* Starts a counter; struct pmuctl_program. STATUS_INVALID_PARAMETER: there is
 * no such processor, counter or count; or the select asks for an interrupt. */
#define IOCTL_PMUCTL_PROGRAM PMUCTL_CODE(0x802) /* 0x22E008 */

/* Reads a counter; struct pmuctl_counter gives struct pmuctl_count. */
#define IOCTL_PMUCTL_READ PMUCTL_CODE(0x803) /* 0x22E00C */

/* Reads any register; struct pmuctl_register gives a ULONG64. A register that
 * is not there: the status of the exception, STATUS_PRIVILEGED_INSTRUCTION. */
#define IOCTL_PMUCTL_RDMSR PMUCTL_CODE(0x804) /* 0x22E010 */

struct pmuctl_program {
    ULONG Processor; /* system-wide index, in all of these */
    ULONG Counter;
    ULONG64 Select; /* as in IA32_PERFEVTSELn */
    LONG64 Initial; /* fits 32 bits with its sign */
};

struct pmuctl_counter {
    ULONG Processor;
    ULONG Counter;
};

struct pmuctl_count {
    ULONG64 Value;
    ULONG64 Select;
    ULONG64 Overflowed; /* 1: it has wrapped */
};

struct pmuctl_register {
    ULONG Processor;
    ULONG Index;
};

#endif
