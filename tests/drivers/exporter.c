/* exporter.c - a driver that exports: a routine by its name, one by its ordinal
 * alone, a variable, and one that it has from another image. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

__declspec(dllexport) NTSTATUS NTAPI ExporterAdd(ULONG more);
NTSTATUS NTAPI ExporterSeventh(VOID);

#pragma comment(linker, "/export:ExporterSeventh,@7,NONAME")
#pragma comment(linker, "/export:ExporterElsewhere=hal.HalNothing")

__declspec(dllexport) ULONG ExporterSum = 5;

__declspec(dllexport) NTSTATUS NTAPI ExporterAdd(ULONG more)
{
    ExporterSum += more;
    return STATUS_SUCCESS;
}

NTSTATUS NTAPI ExporterSeventh(VOID)
{
    return ExporterSum == 12 ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    return STATUS_SUCCESS;
}
