/* calls.c - loops inside of a driver, so that entering it does not count. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
ULONG64 call_kernel(ULONG64 count);
ULONG64 read_msr(ULONG64 count, ULONG64 index);

ULONG64 call_kernel(ULONG64 count)
{
    ULONG64 sum = 0;

    while (count-- > 0) {
        sum += KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS);
    }
    return sum;
}

ULONG64 read_msr(ULONG64 count, ULONG64 index)
{
    ULONG64 sum = 0;

    while (count-- > 0) {
        sum += __readmsr((ULONG)index);
    }
    return sum;
}

/* What an image has to have; the functions are found by their names. */
NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    return call_kernel(1) + read_msr(0, 0) > 0 ? STATUS_SUCCESS
                                               : STATUS_UNSUCCESSFUL;
}
