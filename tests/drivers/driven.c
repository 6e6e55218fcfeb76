/* driven.c - drivers for what `ntpmu drive` says: each definition is a way not
 * to get through DriverEntry and DriverUnload. */
#include <ntddk.h>

#include <intrin.h>

DRIVER_INITIALIZE DriverEntry;

#if defined(KEEPS)
/* Loads, and cannot be unloaded; its arguments lie on the stack. */
static NTSTATUS start(void)
{
    PHYSICAL_COUNTER_RESOURCE_LIST list = {.Count = 1};
    GROUP_AFFINITY affinity = {.Mask = 1};
    HANDLE set;

    list.Descriptors[0].Type = ResourceTypeSingle;
    list.Descriptors[0].u.CounterIndex = 2;
    return HalAllocateHardwareCounters(&affinity, 1, &list, &set);
}
#elif defined(REFUSES)
static NTSTATUS start(void)
{
    return STATUS_NOT_SUPPORTED;
}
#elif defined(SPINS)
static NTSTATUS start(void)
{
    static volatile LONG flag;

    while (flag == 0) {
        YieldProcessor();
    }
    return STATUS_SUCCESS;
}
#elif defined(BREAKS)
static NTSTATUS start(void)
{
    __debugbreak();
    return STATUS_SUCCESS;
}
#elif defined(FREES)
static NTSTATUS start(void)
{
    ExFreePool((UCHAR *)ExAllocatePoolWithTag(NonPagedPoolNx, 64, 'evrD') + 8);
    return STATUS_SUCCESS;
}
#elif defined(STRAYS)
static NTSTATUS start(void)
{
    void (*volatile stray)(void) = (void (*)(void))(ULONG_PTR)0x12345678;

    stray();
    return STATUS_SUCCESS;
}
#endif

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    return start();
}
