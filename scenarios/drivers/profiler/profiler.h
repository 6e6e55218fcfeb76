/* profiler.h - what programs and the driver profiler say to each other: device
 * controls of \\.\Profiler. Programs include <windows.h> and <winioctl.h>
 * first, drivers <ntddk.h>. */
#ifndef PROFILER_H
#define PROFILER_H

#define PROFILER_CODE(function)                                                \
    CTL_CODE(FILE_DEVICE_UNKNOWN, function, METHOD_BUFFERED,                   \
        FILE_READ_ACCESS | FILE_WRITE_ACCESS)

/* Records where instructions in ring 3 are from now on, on every processor;
 * struct profiler_start. STATUS_PROFILING_NOT_STOPPED: it does already;
 * STATUS_INVALID_PARAMETER; STATUS_NOT_SUPPORTED: this Windows or this
 * processor has no event buffers; STATUS_INSUFFICIENT_RESOURCES: another driver
 * has the counter, or memory is short. What was recorded before is lost. */
#define IOCTL_PROFILER_START PROFILER_CODE(0x800) /* 0x22E000 */

/* Stops; what was recorded stays. STATUS_PROFILING_NOT_STARTED. */
#define IOCTL_PROFILER_STOP PROFILER_CODE(0x801) /* 0x22E004 */

/* Takes the samples of all processors and says how many lay in each function:
 * an array of struct profiler_function gives a struct profiler_shares with as
 * many counts. STATUS_BUFFER_TOO_SMALL: there is no room for them. */
#define IOCTL_PROFILER_ATTRIBUTE PROFILER_CODE(0x802) /* 0x22E008 */

#define PROFILER_PERIOD_MIN 1000UL
#define PROFILER_PERIOD_MAX 0x7FFFFFFFUL
#define PROFILER_CAPACITY_MAX 65536UL
#define PROFILER_FUNCTIONS_MAX 16UL

struct profiler_start {
    ULONG Period;    /* instructions from one sample to the next */
    ULONG Threshold; /* samples from one interrupt to the next, at most */
    ULONG Capacity;  /* samples that a processor keeps */
};

struct profiler_function {
    ULONG64 Begin, End; /* addresses; End is behind it */
};

struct profiler_shares {
    ULONG Samples; /* that were taken, in functions or not */
    ULONG Lost;    /* for which there was no room */
    ULONG InFunction[ANYSIZE_ARRAY];
};

#endif
