/* device_property.c - IoGetDeviceProperty: what the Plug and Play manager knows
 * of a device that a bus driver has reported. */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/rules.h"
#include "api/core/ruling.h"
#include "api/core/run_end.h"
#include "api/io/device.h"
#include "api/mm/copy.h"

enum {
    DEVICE_PROPERTIES = 0x17, /* DEVICE_REGISTRY_PROPERTY (wdm.h) */
    INVALID_PDO = 2,          /* of bug check 0xCA */
    PROPERTY_LEGACY_BUS_TYPE = 0x0D,
    PROPERTY_BUS_NUMBER = 0x0E,
    PROPERTY_ADDRESS = 0x10,
};

/* What Plug and Play knows nothing of: a driver's device, or none at all
 * (IO-49a). */
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

/* The property's value, which is a ULONG; others end the run. */
static ULONG property_of(
    struct kernel *kernel, const struct io_pdo *pdo, ULONG property)
{
    switch (property) {
    case PROPERTY_LEGACY_BUS_TYPE:
        return pdo->interface;
    case PROPERTY_BUS_NUMBER:
        return pdo->bus;
    case PROPERTY_ADDRESS:
        return pdo->address;
    default:
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "property 0x%X of IoGetDeviceProperty is not modelled "
            "(docs/fidelity.md has those that are)",
            (unsigned)property);
    }
}

NTSTATUS IoGetDeviceProperty_body(PDEVICE_OBJECT DeviceObject,
    ULONG DeviceProperty, ULONG BufferLength, PVOID PropertyBuffer,
    PULONG ResultLength)
{
    const enum routine routine = ROUTINE_IoGetDeviceProperty;
    struct kernel *kernel = kernel_current();
    const struct io_device *device;
    ULONG value, bytes = sizeof(value);

    copy_probe(kernel, routine, ResultLength, sizeof(*ResultLength), true);
    copy_probe(kernel, routine, PropertyBuffer, BufferLength, true);
    if (DeviceProperty >= DEVICE_PROPERTIES) {
        return STATUS_INVALID_PARAMETER_2;
    }
    device = io_device_at(kernel, DeviceObject);
    if (device == NULL || !device->reported) {
        no_device(kernel, DeviceObject);
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    value = property_of(kernel, &device->pdo, DeviceProperty);
    copy_out(kernel, routine, ResultLength, &bytes, sizeof(bytes));
    if (BufferLength < bytes) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    copy_out(kernel, routine, PropertyBuffer, &value, sizeof(value));
    return STATUS_SUCCESS;
}
