/* wired.h - what a program asks wired: the control codes and their inputs. */
#ifndef WIRED_H
#define WIRED_H

#define WIRED_CODE(number)                                                     \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800 + (number), METHOD_BUFFERED,           \
        FILE_ANY_ACCESS)

#define IOCTL_WIRED_CONNECT WIRED_CODE(0)    /* 222000: struct wired_connect */
#define IOCTL_WIRED_DISCONNECT WIRED_CODE(1) /* 222004: a ULONG: which */
#define IOCTL_WIRED_COUNTS WIRED_CODE(2) /* 222008: out struct wired_counts */
#define IOCTL_WIRED_TAKE WIRED_CODE(3)   /* 22200C: struct wired_take */
#define IOCTL_WIRED_MISUSE WIRED_CODE(4) /* 222010: a ULONG: WIRED_MISUSE_* */

enum { WIRED_INTERRUPTS = 4 };

struct wired_connect {
    ULONG which;   /* below WIRED_INTERRUPTS */
    ULONG version; /* CONNECT_* */
    ULONG vector, irql, synchronize_irql, latched, shared, mask, group;
    ULONG lock; /* 1: a spin lock of the driver's own */
    ULONG how;  /* WIRED_* */
};

#define WIRED_CLAIMS 1     /* the service routine returns TRUE */
#define WIRED_DPC 2        /* and asks for the device's DPC, twice */
#define WIRED_LONG 4       /* and stays too long */
#define WIRED_RAISES 8     /* and returns at another level */
#define WIRED_NO_DEVICE 16 /* no device is given */
#define WIRED_PAGED 32     /* the routine is in pageable code */
#define WIRED_OTHER 64     /* it is of another device, made for it */
#define WIRED_NO_CODE 128  /* there is no routine */
#define WIRED_DISABLES 256 /* it returns with interrupts disabled */

struct wired_counts {
    ULONG services[WIRED_INTERRUPTS];
    ULONG level;     /* of the service routine that ran last */
    ULONG processor; /* where */
    ULONG order;     /* of the last calls: 4 bits each, which + 1, or this: */
#define WIRED_IN_DPC 15U
    ULONG dpcs;
    ULONG dpc_right; /* it was given device, request and context */
    ULONG taken;     /* at what level the lock was taken last */
    ULONG overlaps;  /* services while it was held */
};

/* The lock of an interrupt is taken, for so long, and given back. */
struct wired_take {
    ULONG which, microseconds;
    ULONG by;     /* 0: KeAcquireInterruptSpinLock, 1: KeSynchronizeExecution */
    ULONG result; /* of that routine */
};

#define WIRED_MISUSE_OBJECT 0   /* no interrupt object */
#define WIRED_MISUSE_ABOVE 1    /* above its level */
#define WIRED_MISUSE_TWICE 2    /* taken, and taken again */
#define WIRED_MISUSE_NOT_HELD 3 /* given back, and not taken */
#define WIRED_MISUSE_LEVEL 4    /* given back at another level */
#define WIRED_MISUSE_ROUTINE 5  /* KeSynchronizeExecution of no code */

#endif
