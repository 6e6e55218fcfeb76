/* devices.c - a driver with the counters of devices.man: those of devices by a
 * callback, those of the bus by an instance (CTR-GEN-02). */
#include "devices_driver.h"

DRIVER_INITIALIZE DriverEntry;
DRIVER_UNLOAD unload;

static BUS_COUNTERS bus;
static PPCW_INSTANCE instance;

void unload(DRIVER_OBJECT *driver)
{
    (void)driver;
    DemoCloseBus(instance);
    DemoUnregisterBus();
    DemoUnregisterDevices();
}

/* What Register does not do: version 1, whatever the headers are for
 * (CTR-GEN-03). */
static NTSTATUS register_devices(void)
{
    PCW_REGISTRATION_INFORMATION information;

    DemoInitRegistrationInformationDevices(devices_collect, NULL, &information);
    information.Version = PCW_VERSION_1;
    return PcwRegister(&DemoDevices, &information);
}

NTSTATUS DriverEntry(DRIVER_OBJECT *driver, UNICODE_STRING *path)
{
    UNICODE_STRING name = {0, 0, NULL};
    NTSTATUS status = register_devices();

    (void)path;
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = DemoRegisterBus(NULL, NULL);
    if (NT_SUCCESS(status)) {
        status = DemoCreateBus(&instance, &name, &bus);
        if (NT_SUCCESS(status)) {
            driver->DriverUnload = unload;
            return STATUS_SUCCESS;
        }
        DemoUnregisterBus();
    }
    DemoUnregisterDevices();
    return status;
}
