/* filter.h - what programs ask filter, by the device that it stands on. */
#ifndef FILTER_H
#define FILTER_H

#define IOCTL_FILTER_COUNTS                                                    \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0xB00, METHOD_BUFFERED,                      \
        FILE_ANY_ACCESS) /* 222C00: out struct filter_counts */

struct filter_counts {
    ULONG requests, successes, errors, pending;
};

#endif
