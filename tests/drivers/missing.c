/* missing.c - drivers that import what nobody models: each definition is a way
 * to come to it, or not to. Whatever they do afterwards, their run has ended.
 */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

/* No Windows has the first three, so nobody will ever model them. */
__declspec(dllimport) NTSTATUS NTAPI NtpmuNobodyHasThis(ULONG_PTR number);
__declspec(dllimport) VOID NTAPI NtpmuNorThis(VOID);
__declspec(dllimport) extern ULONG NtpmuNorThisVariable[64];
__declspec(dllimport) extern PUSHORT *NlsOemLeadByteInfo;
__declspec(dllimport) NTSTATUS NTAPI NtpmuOfAnother(VOID);

static volatile LONG done;

/* An import that is never used is none. */
static BOOLEAN is_asked(void)
{
    return done == 0x12345;
}

static NTSTATUS call_all(void)
{
    NtpmuNorThis();
    return NtpmuNobodyHasThis(NtpmuNorThisVariable[1]) + NtpmuOfAnother() +
           (NTSTATUS)(NlsOemLeadByteInfo != NULL && **NlsOemLeadByteInfo);
}

/* What a driver does that wants to go on in any case. */
static NTSTATUS tried(NTSTATUS (*use)(void))
{
    NTSTATUS status;

    __try {
        status = use();
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        status = STATUS_SUCCESS;
    }
    return status;
}

static NTSTATUS call(void)
{
    return NtpmuNobodyHasThis(3);
}

#if defined(MISSING_UNREACHED)
static NTSTATUS start(void)
{
    return STATUS_SUCCESS;
}
#elif defined(MISSING_CALLED)
static NTSTATUS start(void)
{
    return call();
}
#elif defined(MISSING_TRIED)
static NTSTATUS start(void)
{
    return tried(call);
}
#elif defined(MISSING_OF_ANOTHER)
static NTSTATUS start(void)
{
    return NtpmuOfAnother();
}
#elif defined(MISSING_READ)
static NTSTATUS read(void)
{
    return NtpmuNorThisVariable[40] == 0 ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

static NTSTATUS start(void)
{
    return tried(read);
}
#elif defined(MISSING_WRITTEN)
static NTSTATUS start(void)
{
    NlsOemLeadByteInfo = NULL;
    return STATUS_SUCCESS;
}
#elif defined(MISSING_COPIED)
/* A routine reads it for the driver. */
static NTSTATUS copy(void)
{
    UNICODE_STRING text;

    RtlInitUnicodeString(&text, (PCWSTR)NtpmuNorThisVariable);
    return STATUS_SUCCESS;
}

static NTSTATUS start(void)
{
    return tried(copy);
}
#elif defined(MISSING_LOCKED)
static NTSTATUS start(void)
{
    KIRQL irql;

    KeAcquireSpinLock((PKSPIN_LOCK)&NtpmuNorThisVariable[2], &irql);
    KeReleaseSpinLock((PKSPIN_LOCK)&NtpmuNorThisVariable[2], irql);
    return STATUS_SUCCESS;
}
#elif defined(MISSING_GIVEN)
/* The kernel is to call it. */
static NTSTATUS start(void)
{
    KeIpiGenericCall((PKIPI_BROADCAST_WORKER)NtpmuNobodyHasThis, 0);
    return STATUS_SUCCESS;
}
#elif defined(MISSING_ELSEWHERE)
static ULONG_PTR NTAPI work(ULONG_PTR context)
{
    UNREFERENCED_PARAMETER(context);
    return KeGetCurrentProcessorNumberEx(NULL) == 2 ? (ULONG_PTR)tried(call)
                                                    : 0;
}

static NTSTATUS start(void)
{
    KeIpiGenericCall(work, 0);
    return STATUS_SUCCESS;
}
#elif defined(MISSING_IN_A_DPC)
static KDPC dpc;
static KDEFERRED_ROUTINE deferred;

static VOID NTAPI deferred(PKDPC self, PVOID context, PVOID first, PVOID second)
{
    UNREFERENCED_PARAMETER(self);
    UNREFERENCED_PARAMETER(context);
    UNREFERENCED_PARAMETER(first);
    UNREFERENCED_PARAMETER(second);
    (void)tried(call);
}

static NTSTATUS start(void)
{
    KeInitializeDpc(&dpc, deferred, NULL);
    KeInsertQueueDpc(&dpc, NULL, NULL);
    return STATUS_SUCCESS;
}
#elif defined(MISSING_IN_A_THREAD)
static VOID NTAPI body(PVOID context)
{
    UNREFERENCED_PARAMETER(context);
    (void)tried(call);
    PsTerminateSystemThread(STATUS_SUCCESS);
}

static NTSTATUS start(void)
{
    HANDLE thread;
    PVOID object;
    NTSTATUS status = PsCreateSystemThread(
        &thread, THREAD_ALL_ACCESS, NULL, NULL, NULL, body, NULL);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = ObReferenceObjectByHandle(
        thread, SYNCHRONIZE, *PsThreadType, KernelMode, &object, NULL);
    ZwClose(thread);
    if (NT_SUCCESS(status)) {
        KeWaitForSingleObject(object, Executive, KernelMode, FALSE, NULL);
        ObfDereferenceObject(object);
    }
    return STATUS_SUCCESS;
}
#elif defined(MISSING_AT_UNLOAD)
static NTSTATUS start(void)
{
    return STATUS_SUCCESS;
}
#endif

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
#if defined(MISSING_AT_UNLOAD)
    (void)tried(call);
#endif
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    return is_asked() ? tried(call_all) : start();
}
