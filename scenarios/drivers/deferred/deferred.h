/* deferred.h - what programs ask of the driver. */
#ifndef DEFERRED_DEFERRED_H
#define DEFERRED_DEFERRED_H

/* In: the period in milliseconds. */
#define IOCTL_DEFERRED_START                                                   \
    CTL_CODE(0x22, 0x800, METHOD_BUFFERED, FILE_ANY_ACCESS)
#define IOCTL_DEFERRED_STOP                                                    \
    CTL_CODE(0x22, 0x801, METHOD_BUFFERED, FILE_ANY_ACCESS)
/* Out: struct deferred_counts. */
#define IOCTL_DEFERRED_READ                                                    \
    CTL_CODE(0x22, 0x802, METHOD_BUFFERED, FILE_ANY_ACCESS)
/* In: 1 starts the timer of the device, 0 stops it, else neither. Out: how
 * often its routine has run. */
#define IOCTL_DEFERRED_SECONDS                                                 \
    CTL_CODE(0x22, 0x803, METHOD_BUFFERED, FILE_ANY_ACCESS)

struct deferred_counts {
    unsigned int dpcs, items;
};

#endif
