/* keeper.c - sample driver that guards one number by a lock of each kind, so
 * that the rules of locks see it. */
#include <ntddk.h>

#include "scenarios/drivers/keeper/defects.h"

DRIVER_INITIALIZE DriverEntry;

static struct {
    FAST_MUTEX writing;
    KMUTEX mutex;
    ERESOURCE readers;
    KSPIN_LOCK lock;
    KEVENT never;
    ULONG number;
} keeper;

static void wait_for_nothing(void)
{
    LARGE_INTEGER none;

    none.QuadPart = -1;
    KeWaitForSingleObject(&keeper.never, Executive, KernelMode, FALSE, &none);
}

static void set(ULONG number)
{
    KLOCK_QUEUE_HANDLE handle;

    KeAcquireInStackQueuedSpinLock(&keeper.lock, &handle);
    keeper.number = number;
#if DEFECT == DEFECT_WAITS
    wait_for_nothing();
#endif
    KeReleaseInStackQueuedSpinLock(&handle);
}

static void read(void)
{
    ExAcquireFastMutex(&keeper.writing);
    KeWaitForSingleObject(&keeper.mutex, Executive, KernelMode, FALSE, NULL);
    /* At APC_LEVEL, so in no need of a critical region. */
    ExAcquireResourceSharedLite(&keeper.readers, TRUE);
    set(keeper.number);
    ExReleaseResourceLite(&keeper.readers);
    KeReleaseMutex(&keeper.mutex, FALSE);
    ExReleaseFastMutex(&keeper.writing);
}

#if DEFECT == DEFECT_OTHER_ORDER
static void write(ULONG number)
{
    KeWaitForSingleObject(&keeper.mutex, Executive, KernelMode, FALSE, NULL);
    ExAcquireFastMutex(&keeper.writing);
    set(number);
    ExReleaseFastMutex(&keeper.writing);
    KeReleaseMutex(&keeper.mutex, FALSE);
}
#else
static void write(ULONG number)
{
    ExAcquireFastMutex(&keeper.writing);
    KeWaitForSingleObject(&keeper.mutex, Executive, KernelMode, FALSE, NULL);
    set(number);
    KeReleaseMutex(&keeper.mutex, FALSE);
    ExReleaseFastMutex(&keeper.writing);
}
#endif

/* A thread that does not own it raises. */
static NTSTATUS release_twice(void)
{
    NTSTATUS status = STATUS_SUCCESS;

    __try {
        KeReleaseMutex(&keeper.mutex, FALSE);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        status = GetExceptionCode();
    }
    return status;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    (void)driver;
#if DEFECT == DEFECT_LOCK_KEPT
    KeEnterCriticalRegion();
    ExAcquireFastMutexUnsafe(&keeper.writing);
    KeLeaveCriticalRegion();
#endif
    ExDeleteResourceLite(&keeper.readers);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    (void)path;
    driver->DriverUnload = unload;
    ExInitializeFastMutex(&keeper.writing);
    KeInitializeMutex(&keeper.mutex, 0);
    ExInitializeResourceLite(&keeper.readers);
    KeInitializeSpinLock(&keeper.lock);
    KeInitializeEvent(&keeper.never, NotificationEvent, FALSE);
    read();
    write(7);
#if DEFECT == DEFECT_MUTEX_KEPT
    KeWaitForSingleObject(&keeper.mutex, Executive, KernelMode, FALSE, NULL);
    return STATUS_SUCCESS;
#else
    wait_for_nothing();
    return release_twice() == STATUS_MUTANT_NOT_OWNED ? STATUS_SUCCESS
                                                      : STATUS_UNSUCCESSFUL;
#endif
}
