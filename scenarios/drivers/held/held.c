/* held.c - a driver that keeps requests: in a cancel-safe queue, by hand with a
 * cancel routine, and for its StartIo; and that reads and writes the pages of a
 * program's buffer. */
#include <ntddk.h>

#include "scenarios/drivers/held/held.h"

DRIVER_INITIALIZE DriverEntry;

static PDEVICE_OBJECT device;
static IO_CSQ plain, extended;
static IO_CSQ_IRP_CONTEXT context;
static LIST_ENTRY list;
static KSPIN_LOCK lock;
static BOOLEAN refuses, keeps_lock, inside, plainly;
static ULONG inside_key, order;
static PIRP by_hand;

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static VOID NTAPI insert(PIO_CSQ csq, PIRP irp)
{
    UNREFERENCED_PARAMETER(csq);
    InsertTailList(&list, &irp->Tail.Overlay.ListEntry);
}

static NTSTATUS NTAPI insert_ex(PIO_CSQ csq, PIRP irp, PVOID with)
{
    UNREFERENCED_PARAMETER(with);
    if (refuses) {
        return STATUS_DEVICE_BUSY;
    }
    insert(csq, irp);
    return STATUS_SUCCESS;
}

static VOID NTAPI take(PIO_CSQ csq, PIRP irp)
{
    UNREFERENCED_PARAMETER(csq);
    RemoveEntryList(&irp->Tail.Overlay.ListEntry);
}

static PIRP NTAPI peek(PIO_CSQ csq, PIRP irp, PVOID with)
{
    PLIST_ENTRY next =
        irp == NULL ? list.Flink : irp->Tail.Overlay.ListEntry.Flink;

    UNREFERENCED_PARAMETER(csq);
    UNREFERENCED_PARAMETER(with);
    return next == &list ? NULL
                         : CONTAINING_RECORD(next, IRP, Tail.Overlay.ListEntry);
}

static VOID NTAPI acquire(PIO_CSQ csq, PKIRQL irql)
{
    UNREFERENCED_PARAMETER(csq);
    KeAcquireSpinLock(&lock, irql);
}

static VOID NTAPI release(PIO_CSQ csq, KIRQL irql)
{
    UNREFERENCED_PARAMETER(csq);
    KeReleaseSpinLock(&lock, irql);
}

static VOID NTAPI cancelled(PIO_CSQ csq, PIRP irp)
{
    UNREFERENCED_PARAMETER(csq);
    complete(irp, STATUS_CANCELLED, 0);
}

static VOID NTAPI cancel_by_hand(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    by_hand = NULL;
    if (keeps_lock) {
        return;
    }
    IoReleaseCancelSpinLock(irp->CancelIrql);
    complete(irp, STATUS_CANCELLED, 0);
}

static VOID NTAPI start_io(PDEVICE_OBJECT object, PIRP irp)
{
    KIRQL irql;

    order = order << 8 | (irp->Tail.Overlay.DeviceQueueEntry.SortKey & 0xFF);
    IoAcquireCancelSpinLock(&irql);
    if (irp != object->CurrentIrp || irp->Cancel) { /* the routine has it */
        IoReleaseCancelSpinLock(irql);
        return;
    }
    IoSetCancelRoutine(irp, NULL);
    IoReleaseCancelSpinLock(irql);
    if (inside) {
        complete(irp, STATUS_SUCCESS, 0);
        if (inside_key != 0) {
            IoStartNextPacketByKey(object, !plainly, inside_key);
        } else {
            IoStartNextPacket(object, !plainly);
        }
    }
}

/* One that waits for the device is cancelled. */
static VOID NTAPI cancel_start(PDEVICE_OBJECT object, PIRP irp)
{
    KeRemoveEntryDeviceQueue(
        &object->DeviceQueue, &irp->Tail.Overlay.DeviceQueueEntry);
    IoReleaseCancelSpinLock(irp->CancelIrql);
    complete(irp, STATUS_CANCELLED, 0);
}

