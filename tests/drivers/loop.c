/* loop.c - a driver whose DriverEntry never comes back. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static void wait_for_ever(volatile LONG *flag);

static void wait_for_ever(volatile LONG *flag)
{
    while (*flag == 0) {
    }
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    static volatile LONG flag;

    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    wait_for_ever(&flag);
    return STATUS_SUCCESS;
}
