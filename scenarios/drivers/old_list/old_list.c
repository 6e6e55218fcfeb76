/* old_list.c - a driver of Windows 7 that asks for counter 3 by a list, made
 * with the headers of its time: on 1903 the list is read in another layout
 * (HAL-TYPE-06). */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

enum { COUNTER = 3 };

static const ULONG tag = 'tsiL';
static HANDLE set;

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    if (set != NULL) {
        HalFreeHardwareCounters(set);
    }
}

/* The list is the last thing before the end of its memory, as far as pool has
 * its borders there. */
static NTSTATUS claim(VOID)
{
    PPHYSICAL_COUNTER_RESOURCE_LIST list =
        ExAllocatePoolWithTag(NonPagedPool, sizeof(*list), tag);
    NTSTATUS status;

    if (list == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    RtlZeroMemory(list, sizeof(*list));
    list->Count = 1;
    list->Descriptors[0].Type = ResourceTypeSingle;
    list->Descriptors[0].u.CounterIndex = COUNTER;
    status = HalAllocateHardwareCounters(NULL, 0, list, &set);
    ExFreePoolWithTag(list, tag);
    return status;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    return claim();
}
