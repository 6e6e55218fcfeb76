/* loop.c - a driver whose DriverEntry never comes back. The loop is a single
 * instruction, so that it is always found at the same place. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static void wait_for_ever(void);

static void wait_for_ever(void)
{
    for (;;) {
    }
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    wait_for_ever();
    return STATUS_SUCCESS;
}
