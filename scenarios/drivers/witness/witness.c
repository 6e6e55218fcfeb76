/* witness.c - sample driver with data for a crash dump: counters that it adds
 * to the dump as secondary data and as pages, and a note that it has been told
 * of the bug check. */
#include <ntddk.h>

#include "scenarios/drivers/witness/defects.h"

DRIVER_INITIALIZE DriverEntry;

enum { COUNTERS = 8 };

struct counters {
    ULONG64 value[COUNTERS];
};

static struct {
    KBUGCHECK_CALLBACK_RECORD plain;
    KBUGCHECK_REASON_CALLBACK_RECORD pages, data;
    struct counters counters;
    ULONG told;
} witness;

static const GUID own_guid = {0x6D2B3C41, 0x0F5A, 0x4E1B,
    {0x9C, 0x77, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC}};

static void touch(volatile ULONG *place)
{
    *place = 1;
}

static VOID NTAPI on_bug_check(PVOID buffer, ULONG length)
{
    struct counters *counters = buffer;

    if (DEFECT == DEFECT_ALLOCATES) {
        counters = ExAllocatePoolWithTag(NonPagedPool, length, 'ntiW');
    }
    if (DEFECT == DEFECT_TOUCHES_AGAIN) {
        touch((volatile ULONG *)(ULONG_PTR)0xFFFFFFFFF0000000);
    }
    counters->value[0]++;
    witness.told++;
}

static VOID NTAPI on_pages(KBUGCHECK_CALLBACK_REASON reason,
    struct _KBUGCHECK_REASON_CALLBACK_RECORD *record, PVOID specific,
    ULONG length)
{
    KBUGCHECK_ADD_PAGES *pages = specific;

    if (reason != KbCallbackAddPages || record != &witness.pages ||
        length < sizeof(*pages)) {
        return;
    }
    pages->Flags = KB_ADD_PAGES_FLAG_VIRTUAL_ADDRESS;
    pages->Address = (ULONG_PTR)&witness.counters;
    pages->Count = 1;
}

static VOID NTAPI on_data(KBUGCHECK_CALLBACK_REASON reason,
    struct _KBUGCHECK_REASON_CALLBACK_RECORD *record, PVOID specific,
    ULONG length)
{
    KBUGCHECK_SECONDARY_DUMP_DATA *data = specific;

    if (reason != KbCallbackSecondaryDumpData || record != &witness.data ||
        length < sizeof(*data) ||
        data->MaximumAllowed < sizeof(witness.counters)) {
        return;
    }
    data->Guid = own_guid;
    if (data->OutBuffer == data->InBuffer) {
        RtlCopyMemory(
            data->InBuffer, &witness.counters, sizeof(witness.counters));
    }
    data->OutBuffer = data->InBuffer;
    data->OutBufferLength = sizeof(witness.counters);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    if (DEFECT != DEFECT_RECORD_LEFT) {
        KeDeregisterBugCheckCallback(&witness.plain);
        KeDeregisterBugCheckReasonCallback(&witness.pages);
        KeDeregisterBugCheckReasonCallback(&witness.data);
    }
}

/* The macro takes a name, no expression. */
static BOOLEAN keep_plain(PKBUGCHECK_CALLBACK_RECORD record)
{
    KeInitializeCallbackRecord(record);
    return KeRegisterBugCheckCallback(record, on_bug_check, &witness.counters,
        sizeof(witness.counters), (PUCHAR) "witness");
}

static BOOLEAN keep(PKBUGCHECK_REASON_CALLBACK_RECORD record,
    PKBUGCHECK_REASON_CALLBACK_ROUTINE routine,
    KBUGCHECK_CALLBACK_REASON reason)
{
    KeInitializeCallbackRecord(record);
    return KeRegisterBugCheckReasonCallback(
        record, routine, reason, (PUCHAR) "witness");
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    if (!keep_plain(&witness.plain) ||
        !keep(&witness.pages, on_pages, KbCallbackAddPages) ||
        !keep(&witness.data, on_data, KbCallbackSecondaryDumpData)) {
        unload(driver);
        return STATUS_UNSUCCESSFUL;
    }
    if (DEFECT == DEFECT_TOUCHES || DEFECT == DEFECT_TOUCHES_AGAIN) {
        touch((volatile ULONG *)(ULONG_PTR)0xFFFFFFFFF0000000);
    }
    return STATUS_SUCCESS;
}
