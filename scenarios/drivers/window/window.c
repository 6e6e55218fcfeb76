/* window.c - sample driver that shows a device's registers to a program, which
 * can only read them: one program at a time, until it closes its file. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/window/defects.h"

DRIVER_INITIALIZE DriverEntry;

#define CODE_SHOW                                                              \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800, METHOD_BUFFERED, FILE_ANY_ACCESS)

#define REGISTERS 0xFEB00000ULL
#define REGISTER_BYTES 0x1000
#define ONLY_READ 0x80000000UL /* MdlMappingNoWrite */

/* What is shown, and to whom; file NULL: to nobody. */
static struct window {
    PFILE_OBJECT file;
    PVOID registers; /* for it */
    PMDL mdl;
    PVOID user;
} window;

static PVOID own; /* the driver's own mapping */
static FAST_MUTEX lock;

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static PVOID map_registers(MEMORY_CACHING_TYPE cache)
{
    PHYSICAL_ADDRESS address;

    address.QuadPart = REGISTERS;
    return MmMapIoSpace(address, REGISTER_BYTES, cache);
}

static VOID forget(void)
{
    if (window.mdl != NULL) {
        IoFreeMdl(window.mdl);
    }
    if (window.registers != NULL) {
        MmUnmapIoSpace(window.registers, REGISTER_BYTES);
    }
    RtlZeroMemory(&window, sizeof(window));
}

static NTSTATUS show_in_program(void)
{
    ULONG priority = NormalPagePriority;

    if (DEFECT != DEFECT_WRITABLE) {
        priority |= ONLY_READ;
    }
    window.mdl =
        IoAllocateMdl(window.registers, REGISTER_BYTES, FALSE, FALSE, NULL);
    if (window.mdl == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    MmBuildMdlForNonPagedPool(window.mdl);
    __try {
        window.user = MmMapLockedPagesSpecifyCache(
            window.mdl, UserMode, MmNonCached, NULL, FALSE, priority);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return GetExceptionCode();
    }
    return STATUS_SUCCESS;
}

static NTSTATUS show(PFILE_OBJECT file)
{
    NTSTATUS status;

    if (window.file != NULL) {
        return STATUS_DEVICE_BUSY;
    }
    window.registers =
        map_registers(DEFECT == DEFECT_CACHED ? MmCached : MmNonCached);
    if (window.registers == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    status = show_in_program();
    if (NT_SUCCESS(status)) {
        window.file = file;
    } else {
        forget();
    }
    return status;
}

static VOID unmap(void)
{
    MmUnmapLockedPages(window.user, window.mdl);
}

#if DEFECT == DEFECT_ELSEWHERE
static WORK_QUEUE_ITEM item;
static KEVENT done;

static VOID NTAPI work(PVOID context)
{
    UNREFERENCED_PARAMETER(context);
    unmap();
    KeSetEvent(&done, IO_NO_INCREMENT, FALSE);
}

static VOID hide(void)
{
    KeInitializeEvent(&done, NotificationEvent, FALSE);
    ExInitializeWorkItem(&item, work, NULL);
    ExQueueWorkItem(&item, DelayedWorkQueue);
    KeWaitForSingleObject(&done, Executive, KernelMode, FALSE, NULL);
}
#else
/* In the thread of the program that closes its last handle. */
static VOID hide(void)
{
    if (DEFECT != DEFECT_MAPPING_LEFT) {
        unmap();
    }
}
#endif

static NTSTATUS NTAPI control(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG length = stack->Parameters.DeviceIoControl.OutputBufferLength;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(device);
    if (stack->Parameters.DeviceIoControl.IoControlCode != CODE_SHOW) {
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
    if (length < sizeof(PVOID)) {
        return complete(irp, STATUS_BUFFER_TOO_SMALL, 0);
    }
    ExAcquireFastMutex(&lock);
    status = show(stack->FileObject);
    if (NT_SUCCESS(status)) {
        *(PVOID *)irp->AssociatedIrp.SystemBuffer = window.user;
    }
    ExReleaseFastMutex(&lock);
    return complete(irp, status, NT_SUCCESS(status) ? sizeof(PVOID) : 0);
}

static NTSTATUS NTAPI cleanup(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    ExAcquireFastMutex(&lock);
    if (window.file == IoGetCurrentIrpStackLocation(irp)->FileObject) {
        hide();
        forget();
    }
    ExReleaseFastMutex(&lock);
    return complete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS NTAPI come_and_go(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    control_device_remove(driver, L"\\DosDevices\\Window");
    MmUnmapIoSpace(own, REGISTER_BYTES);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    ExInitializeFastMutex(&lock);
    own = map_registers(MmNonCached);
    if (own == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    WRITE_REGISTER_ULONG((PULONG)((PUCHAR)own + 4), 1);
    driver->MajorFunction[IRP_MJ_CREATE] = come_and_go;
    driver->MajorFunction[IRP_MJ_CLOSE] = come_and_go;
    driver->MajorFunction[IRP_MJ_CLEANUP] = cleanup;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    status = control_device_make(
        driver, L"\\Device\\Window", L"\\DosDevices\\Window", FALSE);
    if (!NT_SUCCESS(status)) {
        MmUnmapIoSpace(own, REGISTER_BYTES);
    }
    return status;
}
