/* sampler.h - what programs and the driver sampler say to each other: device
 * controls of \\.\Sampler. Programs include <windows.h> and <winioctl.h> first,
 * drivers <ntddk.h>. */
#ifndef SAMPLER_H
#define SAMPLER_H

#define SAMPLER_CODE(function)                                                 \
    CTL_CODE(FILE_DEVICE_UNKNOWN, function, METHOD_BUFFERED,                   \
        FILE_READ_ACCESS | FILE_WRITE_ACCESS)

/* Samples from now on, on every processor; struct sampler_start.
 * STATUS_PROFILING_NOT_STOPPED: it runs already; STATUS_INVALID_PARAMETER;
 * STATUS_NOT_SUPPORTED: this Windows or this processor cannot do it;
 * STATUS_INSUFFICIENT_RESOURCES: another driver has the counter, or memory is
 * short. But for the first two, what an earlier run has left is lost. */
#define IOCTL_SAMPLER_START SAMPLER_CODE(0x800) /* 0x22E000 */

/* Stops; the samples stay. STATUS_PROFILING_NOT_STARTED: it does not run. */
#define IOCTL_SAMPLER_STOP SAMPLER_CODE(0x801) /* 0x22E004 */

/* Takes the oldest samples of a processor, at most as many as there is room
 * for; struct sampler_read gives an array of struct sampler_sample.
 * STATUS_INVALID_PARAMETER: there is no such processor. */
#define IOCTL_SAMPLER_READ SAMPLER_CODE(0x802) /* 0x22E008 */

#define SAMPLER_USER 0x10000UL   /* counts in ring 3 */
#define SAMPLER_KERNEL 0x20000UL /* and in ring 0 */

#define SAMPLER_PERIOD_MIN 1000UL
#define SAMPLER_PERIOD_MAX 0x7FFFFFFFUL
#define SAMPLER_CAPACITY_MAX 65536UL

struct sampler_start {
    ULONG Select;   /* event, unit mask << 8, SAMPLER_USER, SAMPLER_KERNEL */
    ULONG Period;   /* events from one sample to the next */
    ULONG Capacity; /* samples that a processor keeps */
};

struct sampler_read {
    ULONG Processor; /* system-wide index */
};

struct sampler_sample {
    ULONG64 OverflowBits;
    ULONG Processor;
    ULONG Sequence; /* from 0; a gap: there was no room for a sample */
    ULONG64 Count;  /* events since the overflow */
};

#endif
