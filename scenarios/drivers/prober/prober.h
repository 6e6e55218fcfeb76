/* prober.h - what programs ask prober: one touch of their memory. */
#ifndef PROBER_H
#define PROBER_H

#define PROBER_TOUCH 0x800 /* 222000: struct prober_touch, with its check */
#define PROBER_KEEP 0x801  /* 222004: the same, and the request is kept */
#define PROBER_DONE 0x802  /* 222008: what is kept is completed */

/* How the memory is checked before. */
enum {
    PROBER_UNCHECKED = 0,
    PROBER_READ = 1,        /* ProbeForRead */
    PROBER_WRITE = 2,       /* ProbeForWrite */
    PROBER_LOCK_USER = 3,   /* MmProbeAndLockPages for UserMode */
    PROBER_LOCK_KERNEL = 4, /* for KernelMode, which checks nothing */
    PROBER_SECURE = 5,      /* MmSecureVirtualMemory */
    PROBER_APART = 6,       /* ProbeForRead of as many bytes behind a gap of as
                               many, and then of the memory */
    PROBER_APART_UP = 7,    /* the same two, the memory first */
    PROBER_UPWARDS = 8,     /* ProbeForRead of the memory, then of as many
                               bytes behind it */
    PROBER_DOWNWARDS = 9,   /* the same two, the memory last */
    PROBER_WITHIN = 10,     /* ProbeForRead of thrice as many bytes, then of
                               those in their middle */
};

/* Who touches it. */
enum {
    PROBER_LOADS = 0,    /* the driver's instructions */
    PROBER_STORES = 1,   /* they, with the byte 77h */
    PROBER_COMPARES = 2, /* RtlCompareMemory */
    PROBER_THREAD = 3,   /* loads of a thread of the system's */
    PROBER_NOBODY = 4,
};

struct prober_touch {
    UCHAR *at;
    ULONG count;   /* bytes that are touched */
    ULONG checked; /* bytes that are checked */
    ULONG how;
    ULONG who;
};

#endif
