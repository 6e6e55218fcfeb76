/* secure_device.c - IoCreateDeviceSecure (IO-10c): a device whose descriptor is
 * that of its class in the registry, or that of a text. It is part of the
 * driver, which makes all the calls. */
#include <ntifs.h>

#include "api/driver_support/device_settings.h"
#include "api/driver_support/sddl.h"

/* Behind it, because it renames what ntifs.h declares. */
#include <wdmsec.h>

extern POBJECT_TYPE NTSYSAPI *IoDeviceObjectType;

enum { LIST_TAG = 'lesW' };

static const ULONG members[SDDL_SIDS] = {
#define SDDL_SID(letters, member)                                              \
    [SDDL_##letters] = FIELD_OFFSET(SE_EXPORTS, member),
#include "api/driver_support/sddl_sids.def"
};

/* S-1-5-84-0-0-0-0-0. */
static const struct {
    SID head;
    ULONG rest[5];
} user_mode_drivers = {{1, 6, {{0, 0, 0, 0, 0, 5}}, {84}}, {0, 0, 0, 0, 0}};

static PSID sid_of(enum sddl_sid sid)
{
    return sid == SDDL_UD ? (PSID)&user_mode_drivers
                          : *(PSID *)((const UCHAR *)SeExports + members[sid]);
}

/* The bytes of a list; 0: the text is none. */
static ULONG list_bytes(PCUNICODE_STRING text)
{
    struct sddl sddl = sddl_begin(text->Buffer, text->Length / sizeof(WCHAR));
    struct sddl_term term;
    ULONG bytes = sizeof(ACL);

    while (sddl_next(&sddl, &term)) {
        bytes += FIELD_OFFSET(ACCESS_ALLOWED_ACE, SidStart) +
                 RtlLengthSid(sid_of(term.sid));
    }
    return sddl.wrong ? 0 : bytes;
}

static NTSTATUS fill(PACL list, ULONG bytes, PCUNICODE_STRING text)
{
    struct sddl sddl = sddl_begin(text->Buffer, text->Length / sizeof(WCHAR));
    struct sddl_term term;
    NTSTATUS status = RtlCreateAcl(list, bytes, ACL_REVISION);

    while (NT_SUCCESS(status) && sddl_next(&sddl, &term)) {
        status = RtlAddAccessAllowedAce(
            list, ACL_REVISION, term.access, sid_of(term.sid));
    }
    return status;
}

/* In the paged pool. STATUS_INVALID_PARAMETER: the text is none [C]. */
static NTSTATUS make_list(PCUNICODE_STRING text, PACL *list)
{
    ULONG bytes = text == NULL ? 0 : list_bytes(text);
    NTSTATUS status;

    if (bytes == 0) {
        return STATUS_INVALID_PARAMETER;
    }
    *list = ExAllocatePoolWithTag(PagedPool, bytes, LIST_TAG);
    if (*list == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    status = fill(*list, bytes, text);
    if (!NT_SUCCESS(status)) {
        ExFreePoolWithTag(*list, LIST_TAG);
    }
    return status;
}

/* The parts that it has, as SECURITY_INFORMATION, and what setting each takes.
 */
static NTSTATUS parts_of(PSECURITY_DESCRIPTOR descriptor,
    SECURITY_INFORMATION *parts, ACCESS_MASK *access)
{
    BOOLEAN defaulted, sacl_present = FALSE, dacl_present = FALSE;
    PSID owner = NULL, group = NULL;
    PACL list;
    NTSTATUS status =
        RtlGetOwnerSecurityDescriptor(descriptor, &owner, &defaulted);

    if (NT_SUCCESS(status)) {
        status = RtlGetGroupSecurityDescriptor(descriptor, &group, &defaulted);
    }
    if (NT_SUCCESS(status)) {
        status = RtlGetSaclSecurityDescriptor(
            descriptor, &sacl_present, &list, &defaulted);
    }
    if (NT_SUCCESS(status)) {
        status = RtlGetDaclSecurityDescriptor(
            descriptor, &dacl_present, &list, &defaulted);
    }
    *parts = (owner != NULL ? OWNER_SECURITY_INFORMATION : 0) |
             (group != NULL ? GROUP_SECURITY_INFORMATION : 0) |
             (sacl_present ? SACL_SECURITY_INFORMATION : 0) |
             (dacl_present ? DACL_SECURITY_INFORMATION : 0);
    *access = (owner != NULL || group != NULL ? WRITE_OWNER : 0) |
              (sacl_present ? ACCESS_SYSTEM_SECURITY : 0) |
              (dacl_present ? WRITE_DAC : 0);
    return status;
}

/* By a handle of the device, which nobody can open yet. */
static NTSTATUS secure(PDEVICE_OBJECT device, PSECURITY_DESCRIPTOR descriptor)
{
    SECURITY_INFORMATION parts;
    ACCESS_MASK access;
    HANDLE handle;
    NTSTATUS status = parts_of(descriptor, &parts, &access);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = ObOpenObjectByPointer(device, OBJ_KERNEL_HANDLE, NULL, access,
        *IoDeviceObjectType, KernelMode, &handle);
    if (NT_SUCCESS(status)) {
        status = ZwSetSecurityObject(handle, parts, descriptor);
        ZwClose(handle);
    }
    return status;
}

static NTSTATUS create(PDRIVER_OBJECT driver, ULONG extension_bytes,
    PUNICODE_STRING name, const struct device_settings *settings,
    PSECURITY_DESCRIPTOR descriptor, PDEVICE_OBJECT *device)
{
    PDEVICE_OBJECT made;
    NTSTATUS status = IoCreateDevice(driver, extension_bytes, name,
        settings->type, settings->characteristics, settings->exclusive, &made);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = secure(made, descriptor);
    if (NT_SUCCESS(status)) {
        *device = made;
    } else {
        IoDeleteDevice(made);
    }
    return status;
}

static NTSTATUS create_listed(PDRIVER_OBJECT driver, ULONG extension_bytes,
    PUNICODE_STRING name, struct device_settings *settings, PACL list,
    PDEVICE_OBJECT *device)
{
    SECURITY_DESCRIPTOR descriptor;
    NTSTATUS status =
        RtlCreateSecurityDescriptor(&descriptor, SECURITY_DESCRIPTOR_REVISION);

    if (NT_SUCCESS(status)) {
        status = RtlSetDaclSecurityDescriptor(&descriptor, TRUE, list, FALSE);
    }
    return NT_SUCCESS(status) ? create(driver, extension_bytes, name, settings,
                                    &descriptor, device)
                              : status;
}

/* Whether it has a name is what the driver says, whatever its class does [C].
 */
static NTSTATUS read_class(
    const GUID *class_guid, struct device_settings *settings)
{
    ULONG named = settings->characteristics & FILE_AUTOGENERATED_DEVICE_NAME;
    NTSTATUS status = device_settings_read(class_guid, settings);

    settings->characteristics &= ~(ULONG)FILE_AUTOGENERATED_DEVICE_NAME;
    settings->characteristics |= named;
    return status;
}

NTSTATUS WdmlibIoCreateDeviceSecure(PDRIVER_OBJECT DriverObject,
    ULONG DeviceExtensionSize, PUNICODE_STRING DeviceName,
    DEVICE_TYPE DeviceType, ULONG DeviceCharacteristics, BOOLEAN Exclusive,
    PCUNICODE_STRING DefaultSDDLString, LPCGUID DeviceClassGuid,
    PDEVICE_OBJECT *DeviceObject)
{
    struct device_settings settings = {
        DeviceType, DeviceCharacteristics, Exclusive, NULL};
    PACL list;
    NTSTATUS status;

    if (DeviceName == NULL &&
        (DeviceCharacteristics & FILE_AUTOGENERATED_DEVICE_NAME) == 0) {
        return STATUS_INVALID_PARAMETER; /* [C] */
    }
    status = make_list(DefaultSDDLString, &list);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (DeviceClassGuid != NULL) {
        status = read_class(DeviceClassGuid, &settings);
    }
    if (NT_SUCCESS(status) && settings.security != NULL) {
        status = create(DriverObject, DeviceExtensionSize, DeviceName,
            &settings, settings.security, DeviceObject);
    } else if (NT_SUCCESS(status)) {
        status = create_listed(DriverObject, DeviceExtensionSize, DeviceName,
            &settings, list, DeviceObject);
    }
    if (settings.security != NULL) {
        ExFreePoolWithTag(settings.security, DEVICE_SETTINGS_TAG);
    }
    ExFreePoolWithTag(list, LIST_TAG);
    return status;
}
