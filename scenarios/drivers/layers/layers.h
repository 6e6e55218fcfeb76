/* layers.h - what programs ask layers: the control codes and their inputs. */
#ifndef LAYERS_H
#define LAYERS_H

#define LAYERS_CODE(number)                                                    \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x900 + (number), METHOD_BUFFERED,           \
        FILE_ANY_ACCESS)

#define IOCTL_LAYERS_ATTACH LAYERS_CODE(0)  /* 222400: struct layers_attach */
#define IOCTL_LAYERS_PASS LAYERS_CODE(1)    /* 222404: LAYERS_* from now on */
#define IOCTL_LAYERS_DETACH LAYERS_CODE(2)  /* 222408 */
#define IOCTL_LAYERS_DELETE LAYERS_CODE(3)  /* 22240C: the attached device */
#define IOCTL_LAYERS_LOOK LAYERS_CODE(4)    /* 222410: out struct layers_look */
#define IOCTL_LAYERS_POINTER LAYERS_CODE(5) /* 222414: a name in ASCII */
#define IOCTL_LAYERS_DROP                                                      \
    LAYERS_CODE(6) /* 222418: 0: the file object, 1: the device, 2: the device \
                      with a reference of its own, 3: the lower one of it */
#define IOCTL_LAYERS_ASK LAYERS_CODE(7)  /* 22241C: struct layers_ask */
#define IOCTL_LAYERS_SEEN LAYERS_CODE(8) /* 222420: out struct layers_seen */
#define IOCTL_LAYERS_IRP LAYERS_CODE(9)  /* 222424: LAYERS_IRP_* */

/* How the device is attached. */
#define LAYERS_BY_STACK 0
#define LAYERS_BY_SAFE 1
#define LAYERS_BY_NAME 2
#define LAYERS_BY_STACK_TWICE 3 /* and once more, which fails */

struct layers_attach {
    ULONG by;
    ULONG flags; /* of the device: DO_BUFFERED_IO, DO_DIRECT_IO */
    ULONG type;  /* DeviceType */
    CHAR name[ANYSIZE_ARRAY];
};

/* What the attached device does with a request. */
#define LAYERS_SKIP 0
#define LAYERS_COPY 1
#define LAYERS_ROUTINE 2    /* copies, with a completion routine */
#define LAYERS_WAIT 3       /* likewise, waits for it and completes it */
#define LAYERS_ANSWER 4     /* completes it with STATUS_UNSUCCESSFUL */
#define LAYERS_LATER 5      /* pends it, and a work item sends it on */
#define LAYERS_ASSOCIATED 6 /* completes it with an associated request */
#define LAYERS_HOW 0xFF
#define LAYERS_FORGETS 0x100         /* the routine does not mark it pending */
#define LAYERS_SKIP_MARKED 0x200     /* marks it pending, and skips */
#define LAYERS_SKIP_ROUTINE 0x400    /* skips, and sets a routine */
#define LAYERS_COPY_ALL 0x800        /* all of the location */
#define LAYERS_RAISES 0x1000         /* the routine returns at DISPATCH_LEVEL */
#define LAYERS_CANCELABLE 0x2000     /* with a cancel routine */
#define LAYERS_ON_ERROR_ALONE 0x4000 /* the routine is not for success */
#define LAYERS_PAGED 0x8000          /* the routine is in pageable code */
#define LAYERS_AGAIN 0x10000         /* sends it down without a location */
#define LAYERS_MASTER_FIRST 0x20000  /* completes it before its part */
#define LAYERS_TWO_PARTS 0x40000     /* with two of them */
#define LAYERS_LEAVES 0x80000        /* the device is left at the unload */

struct layers_look {
    CHAR stack_size;     /* of the attached device */
    UCHAR attached;      /* the lower device's AttachedDevice is it */
    UCHAR top;           /* IoGetAttachedDevice of the lower one is it */
    UCHAR top_reference; /* and of IoGetAttachedDeviceReference */
    UCHAR lower;         /* IoGetLowerDeviceObject is the lower one */
    UCHAR none;          /* and of that there is none */
    UCHAR related; /* IoGetRelatedDeviceObject of the file is its device */
};

/* What the completion routines saw. */
struct layers_seen {
    ULONG routines;  /* calls */
    NTSTATUS status; /* of the last one */
    ULONG_PTR information;
    UCHAR pending, device; /* PendingReturned, a DeviceObject was given */
    UCHAR zeroed;          /* the location below it was */
    UCHAR majors[5];       /* of the last requests to the attached device */
};

/* A request of its own to the device of IOCTL_LAYERS_POINTER. */
#define LAYERS_BUILT 0          /* IoBuildDeviceIoControlRequest */
#define LAYERS_ALLOCATED 1      /* IoAllocateIrp */
#define LAYERS_INITIALIZED 2    /* IoInitializeIrp, in the pool */
#define LAYERS_SYNCHRONOUS 3    /* IoBuildSynchronousFsdRequest */
#define LAYERS_ASYNCHRONOUS 4   /* IoBuildAsynchronousFsdRequest */
#define LAYERS_INTERNAL 5       /* as 0, an internal one */
#define LAYERS_FREED 0x100      /* IoFreeIrp of what it may not free */
#define LAYERS_GOES_ON 0x200    /* the routine lets it go on */
#define LAYERS_SHORT 0x400      /* one stack location less */
#define LAYERS_KEPT 0x800       /* it is not freed */
#define LAYERS_UNSENT 0x1000    /* it is completed instead of sent */
#define LAYERS_REUSED 0x2000    /* IoReuseIrp, and sent again */
#define LAYERS_EARLY 0x4000     /* freed while it is pending */
#define LAYERS_OWN 0x8000       /* a location of its own */
#define LAYERS_NO_BLOCK 0x10000 /* the status block is freed memory */
#define LAYERS_NO_EVENT 0x20000
#define LAYERS_POWER 0x40000     /* PoCallDriver */
#define LAYERS_UNLOCKS 0x80000   /* the routine unlocks and frees its MDL */
#define LAYERS_SAFE 0x100000     /* IoSetCompletionRoutineEx; of a built one */
                                 /* it is not for success */
