/* asked.h - what programs ask asked: the control codes and their inputs. */
#ifndef ASKED_H
#define ASKED_H

#define ASKED_CODE(number)                                                     \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800 + (number), METHOD_BUFFERED,           \
        FILE_ANY_ACCESS)

#define IOCTL_ASKED_ANSWER ASKED_CODE(0) /* 222000: struct asked_answer */
#define IOCTL_ASKED_DEVICE ASKED_CODE(1) /* 222004: struct asked_device */
#define IOCTL_ASKED_DELETE ASKED_CODE(2) /* 222008: the device made last */
#define IOCTL_ASKED_LINK ASKED_CODE(3)   /* 22200C: struct asked_link */
#define IOCTL_ASKED_UNLINK ASKED_CODE(4) /* 222010: its name in ASCII */
#define IOCTL_ASKED_STRING ASKED_CODE(5) /* 222014: struct asked_string */
#define IOCTL_ASKED_OBJECT ASKED_CODE(6) /* 222018: out struct asked_object */
#define IOCTL_ASKED_CREATES                                                    \
    ASKED_CODE(7) /* 22201C: what creates are completed with from now on, and  \
                     what their routine returns; alone it is both */
#define IOCTL_ASKED_RELEASE                                                    \
    ASKED_CODE(8) /* 222020: struct asked_answer, for the request kept first   \
                   */
#define IOCTL_ASKED_CLEANUP                                                    \
    ASKED_CODE(9) /* 222024: ASKED_CLEANUP_*: what a cleanup does from now on  \
                   */

#define IOCTL_ASKED_PRINT ASKED_CODE(10) /* 222028: struct asked_print */
#define IOCTL_ASKED_WHO ASKED_CODE(11)   /* 22202C: out struct asked_who */
#define IOCTL_ASKED_PAGED                                                      \
    ASKED_CODE(12) /* 222030: a level for PAGED_CODE, and one behind it */

#define IOCTL_ASKED_WAIT ASKED_CODE(13) /* 222034: struct asked_wait */
#define IOCTL_ASKED_SET                                                        \
    ASKED_CODE(14) /* 222038: a ULONG: 1: a pulse of what they wait for */
#define IOCTL_ASKED_LOOK_UP ASKED_CODE(15) /* 22203C: struct asked_lookup */
#define IOCTL_ASKED_SYNCH                                                      \
    ASKED_CODE(16) /* 222040: out a ULONG: the level of                        \
                      KeRaiseIrqlToSynchLevel, and another: that behind it */

#define IOCTL_ASKED_REQUESTOR                                                  \
    ASKED_CODE(17) /* 222044: out struct asked_requestor */

/* What a request is done to. */
#define ASKED_MARK 1      /* IoMarkIrpPending */
#define ASKED_LEAVE 2     /* it is not completed */
#define ASKED_TWICE 4     /* it is completed twice */
#define ASKED_UNTOUCHED 8 /* nothing is written into its buffer */
#define ASKED_KEEP 16     /* it is left, to be completed later */
#define ASKED_CANCEL 32   /* it gets a cancel routine, which stays */
#define ASKED_FILL 0x3C

/* What a cleanup does, in which order. */
#define ASKED_CLEANUP_SELF 1    /* completes the IRP of the cleanup */
#define ASKED_CLEANUP_CANCELS 2 /* and before it what was kept of its file */
#define ASKED_NO_UNLOAD 4       /* and the driver has no DriverUnload */

struct asked_answer {
    NTSTATUS completed, returned;
    ULONG information;
    ULONG how; /* ASKED_*; else the output is filled with ASKED_FILL */
};

struct asked_device {
    ULONG exclusive;
    ULONG ready;              /* DO_DEVICE_INITIALIZING is cleared */
    CHAR name[ANYSIZE_ARRAY]; /* ASCII, to the input's end; none: no name */
};

struct asked_link {
    ULONG length;             /* of the name */
    CHAR name[ANYSIZE_ARRAY]; /* ASCII, and behind it the target */
};

/* DbgPrint of a format that has two arguments. */
struct asked_print {
    ULONG64 first, second;
    ULONG string;               /* ASKED_STRING_*: the first argument instead */
    CHAR format[ANYSIZE_ARRAY]; /* to the input's end */
};

#define ASKED_STRING_NONE 0
#define ASKED_STRING_NARROW 1  /* "narrow" */
#define ASKED_STRING_WIDE 2    /* L"wide" */
#define ASKED_STRING_UNICODE 3 /* of L"wide" the first three */
#define ASKED_STRING_ANSI 4    /* of "narrow" the first four */

/* A string of `count` characters x is initialised. */
struct asked_string {
    ULONG count; /* ULONG_MAX: NULL */
    ULONG ansi, with_nul;
};

struct asked_counted {
    USHORT length, maximum_length;
    ULONG is_source; /* Buffer is the source */
};

/* Who the request is of. */
struct asked_who {
    ULONG asked;   /* how often, of this file */
    ULONG process; /* numbers of the current ones */
    ULONG thread;
    ULONG has_teb;
};

/* Whose the request is, as long as its thread is attached to the system's
 * process. */
struct asked_requestor {
    ULONG id;       /* IoGetRequestorProcessId */
    ULONG process;  /* the number of IoGetRequestorProcess */
    ULONG current;  /* of the current process */
    ULONG own;      /* IoGetRequestorProcessId of an IRP of the driver's */
    ULONG nobody;   /* and its IoGetRequestorProcess is NULL */
    ULONG on_stack; /* a variable lies within IoGetStackLimits */
    ULONG bytes;    /* between these */
    ULONG fits;     /* IoGetRemainingStackSize is what is below it */
};

/* How the thread of the request waits; the status is that of the wait. */
struct asked_wait {
    ULONG by; /* ASKED_BY_* */
    ULONG user_mode, alertable;
    ULONG region;   /* ASKED_REGION_*, in which it waits */
    LONG64 timeout; /* 0: for ever */
};

#define ASKED_NO_TIME 1 /* a time-out of 0 */
#define ASKED_BY_EVENT 0
#define ASKED_BY_ARRAY 1
#define ASKED_BY_DELAY 2
#define ASKED_BY_HANDLE 3 /* of an event that nobody sets */
#define ASKED_BY_MUTEX 4  /* the event, by KeWaitForMutexObject */
#define ASKED_REGION_NONE 0
#define ASKED_REGION_CRITICAL 1
#define ASKED_REGION_GUARDED 2

/* A process or thread is looked up, and waited for: the status is that of the
 * lookup or of the wait. */
struct asked_lookup {
    ULONG id, thread, wait;
};

/* The device that the request was sent to. */
struct asked_object {
    ULONG flags;
    CHAR stack_size;
    UCHAR extension_was_zero;
    UCHAR is_head; /* DRIVER_OBJECT.DeviceObject is this device */
    UCHAR has_next;
};

#endif
