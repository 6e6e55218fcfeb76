/* held.h - what programs ask held: the control codes and their inputs. */
#ifndef HELD_H
#define HELD_H

#define HELD_CODE(number, method)                                              \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0xA00 + (number), method, FILE_ANY_ACCESS)

#define IOCTL_HELD_QUEUE HELD_CODE(0, METHOD_BUFFERED) /* 222800: HELD_* */
#define IOCTL_HELD_NEXT                                                        \
    HELD_CODE(1, METHOD_BUFFERED) /* 222804: HELD_NEXT_*                       \
                                   */
#define IOCTL_HELD_START                                                       \
    HELD_CODE(2, METHOD_BUFFERED) /* 222808: a key, or 0                       \
                                   */
#define IOCTL_HELD_DONE                                                        \
    HELD_CODE(3, METHOD_BUFFERED) /* 22280C: a key, or 0                       \
                                   */
#define IOCTL_HELD_ATTRIBUTES                                                  \
    HELD_CODE(4, METHOD_BUFFERED) /* 222810: HELD_INSIDE_* */
#define IOCTL_HELD_BY_HAND                                                     \
    HELD_CODE(5, METHOD_BUFFERED)                    /* 222814: HELD_HAND_* */
#define IOCTL_HELD_ASK HELD_CODE(6, METHOD_BUFFERED) /* 222818: out 8 bytes */
#define IOCTL_HELD_CANCEL HELD_CODE(7, METHOD_BUFFERED) /* 22281C */
#define IOCTL_HELD_QUEUES                                                      \
    HELD_CODE(8, METHOD_BUFFERED) /* 222820: out 8 bytes */
#define IOCTL_HELD_START_MORE                                                  \
    HELD_CODE(10, METHOD_BUFFERED)                     /* 222828: as START */
#define IOCTL_HELD_IN HELD_CODE(9, METHOD_IN_DIRECT)   /* 222825 */
#define IOCTL_HELD_OUT HELD_CODE(9, METHOD_OUT_DIRECT) /* 222826 */
#define IOCTL_HELD_CHAIN                                                       \
    HELD_CODE(11, METHOD_BUFFERED) /* 22282C: how many MDLs of its own it gets \
                                    */
#define IOCTL_HELD_ORDER                                                       \
    HELD_CODE(12, METHOD_BUFFERED) /* 222830: out: the keys of the last four   \
                                      packets that were started, the last one  \
                                      first */

/* In a cancel-safe queue, where it stays. */
#define HELD_PLAIN 0
#define HELD_WITH_CONTEXT 1 /* which NEXT removes it by */
#define HELD_EX 2           /* IoCsqInsertIrpEx */
#define HELD_EX_REFUSED 3   /* and the driver's routine refuses it */
#define HELD_NO_QUEUE 4     /* into what is no such queue */
#define HELD_CANCELLED 5    /* it is cancelled before */
#define HELD_OWN 6          /* one of its own that nobody has sent */
#define HELD_ASTRAY 7       /* likewise, and it stands at no location */

#define HELD_NEXT_ANY 0     /* IoCsqRemoveNextIrp */
#define HELD_NEXT_CONTEXT 1 /* IoCsqRemoveIrp */
/* Likewise while the first one is being cancelled. */
#define HELD_NEXT_OF_CANCELLED 2
#define HELD_CONTEXT_OF_CANCELLED 3

/* StartIo completes its request and asks for the next one. */
#define HELD_INSIDE_NOT 0
#define HELD_INSIDE 1
#define HELD_INSIDE_DEFERRED 2 /* which comes when StartIo has returned */
#define HELD_INSIDE_HOW 0xFF
#define HELD_PLAINLY 0x100 /* nothing of it is cancelable */
#define HELD_KEY_SHIFT 16  /* not 0: the next one from inside is by that key */

/* Of START, beside the key: the request is cancelled before. */
#define HELD_START_CANCELLED 0x100

/* With a cancel routine and a list of its own. */
#define HELD_HAND_KEPT 0
#define HELD_HAND_STALE 2     /* completed, and cancelled behind that */
#define HELD_HAND_LOCK_KEPT 1 /* the routine keeps the cancel spin lock */
#define HELD_HAND_ASTRAY 3    /* it stands at no location any more */

/* Of CANCEL: at DISPATCH_LEVEL. */
#define HELD_CANCEL_RAISED 1

#endif
