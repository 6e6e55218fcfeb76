/* odd.h - requests that layers makes and does not send, or not well. */
#ifndef LAYERS_ODD_H
#define LAYERS_ODD_H

#include <ntddk.h>

/* LAYERS_IRP_TOO_MANY and what comes behind it. STATUS_UNSUCCESSFUL: it was not
 * as it says; where nothing else is said there STATUS_SUCCESS. */
NTSTATUS odd_irps(ULONG what, PDEVICE_OBJECT own, PDEVICE_OBJECT target);

#endif
