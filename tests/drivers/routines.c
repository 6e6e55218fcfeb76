/* routines.c - that the headers declare what a counter driver calls, with the
 * WDK's prototypes. Compiled, not linked. */
#include <ntddk.h>

NTSTATUS counters(PGROUP_AFFINITY affinity,
    PHYSICAL_COUNTER_RESOURCE_LIST *list, PHARDWARE_COUNTER configuration,
    PHANDLE set);
ULONG processors(PGROUP_AFFINITY affinity, PPROCESSOR_NUMBER number,
    PKIPI_BROADCAST_WORKER worker, ULONG_PTR context);
PVOID pool(SIZE_T bytes);

NTSTATUS counters(PGROUP_AFFINITY affinity,
    PHYSICAL_COUNTER_RESOURCE_LIST *list, PHARDWARE_COUNTER configuration,
    PHANDLE set)
{
    NTSTATUS status = HalAllocateHardwareCounters(affinity, 1, list, set);
    ULONG count = MAX_HW_COUNTERS;

    if (!NT_SUCCESS(status)) {
        return status;
    }
    configuration->Type = PMCCounter;
    status = KeSetHardwareCounterConfiguration(configuration, 1);
    if (NT_SUCCESS(status)) {
        status =
            KeQueryHardwareCounterConfiguration(configuration, count, &count);
    }
    return NT_SUCCESS(status) ? HalFreeHardwareCounters(*set) : status;
}

ULONG processors(PGROUP_AFFINITY affinity, PPROCESSOR_NUMBER number,
    PKIPI_BROADCAST_WORKER worker, ULONG_PTR context)
{
    GROUP_AFFINITY before;
    ULONG index = KeGetCurrentProcessorNumberEx(number);

    if (!NT_SUCCESS(KeGetProcessorNumberFromIndex(index, number))) {
        return INVALID_PROCESSOR_INDEX;
    }
    affinity->Mask = KeQueryGroupAffinity(number->Group);
    KeSetSystemGroupAffinityThread(affinity, &before);
    KeRevertToUserGroupAffinityThread(&before);
    return KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS) +
           KeQueryActiveGroupCount() + (ULONG)KeIpiGenericCall(worker, context);
}

PVOID pool(SIZE_T bytes)
{
    return ExAllocatePool2(
        POOL_FLAG_NON_PAGED | POOL_FLAG_UNINITIALIZED, bytes, 'umpn');
}
