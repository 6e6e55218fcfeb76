/* kernel_routines.c - routines that wdmsec.h takes from the driver's own
 * library and not from the kernel, whose older versions lack them. */
#include <ntifs.h>

NTSTATUS WdmlibRtlInitUnicodeStringEx(
    PUNICODE_STRING DestinationString, PCWSTR SourceString);
NTSTATUS WdmlibIoValidateDeviceIoControlAccess(PIRP Irp, ULONG RequiredAccess);

/* A source that is too long is cut, as by RtlInitUnicodeString; that the status
 * says so is as with RtlInitStringEx [C]. */
NTSTATUS WdmlibRtlInitUnicodeStringEx(
    PUNICODE_STRING DestinationString, PCWSTR SourceString)
{
    RtlInitUnicodeString(DestinationString, SourceString);
    return SourceString == NULL ||
                   SourceString[DestinationString->Length / sizeof(WCHAR)] == 0
               ? STATUS_SUCCESS
               : STATUS_NAME_TOO_LONG;
}

NTSTATUS WdmlibIoValidateDeviceIoControlAccess(PIRP Irp, ULONG RequiredAccess)
{
    return IoValidateDeviceIoControlAccess(Irp, RequiredAccess);
}
