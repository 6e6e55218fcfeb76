/* saver.c - sample driver that saves what it knows when the system is shut
 * down: it appends the last letter of its name to a file, as long as there is
 * one to write to, and counts its last chances in nonpaged memory. */
#include <ntddk.h>

#include "scenarios/drivers/saver/defects.h"

DRIVER_INITIALIZE DriverEntry;

enum { TAG = 'evaS' };

static PDEVICE_OBJECT early, late; /* early: before files are flushed */
static PCHAR letter;               /* in paged pool */
static ULONG last_chances;

/* Of each device. */
struct extension {
    KTIMER timer;
};
#if DEFECT == DEFECT_PENDS
static PIO_WORKITEM item;
#endif

#pragma code_seg("PAGE")
static NTSTATUS append(VOID)
{
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"\\??\\C:\\saved.txt");
    OBJECT_ATTRIBUTES attributes;
    IO_STATUS_BLOCK answer;
    HANDLE file;
    NTSTATUS status;

    InitializeObjectAttributes(&attributes, &name,
        OBJ_KERNEL_HANDLE | OBJ_CASE_INSENSITIVE, NULL, NULL);
    status = ZwCreateFile(&file, FILE_APPEND_DATA | SYNCHRONIZE, &attributes,
        &answer, NULL, FILE_ATTRIBUTE_NORMAL, 0, FILE_OPEN_IF,
        FILE_SYNCHRONOUS_IO_NONALERT, NULL, 0);
    if (NT_SUCCESS(status)) {
        status =
            ZwWriteFile(file, NULL, NULL, NULL, &answer, letter, 1, NULL, NULL);
        ZwClose(file);
    }
    return status;
}

static VOID count_it(VOID)
{
    last_chances++;
}
#pragma code_seg()

static NTSTATUS save(PDEVICE_OBJECT device)
{
    if (device == early) {
        return append();
    }
#if DEFECT == DEFECT_LATE_FILE
    {
        UNICODE_STRING name = RTL_CONSTANT_STRING(L"\\??\\C:\\saved.txt");
        OBJECT_ATTRIBUTES attributes;
        IO_STATUS_BLOCK answer;
        HANDLE file;

        InitializeObjectAttributes(
            &attributes, &name, OBJ_KERNEL_HANDLE, NULL, NULL);
        if (NT_SUCCESS(ZwOpenFile(&file, SYNCHRONIZE, &attributes, &answer, 0,
                FILE_SYNCHRONOUS_IO_NONALERT))) {
            ZwClose(file);
        }
    }
#endif
#if DEFECT == DEFECT_LATE_PAGED
    last_chances += *(volatile CHAR *)letter == 'x';
#endif
#if DEFECT == DEFECT_LATE_PRINT
    {
        ANSI_STRING text = {1, 1, letter};

        DbgPrint("last chance of %Z", &text);
    }
#endif
#if DEFECT == DEFECT_LATE_CODE
    count_it();
#else
    last_chances++;
#endif
    DbgPrint("last chance");
    return STATUS_SUCCESS;
}

static VOID finish(PIRP irp, NTSTATUS status)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
}

#if DEFECT == DEFECT_PENDS
static VOID NTAPI save_later(PDEVICE_OBJECT device, PVOID irp)
{
    finish(irp, save(device));
}
#endif

/* Nobody's request: of a thread of the system's, for no file. */
static NTSTATUS NTAPI shut_down(PDEVICE_OBJECT device, PIRP irp)
{
    const IO_STACK_LOCATION *stack = IoGetCurrentIrpStackLocation(irp);
    NTSTATUS status = STATUS_INVALID_PARAMETER;

#if DEFECT == DEFECT_PENDS
    if (device == early) {
        IoMarkIrpPending(irp);
        IoQueueWorkItem(item, save_later, DelayedWorkQueue, irp);
        return STATUS_PENDING;
    }
#endif
    if (stack->FileObject == NULL && irp->RequestorMode == KernelMode &&
        KeGetCurrentIrql() == PASSIVE_LEVEL &&
        PsGetCurrentProcess() == PsInitialSystemProcess) {
        status = save(device);
    }
    finish(irp, status);
    return status;
}

