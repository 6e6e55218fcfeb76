/* tenant.c - sample driver that gives a program memory of the program's own
 * with a greeting in it, one program at a time, until it closes its file. */
#include <ntifs.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/tenant/defects.h"

DRIVER_INITIALIZE DriverEntry;

#define CODE_GIVE                                                              \
    CTL_CODE(FILE_DEVICE_UNKNOWN, 0x800, METHOD_BUFFERED, FILE_ANY_ACCESS)

enum { RESERVED_BYTES = 0x10000, USED_BYTES = 5000, GREETING = 0x6F6C6C48 };

/* What was given, and to whom; file NULL: to nobody. */
static struct {
    PFILE_OBJECT file;
    PVOID base;
    SIZE_T bytes;
} tenant;

static FAST_MUTEX lock;

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS release(VOID)
{
    SIZE_T bytes = DEFECT == DEFECT_SIZE_KEPT ? tenant.bytes : 0;
    PVOID base = tenant.base;
    NTSTATUS status;

    status =
        ZwFreeVirtualMemory(ZwCurrentProcess(), &base, &bytes, MEM_RELEASE);
    tenant.file = NULL;
    return status;
}

/* The program may take it away meanwhile, or protect it otherwise. */
static NTSTATUS greet(VOID)
{
    __try {
        *(volatile ULONG *)tenant.base = GREETING;
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return GetExceptionCode();
    }
    return STATUS_SUCCESS;
}

static NTSTATUS commit(VOID)
{
    SIZE_T bytes = USED_BYTES;

    return ZwAllocateVirtualMemory(ZwCurrentProcess(), &tenant.base, 0, &bytes,
        MEM_COMMIT, PAGE_READWRITE);
}

static NTSTATUS give(PFILE_OBJECT file)
{
    NTSTATUS status;

    if (tenant.file != NULL) {
        return STATUS_DEVICE_BUSY;
    }
    tenant.base = NULL;
    tenant.bytes = RESERVED_BYTES;
    status = ZwAllocateVirtualMemory(ZwCurrentProcess(), &tenant.base, 0,
        &tenant.bytes, MEM_RESERVE, PAGE_READWRITE);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    tenant.file = file;
    status = DEFECT == DEFECT_NOT_OPENED ? STATUS_SUCCESS : commit();
    if (NT_SUCCESS(status)) {
        status = greet();
    }
    if (!NT_SUCCESS(status)) {
        release();
    }
    return status;
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG length = stack->Parameters.DeviceIoControl.OutputBufferLength;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(device);
    if (stack->Parameters.DeviceIoControl.IoControlCode != CODE_GIVE) {
        return complete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
    if (length < sizeof(PVOID)) {
        return complete(irp, STATUS_BUFFER_TOO_SMALL, 0);
    }
    KeEnterCriticalRegion();
    ExAcquireFastMutexUnsafe(&lock);
    status = give(stack->FileObject);
    if (NT_SUCCESS(status)) {
        *(PVOID *)irp->AssociatedIrp.SystemBuffer = tenant.base;
    }
    ExReleaseFastMutexUnsafe(&lock);
    KeLeaveCriticalRegion();
    return complete(irp, status, NT_SUCCESS(status) ? sizeof(PVOID) : 0);
}

/* In the thread of the program that closes its last handle. */
static NTSTATUS NTAPI cleanup(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

    UNREFERENCED_PARAMETER(device);
    KeEnterCriticalRegion();
    ExAcquireFastMutexUnsafe(&lock);
    if (tenant.file == stack->FileObject) {
        if (DEFECT == DEFECT_LEFT || DEFECT == DEFECT_ELSEWHERE ||
            DEFECT == DEFECT_AFTER_END) {
            tenant.file = NULL;
        } else {
            release();
        }
    }
    ExReleaseFastMutexUnsafe(&lock);
    KeLeaveCriticalRegion();
    return complete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS NTAPI come_and_go(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    control_device_remove(driver, L"\\DosDevices\\Tenant");
    if (DEFECT == DEFECT_AFTER_END) {
        *(volatile ULONG *)tenant.base = 0;
    }
    if (DEFECT == DEFECT_ELSEWHERE) {
        release();
    }
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    ExInitializeFastMutex(&lock);
    driver->MajorFunction[IRP_MJ_CREATE] = come_and_go;
    driver->MajorFunction[IRP_MJ_CLOSE] = come_and_go;
    driver->MajorFunction[IRP_MJ_CLEANUP] = cleanup;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    return control_device_make(
        driver, L"\\Device\\Tenant", L"\\DosDevices\\Tenant", FALSE);
}
