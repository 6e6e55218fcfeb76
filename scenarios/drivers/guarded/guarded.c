/* guarded.c - sample driver with an event by a name, and a device, that only
 * administrators and the system may use: lists of entries for well-known SIDs,
 * set by handles. */
#include <ntifs.h>

#include "scenarios/drivers/guarded/defects.h"
#include "scenarios/drivers/guarded/exports.h"

DRIVER_INITIALIZE DriverEntry;

extern POBJECT_TYPE NTSYSAPI *IoDeviceObjectType;

static HANDLE event;

#if DEFECT == DEFECT_LIST_SMALL
enum { ENTRIES = 1 };
#else
enum { ENTRIES = 2 };
#endif

#if DEFECT == DEFECT_RIGHT_MISSING
enum { RIGHTS = EVENT_MODIFY_STATE };
#else
enum { RIGHTS = EVENT_MODIFY_STATE | WRITE_DAC | READ_CONTROL };
#endif

#if DEFECT == DEFECT_OWN_LEFT
enum { HANDLE_KIND = 0 };
#else
enum { HANDLE_KIND = OBJ_KERNEL_HANDLE };
#endif

/* Each entry has room for the longest of the SIDs. */
static NTSTATUS fill(PACL list, ULONG bytes)
{
    NTSTATUS status = RtlCreateAcl(list, bytes, ACL_REVISION);

    if (NT_SUCCESS(status)) {
        status = RtlAddAccessAllowedAce(
            list, ACL_REVISION, EVENT_ALL_ACCESS, SeExports->SeAliasAdminsSid);
    }
    if (NT_SUCCESS(status)) {
        status = RtlAddAccessAllowedAce(
            list, ACL_REVISION, EVENT_ALL_ACCESS, SeExports->SeLocalSystemSid);
    }
    return status;
}

static NTSTATUS guard(HANDLE handle)
{
    ULONG bytes =
        sizeof(ACL) + ENTRIES * (FIELD_OFFSET(ACCESS_ALLOWED_ACE, SidStart) +
                                    RtlLengthSid(SeExports->SeAliasAdminsSid));
    PACL list = ExAllocatePoolWithTag(PagedPool, bytes, 'draG');
    SECURITY_DESCRIPTOR descriptor;
    NTSTATUS status;

    if (list == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    status = fill(list, bytes);
    if (NT_SUCCESS(status)) {
        status = RtlCreateSecurityDescriptor(
            &descriptor, SECURITY_DESCRIPTOR_REVISION);
    }
    if (NT_SUCCESS(status)) {
        status = RtlSetDaclSecurityDescriptor(&descriptor, TRUE, list, FALSE);
    }
    if (NT_SUCCESS(status)) {
        status =
            ZwSetSecurityObject(handle, DACL_SECURITY_INFORMATION, &descriptor);
    }
    ExFreePoolWithTag(list, 'draG');
    return status;
}

/* What was set is what is there: two entries, the second for the system. */
static BOOLEAN is_guarded(void)
{
    union {
        SECURITY_DESCRIPTOR descriptor;
        UCHAR bytes[256];
    } block;
    BOOLEAN present, defaulted;
    ACCESS_ALLOWED_ACE *entry;
    ULONG needed;
    PACL list;

    return NT_SUCCESS(ZwQuerySecurityObject(event, DACL_SECURITY_INFORMATION,
               &block.descriptor, sizeof(block), &needed)) &&
           NT_SUCCESS(RtlGetDaclSecurityDescriptor(
               &block.descriptor, &present, &list, &defaulted)) &&
           present && NT_SUCCESS(RtlGetAce(list, 1, (PVOID *)&entry)) &&
           RtlEqualSid(&entry->SidStart, SeExports->SeLocalSystemSid);
}

/* In the process that DriverEntry runs in. */
static BOOLEAN is_of_system(void)
{
    KAPC_STATE state;
    BOOLEAN right;

    KeStackAttachProcess((PVOID)PsInitialSystemProcess, &state);
    right = PsGetCurrentProcess() == PsInitialSystemProcess &&
            PsGetProcessId(PsInitialSystemProcess) == (HANDLE)4;
#if DEFECT != DEFECT_ATTACHED
    KeUnstackDetachProcess(&state);
#endif
    return right;
}

/* The device is for the same: its list is set as Wdmsec.lib does it, by a
 * handle that is opened by its address. */
static NTSTATUS guard_device(PDRIVER_OBJECT driver)
{
    PDEVICE_OBJECT device;
    NTSTATUS status = IoCreateDevice(driver, 0, NULL, FILE_DEVICE_UNKNOWN,
        FILE_DEVICE_SECURE_OPEN, FALSE, &device);
    HANDLE handle;

    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = ObOpenObjectByPointer(device, OBJ_KERNEL_HANDLE, NULL,
        WRITE_DAC | READ_CONTROL, *IoDeviceObjectType, KernelMode, &handle);
    if (NT_SUCCESS(status)) {
        status = guard(handle);
        ZwClose(handle);
    }
    if (!NT_SUCCESS(status)) {
        IoDeleteDevice(device);
    }
    return status;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    IoDeleteDevice(driver->DeviceObject);
#if DEFECT != DEFECT_HANDLE_LEFT && DEFECT != DEFECT_OWN_LEFT
    ZwClose(event);
#endif
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"\\BaseNamedObjects\\Guarded");
    OBJECT_ATTRIBUTES attributes;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    InitializeObjectAttributes(&attributes, &name, HANDLE_KIND, NULL, NULL);
    status =
        ZwCreateEvent(&event, RIGHTS, &attributes, NotificationEvent, FALSE);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = guard(event);
    if (NT_SUCCESS(status) &&
        (!is_guarded() || !is_of_system() || !exports_are_right())) {
        status = STATUS_UNSUCCESSFUL;
    }
    if (NT_SUCCESS(status)) {
        status = guard_device(driver);
    }
    if (!NT_SUCCESS(status)) {
        ZwClose(event);
    }
    return status;
}
