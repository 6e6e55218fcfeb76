/* device_property.c - IoGetDeviceProperty: what the Plug and Play manager knows
 * of a device that a bus driver has reported. */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/rules.h"
#include "api/core/ruling.h"
#include "api/io/device.h"
#include "api/mm/copy.h"

enum {
    DEVICE_PROPERTIES = 0x17, /* DEVICE_REGISTRY_PROPERTY (wdm.h) */
    INVALID_PDO = 2,          /* of bug check 0xCA */
};

/* No bus driver reports devices, so whatever a driver has is none that Plug and
 * Play knows: its own device, another one's, or no device at all (IO-49a). */
static void no_device(struct kernel *kernel, const void *object)
{
    const struct io_device *device = io_device_at(kernel, object);
    const struct bugcheck_parameter parameter[4] = {
        {.value = INVALID_PDO},
        {.value = (uintptr_t)object},
        {.value = device == NULL ? 0 : (uintptr_t)device->guest->DriverObject},
    };

    if (ruling_is(kernel, RULED_IO_49b_bugcheck)) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_IO_NO_PDO,
            ROUTINE_IoGetDeviceProperty, parameter);
    }
}

NTSTATUS IoGetDeviceProperty_body(PDEVICE_OBJECT DeviceObject,
    ULONG DeviceProperty, ULONG BufferLength, PVOID PropertyBuffer,
    PULONG ResultLength)
{
    const enum routine routine = ROUTINE_IoGetDeviceProperty;
    struct kernel *kernel = kernel_current();

    copy_probe(kernel, routine, ResultLength, sizeof(*ResultLength), true);
    copy_probe(kernel, routine, PropertyBuffer, BufferLength, true);
    if (DeviceProperty >= DEVICE_PROPERTIES) {
        return STATUS_INVALID_PARAMETER_2;
    }
    no_device(kernel, DeviceObject);
    return STATUS_INVALID_DEVICE_REQUEST;
}
