/* answered.c - a driver that calls what nobody models, and prints what it is
 * told; with ANSWERED_NULL, ANSWERED_WILD and ANSWERED_UNCAUGHT it gives a
 * pointer at which nobody can store. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

__declspec(dllimport) ULONG_PTR NTAPI NtpmuAnswered(ULONG_PTR code,
    PULONG first, PVOID third, ULONG fourth, ULONG fifth, PULONG sixth);
__declspec(dllimport) VOID NTAPI NtpmuNorThis(VOID);
__declspec(dllimport) NTSTATUS NTAPI NtpmuOfAnother(VOID);

#if defined(ANSWERED_NULL) || defined(ANSWERED_UNCAUGHT)
static PULONG place_of(PULONG first)
{
    UNREFERENCED_PARAMETER(first);
    return NULL;
}
#elif defined(ANSWERED_WILD)
static PULONG place_of(PULONG first)
{
    UNREFERENCED_PARAMETER(first);
    return (PULONG)0xFFFF9000DEAD0000ull;
}
#else
static PULONG place_of(PULONG first)
{
    return first;
}
#endif

static ULONG_PTR ask(ULONG_PTR code)
{
    ULONG first = 1, sixth[2] = {2, 3};
    ULONG_PTR result = 0;

#if defined(ANSWERED_UNCAUGHT)
    result = NtpmuAnswered(code, place_of(&first), NULL, 4, 5, sixth);
#else
    __try {
        result = NtpmuAnswered(code, place_of(&first), NULL, 4, 5, sixth);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        result = (ULONG)GetExceptionCode();
    }
#endif
    DbgPrint(
        "0x%llx first=%lu sixth=%lu,%lu", result, first, sixth[0], sixth[1]);
    return result;
}

/* What is not imported is asked for, and called where it is there. */
static VOID ask_by_name(VOID)
{
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"NtpmuByName");
    ULONG_PTR(*by_name)
    (ULONG_PTR) = (ULONG_PTR(*)(ULONG_PTR))MmGetSystemRoutineAddress(&name);

    DbgPrint("by name 0x%llx", by_name == NULL ? 0 : by_name(9));
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    KIRQL irql;

    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    (void)ask(7);
    ask_by_name();
    NtpmuNorThis();
    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    (void)ask(8);
    KeLowerIrql(irql);
    DbgPrint("of %lu", KeQueryMaximumProcessorCountEx(0));
    return NtpmuOfAnother();
}
