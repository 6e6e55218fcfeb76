/* library.c - a driver that formats, asserts, unwinds, saves the floating-point
 * state, copies and prints, reads and writes its registry key and asks about
 * its device by what ntoskrnl exports for that: what comes of it goes to the
 * program that asks. */
#include <ntddk.h>

#include <stdarg.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/library/library.h"
#include "scenarios/drivers/library/plain.h"
#include "scenarios/drivers/library/unwinding.h"

DRIVER_INITIALIZE DriverEntry;

/* Without <stdio.h>, whose own are other functions. */
int __cdecl _snprintf(char *to, size_t count, const char *format, ...);
int __cdecl _snwprintf(WCHAR *to, size_t count, const WCHAR *format, ...);
int __cdecl _vsnprintf(
    char *to, size_t count, const char *format, va_list arguments);
int __cdecl _vsnwprintf(
    WCHAR *to, size_t count, const WCHAR *format, va_list arguments);
int __cdecl sprintf(char *to, const char *format, ...);
int __cdecl swprintf(WCHAR *to, const WCHAR *format, ...);
int __cdecl vsprintf(char *to, const char *format, va_list arguments);

static volatile int number = -7; /* known to no compiler */

static int by_list(
    unsigned wish, unsigned char *to, size_t count, const void *format, ...)
{
    va_list arguments;
    int result = 0;

    va_start(arguments, format);
    if (wish == LIBRARY_VSNPRINTF) {
        result = _vsnprintf((char *)to, count, format, arguments);
    } else if (wish == LIBRARY_VSNWPRINTF) {
        result = _vsnwprintf((WCHAR *)(PVOID)to, count, format, arguments);
    } else {
        result = vsprintf((char *)to, format, arguments);
    }
    va_end(arguments);
    return result;
}

static int print(const struct library_request *request, unsigned char *to)
{
    WCHAR *wide = (WCHAR *)(PVOID)to;
    char *narrow = (char *)to;
    size_t count = request->count;

    switch (request->wish) {
    case LIBRARY_SNPRINTF:
        return _snprintf(narrow, count, "%d-%s", number, "abc");
    case LIBRARY_SNWPRINTF:
        return _snwprintf(
            wide, count, L"%d%s%S%hs%c", number, L"a\x20AC", "b", "c", L'd');
    case LIBRARY_VSNPRINTF:
        return by_list(request->wish, to, count, "%d-%s", number, "abc");
    case LIBRARY_VSNWPRINTF:
        return by_list(request->wish, to, count, L"%d-%s", number, L"abc");
    case LIBRARY_SPRINTF:
        return sprintf(narrow, "%d-%s", number, "abc");
    case LIBRARY_SWPRINTF:
        return swprintf(wide, L"%d-%s", number, L"abc");
    case LIBRARY_VSPRINTF:
        return by_list(request->wish, to, count, "%d-%s", number, "abc");
    case LIBRARY_COUNT_ONLY:
        return _snprintf(NULL, 0, "%d-%s", number, "abc");
    case LIBRARY_FLOAT:
        return _snprintf(narrow, count, "%f|%d", (LONG64)0, number);
    default:
        return _snprintf(narrow, count, "%S|%ls|%C", L"a\x20AC", L"b", 0x20AC);
    }
}

/* More than a driver's own buffers have, so that it goes out in pieces. */
static int print_long(unsigned char *to)
{
    static char text[201];
    char *room = ExAllocatePoolWithTag(NonPagedPoolNx, 600, 'rbiL');
    int result;
    int i;

    if (room == NULL) {
        return -2;
    }
    for (i = 0; i < 200; i++) {
        text[i] = (char)('a' + i % 26);
    }
    result = _snprintf(room, 600, "%s%300d", text, number);
    to[0] = (unsigned char)room[199];
    to[1] = (unsigned char)room[200];
    to[2] = (unsigned char)room[499];
    to[3] = (unsigned char)room[500];
    ExFreePoolWithTag(room, 'rbiL');
    return result;
}

static int assert_caught(VOID)
{
    __try {
        RtlAssert("1 == 2", "library.c", 9, NULL);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return (int)GetExceptionCode();
    }
    return 0;
}

static KFLOATING_SAVE saved;

static int use_float(BOOLEAN leave)
{
    NTSTATUS status = KeSaveFloatingPointState(&saved);

    if (NT_SUCCESS(status) && !leave) {
        status = KeRestoreFloatingPointState(&saved);
    }
    return status;
}

/* As the I/O manager names it: DriverEntry's path is freed behind that. */
static WCHAR key_path[128];

/* The ULONG Level of the driver's own key; a status where there is none. */
static int read_level(VOID)
{
    UCHAR
    room[FIELD_OFFSET(KEY_VALUE_PARTIAL_INFORMATION, Data) + sizeof(ULONG)];
    PKEY_VALUE_PARTIAL_INFORMATION value = (PVOID)room;
    OBJECT_ATTRIBUTES attributes;
    UNICODE_STRING path, name;
    ULONG length;
    HANDLE key;
    NTSTATUS status;

    RtlInitUnicodeString(&path, key_path);
    RtlInitUnicodeString(&name, L"Level");
    InitializeObjectAttributes(&attributes, &path,
        OBJ_KERNEL_HANDLE | OBJ_CASE_INSENSITIVE, NULL, NULL);
    status = ZwOpenKey(&key, KEY_QUERY_VALUE, &attributes);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = ZwQueryValueKey(
        key, &name, KeyValuePartialInformation, value, sizeof(room), &length);
    ZwClose(key);
    if (!NT_SUCCESS(status) || value->Type != REG_DWORD) {
        return status;
    }
    return (int)*(ULONG *)(PVOID)value->Data;
}