#define LAYERS_KEEPS 0x200000    /* a built one has the routine, too */
#define LAYERS_FREES_ON 0x400000 /* the routine frees it and lets it go on */
#define LAYERS_MOVES 0x800000    /* the routine moves it, and so */
#define LAYERS_CANCELLED                                                       \
    0x1000000                     /* the routine is for that alone, and it is  \
                                   */
#define LAYERS_ON_ERROR 0x2000000 /* the routine is for errors alone */
#define LAYERS_UNKNOWN 0x4000000  /* a major function that there is not */

struct layers_ask {
    ULONG how;
    ULONG code; /* a control code, or a major function */
    ULONG output;
    ULONG unused;
    UCHAR input[ANYSIZE_ARRAY];
};

/* What the completion routine was given. */
#define LAYERS_NO_DEVICE 1
#define LAYERS_DEVICE 2

struct layers_answer {
    NTSTATUS returned, status;
    ULONG information;
    ULONG signaled;
    UCHAR output[8]; /* the last: LAYERS_DEVICE where a routine has ended it */
};

/* IRPs without a device. */
#define LAYERS_IRP_REUSE_BUILT 0    /* IoReuseIrp of what another one made */
#define LAYERS_IRP_INIT_ALLOCATED 1 /* IoInitializeIrp of an allocated one */
#define LAYERS_IRP_INIT_SMALL 2     /* with a size that is too small */
#define LAYERS_IRP_FREE_RAW 3       /* IoFreeIrp of an initialised one */
#define LAYERS_IRP_NO_STACK 4       /* IoAllocateIrp(0), and sent */
#define LAYERS_IRP_NOT_ONE 5        /* IofCallDriver of what is no IRP */
#define LAYERS_IRP_NO_DEVICE 6      /* IofCallDriver to no device */
#define LAYERS_IRP_POWER 7     /* PoStartNextPowerIrp, which does nothing */
#define LAYERS_IRP_LEFT 8      /* IoAllocateIrp, and left */
#define LAYERS_IRP_UNSENT 9    /* IoSetCompletionRoutineEx, and freed unsent */
#define LAYERS_IRP_MARKED 10   /* IoMarkIrpPending without a location */
#define LAYERS_IRP_TOO_MANY 11 /* with more locations than there can be */
#define LAYERS_IRP_AGAIN 12    /* IoInitializeIrp twice, beside what is freed */
#define LAYERS_IRP_MDL 13      /* an initialised one goes, and its MDL stays */
/* IoValidateDeviceIoControlAccess, whose status it is: of one that nobody has
 * sent, of a file system control of the kernel's, of a program's by no file. */
#define LAYERS_IRP_ASKED_ABOVE 14
#define LAYERS_IRP_ASKED_KERNEL 15
#define LAYERS_IRP_ASKED_NOBODY 16
/* It stands at no location: asked as above, sent, completed, and given a
 * routine by IoSetCompletionRoutineEx; likewise at the last one. */
#define LAYERS_IRP_ASKED_ASTRAY 17
#define LAYERS_IRP_SENT_ASTRAY 18
#define LAYERS_IRP_ENDED_ASTRAY 19
#define LAYERS_IRP_SAFE_ASTRAY 20
#define LAYERS_IRP_SAFE_NO_STACK 21
#define LAYERS_IRP_CANCELLED 22 /* its cancel routine is called */
/* IoCancelIrp and IoCompleteRequest of an address in one that was freed. */
#define LAYERS_IRP_CANCEL_INSIDE 23
#define LAYERS_IRP_END_INSIDE 24
#define LAYERS_IRP_CANCEL_NOT_ONE 25 /* and of other memory */
/* What is built has its buffers, and of what cannot be there is NULL. */
#define LAYERS_IRP_BUILD_NEITHER 26
#define LAYERS_IRP_BUILD_DIRECT 27
#define LAYERS_IRP_BUILD_NO_BUFFER 28 /* direct, buffers that are none */
#define LAYERS_IRP_BUILD_TOO_LARGE 29 /* buffered, of 2 GB */
#define LAYERS_IRP_BUILD_NO_STACK 30  /* for a device without locations */
#define LAYERS_IRP_BUILD_TRANSFER 31  /* reads and writes without an offset */
#define LAYERS_IRP_SAFE_TWICE                                                  \
    32 /* IoSetCompletionRoutineEx twice, and freed                            \
        */
/* Routines that are given what is no driver object, or no file object. */
#define LAYERS_IRP_NO_DRIVER 33
#define LAYERS_IRP_NO_DRIVER_EXTENSION 34
#define LAYERS_IRP_NO_FILE 35
#define LAYERS_IRP_STACK_OF_127 36 /* its own device says so */
#define LAYERS_IRP_STACK_OF_0 37
#define LAYERS_IRP_TOO_LARGE 38    /* a device, an extension of 2 GB */
#define LAYERS_IRP_WORK_AGAIN 39   /* IoInitializeWorkItem twice */
#define LAYERS_IRP_STACK_OF_126 41 /* that of the target */
#define LAYERS_IRP_WORK_NONE 40    /* IoQueueWorkItem of what is none */

#endif
