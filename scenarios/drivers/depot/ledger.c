/* ledger.c - the counters that requests change and the callback publishes,
 * under one spin lock. The callback comes at PASSIVE_LEVEL or APC_LEVEL on
 * whatever processor; each holds the lock for a few instructions. The callback
 * copies under the lock and adds without it, because PcwAddInstance is not for
 * DISPATCH_LEVEL. What takes the lock is not in a pageable section. */
#include "scenarios/drivers/depot/ledger.h"

#include "scenarios/drivers/depot/counters.h"
#include "scenarios/drivers/depot/defects.h"

static struct {
    KSPIN_LOCK lock;
    DEPOT_FIGURES figures;
    LONGLONG frequency, filled; /* since when something is there */
} ledger;

static PCW_CALLBACK callback;

#ifdef ALLOC_PRAGMA
#pragma alloc_text(PAGE, ledger_register, ledger_unregister, callback)
#endif

NTSTATUS ledger_register(VOID)
{
    PCW_REGISTRATION_INFORMATION information;
    LARGE_INTEGER frequency;

    PAGED_CODE();
    KeInitializeSpinLock(&ledger.lock);
    KeQueryPerformanceCounter(&frequency);
    ledger.frequency = frequency.QuadPart;
    DepotInitRegistrationInformationLedger(callback, NULL, &information);
    information.Version = PCW_VERSION_1;
    return PcwRegister(&DepotLedger, &information);
}

VOID ledger_unregister(VOID)
{
    PAGED_CODE();
    DepotUnregisterLedger();
}

/* Without leaving 64 bits on the way. */
static ULONG64 to_100ns(LONGLONG ticks)
{
    LONGLONG frequency = ledger.frequency;

    return (ULONG64)(ticks / frequency * 10000000 +
                     ticks % frequency * 10000000 / frequency);
}

static LONGLONG now(VOID)
{
    return KeQueryPerformanceCounter(NULL).QuadPart;
}

VOID ledger_put(ULONG bytes)
{
    KIRQL irql;

    KeAcquireSpinLock(&ledger.lock, &irql);
    if (ledger.figures.Items++ == 0) {
        ledger.filled = now();
    }
    ledger.figures.Bytes += bytes;
    KeReleaseSpinLock(&ledger.lock, irql);
}

VOID ledger_drop(ULONG bytes, LONGLONG ticks)
{
    KIRQL irql;

    KeAcquireSpinLock(&ledger.lock, &irql);
    if (--ledger.figures.Items == 0) {
        ledger.figures.InUse += to_100ns(now() - ledger.filled);
    }
    ledger.figures.Bytes -= bytes;
    ledger.figures.Ticks += (ULONG)ticks;
    ledger.figures.Dropped++;
    KeReleaseSpinLock(&ledger.lock, irql);
}

VOID ledger_get(BOOLEAN found)
{
    KIRQL irql;

    KeAcquireSpinLock(&ledger.lock, &irql);
    ledger.figures.Gets++;
    if (found) {
        ledger.figures.Hits++;
    }
    KeReleaseSpinLock(&ledger.lock, irql);
}

/* What is there now has been there until now. */
static VOID read_figures(DEPOT_FIGURES *figures)
{
    *figures = ledger.figures;
    if (figures->Items > 0) {
        figures->InUse += to_100ns(now() - ledger.filled);
    }
}

static VOID copy_figures(DEPOT_FIGURES *figures)
{
    KIRQL irql;

    if (DEFECT == DEFECT_COPY_UNLOCKED) {
        read_figures(figures);
        return;
    }
    if (DEFECT == DEFECT_LEVEL_ASSUMED) {
        KeAcquireSpinLockAtDpcLevel(&ledger.lock);
        read_figures(figures);
        KeReleaseSpinLockFromDpcLevel(&ledger.lock);
        return;
    }
    KeAcquireSpinLock(&ledger.lock, &irql);
    read_figures(figures);
    KeReleaseSpinLock(&ledger.lock, irql);
}

static NTSTATUS add(PPCW_BUFFER buffer)
{
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"all");
    DEPOT_FIGURES figures;

    copy_figures(&figures);
    return DepotAddLedger(buffer, &name, 0, &figures);
}

static NTSTATUS NTAPI callback(PCW_CALLBACK_TYPE type,
    PPCW_CALLBACK_INFORMATION information, PVOID context)
{
    UNREFERENCED_PARAMETER(context);
    PAGED_CODE();
    switch (type) {
    case PcwCallbackEnumerateInstances:
        return add(information->EnumerateInstances.Buffer);
    case PcwCallbackCollectData:
        return add(information->CollectData.Buffer);
    default:
        return STATUS_SUCCESS;
    }
}
