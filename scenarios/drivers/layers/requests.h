/* requests.h - requests of layers' own, to a device that it has by its name. */
#ifndef LAYERS_REQUESTS_H
#define LAYERS_REQUESTS_H

#include <ntddk.h>

/* A name of a request, in 16 bits. */
struct name {
    UNICODE_STRING string;
    WCHAR text[64];
};

PUNICODE_STRING name_of(struct name *name, const CHAR *ascii, ULONG length);

/* Of IOCTL_LAYERS_POINTER; NULL: there is none. */
extern PDEVICE_OBJECT target;

/* The device of the driver's control codes. */
extern PDEVICE_OBJECT own_device;

/* POINTER, DROP, ASK and IRP. */
NTSTATUS handle_request(
    ULONG code, PVOID buffer, ULONG input, ULONG_PTR *bytes);

#endif
