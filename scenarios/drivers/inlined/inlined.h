/* inlined.h - what programs ask inlined: the control codes and their answers.
 */
#ifndef INLINED_H
#define INLINED_H

#define INLINED_CODE(number)                                                   \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800 + (number), METHOD_BUFFERED,           \
        FILE_ANY_ACCESS)

#define IOCTL_INLINED_TIMES INLINED_CODE(0) /* 222000: out inlined_times */
#define IOCTL_INLINED_USE                                                      \
    INLINED_CODE(1) /* 222004: a ULONG, INLINED_*: out a ULONG, how often */

#define IOCTL_INLINED_NAMES INLINED_CODE(2) /* 222008: out inlined_names */

#define INLINED_SPIN_LOCK 0
#define INLINED_SHARED_LOCK 1
#define INLINED_FAST_MUTEX 2
#define INLINED_WORK_ITEM 3
#define INLINED_RECORD 4
#define INLINED_IO_ITEM 5 /* which is not in line */

/* As the driver's own code reads them. */
struct inlined_times {
    ULONG64 interrupt, system, ticks, bias;
};

/* What came of the names for others. */
struct inlined_names {
    ULONG owned;    /* a mutex, by KeWaitForMutexObject */
    ULONG acquired; /* a resource, by ExIsResourceAcquiredLite */
    ULONG thread;   /* ExGetCurrentResourceThread is the thread */
    ULONG removed;  /* IoAcquireRemoveLock fails behind the removal */
    ULONG pushed;   /* both ways of a push lock were had */
    ULONG dpcs;     /* of the device, two requests before it runs: 1 */
};

#endif
