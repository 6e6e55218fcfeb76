/* driven.c - drivers for what `ntpmu drive` says: each definition is a way not
 * to get through DriverEntry and DriverUnload, or a shutdown. */
#include <ntddk.h>

#include <intrin.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

#if defined(KEEPS)
/* Loads, and cannot be unloaded; its arguments lie on the stack. */
static NTSTATUS start(PDRIVER_OBJECT driver)
{
    PHYSICAL_COUNTER_RESOURCE_LIST list = {.Count = 1};
    GROUP_AFFINITY affinity = {.Mask = 1};
    HANDLE set;

    driver->DriverUnload = NULL;
    list.Descriptors[0].Type = ResourceTypeSingle;
    list.Descriptors[0].u.CounterIndex = 2;
    return HalAllocateHardwareCounters(&affinity, 1, &list, &set);
}
#elif defined(REFUSES)
static NTSTATUS start(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    return STATUS_NOT_SUPPORTED;
}
#elif defined(SPINS)
static NTSTATUS start(PDRIVER_OBJECT driver)
{
    static volatile LONG flag;

    UNREFERENCED_PARAMETER(driver);
    while (flag == 0) {
        YieldProcessor();
    }
    return STATUS_SUCCESS;
}
#elif defined(BREAKS)
static NTSTATUS start(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    __debugbreak();
    return STATUS_SUCCESS;
}
#elif defined(DISABLES)
static NTSTATUS start(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    _disable();
    return STATUS_SUCCESS;
}
#elif defined(FREES)
static NTSTATUS start(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    ExFreePool((UCHAR *)ExAllocatePoolWithTag(NonPagedPoolNx, 64, 'evrD') + 8);
    return STATUS_SUCCESS;
}
#elif defined(OVERRUNS)
/* By a byte, which the block's rounding to 16 hides from the host. */
static NTSTATUS start(PDRIVER_OBJECT driver)
{
    volatile UCHAR *block = ExAllocatePoolWithTag(NonPagedPoolNx, 5, 'evrD');

    UNREFERENCED_PARAMETER(driver);
    if (block == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    block[5] = 1;
    return STATUS_SUCCESS;
}
#elif defined(STRAYS)
static NTSTATUS start(PDRIVER_OBJECT driver)
{
    void (*volatile stray)(void) = (void (*)(void))(ULONG_PTR)0x12345678;

    UNREFERENCED_PARAMETER(driver);
    stray();
    return STATUS_SUCCESS;
}
#elif defined(ADDS)
/* Where Plug and Play asks for a device. */
static NTSTATUS NTAPI add_device(PDRIVER_OBJECT driver, PDEVICE_OBJECT below)
{
    PDEVICE_OBJECT device;

    UNREFERENCED_PARAMETER(below);
    return IoCreateDevice(
        driver, 0, NULL, FILE_DEVICE_UNKNOWN, 0, FALSE, &device);
}

static NTSTATUS start(PDRIVER_OBJECT driver)
{
    driver->DriverExtension->AddDevice = add_device;
    return STATUS_SUCCESS;
}
#elif defined(HALTS) || defined(WITHDRAWS)
static PDEVICE_OBJECT device; /* registered for a shutdown */

/* To which nothing has given a buffer. */
static NTSTATUS NTAPI shut_down(PDEVICE_OBJECT asked, PIRP irp)
{
    UNREFERENCED_PARAMETER(asked);
    *(volatile UCHAR *)irp->AssociatedIrp.SystemBuffer = 1;
    irp->IoStatus.Status = STATUS_SUCCESS;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return STATUS_SUCCESS;
}

static NTSTATUS start(PDRIVER_OBJECT driver)
{
    NTSTATUS status =
        IoCreateDevice(driver, 0, NULL, FILE_DEVICE_UNKNOWN, 0, FALSE, &device);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    driver->MajorFunction[IRP_MJ_SHUTDOWN] = shut_down;
    status = IoRegisterShutdownNotification(device);
#if defined(WITHDRAWS)
    IoUnregisterShutdownNotification(device);
#endif
    if (!NT_SUCCESS(status)) {
        IoDeleteDevice(device);
    }
    return status;
}
#endif

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    driver->DriverUnload = NULL;
#if defined(HALTS)
    IoUnregisterShutdownNotification(device);
#endif
#if defined(HALTS) || defined(WITHDRAWS)
    IoDeleteDevice(device);
#endif
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    return start(driver);
}
