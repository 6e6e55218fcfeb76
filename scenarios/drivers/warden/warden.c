/* warden.c - sample driver with a device for everybody and another one that it
 * keeps for administrators and the system. What programs ask of the second it
 * does for those that its descriptor lets: it asks SeAccessCheck, or has the
 * open checked. */
#include <ntifs.h>

#include "scenarios/drivers/warden/defects.h"

DRIVER_INITIALIZE DriverEntry;

enum {
    WARDEN_CHECK = 0x222000,     /* rights in; status, rights, token */
    WARDEN_OPEN = 0x222004,      /* rights in; status */
    WARDEN_PRIVILEGE = 0x222008, /* number in; whether it is held */
    LIST_BYTES = 128,
};

struct answer {
    NTSTATUS status;
    ULONG granted;
    ULONG has_token;
};

#if DEFECT == DEFECT_KERNEL_MODE
enum { CHECKED_MODE = KernelMode };
#else
enum { CHECKED_MODE = UserMode };
#endif

#if DEFECT == DEFECT_UNFORCED
enum { OPEN_ATTRIBUTES = OBJ_KERNEL_HANDLE };
#else
enum { OPEN_ATTRIBUTES = OBJ_KERNEL_HANDLE | OBJ_FORCE_ACCESS_CHECK };
#endif

static GENERIC_MAPPING mapping = {FILE_GENERIC_READ, FILE_GENERIC_WRITE,
    FILE_GENERIC_EXECUTE, FILE_ALL_ACCESS};

static UNICODE_STRING name = RTL_CONSTANT_STRING(L"\\Device\\Warden");
static UNICODE_STRING kept_name = RTL_CONSTANT_STRING(L"\\Device\\WardenKept");

static union {
    ACL list;
    UCHAR bytes[LIST_BYTES];
} list;

static SECURITY_DESCRIPTOR descriptor;

static NTSTATUS make_descriptor(VOID)
{
    NTSTATUS status = RtlCreateAcl(&list.list, sizeof(list), ACL_REVISION);

    if (NT_SUCCESS(status)) {
        status = RtlAddAccessAllowedAce(
            &list.list, ACL_REVISION, GENERIC_ALL, SeExports->SeAliasAdminsSid);
    }
    if (NT_SUCCESS(status)) {
        status = RtlAddAccessAllowedAce(
            &list.list, ACL_REVISION, GENERIC_ALL, SeExports->SeLocalSystemSid);
    }
    if (NT_SUCCESS(status)) {
        status = RtlAddAccessAllowedAce(
            &list.list, ACL_REVISION, GENERIC_READ, SeExports->SeWorldSid);
    }
    if (NT_SUCCESS(status)) {
        status = RtlCreateSecurityDescriptor(
            &descriptor, SECURITY_DESCRIPTOR_REVISION);
    }
    return NT_SUCCESS(status) ? RtlSetDaclSecurityDescriptor(
                                    &descriptor, TRUE, &list.list, FALSE)
                              : status;
}

static NTSTATUS open_kept(ULONG access, ULONG attributes, PHANDLE handle)
{
    OBJECT_ATTRIBUTES object;
    IO_STATUS_BLOCK answer;

    InitializeObjectAttributes(&object, &kept_name, attributes, NULL, NULL);
    return ZwOpenFile(handle, access, &object, &answer, FILE_SHARE_READ, 0);
}

/* By a handle of a file of the device. */
static NTSTATUS secure_kept(VOID)
{
    HANDLE handle;
    NTSTATUS status = open_kept(WRITE_DAC, OBJ_KERNEL_HANDLE, &handle);

    if (NT_SUCCESS(status)) {
        status =
            ZwSetSecurityObject(handle, DACL_SECURITY_INFORMATION, &descriptor);
        ZwClose(handle);
    }
    return status;
}

