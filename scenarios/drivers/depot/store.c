/* store.c - what the driver keeps, put, got and dropped by number, under a fast
 * mutex: whoever has it is at APC_LEVEL and may take the ledger's spin lock
 * within, never the other way round. */
#include "scenarios/drivers/depot/store.h"

#include "scenarios/drivers/depot/census.h"
#include "scenarios/drivers/depot/defects.h"
#include "scenarios/drivers/depot/ledger.h"

struct place {
    ULONG bytes;   /* 0: nothing is there */
    LONGLONG came; /* by the performance counter */
};

static struct {
    FAST_MUTEX mutex;
    struct place place[DEPOT_PLACES];
} store;

#ifdef ALLOC_PRAGMA
#pragma alloc_text(PAGE, store_start, store_put, store_get, store_drop)
#pragma alloc_text(PAGE, store_copy)
#endif

VOID store_start(VOID)
{
    PAGED_CODE();
    ExInitializeFastMutex(&store.mutex);
}

NTSTATUS store_put(const struct depot_put *put)
{
    NTSTATUS status = STATUS_DEVICE_BUSY;
    struct place *place;

    PAGED_CODE();
    if (put->Place >= DEPOT_PLACES || put->Bytes == 0) {
        return STATUS_INVALID_PARAMETER;
    }
    place = &store.place[put->Place];
    ExAcquireFastMutex(&store.mutex);
    if (DEFECT == DEFECT_MUTEX_AGAIN && place->bytes != 0) {
        store_drop(put->Place);
    }
    if (place->bytes == 0) {
        place->bytes = put->Bytes;
        place->came = KeQueryPerformanceCounter(NULL).QuadPart;
        ledger_put(put->Bytes);
#if DEFECT == DEFECT_ITEM_AWAITED
        census_changed();
        census_await();
#endif
        status = STATUS_SUCCESS;
    }
    ExReleaseFastMutex(&store.mutex);
    if (NT_SUCCESS(status)) {
        census_changed();
    }
    return status;
}

NTSTATUS store_get(ULONG number, ULONG *bytes)
{
    PAGED_CODE();
    if (number >= DEPOT_PLACES) {
        return STATUS_INVALID_PARAMETER;
    }
    if (DEFECT == DEFECT_MUTEX_KEPT) {
        KeEnterCriticalRegion();
        ExAcquireFastMutexUnsafe(&store.mutex);
        *bytes = store.place[number].bytes;
        KeLeaveCriticalRegion();
        return STATUS_SUCCESS;
    }
    ExAcquireFastMutex(&store.mutex);
    *bytes = store.place[number].bytes;
    ledger_get(*bytes != 0);
    ExReleaseFastMutex(&store.mutex);
    return *bytes != 0 ? STATUS_SUCCESS : STATUS_NOT_FOUND;
}

NTSTATUS store_drop(ULONG number)
{
    NTSTATUS status = STATUS_NOT_FOUND;
    struct place *place;

    PAGED_CODE();
    if (number >= DEPOT_PLACES) {
        return STATUS_INVALID_PARAMETER;
    }
    place = &store.place[number];
    ExAcquireFastMutex(&store.mutex);
    if (place->bytes != 0) {
        ledger_drop(place->bytes,
            KeQueryPerformanceCounter(NULL).QuadPart - place->came);
        place->bytes = 0;
        status = STATUS_SUCCESS;
    }
    ExReleaseFastMutex(&store.mutex);
    if (NT_SUCCESS(status)) {
        census_changed();
    }
    return status;
}

VOID store_copy(ULONG bytes[DEPOT_PLACES])
{
    PAGED_CODE();
    ExAcquireFastMutex(&store.mutex);
    for (ULONG i = 0; i < DEPOT_PLACES; i++) {
        bytes[i] = store.place[i].bytes;
    }
    ExReleaseFastMutex(&store.mutex);
}
