/* wired.c - a driver that connects service routines to interrupts of devices,
 * as a program asks for, and counts what comes. */
#include <ntddk.h>

#include "scenarios/drivers/wired/wired.h"

DRIVER_INITIALIZE DriverEntry;
static KSERVICE_ROUTINE service_paged;

#pragma alloc_text(PAGE, service_paged)

static struct interrupt {
    PKINTERRUPT object;
    ULONG version, how, number;
} interrupts[WIRED_INTERRUPTS];

static PDEVICE_OBJECT own;
static KSPIN_LOCK shared_lock;
static struct wired_counts counts;
static volatile ULONG inside; /* somebody holds an interrupt's lock */

static BOOLEAN serve(struct interrupt *interrupt)
{
    KIRQL before;

    counts.services[interrupt->number]++;
    counts.overlaps += inside;
    counts.level = KeGetCurrentIrql();
    counts.processor = KeGetCurrentProcessorNumberEx(NULL);
    counts.order = counts.order << 4 | (interrupt->number + 1);
    if ((interrupt->how & WIRED_LONG) != 0) {
        KeStallExecutionProcessor(30);
    }
    if ((interrupt->how & WIRED_DPC) != 0) {
        IoRequestDpc(own, (PIRP)0x77, &counts);
        IoRequestDpc(own, NULL, NULL);
    }
    if ((interrupt->how & WIRED_RAISES) != 0) {
        KeRaiseIrql(HIGH_LEVEL, &before);
    }
    if ((interrupt->how & WIRED_DISABLES) != 0) {
        _disable();
    }
    return (interrupt->how & WIRED_CLAIMS) != 0;
}

static BOOLEAN NTAPI service(PKINTERRUPT object, PVOID context)
{
    struct interrupt *interrupt = context;

    if (object != interrupt->object) {
        return FALSE;
    }
    return serve(interrupt);
}

static BOOLEAN NTAPI service_paged(PKINTERRUPT object, PVOID context)
{
    return service(object, context);
}

static VOID NTAPI for_isr(
    PKDPC dpc, PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    UNREFERENCED_PARAMETER(dpc);
    counts.dpcs++;
    counts.order = counts.order << 4 | WIRED_IN_DPC;
    counts.dpc_right = device == own && irp == (PIRP)0x77 && context == &counts;
}

/* Another device, so that it has another line. */
static PDEVICE_OBJECT other_device(PDRIVER_OBJECT driver)
{
    PDEVICE_OBJECT object;

    return NT_SUCCESS(IoCreateDevice(
               driver, 0, NULL, FILE_DEVICE_UNKNOWN, 0, FALSE, &object))
               ? object
               : NULL;
}

static NTSTATUS connect(const struct wired_connect *asked)
{
    struct interrupt *interrupt = &interrupts[asked->which];
    IO_CONNECT_INTERRUPT_PARAMETERS parameters = {.Version = asked->version};
    PDEVICE_OBJECT device = (asked->how & WIRED_NO_DEVICE) != 0 ? NULL
                            : (asked->how & WIRED_OTHER) != 0
                                ? other_device(own->DriverObject)
                                : own;
    PKSERVICE_ROUTINE routine = (asked->how & WIRED_NO_CODE) != 0 ? NULL
                                : (asked->how & WIRED_PAGED) != 0
                                    ? service_paged
                                    : service;

    interrupt->how = asked->how;
    interrupt->version = asked->version;
    interrupt->number = asked->which;
    parameters.FullySpecified.PhysicalDeviceObject = device;
    parameters.FullySpecified.InterruptObject = &interrupt->object;
    parameters.FullySpecified.ServiceRoutine = routine;
    parameters.FullySpecified.ServiceContext = interrupt;
    parameters.FullySpecified.SpinLock = asked->lock != 0 ? &shared_lock : NULL;
    parameters.FullySpecified.SynchronizeIrql = (KIRQL)asked->synchronize_irql;
    if (asked->version != CONNECT_LINE_BASED) {
        parameters.FullySpecified.Vector = asked->vector;
        parameters.FullySpecified.Irql = (KIRQL)asked->irql;
        parameters.FullySpecified.InterruptMode =
            asked->latched != 0 ? Latched : LevelSensitive;
        parameters.FullySpecified.ShareVector = asked->shared != 0;
        parameters.FullySpecified.ProcessorEnableMask = asked->mask;
        parameters.FullySpecified.Group = (USHORT)asked->group;
    }
    return IoConnectInterruptEx(&parameters);
}

