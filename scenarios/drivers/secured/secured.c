/* secured.c - sample driver with a device by a name that administrators and the
 * system may use, and others only read: its list is set by a handle, and counts
 * for all names behind the device's. */
#include <ntifs.h>

#include "scenarios/drivers/secured/defects.h"

DRIVER_INITIALIZE DriverEntry;

extern POBJECT_TYPE NTSYSAPI *IoDeviceObjectType;

#if DEFECT == DEFECT_OPEN_UNCHECKED || DEFECT == DEFECT_NAMES_REFUSED
enum { CHARACTERISTICS = 0 };
#else
enum { CHARACTERISTICS = FILE_DEVICE_SECURE_OPEN };
#endif

#if DEFECT == DEFECT_EVERYBODY
#define RIGHTS_OF_OTHERS (GENERIC_READ | GENERIC_WRITE)
#else
#define RIGHTS_OF_OTHERS GENERIC_READ
#endif

static UNICODE_STRING name = RTL_CONSTANT_STRING(L"\\Device\\Secured");
static UNICODE_STRING link_name = RTL_CONSTANT_STRING(L"\\DosDevices\\Secured");

static NTSTATUS fill(PACL list, ULONG bytes)
{
    NTSTATUS status = RtlCreateAcl(list, bytes, ACL_REVISION);

    if (NT_SUCCESS(status)) {
        status = RtlAddAccessAllowedAce(
            list, ACL_REVISION, GENERIC_ALL, SeExports->SeAliasAdminsSid);
    }
    if (NT_SUCCESS(status)) {
        status = RtlAddAccessAllowedAce(
            list, ACL_REVISION, GENERIC_ALL, SeExports->SeLocalSystemSid);
    }
    if (NT_SUCCESS(status)) {
        status = RtlAddAccessAllowedAce(
            list, ACL_REVISION, RIGHTS_OF_OTHERS, SeExports->SeWorldSid);
    }
    return status;
}

static NTSTATUS set_list(HANDLE handle)
{
    union {
        ACL list;
        UCHAR bytes[128];
    } block;
    SECURITY_DESCRIPTOR descriptor;
    NTSTATUS status = fill(&block.list, sizeof(block));

    if (NT_SUCCESS(status)) {
        status = RtlCreateSecurityDescriptor(
            &descriptor, SECURITY_DESCRIPTOR_REVISION);
    }
    if (NT_SUCCESS(status)) {
        status =
            RtlSetDaclSecurityDescriptor(&descriptor, TRUE, &block.list, FALSE);
    }
    if (NT_SUCCESS(status)) {
        status =
            ZwSetSecurityObject(handle, DACL_SECURITY_INFORMATION, &descriptor);
    }
    return status;
}

static NTSTATUS secure(PDEVICE_OBJECT device)
{
    HANDLE handle;
    NTSTATUS status = ObOpenObjectByPointer(device, OBJ_KERNEL_HANDLE, NULL,
        WRITE_DAC, *IoDeviceObjectType, KernelMode, &handle);

    if (NT_SUCCESS(status)) {
        status = set_list(handle);
        ZwClose(handle);
    }
    return status;
}

static NTSTATUS NTAPI dispatch(PDEVICE_OBJECT device, PIRP irp)
{
    NTSTATUS status = STATUS_SUCCESS;
#if DEFECT == DEFECT_NAMES_REFUSED
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);

    if (location->MajorFunction == IRP_MJ_CREATE &&
        location->FileObject->FileName.Length != 0) {
        status = STATUS_INVALID_PARAMETER;
    }
#endif
    UNREFERENCED_PARAMETER(device);
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    IoDeleteSymbolicLink(&link_name);
    IoDeleteDevice(driver->DeviceObject);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    PDEVICE_OBJECT device;
    NTSTATUS status = IoCreateDevice(
        driver, 0, &name, FILE_DEVICE_UNKNOWN, CHARACTERISTICS, FALSE, &device);

    UNREFERENCED_PARAMETER(path);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    driver->DriverUnload = unload;
    driver->MajorFunction[IRP_MJ_CREATE] = dispatch;
    driver->MajorFunction[IRP_MJ_CLEANUP] = dispatch;
    driver->MajorFunction[IRP_MJ_CLOSE] = dispatch;
#if DEFECT != DEFECT_NOT_SET
    status = secure(device);
#endif
    if (NT_SUCCESS(status)) {
        status = IoCreateSymbolicLink(&link_name, &name);
    }
    if (!NT_SUCCESS(status)) {
        IoDeleteDevice(device);
    }
    return status;
}