/* Stops the machine. */
static NTSTATUS queue_own(ULONG how)
{
    PIRP own = IoAllocateIrp(1, FALSE);

    if (own != NULL && how == HELD_ASTRAY) {
        own->CurrentLocation = 0;
    }
    IoCsqInsertIrp(&plain, own, NULL);
    return STATUS_SUCCESS;
}

static NTSTATUS queue(PIRP irp, ULONG how)
{
    static IO_CSQ none;
    PIO_CSQ csq = how == HELD_EX || how == HELD_EX_REFUSED ? &extended : &plain;

    if (how == HELD_OWN || how == HELD_ASTRAY) {
        return complete(irp, queue_own(how), 0);
    }
    if (how == HELD_CANCELLED) {
        IoCancelIrp(irp);
    }
    refuses = how == HELD_EX_REFUSED;
    if (how == HELD_WITH_CONTEXT) {
        IoCsqInsertIrp(csq, irp, &context);
    } else if (csq == &plain) {
        IoCsqInsertIrp(how == HELD_NO_QUEUE ? &none : csq, irp, NULL);
    } else {
        NTSTATUS status = IoCsqInsertIrpEx(csq, irp, NULL, NULL);

        if (!NT_SUCCESS(status)) {
            return complete(irp, status, 0);
        }
    }
    return STATUS_PENDING;
}

/* The first one, whose routine somebody has taken away meanwhile. */
static PIRP take_beside(ULONG how)
{
    PIRP first = CONTAINING_RECORD(list.Flink, IRP, Tail.Overlay.ListEntry);
    PDRIVER_CANCEL routine = IoSetCancelRoutine(first, NULL);
    PIRP irp = how == HELD_CONTEXT_OF_CANCELLED
                   ? IoCsqRemoveIrp(&plain, &context)
                   : IoCsqRemoveNextIrp(&plain, NULL);

    IoSetCancelRoutine(first, routine);
    return irp;
}

static NTSTATUS next(ULONG how)
{
    PIRP irp = how >= HELD_NEXT_OF_CANCELLED ? take_beside(how)
               : how == HELD_NEXT_CONTEXT    ? IoCsqRemoveIrp(&plain, &context)
                                             : IoCsqRemoveNextIrp(&plain, NULL);

    if (irp == NULL) {
        return STATUS_NO_SUCH_DEVICE;
    }
    complete(irp, STATUS_SUCCESS, 0);
    return STATUS_SUCCESS;
}

static NTSTATUS start(PIRP irp, ULONG asked)
{
    ULONG key = asked % HELD_START_CANCELLED;

    IoMarkIrpPending(irp);
    if (asked >= HELD_START_CANCELLED) {
        IoCancelIrp(irp);
    }
    IoStartPacket(
        device, irp, key == 0 ? NULL : &key, plainly ? NULL : cancel_start);
    return STATUS_PENDING;
}

static NTSTATUS done(ULONG key)
{
    PIRP irp = device->CurrentIrp;
    KIRQL irql;

    if (irp == NULL) {
        return STATUS_NO_SUCH_DEVICE;
    }
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    if (key == 0) {
        IoStartNextPacket(device, !plainly);
    } else {
        IoStartNextPacketByKey(device, !plainly, key);
    }
    KeLowerIrql(irql);
    complete(irp, STATUS_SUCCESS, 0);
    return STATUS_SUCCESS;
}

static NTSTATUS keep(PIRP irp, ULONG how)
{
    keeps_lock = how == HELD_HAND_LOCK_KEPT;
    if (how == HELD_HAND_STALE) {
        by_hand = irp;
        return complete(irp, STATUS_SUCCESS, 0);
    }
    IoMarkIrpPending(irp);
    by_hand = irp;
    IoSetCancelRoutine(irp, cancel_by_hand);
    if (how == HELD_HAND_ASTRAY) {
        irp->CurrentLocation = 0;
    }
    return STATUS_PENDING;
}

