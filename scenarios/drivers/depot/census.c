/* census.c - the counters of things by size: a snapshot, made by a work item
 * and published by the callback. What is published does not change any more; a
 * new one takes its place. A resource guards which one that is: callbacks share
 * it, several at once, and may add while they have it, because it leaves them
 * at their level; the work item has it alone, just to exchange two pointers.
 *
 * The item is queued by the change that finds none unseen, and its routine goes
 * on until it has seen all: so it is never queued twice (WORK-04), nor runs
 * beside itself. Rundown protection is held from then to its end: the driver
 * waits for that before it frees the item. */
#include "scenarios/drivers/depot/census.h"

#include "scenarios/drivers/depot/counters.h"
#include "scenarios/drivers/depot/defects.h"
#include "scenarios/drivers/depot/store.h"

#define CENSUS_TAG 'opeD'

static const struct size {
    ULONG bytes_max;
    UNICODE_STRING name;
} sizes[] = {
    {1024, RTL_CONSTANT_STRING(L"small")},
    {65536, RTL_CONSTANT_STRING(L"medium")},
    {MAXULONG, RTL_CONSTANT_STRING(L"large")},
};

enum { SIZES = RTL_NUMBER_OF(sizes) };

struct snapshot {
    DEPOT_SIZE size[SIZES];
};

static struct {
    PIO_WORKITEM item;
    EX_RUNDOWN_REF queued;
    volatile LONG unseen; /* changes */
    ERESOURCE guard;
    struct snapshot *snapshot; /* that is published */
} census;

static IO_WORKITEM_ROUTINE renew;
static PCW_CALLBACK callback;
static struct snapshot *take(VOID);
static VOID publish(struct snapshot *snapshot);
static VOID free_all(VOID);
static NTSTATUS add_all(const PCW_MASK_INFORMATION *information);
static NTSTATUS add_guarded(const PCW_MASK_INFORMATION *information);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(PAGE, census_start, census_stop, renew, take, publish)
#pragma alloc_text(PAGE, free_all, add_all, add_guarded, callback)
#endif

/* NULL: memory was short. Callbacks come at APC_LEVEL at most, so paged pool
 * will do. */
static struct snapshot *take(VOID)
{
    LARGE_INTEGER frequency, now = KeQueryPerformanceCounter(&frequency);
    struct snapshot *snapshot;
    ULONG bytes[DEPOT_PLACES];

    PAGED_CODE();
    snapshot = ExAllocatePoolWithTag(PagedPool, sizeof(*snapshot), CENSUS_TAG);
    if (snapshot == NULL) {
        return NULL;
    }
    RtlZeroMemory(snapshot, sizeof(*snapshot));
    for (ULONG i = 0; i < SIZES; i++) {
        snapshot->size[i].Taken = (ULONG64)now.QuadPart;
        snapshot->size[i].Frequency = (ULONG64)frequency.QuadPart;
    }
    store_copy(bytes);
    for (ULONG i = 0; i < DEPOT_PLACES; i++) {
        ULONG size = 0;

        while (bytes[i] > sizes[size].bytes_max) {
            size++;
        }
        if (bytes[i] != 0) {
            snapshot->size[size].Items++;
            snapshot->size[size].Bytes += bytes[i];
        }
    }
    return snapshot;
}

static VOID publish(struct snapshot *snapshot)
{
    struct snapshot *old = census.snapshot;

    PAGED_CODE();
    if (DEFECT == DEFECT_SNAPSHOT_FREED) {
        census.snapshot = snapshot;
        ExFreePoolWithTag(old, CENSUS_TAG);
        return;
    }
    KeEnterCriticalRegion();
    ExAcquireResourceExclusiveLite(&census.guard, TRUE);
    census.snapshot = snapshot;
    ExReleaseResourceLite(&census.guard);
    KeLeaveCriticalRegion();
    ExFreePoolWithTag(old, CENSUS_TAG);
}

/* At PASSIVE_LEVEL, in a thread of the system. Without memory the old census
 * stays, and its age tells. */
