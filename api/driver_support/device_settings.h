/* device_settings.h - what the registry has for devices of a class (IO-10c). */
#ifndef API_DRIVER_SUPPORT_DEVICE_SETTINGS_H
#define API_DRIVER_SUPPORT_DEVICE_SETTINGS_H

#include <ntifs.h>

struct device_settings {
    DEVICE_TYPE type;
    ULONG characteristics;
    BOOLEAN exclusive;
    PSECURITY_DESCRIPTOR security; /* of the paged pool; NULL: none */
};

/* Whoever has read the settings frees the descriptor with it. */
enum { DEVICE_SETTINGS_TAG = 'cesW' };

/* Those of the class instead, where its key in the registry has some;
 * `security` is NULL before. STATUS_INSUFFICIENT_RESOURCES, and what keys are
 * refused with. */
NTSTATUS device_settings_read(
    const GUID *class_guid, struct device_settings *settings);

#endif