static VOID check(ULONG rights, struct answer *answer)
{
    SECURITY_SUBJECT_CONTEXT context;
    BOOLEAN locked = DEFECT == DEFECT_NOT_LOCKED;

    SeCaptureSubjectContext(&context);
    answer->has_token = context.PrimaryToken != NULL;
#if DEFECT == DEFECT_LOCK_LEFT || DEFECT == DEFECT_LOCKED
    SeLockSubjectContext(&context);
#endif
    SeAccessCheck(&descriptor, &context, locked, rights, 0, NULL, &mapping,
        CHECKED_MODE, &answer->granted, &answer->status);
#if DEFECT == DEFECT_LOCKED
    SeUnlockSubjectContext(&context);
#endif
#if DEFECT != DEFECT_CONTEXT_LEFT
    SeReleaseSubjectContext(&context);
#endif
#if DEFECT == DEFECT_RELEASED_TWICE
    SeReleaseSubjectContext(&context);
#endif
}

/* The buffer is there in requests of these codes, by their method. */
static NTSTATUS control(PIRP irp, ULONG code)
{
    const ULONG *asked = irp->AssociatedIrp.SystemBuffer;
    struct answer answer = {0, 0, 0};
    LUID privilege = {0, 0};
    HANDLE handle;

    switch (code) {
    case WARDEN_CHECK:
        check(*asked, &answer);
        break;
    case WARDEN_OPEN:
        answer.status = open_kept(*asked, OPEN_ATTRIBUTES, &handle);
        if (NT_SUCCESS(answer.status)) {
            ZwClose(handle);
        }
        break;
    case WARDEN_PRIVILEGE:
        privilege.LowPart = *asked;
        answer.status = SeSinglePrivilegeCheck(privilege, UserMode);
        answer.granted = SeSinglePrivilegeCheck(privilege, KernelMode);
        break;
    default:
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    *(struct answer *)irp->AssociatedIrp.SystemBuffer = answer;
    irp->IoStatus.Information = sizeof(answer);
    return STATUS_SUCCESS;
}

static NTSTATUS NTAPI dispatch(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    NTSTATUS status = STATUS_SUCCESS;

    UNREFERENCED_PARAMETER(device);
    irp->IoStatus.Information = 0;
    if (location->MajorFunction == IRP_MJ_DEVICE_CONTROL) {
        ULONG input = location->Parameters.DeviceIoControl.InputBufferLength;
        ULONG output = location->Parameters.DeviceIoControl.OutputBufferLength;

        status = input < sizeof(ULONG) || output < sizeof(struct answer)
                     ? STATUS_BUFFER_TOO_SMALL
                     : control(irp,
                           location->Parameters.DeviceIoControl.IoControlCode);
    }
    irp->IoStatus.Status = status;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    while (driver->DeviceObject != NULL) {
        IoDeleteDevice(driver->DeviceObject);
    }
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    PDEVICE_OBJECT kept, device;
    NTSTATUS status = make_descriptor();

    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    driver->MajorFunction[IRP_MJ_CREATE] = dispatch;
    driver->MajorFunction[IRP_MJ_CLEANUP] = dispatch;
    driver->MajorFunction[IRP_MJ_CLOSE] = dispatch;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = dispatch;
    if (NT_SUCCESS(status)) {
        status = IoCreateDevice(driver, 0, &kept_name, FILE_DEVICE_UNKNOWN,
            FILE_DEVICE_SECURE_OPEN, FALSE, &kept);
    }
    if (NT_SUCCESS(status)) {
        kept->Flags &= ~(ULONG)DO_DEVICE_INITIALIZING;
        status = secure_kept();
    }
    if (NT_SUCCESS(status)) {
        status = IoCreateDevice(driver, 0, &name, FILE_DEVICE_UNKNOWN,
            FILE_DEVICE_SECURE_OPEN, FALSE, &device);
    }
    if (!NT_SUCCESS(status)) {
        unload(driver);
    }
    return status;
}
