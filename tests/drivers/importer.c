/* importer.c - a driver that imports from exporter.sys: by name, by ordinal, a
 * variable; with ASKS_MORE also what that does not export, with ASKS_ELSEWHERE
 * what it has from another image. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

__declspec(dllimport) NTSTATUS NTAPI ExporterAdd(ULONG more);
__declspec(dllimport) NTSTATUS NTAPI ExporterSeventh(VOID);
__declspec(dllimport) extern ULONG ExporterSum;
__declspec(dllimport) NTSTATUS NTAPI ExporterMore(VOID);
__declspec(dllimport) NTSTATUS NTAPI ExporterElsewhere(VOID);

/* The exporter's code stays as long as somebody imports from it. */
static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    (void)ExporterAdd(1);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
#if defined(ASKS_MORE)
    return ExporterMore();
#elif defined(ASKS_ELSEWHERE)
    return ExporterElsewhere();
#else
    if (ExporterSum != 5 || !NT_SUCCESS(ExporterAdd(7))) {
        return STATUS_UNSUCCESSFUL;
    }
    return ExporterSeventh();
#endif
}
