/* signaler.h - what programs ask signaler for. */
#ifndef SIGNALER_H
#define SIGNALER_H

#define SIGNALER_DEVICE L"\\Device\\Signaler"
#define SIGNALER_LINK L"\\DosDevices\\Signaler"

/* Input: the handle of an event, which is set with each tick from then on. */
#define IOCTL_SIGNALER_USE                                                     \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800, METHOD_BUFFERED, FILE_ANY_ACCESS)
/* Sets it. */
#define IOCTL_SIGNALER_TICK                                                    \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x801, METHOD_BUFFERED, FILE_ANY_ACCESS)
/* Lets it go. */
#define IOCTL_SIGNALER_FORGET                                                  \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x802, METHOD_BUFFERED, FILE_ANY_ACCESS)
/* Output: what it knows of itself by its names, a ULONG of SIGNALER_KNOWS_*. */
#define IOCTL_SIGNALER_KNOWS                                                   \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x803, METHOD_BUFFERED, FILE_ANY_ACCESS)

enum {
    SIGNALER_KNOWS_DRIVER = 1, /* ObReferenceObjectByName found it */
    SIGNALER_KNOWS_NAME = 2,   /* ObQueryNameString gave \Driver\... */
    SIGNALER_KNOWS_HANDLE = 4, /* ObOpenObjectByPointer opened it */
    SIGNALER_REFUSES_TYPE = 8, /* of another type it was refused */
};

#endif
