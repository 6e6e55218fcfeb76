/* device_settings.c - the settings of a class of devices: values of
 * Control\Class\{GUID}\Properties (pages Setting Device Object Properties in
 * the Registry, Wdmsec). One of another type, or a descriptor that is none, is
 * passed over [C]. */
#include "api/driver_support/device_settings.h"

enum { PATH_UNITS = 128 };

static NTSTATUS make_path(UNICODE_STRING *path, const GUID *class_guid)
{
    UNICODE_STRING guid;
    NTSTATUS status = RtlStringFromGUID(class_guid, &guid);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = RtlAppendUnicodeToString(path,
        L"\\Registry\\Machine\\System\\CurrentControlSet\\Control\\Class\\");
    if (NT_SUCCESS(status)) {
        status = RtlAppendUnicodeStringToString(path, &guid);
    }
    if (NT_SUCCESS(status)) {
        status = RtlAppendUnicodeToString(path, L"\\Properties");
    }
    RtlFreeUnicodeString(&guid);
    return status;
}

/* Leaves it as it is where there is no such number. */
static VOID read_number(HANDLE key, const WCHAR *name, ULONG *number)
{
    union {
        KEY_VALUE_PARTIAL_INFORMATION information;
        UCHAR bytes[FIELD_OFFSET(KEY_VALUE_PARTIAL_INFORMATION, Data) +
                    sizeof(ULONG)];
    } value;
    UNICODE_STRING string;
    ULONG length;
    NTSTATUS status;

    RtlInitUnicodeString(&string, name);
    status = ZwQueryValueKey(key, &string, KeyValuePartialInformation, &value,
        sizeof(value), &length);
    if (NT_SUCCESS(status) && value.information.Type == REG_DWORD &&
        value.information.DataLength == sizeof(*number)) {
        RtlCopyMemory(number, value.information.Data, sizeof(*number));
    }
}

/* Whether `least` bytes at the offset are there, and as many as is said in
 * them: a SID's second byte, or a list's third and fourth. */
static BOOLEAN is_part(
    const UCHAR *bytes, ULONG size, ULONG offset, BOOLEAN list)
{
    const ULONG least = 8; /* the head of either */
    ULONG length;

    if (offset == 0) {
        return TRUE;
    }
    if (offset > size || size - offset < least) {
        return FALSE;
    }
    length = list ? (ULONG)(bytes[offset + 2] | bytes[offset + 3] << 8)
                  : least + 4 * (ULONG)bytes[offset + 1];
    return length <= size - offset;
}

static BOOLEAN is_descriptor(const UCHAR *bytes, ULONG size)
{
    SECURITY_DESCRIPTOR_RELATIVE head;

    if (size < sizeof(head)) {
        return FALSE;
    }
    RtlCopyMemory(&head, bytes, sizeof(head));
    return (head.Control & SE_SELF_RELATIVE) != 0 &&
           is_part(bytes, size, head.Owner, FALSE) &&
           is_part(bytes, size, head.Group, FALSE) &&
           is_part(bytes, size, head.Sacl, TRUE) &&
           is_part(bytes, size, head.Dacl, TRUE);
}

/* A copy of it, for the block that it is in has more before it. */
static NTSTATUS keep_security(const KEY_VALUE_PARTIAL_INFORMATION *value,
    struct device_settings *settings)
{
    PSECURITY_DESCRIPTOR copy;

    if (value->Type != REG_BINARY ||
        !is_descriptor(value->Data, value->DataLength)) {
        return STATUS_SUCCESS;
    }
    copy = ExAllocatePoolWithTag(
        PagedPool, value->DataLength, DEVICE_SETTINGS_TAG);
    if (copy == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    RtlCopyMemory(copy, value->Data, value->DataLength);
    if (RtlValidSecurityDescriptor(copy)) {
        settings->security = copy;
    } else {
        ExFreePoolWithTag(copy, DEVICE_SETTINGS_TAG);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS read_security(HANDLE key, struct device_settings *settings)
{
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"Security");
    KEY_VALUE_PARTIAL_INFORMATION *value;
    ULONG length = 0;
    NTSTATUS status = ZwQueryValueKey(
        key, &name, KeyValuePartialInformation, NULL, 0, &length);

    if (status != STATUS_BUFFER_TOO_SMALL && status != STATUS_BUFFER_OVERFLOW) {
        return STATUS_SUCCESS;
    }
    value = ExAllocatePoolWithTag(PagedPool, length, DEVICE_SETTINGS_TAG);
    if (value == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    status = ZwQueryValueKey(
        key, &name, KeyValuePartialInformation, value, length, &length);
    status =
        NT_SUCCESS(status) ? keep_security(value, settings) : STATUS_SUCCESS;
    ExFreePoolWithTag(value, DEVICE_SETTINGS_TAG);
    return status;
}

NTSTATUS device_settings_read(
    const GUID *class_guid, struct device_settings *settings)
{
    WCHAR text[PATH_UNITS];
    UNICODE_STRING path = {0, sizeof(text), text};
    OBJECT_ATTRIBUTES attributes;
    ULONG type = settings->type, exclusive = settings->exclusive;
    HANDLE key;
    NTSTATUS status = make_path(&path, class_guid);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    InitializeObjectAttributes(&attributes, &path,
        OBJ_CASE_INSENSITIVE | OBJ_KERNEL_HANDLE, NULL, NULL);
    status = ZwOpenKey(&key, KEY_READ, &attributes);
    if (status == STATUS_OBJECT_NAME_NOT_FOUND) {
        return STATUS_SUCCESS; /* the class has none */
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    read_number(key, L"DeviceType", &type);
    read_number(key, L"DeviceCharacteristics", &settings->characteristics);
    read_number(key, L"Exclusive", &exclusive);
    settings->type = type;
    settings->exclusive = exclusive != 0;
    status = read_security(key, settings);
    ZwClose(key);
    return status;
}
