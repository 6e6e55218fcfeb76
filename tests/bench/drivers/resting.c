/* resting.c - the driver of large.c, which does none of what it could. */
#define DriverEntry do_everything
#include "large.c"
#undef DriverEntry

DRIVER_INITIALIZE DriverEntry;

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    return STATUS_SUCCESS;
}
