/* loop_frees.c - a driver whose lookaside list never gets empty: what frees an
 * entry makes the list as it was. So the kernel calls it for ever, and it calls
 * nobody. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static void free_all(void);

static LOOKASIDE_LIST_EX list;
static SLIST_HEADER full;

static VOID NTAPI free_none(PVOID entry, PLOOKASIDE_LIST_EX from)
{
    UNREFERENCED_PARAMETER(entry);
    from->L.ListHead = full;
}

static void free_all(void)
{
    ExFlushLookasideListEx(&list);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    NTSTATUS status = ExInitializeLookasideListEx(
        &list, NULL, free_none, NonPagedPoolNx, 0, 64, 'pooL', 0);

    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    if (NT_SUCCESS(status)) {
        ExFreeToLookasideListEx(&list, ExAllocateFromLookasideListEx(&list));
        full = list.L.ListHead;
        free_all();
    }
    return status;
}
