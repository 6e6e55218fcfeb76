/* signaler.c - sample driver that sets an event which a program has given it by
 * its handle (S13). */
#include <ntifs.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/signaler/defects.h"
#include "scenarios/drivers/signaler/signaler.h"

DRIVER_INITIALIZE DriverEntry;

NTKERNELAPI NTSTATUS NTAPI ObReferenceObjectByName(PUNICODE_STRING name,
    ULONG attributes, PACCESS_STATE state, ACCESS_MASK access,
    POBJECT_TYPE type, KPROCESSOR_MODE mode, PVOID context, PVOID *object);
extern POBJECT_TYPE NTSYSAPI *IoDriverObjectType;

static struct {
    KEVENT lock;      /* signalled: it is free */
    PKEVENT event;    /* NULL: no program has given one */
    HANDLE handle;    /* of it, good for the program that has given it */
    HANDLE of_system; /* of an event of its own */
} signaler;

#if DEFECT == DEFECT_TRUSTED
enum { CALLER = KernelMode };
#else
enum { CALLER = UserMode };
#endif

#if DEFECT == DEFECT_ANY_OBJECT
#define EVENT_TYPE_WANTED NULL
#else
#define EVENT_TYPE_WANTED *ExEventObjectType
#endif

static void forget(void)
{
    if (signaler.event == NULL) {
        return;
    }
#if DEFECT != DEFECT_KEPT
    ObDereferenceObject(signaler.event);
#endif
#if DEFECT == DEFECT_GIVEN_BACK_TWICE
    ObDereferenceObject(signaler.event);
#endif
    signaler.event = NULL;
}

static NTSTATUS use(HANDLE handle)
{
    PVOID event;
    NTSTATUS status = ObReferenceObjectByHandle(
        handle, EVENT_MODIFY_STATE, EVENT_TYPE_WANTED, CALLER, &event, NULL);

    if (NT_SUCCESS(status)) {
        forget();
        signaler.event = event;
        signaler.handle = handle;
    }
    return status;
}

static NTSTATUS tick(void)
{
#if DEFECT == DEFECT_HANDLE_KEPT
    return ZwSetEvent(signaler.handle, NULL);
#elif DEFECT == DEFECT_HANDLE_OF_SYSTEM
    return ZwSetEvent(signaler.of_system, NULL);
#else
    if (signaler.event == NULL) {
        return STATUS_INVALID_DEVICE_STATE;
    }
    KeSetEvent(signaler.event, IO_NO_INCREMENT, FALSE);
    return STATUS_SUCCESS;
#endif
}

static ULONG knows_handle(PDRIVER_OBJECT driver)
{
    HANDLE handle;
    ULONG knows = 0;

    if (ObOpenObjectByPointer(driver, OBJ_KERNEL_HANDLE, NULL, GENERIC_READ,
            *IoDriverObjectType, KernelMode, &handle) == STATUS_SUCCESS) {
        knows |= SIGNALER_KNOWS_HANDLE;
        ZwClose(handle);
    }
    if (ObOpenObjectByPointer(driver, OBJ_KERNEL_HANDLE, NULL, GENERIC_READ,
            *ExEventObjectType, KernelMode,
            &handle) == STATUS_OBJECT_TYPE_MISMATCH) {
        knows |= SIGNALER_REFUSES_TYPE;
    }
    return knows;
}

/* That of the driver itself is 16 characters and begins with a backslash. */
static ULONG knows_itself(PDRIVER_OBJECT driver)
{
    struct {
        OBJECT_NAME_INFORMATION name;
        WCHAR text[32];
    } named;
    PVOID found = NULL;
    ULONG length, knows = 0;

    if (ObReferenceObjectByName(&driver->DriverName, OBJ_CASE_INSENSITIVE, NULL,
            0, *IoDriverObjectType, KernelMode, NULL,
            &found) == STATUS_SUCCESS) {
        knows |= found == driver ? SIGNALER_KNOWS_DRIVER : 0;
        if (ObQueryNameString(found, &named.name, sizeof(named), &length) ==
                STATUS_SUCCESS &&
            RtlEqualUnicodeString(
                &named.name.Name, &driver->DriverName, FALSE)) {
            knows |= SIGNALER_KNOWS_NAME;
        }
        ObDereferenceObject(found);
    }
    return knows | knows_handle(driver);
}

static NTSTATUS answer(PDEVICE_OBJECT device, PIRP irp, ULONG_PTR *information)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    PVOID buffer = irp->AssociatedIrp.SystemBuffer;

    switch (location->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_SIGNALER_USE:
        return location->Parameters.DeviceIoControl.InputBufferLength ==
                       sizeof(HANDLE)
                   ? use(*(HANDLE *)buffer)
                   : STATUS_INVALID_PARAMETER;
    case IOCTL_SIGNALER_TICK:
        return tick();
    case IOCTL_SIGNALER_FORGET:
        forget();
        return STATUS_SUCCESS;
    case IOCTL_SIGNALER_KNOWS:
        if (location->Parameters.DeviceIoControl.OutputBufferLength <
            sizeof(ULONG)) {
            return STATUS_BUFFER_TOO_SMALL;
        }
        *(ULONG *)buffer = knows_itself(device->DriverObject);
        *information = sizeof(ULONG);
        return STATUS_SUCCESS;
    default:
        return STATUS_INVALID_DEVICE_REQUEST;
    }
}

/* In the program's thread, where its handles are good. Only normal APCs are
 * off: Zw routines need the special ones. */
static NTSTATUS NTAPI control(PDEVICE_OBJECT device, PIRP irp)
{
    ULONG_PTR information = 0;
    NTSTATUS status;

    KeEnterCriticalRegion();
    KeWaitForSingleObject(&signaler.lock, Executive, KernelMode, FALSE, NULL);
    status = answer(device, irp, &information);
    KeSetEvent(&signaler.lock, IO_NO_INCREMENT, FALSE);
    KeLeaveCriticalRegion();
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI succeed(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    irp->IoStatus.Status = STATUS_SUCCESS;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return STATUS_SUCCESS;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNICODE_STRING link = RTL_CONSTANT_STRING(SIGNALER_LINK);

    forget();
    IoDeleteSymbolicLink(&link);
    IoDeleteDevice(driver->DeviceObject);
#if DEFECT == DEFECT_HANDLE_OF_SYSTEM
    ZwClose(signaler.of_system);
#endif
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = succeed;
    driver->MajorFunction[IRP_MJ_CLOSE] = succeed;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    KeInitializeEvent(&signaler.lock, SynchronizationEvent, TRUE);
#if DEFECT == DEFECT_HANDLE_OF_SYSTEM
    ZwCreateEvent(
        &signaler.of_system, EVENT_ALL_ACCESS, NULL, NotificationEvent, FALSE);
#endif
    return control_device_make(driver, SIGNALER_DEVICE, SIGNALER_LINK, FALSE);
}