static NTSTATUS cancel(ULONG how)
{
    KIRQL irql = KeGetCurrentIrql();
    BOOLEAN called;

    if (how == HELD_CANCEL_RAISED) {
        KeRaiseIrql(DISPATCH_LEVEL, &irql);
    }
    called = IoCancelIrp(by_hand);
    KeLowerIrql(irql);
    return called ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

/* What a driver keeps with its object, and what else there is to ask. */
static VOID ask(PIRP irp, PUCHAR back)
{
    PDRIVER_OBJECT driver = device->DriverObject;
    PVOID first, second;

    back[0] =
        NT_SUCCESS(IoAllocateDriverObjectExtension(driver, &list, 32, &first));
    back[1] = IoAllocateDriverObjectExtension(driver, &list, 32, &second) ==
                  STATUS_OBJECT_NAME_COLLISION &&
              second == NULL;
    back[2] = IoGetDriverObjectExtension(driver, &list) == first;
    back[3] = IoGetDriverObjectExtension(driver, &lock) == NULL;
    back[4] = IoIs32bitProcess(irp) || IoIs32bitProcess(NULL);
    back[5] = IoIsWdmVersionAvailable(1, 16);
    back[6] = IoIsWdmVersionAvailable(6, 0);
    back[7] = IoIsWdmVersionAvailable(6, 1) || IoIsWdmVersionAvailable(7, 0);
}

/* Device queues: four entries, by key and not. */
static VOID queues(PUCHAR back)
{
    static KDEVICE_QUEUE_ENTRY entry[4];
    KDEVICE_QUEUE busy;
    KIRQL irql;

    RtlZeroMemory(entry, sizeof(entry));
    KeInitializeDeviceQueue(&busy);
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    back[0] = KeInsertDeviceQueue(&busy, &entry[0]); /* the device was idle */
    back[1] = KeInsertByKeyDeviceQueue(&busy, &entry[1], 5);
    back[2] = KeInsertByKeyDeviceQueue(&busy, &entry[2], 3);
    back[3] = KeInsertDeviceQueue(&busy, &entry[3]);
    back[4] = KeRemoveEntryDeviceQueue(&busy, &entry[3]) &&
              !KeRemoveEntryDeviceQueue(&busy, &entry[3]);
    back[5] = KeRemoveByKeyDeviceQueue(&busy, 4) == &entry[1];
    back[6] = KeRemoveDeviceQueue(&busy) == &entry[2];
    back[7] = KeRemoveDeviceQueue(&busy) == NULL && !busy.Busy;
    KeLowerIrql(irql);
}

/* Each byte of the pages goes up by one, or their sum is what is told. */
static NTSTATUS pages(PIRP irp, BOOLEAN writes)
{
    PUCHAR bytes;
    ULONG i, sum = 0, size;

    if (irp->MdlAddress == NULL) {
        return complete(irp, STATUS_SUCCESS, 0);
    }
    size = MmGetMdlByteCount(irp->MdlAddress);
    bytes = MmGetSystemAddressForMdlSafe(irp->MdlAddress, NormalPagePriority);
    if (bytes == NULL) {
        return complete(irp, STATUS_INSUFFICIENT_RESOURCES, 0);
    }
    for (i = 0; i < size; i++) {
        sum += bytes[i];
        if (writes) {
            bytes[i]++;
        }
    }
    return complete(irp, STATUS_SUCCESS, writes ? size : sum);
}

/* Its chain is of pages of ours that are locked; who completes it ends them. */
static NTSTATUS chain(PIRP irp, ULONG count)
{
    static UCHAR own[2 * PAGE_SIZE];
    ULONG i;

    for (i = 0; i < count; i++) {
        PMDL mdl = IoAllocateMdl(own, sizeof(own), i > 0, FALSE, irp);

        if (mdl == NULL) {
            return complete(irp, STATUS_INSUFFICIENT_RESOURCES, 0);
        }
        MmProbeAndLockPages(mdl, KernelMode, IoModifyAccess);
    }
    return complete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    PVOID buffer = irp->AssociatedIrp.SystemBuffer;
    ULONG asked =
        location->Parameters.DeviceIoControl.InputBufferLength >= sizeof(ULONG)
            ? *(ULONG *)buffer
            : 0;

    switch (location->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_HELD_QUEUE:
        return queue(irp, asked);
    case IOCTL_HELD_NEXT:
        return complete(irp, next(asked), 0);
    case IOCTL_HELD_START:
    case IOCTL_HELD_START_MORE:
        return start(irp, asked);
    case IOCTL_HELD_DONE:
        return complete(irp, done(asked), 0);
    case IOCTL_HELD_ATTRIBUTES:
        inside = (asked & HELD_INSIDE_HOW) != HELD_INSIDE_NOT;
        plainly = (asked & HELD_PLAINLY) != 0;
        inside_key = asked >> HELD_KEY_SHIFT;
        IoSetStartIoAttributes(
            object, (asked & HELD_INSIDE_HOW) == HELD_INSIDE_DEFERRED, FALSE);
        return complete(irp, STATUS_SUCCESS, 0);
    case IOCTL_HELD_BY_HAND:
        return keep(irp, asked);
    case IOCTL_HELD_CANCEL:
        return complete(irp, cancel(asked), 0);
    case IOCTL_HELD_ASK:
        ask(irp, buffer);
        return complete(irp, STATUS_SUCCESS, 8);
    case IOCTL_HELD_QUEUES:
        queues(buffer);
        return complete(irp, STATUS_SUCCESS, 8);
    case IOCTL_HELD_IN:
        return pages(irp, FALSE);
    case IOCTL_HELD_OUT:
        return pages(irp, TRUE);
    case IOCTL_HELD_ORDER:
        *(ULONG *)buffer = order;
        return complete(irp, STATUS_SUCCESS, sizeof(order));
    case IOCTL_HELD_CHAIN:
        return chain(irp, asked);
    default:
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
}

/* The offset is added to what is read; a write says how much there was, and
 * takes no odd length. */
static NTSTATUS NTAPI transfer(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    ULONG size = location->Parameters.Read.Length, i;
    PUCHAR bytes = irp->AssociatedIrp.SystemBuffer;

    UNREFERENCED_PARAMETER(object);
    if (irp->MdlAddress != NULL) {
        return pages(irp, location->MajorFunction == IRP_MJ_READ);
    }
    for (i = 0; i < size && location->MajorFunction == IRP_MJ_READ; i++) {
        bytes[i] = (UCHAR)(location->Parameters.Read.ByteOffset.QuadPart + i);
    }
    return complete(irp,
        location->MajorFunction == IRP_MJ_WRITE && size % 2 != 0
            ? STATUS_INVALID_PARAMETER
            : STATUS_SUCCESS,
        size);
}

static NTSTATUS NTAPI other(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    while (driver->DeviceObject != NULL) {
        IoDeleteDevice(driver->DeviceObject);
    }
}

static NTSTATUS make(PDRIVER_OBJECT driver, PCWSTR name, ULONG flags)
{
    UNICODE_STRING string;
    PDEVICE_OBJECT made;
    NTSTATUS status;

    RtlInitUnicodeString(&string, name);
    status = IoCreateDevice(
        driver, 0, &string, FILE_DEVICE_UNKNOWN, 0, FALSE, &made);
    if (NT_SUCCESS(status)) {
        made->Flags |= flags;
        device = device == NULL ? made : device;
    }
    return status;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    InitializeListHead(&list);
    KeInitializeSpinLock(&lock);
    IoCsqInitialize(&plain, insert, take, peek, acquire, release, cancelled);
    IoCsqInitializeEx(
        &extended, insert_ex, take, peek, acquire, release, cancelled);
    driver->MajorFunction[IRP_MJ_CREATE] = other;
    driver->MajorFunction[IRP_MJ_CLOSE] = other;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->MajorFunction[IRP_MJ_READ] = transfer;
    driver->MajorFunction[IRP_MJ_WRITE] = transfer;
    driver->DriverStartIo = start_io;
    driver->DriverUnload = unload;
    status = make(driver, L"\\Device\\Held", DO_BUFFERED_IO);
    if (NT_SUCCESS(status)) {
        status = make(driver, L"\\Device\\HeldDirect", DO_DIRECT_IO);
    }
    if (NT_SUCCESS(status)) {
        status = make(driver, L"\\Device\\HeldNeither", 0);
    }
    if (!NT_SUCCESS(status)) {
        unload(driver);
    }
    return status;
}