static VOID delete_devices(VOID)
{
#if DEFECT != DEFECT_TIMER_KEPT
    KeCancelTimer(&((struct extension *)early->DeviceExtension)->timer);
#endif
#if DEFECT == DEFECT_STACKED
    IoDetachDevice(early);
#endif
    IoDeleteDevice(late);
    IoDeleteDevice(early);
    ExFreePoolWithTag(letter, TAG);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
#if DEFECT != DEFECT_REGISTRATION_LEFT
    IoUnregisterShutdownNotification(early);
#endif
#if DEFECT == DEFECT_UNREGISTERED_TWICE
    IoUnregisterShutdownNotification(early);
#endif
    IoUnregisterShutdownNotification(late);
#if DEFECT == DEFECT_PENDS
    IoFreeWorkItem(item);
#endif
    delete_devices();
}

/* Both, or neither. */
static NTSTATUS register_devices(VOID)
{
    NTSTATUS status = IoRegisterShutdownNotification(early);

#if DEFECT == DEFECT_REGISTERED_TWICE
    if (NT_SUCCESS(status)) {
        status = IoRegisterShutdownNotification(early);
    }
    if (NT_SUCCESS(status)) {
        status = IoRegisterShutdownNotification(late);
    }
#endif
    if (NT_SUCCESS(status) && (early->Flags & DO_SHUTDOWN_REGISTERED) == 0) {
        status = STATUS_UNSUCCESSFUL;
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = IoRegisterLastChanceShutdownNotification(late);
    if (!NT_SUCCESS(status)) {
        IoUnregisterShutdownNotification(early);
        if ((early->Flags & DO_SHUTDOWN_REGISTERED) != 0) {
            status = STATUS_UNSUCCESSFUL;
        }
    }
#if DEFECT == DEFECT_STACKED
    if (NT_SUCCESS(status)) {
        status = IoRegisterShutdownNotification(early);
    }
#endif
    return status;
}

static VOID start_timer(VOID)
{
    struct extension *extension = early->DeviceExtension;
    LARGE_INTEGER due = {.QuadPart = -10000000};

    KeInitializeTimer(&extension->timer);
    KeSetTimer(&extension->timer, due, NULL);
}

static NTSTATUS make_devices(PDRIVER_OBJECT driver)
{
    NTSTATUS status;

    letter = ExAllocatePoolWithTag(PagedPool, 1, TAG);
    if (letter == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    *letter = (CHAR)driver->DriverName
                  .Buffer[driver->DriverName.Length / sizeof(WCHAR) - 1];
    status = IoCreateDevice(driver, sizeof(struct extension), NULL,
        FILE_DEVICE_UNKNOWN, 0, FALSE, &early);
    if (!NT_SUCCESS(status)) {
        ExFreePoolWithTag(letter, TAG);
        return status;
    }
    status =
        IoCreateDevice(driver, 0, NULL, FILE_DEVICE_UNKNOWN, 0, FALSE, &late);
    if (!NT_SUCCESS(status)) {
        IoDeleteDevice(early);
        ExFreePoolWithTag(letter, TAG);
    }
    return status;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    driver->MajorFunction[IRP_MJ_SHUTDOWN] = shut_down;
    status = make_devices(driver);
    if (!NT_SUCCESS(status)) {
        return status;
    }
#if DEFECT == DEFECT_START_FAILS
    return STATUS_UNSUCCESSFUL;
#endif
    start_timer();
#if DEFECT == DEFECT_STACKED
    IoAttachDeviceToDeviceStack(late, early);
#endif
#if DEFECT == DEFECT_PENDS
    item = IoAllocateWorkItem(early);
    if (item == NULL) {
        delete_devices();
        return STATUS_INSUFFICIENT_RESOURCES;
    }
#endif
    status = register_devices();
    if (!NT_SUCCESS(status)) {
#if DEFECT == DEFECT_PENDS
        IoFreeWorkItem(item);
#endif
        delete_devices();
    }
    return status;
}
