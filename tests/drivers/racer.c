/* racer.c - two threads, each on a processor of its own, that get into each
 * other's way: six races, of which RACE is one. What each does later on than
 * the other takes so long that nobody ever sees it lost. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static KSTART_ROUTINE thread;

enum { THREADS = 2, LATE_MICROSECONDS = 40, TAG = 0x72636152 };

static struct {
    KEVENT started;
    PVOID thread[THREADS];
    LONG count;
    KSPIN_LOCK lock[THREADS];
    KEVENT there;
    KDPC dpc;
    KEVENT done;
    volatile LONG *block;
    VOID (*volatile callback)(VOID);
} racer;

#if defined(LOST_UPDATE)
/* Reads, asks for the time, writes. */
static VOID race(ULONG number)
{
    LONG count = racer.count;

    UNREFERENCED_PARAMETER(number);
    KeQueryPerformanceCounter(NULL);
    racer.count = count + 1;
}

static NTSTATUS judge(VOID)
{
    return racer.count == THREADS ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
#elif defined(NO_CALL)
/* Calls nobody between its look and its step. */
static VOID race(ULONG number)
{
    LONG count = racer.count;

    UNREFERENCED_PARAMETER(number);
    if (count < THREADS) {
        racer.count = count + 1;
    }
}

static NTSTATUS judge(VOID)
{
    return racer.count == THREADS ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
#elif defined(TWO_LOCKS)
static VOID race(ULONG number)
{
    KIRQL old;

    KeAcquireSpinLock(&racer.lock[number], &old);
    KeAcquireSpinLockAtDpcLevel(&racer.lock[1 - number]);
    KeReleaseSpinLockFromDpcLevel(&racer.lock[1 - number]);
    KeReleaseSpinLock(&racer.lock[number], old);
}
#elif defined(CHECK_THEN_ACT)
/* Who finds the block takes it away, and frees it. */
static VOID race(ULONG number)
{
    UNREFERENCED_PARAMETER(number);
    if (KeReadStateEvent(&racer.there)) {
        KeClearEvent(&racer.there);
        ExFreePoolWithTag((PVOID)racer.block, TAG);
    }
}
#elif defined(CALLBACK_UNLOADED)
static VOID called(VOID)
{
    KeQueryPerformanceCounter(NULL);
    *racer.block = 1;
}

/* One calls back what is there; the other takes it away, and frees what it
 * uses. */
static VOID race(ULONG number)
{
    VOID (*callback)(VOID) = racer.callback;

    if (number == 0) {
        if (callback != NULL) {
            callback();
        }
        return;
    }
    racer.callback = NULL;
    KeQueryPerformanceCounter(NULL);
    ExFreePoolWithTag((PVOID)racer.block, TAG);
}
#elif defined(DPC_UNLOADED)
static KDEFERRED_ROUTINE deferred;

/* It says that it is done, and is not. */
static VOID NTAPI deferred(PKDPC dpc, PVOID context, PVOID first, PVOID second)
{
    UNREFERENCED_PARAMETER(dpc);
    UNREFERENCED_PARAMETER(context);
    UNREFERENCED_PARAMETER(first);
    UNREFERENCED_PARAMETER(second);
    KeSetEvent(&racer.done, IO_NO_INCREMENT, FALSE);
    *racer.block = 1;
}

static VOID race(ULONG number)
{
    if (number == 0) {
        KeInsertQueueDpc(&racer.dpc, NULL, NULL);
        return;
    }
    KeWaitForSingleObject(&racer.done, Executive, KernelMode, FALSE, NULL);
    ExFreePoolWithTag((PVOID)racer.block, TAG);
}
#endif

#if !defined(LOST_UPDATE) && !defined(NO_CALL)
static NTSTATUS judge(VOID)
{
    return STATUS_SUCCESS;
}
#endif

static VOID NTAPI thread(PVOID context)
{
    ULONG number = (ULONG)(ULONG_PTR)context;
    GROUP_AFFINITY processor = {0}, before;

    processor.Mask = (KAFFINITY)1 << number;
    KeSetSystemGroupAffinityThread(&processor, &before);
    KeWaitForSingleObject(&racer.started, Executive, KernelMode, FALSE, NULL);
    if (number == 1) {
        KeStallExecutionProcessor(LATE_MICROSECONDS);
    }
    race(number);
    PsTerminateSystemThread(STATUS_SUCCESS);
}

static NTSTATUS start(ULONG number)
{
    HANDLE handle;
    NTSTATUS status = PsCreateSystemThread(&handle, THREAD_ALL_ACCESS, NULL,
        NULL, NULL, thread, (PVOID)(ULONG_PTR)number);

    if (NT_SUCCESS(status)) {
        status = ObReferenceObjectByHandle(handle, THREAD_ALL_ACCESS, NULL,
            KernelMode, &racer.thread[number], NULL);
        ZwClose(handle);
    }
    return status;
}

#if defined(DPC_UNLOADED)
static VOID prepare_dpc(VOID)
{
    KeInitializeDpc(&racer.dpc, deferred, NULL);
    KeSetTargetProcessorDpc(&racer.dpc, 0);
}
#endif

static VOID prepare(VOID)
{
    KeInitializeEvent(&racer.started, NotificationEvent, FALSE);
    KeInitializeEvent(&racer.there, NotificationEvent, TRUE);
    KeInitializeEvent(&racer.done, NotificationEvent, FALSE);
    KeInitializeSpinLock(&racer.lock[0]);
    KeInitializeSpinLock(&racer.lock[1]);
#if defined(DPC_UNLOADED)
    prepare_dpc();
#endif
#if defined(CALLBACK_UNLOADED)
    racer.callback = called;
#endif
#if defined(CHECK_THEN_ACT) || defined(CALLBACK_UNLOADED) ||                   \
    defined(DPC_UNLOADED)
    racer.block = ExAllocatePoolWithTag(NonPagedPool, sizeof(LONG), TAG);
#endif
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    prepare();
    for (ULONG i = 0; i < THREADS; i++) {
        NTSTATUS status = start(i);

        if (!NT_SUCCESS(status)) {
            return status;
        }
    }
    KeSetEvent(&racer.started, IO_NO_INCREMENT, FALSE);
    for (ULONG i = 0; i < THREADS; i++) {
        KeWaitForSingleObject(
            racer.thread[i], Executive, KernelMode, FALSE, NULL);
        ObDereferenceObject(racer.thread[i]);
    }
    return judge();
}