static VOID disconnect(ULONG which)
{
    IO_DISCONNECT_INTERRUPT_PARAMETERS parameters = {
        .Version = interrupts[which].version};

    parameters.ConnectionContext.InterruptObject = interrupts[which].object;
    IoDisconnectInterruptEx(&parameters);
}

static BOOLEAN NTAPI synchronized(PVOID context)
{
    const struct wired_take *asked = context;

    counts.taken = KeGetCurrentIrql();
    inside = 1;
    KeStallExecutionProcessor(asked->microseconds);
    inside = 0;
    return asked->result != 0;
}

static NTSTATUS take(const struct wired_take *asked)
{
    struct wired_take copy = *asked;
    PKINTERRUPT object = interrupts[asked->which].object;
    KIRQL before;

    if (asked->by != 0) {
        return KeSynchronizeExecution(object, synchronized, &copy)
                   ? STATUS_SUCCESS
                   : STATUS_UNSUCCESSFUL;
    }
    before = KeAcquireInterruptSpinLock(object);
    counts.taken = KeGetCurrentIrql();
    inside = 1;
    KeStallExecutionProcessor(asked->microseconds);
    inside = 0;
    KeReleaseInterruptSpinLock(object, before);
    return KeGetCurrentIrql() == before && before == PASSIVE_LEVEL
               ? STATUS_SUCCESS
               : STATUS_UNSUCCESSFUL;
}

static VOID misuse(ULONG what)
{
    PKINTERRUPT object = interrupts[0].object;
    KIRQL before, inside;

    if (what == WIRED_MISUSE_OBJECT) {
        KeAcquireInterruptSpinLock((PKINTERRUPT)&counts);
    } else if (what == WIRED_MISUSE_ABOVE) {
        KeRaiseIrql(HIGH_LEVEL, &before);
        KeAcquireInterruptSpinLock(object);
    } else if (what == WIRED_MISUSE_TWICE) {
        KeAcquireInterruptSpinLock(object);
        KeAcquireInterruptSpinLock(object);
    } else if (what == WIRED_MISUSE_NOT_HELD) {
        KeRaiseIrql(5, &before);
        KeReleaseInterruptSpinLock(object, before);
    } else if (what == WIRED_MISUSE_LEVEL) {
        before = KeAcquireInterruptSpinLock(object);
        KeRaiseIrql(HIGH_LEVEL, &inside);
        KeReleaseInterruptSpinLock(object, before);
    } else {
        KeSynchronizeExecution(object, (PVOID)&counts, NULL);
    }
}

static NTSTATUS answer(ULONG code, PVOID buffer, ULONG_PTR *back)
{
    switch (code) {
    case IOCTL_WIRED_CONNECT:
        return connect(buffer);
    case IOCTL_WIRED_DISCONNECT:
        disconnect(*(ULONG *)buffer);
        return STATUS_SUCCESS;
    case IOCTL_WIRED_COUNTS:
        *(struct wired_counts *)buffer = counts;
        *back = sizeof(counts);
        return STATUS_SUCCESS;
    case IOCTL_WIRED_TAKE:
        return take(buffer);
    case IOCTL_WIRED_MISUSE:
        misuse(*(ULONG *)buffer);
        return STATUS_SUCCESS;
    default:
        return STATUS_INVALID_DEVICE_REQUEST;
    }
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    ULONG_PTR back = 0;
    NTSTATUS status = answer(location->Parameters.DeviceIoControl.IoControlCode,
        irp->AssociatedIrp.SystemBuffer, &back);

    UNREFERENCED_PARAMETER(object);
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = back;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI succeed(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    irp->IoStatus.Status = STATUS_SUCCESS;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return STATUS_SUCCESS;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    while (driver->DeviceObject != NULL) {
        IoDeleteDevice(driver->DeviceObject);
    }
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = succeed;
    driver->MajorFunction[IRP_MJ_CLOSE] = succeed;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    KeInitializeSpinLock(&shared_lock);
    status =
        IoCreateDevice(driver, 0, NULL, FILE_DEVICE_UNKNOWN, 0, FALSE, &own);
    if (NT_SUCCESS(status)) {
        IoInitializeDpcRequest(own, for_isr);
    }
    return status;
}
