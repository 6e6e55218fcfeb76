/* control_device.h - the device through which programs ask a sample driver: it
 * has a name and a link, and no extension. pmuctl, which has one, makes its
 * own. For the one source of a driver that has DriverEntry. */
#ifndef CONTROL_DEVICE_H
#define CONTROL_DEVICE_H

#include <ntddk.h>

static NTSTATUS control_device_make(
    PDRIVER_OBJECT driver, PCWSTR name, PCWSTR link, BOOLEAN exclusive)
{
    UNICODE_STRING device_name, link_name;
    PDEVICE_OBJECT object;
    NTSTATUS status;

    RtlInitUnicodeString(&device_name, name);
    RtlInitUnicodeString(&link_name, link);
    status = IoCreateDevice(driver, 0, &device_name, FILE_DEVICE_UNKNOWN,
        FILE_DEVICE_SECURE_OPEN, exclusive, &object);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = IoCreateSymbolicLink(&link_name, &device_name);
    if (!NT_SUCCESS(status)) {
        IoDeleteDevice(object);
    }
    return status;
}

/* Of the driver that made it, which has no other device. */
static inline void control_device_remove(PDRIVER_OBJECT driver, PCWSTR link)
{
    UNICODE_STRING link_name;

    RtlInitUnicodeString(&link_name, link);
    IoDeleteSymbolicLink(&link_name);
    IoDeleteDevice(driver->DeviceObject);
}

#endif
