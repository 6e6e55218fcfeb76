/* worker.h - what programs and the driver worker say to each other: device
 * controls of \\.\Worker. */
#ifndef WORKER_H
#define WORKER_H

/* Has the thread do one piece of work, and waits for it. Gives a struct
 * worker_answer. */
#define IOCTL_WORKER_DO                                                        \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800, METHOD_BUFFERED,                      \
        FILE_READ_ACCESS | FILE_WRITE_ACCESS) /* 0x22E000 */

struct worker_answer {
    ULONG Done;     /* pieces of work so far */
    ULONG IsThread; /* 1: it was done by the thread that was made for it */
    ULONG Id;       /* the thread's number */
};

#endif