static VOID NTAPI renew(PDEVICE_OBJECT device, PVOID context)
{
    LONG seen;

    UNREFERENCED_PARAMETER(device);
    UNREFERENCED_PARAMETER(context);
    PAGED_CODE();
    do {
        struct snapshot *snapshot;

        seen = census.unseen;
        snapshot = take();
        if (snapshot != NULL) {
            publish(snapshot);
        }
    } while (InterlockedCompareExchange(&census.unseen, 0, seen) != seen);
    ExReleaseRundownProtection(&census.queued);
}

VOID census_changed(VOID)
{
    if (InterlockedIncrement(&census.unseen) != 1) {
        return;
    }
    if (ExAcquireRundownProtection(&census.queued)) {
        IoQueueWorkItem(census.item, renew, DelayedWorkQueue, NULL);
    }
}

static VOID free_all(VOID)
{
    PAGED_CODE();
    ExDeleteResourceLite(&census.guard);
    if (DEFECT != DEFECT_ITEM_LEFT) {
        IoFreeWorkItem(census.item);
    }
    ExFreePoolWithTag(census.snapshot, CENSUS_TAG);
}

#if DEFECT == DEFECT_ITEM_AWAITED
VOID census_await(VOID)
{
    ExWaitForRundownProtectionRelease(&census.queued);
    ExReInitializeRundownProtection(&census.queued);
}
#endif

NTSTATUS census_start(PDEVICE_OBJECT device)
{
    PCW_REGISTRATION_INFORMATION information;
    NTSTATUS status;

    PAGED_CODE();
    ExInitializeRundownProtection(&census.queued);
    census.item = IoAllocateWorkItem(device);
    if (census.item == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    census.snapshot = take();
    if (census.snapshot == NULL) {
        IoFreeWorkItem(census.item);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    ExInitializeResourceLite(&census.guard);
    DepotInitRegistrationInformationCensus(callback, NULL, &information);
    information.Version = PCW_VERSION_1;
    status = PcwRegister(&DepotCensus, &information);
    if (!NT_SUCCESS(status)) {
        free_all();
    }
    return status;
}

VOID census_stop(VOID)
{
    PAGED_CODE();
    if (DEFECT != DEFECT_UNREGISTERED_LAST) {
        DepotUnregisterCensus();
    }
    ExWaitForRundownProtectionRelease(&census.queued);
    free_all();
    if (DEFECT == DEFECT_UNREGISTERED_LAST) {
        DepotUnregisterCensus();
    }
}

/* Those who share the resource read one snapshot, which says when it is told
 * in copies of theirs. */
static NTSTATUS add_all(const PCW_MASK_INFORMATION *information)
{
    ULONG64 now = (ULONG64)KeQueryPerformanceCounter(NULL).QuadPart;
    const struct snapshot *snapshot = census.snapshot;
    NTSTATUS status = STATUS_SUCCESS;

    PAGED_CODE();
    for (ULONG i = 0; i < SIZES && NT_SUCCESS(status); i++) {
        DEPOT_SIZE size = snapshot->size[i];

        size.Now = now;
        status = DepotAddCensus(information->Buffer, &sizes[i].name, i, &size);
    }
    return status;
}

static NTSTATUS add_guarded(const PCW_MASK_INFORMATION *information)
{
    NTSTATUS status;

    PAGED_CODE();
    if (DEFECT != DEFECT_APCS_ENABLED) {
        KeEnterCriticalRegion();
    }
    ExAcquireResourceSharedLite(&census.guard, TRUE);
    status = add_all(information);
    if (!NT_SUCCESS(status) && DEFECT == DEFECT_RESOURCE_KEPT) {
        return status;
    }
    ExReleaseResourceLite(&census.guard);
    if (DEFECT != DEFECT_APCS_ENABLED) {
        KeLeaveCriticalRegion();
    }
    return status;
}

static NTSTATUS NTAPI callback(PCW_CALLBACK_TYPE type,
    PPCW_CALLBACK_INFORMATION information, PVOID context)
{
    UNREFERENCED_PARAMETER(context);
    PAGED_CODE();
    switch (type) {
    case PcwCallbackEnumerateInstances:
        return add_guarded(&information->EnumerateInstances);
    case PcwCallbackCollectData:
        return add_guarded(&information->CollectData);
    default:
        return STATUS_SUCCESS;
    }
}