/* Puts the length of a string behind those before it. */
static NTSTATUS NTAPI note_string(PWSTR name, ULONG type, PVOID data,
    ULONG length, PVOID context, PVOID entry_context)
{
    unsigned char *to = context;
    const ULONG *least = entry_context;

    if (type != REG_SZ || name[0] != L'N' || data == NULL) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    if (length >= *least) {
        to[1 + to[0]++] = (unsigned char)length;
    }
    return STATUS_SUCCESS;
}

/* The level, which is 7 where nobody has set it; a status where it has another
 * type. */
static int query_level(unsigned char *to)
{
    ULONG level = 0, usual = 7, least = 4;
    RTL_QUERY_REGISTRY_TABLE table[] = {
        {NULL, RTL_QUERY_REGISTRY_DIRECT | RTL_QUERY_REGISTRY_TYPECHECK,
            (PWSTR)L"Level", &level,
            REG_DWORD << RTL_QUERY_REGISTRY_TYPECHECK_SHIFT | REG_DWORD, &usual,
            sizeof(usual)},
        {note_string, 0, (PWSTR)L"Names", &least, REG_NONE, NULL, 0},
        {NULL, 0, NULL, NULL, REG_NONE, NULL, 0}};
    NTSTATUS status;

    to[0] = 0;
    status = RtlQueryRegistryValues(
        RTL_REGISTRY_ABSOLUTE, key_path, table, to, NULL);
    return NT_SUCCESS(status) ? (int)level : status;
}

/* Leaves a level and a note behind, the latter in a key of its own, and no
 * names. */
static int write_level(ULONG level)
{
    static WCHAR note[] = L"written";
    NTSTATUS status = RtlWriteRegistryValue(RTL_REGISTRY_ABSOLUTE, key_path,
        L"Level", REG_DWORD, &level, sizeof(level));

    if (NT_SUCCESS(status)) {
        status = RtlWriteRegistryValue(RTL_REGISTRY_SERVICES, L"library\\Notes",
            L"Note", REG_SZ, note, sizeof(note));
    }
    if (NT_SUCCESS(status)) {
        status =
            RtlDeleteRegistryValue(RTL_REGISTRY_ABSOLUTE, key_path, L"Names");
    }
    return status;
}

static int ask_property(PDEVICE_OBJECT device, ULONG property)
{
    WCHAR room[16];
    ULONG length;

    return IoGetDeviceProperty(device, (DEVICE_REGISTRY_PROPERTY)property,
        sizeof(room), room, &length);
}

static int serve(PDEVICE_OBJECT device, const struct library_request *request,
    unsigned char *to)
{
    switch (request->wish) {
    case LIBRARY_LONG:
        return print_long(to);
    case LIBRARY_PROCESSORS:
        return KeNumberProcessors;
    case LIBRARY_ASSERT:
        RtlAssert("1 == 2", "library.c", 7, "mind");
        return 0;
    case LIBRARY_ASSERT_CAUGHT:
        return assert_caught();
    case LIBRARY_UNWIND:
        return unwinding_run(to, FALSE);
    case LIBRARY_UNWIND_NOWHERE:
        return unwinding_run(to, TRUE);
    case LIBRARY_FLOAT_PAIR:
        return use_float(FALSE);
    case LIBRARY_FLOAT_LEFT:
        return use_float(TRUE);
    case LIBRARY_REGISTRY:
        return read_level();
    case LIBRARY_QUERY:
        return query_level(to);
    case LIBRARY_WRITE:
        return write_level(request->count);
    case LIBRARY_PROPERTY:
        return ask_property(device, request->count);
    case LIBRARY_BYTES:
        return plain_bytes(request->count, to);
    case LIBRARY_PRINT:
        return plain_print(request->count & 0xFF, (KIRQL)(request->count >> 8));
    case LIBRARY_FORMAT:
        return plain_format(request->count, to);
    default:
        return print(request, to);
    }
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    struct library_request request = {0};
    struct library_answer *answer = irp->AssociatedIrp.SystemBuffer;
    NTSTATUS status = STATUS_INVALID_PARAMETER;

    irp->IoStatus.Information = 0;
    if (location->Parameters.DeviceIoControl.InputBufferLength ==
            sizeof(request) &&
        location->Parameters.DeviceIoControl.OutputBufferLength ==
            sizeof(*answer)) {
        request = *(struct library_request *)irp->AssociatedIrp.SystemBuffer;
        RtlFillMemory(answer, sizeof(*answer), 0xA5);
        answer->result = serve(device, &request, answer->text);
        irp->IoStatus.Information = sizeof(*answer);
        status = STATUS_SUCCESS;
    }
    irp->IoStatus.Status = status;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS NTAPI open(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    irp->IoStatus.Status = STATUS_SUCCESS;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return STATUS_SUCCESS;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    control_device_remove(driver, L"\\DosDevices\\Library");
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    if (path->Length < sizeof(key_path)) {
        RtlCopyMemory(key_path, path->Buffer, path->Length);
    }
    driver->DriverUnload = unload;
    driver->MajorFunction[IRP_MJ_CREATE] = open;
    driver->MajorFunction[IRP_MJ_CLOSE] = open;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    return control_device_make(
        driver, L"\\Device\\Library", L"\\DosDevices\\Library", FALSE);
}
